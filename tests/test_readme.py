"""What the README promises to a person who copies from it."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_python_example_ranks_nine_images() -> None:
    code = re.findall(r"```python\n(.*?)```", README, flags=re.DOTALL)[0]
    run = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stderr[-2000:]
    seeds = [int(line.split()[0]) for line in run.stdout.splitlines() if line[:1].isdigit()]
    assert sorted(seeds) == list(range(7, 16))


@pytest.mark.parametrize("path", sorted(set(re.findall(r"\]\(([\w./-]+)", README))))
def test_every_link_to_a_file_leads_somewhere(path: str) -> None:
    assert (ROOT / path).exists()
