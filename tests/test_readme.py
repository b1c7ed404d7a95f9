"""What the README promises to a person who copies from it."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
SENTENCE = re.compile(r"Seed (\d+): (?:right|wrong|in doubt); .+\? .+ \(\d+%\)")


def test_the_python_example_ranks_nine_images(capsys: pytest.CaptureFixture[str]) -> None:
    code = re.findall(r"```python\n(.*?)```", README, flags=re.DOTALL)[0]
    exec(compile(code, "README.md", "exec"), {"__name__": "__main__"})
    said = capsys.readouterr().out.splitlines()
    seeds = [int(each[1]) for line in said if (each := SENTENCE.fullmatch(line))]
    assert sorted(seeds) == list(range(40, 49))


def test_it_is_read_in_three_minutes() -> None:
    assert len(README.splitlines()) <= 150


@pytest.mark.parametrize("path", sorted(set(re.findall(r"\]\(([\w./-]+)", README))))
def test_every_link_to_a_file_leads_somewhere(path: str) -> None:
    assert (ROOT / path).exists()
