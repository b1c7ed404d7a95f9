"""Soft-TIFA on a small file of our own in the published format."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from alignment.models.catalogue import find_bundle
from alignment.models.image_models import STICKER_VLM
from alignment.models.loading import Models
from alignment.models.vlm import ImageQuestion
from benchmarks.geneval2 import Atom, geometric_mean, read_prompts, soft_tifa
from benchmarks.stickers.evaluators import DEVELOPMENT
from session.errors import DataError
from tests.benchmarks.command import numbers, refusal

OWN = Path(__file__).parent / "data" / "geneval2"
"""Twelve prompts about stickers; the last has a word that the embedded models do not know."""
LINES = [json.loads(line) for line in (OWN / "geneval2_data.jsonl").read_text().splitlines()]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    lines = (LINES[0], LINES[-1])
    (tmp_path / "geneval2_data.jsonl").write_text("\n".join(map(json.dumps, lines)))
    return tmp_path


def test_prompts_are_read_as_they_are_published() -> None:
    first, *_, second = read_prompts(OWN)
    assert (first.text, first.size, len(first.atoms)) == ("two red apples", 3, 3)
    assert first.atoms[0] == Atom("How many apples are in the image?", "two", "count")
    assert second.atoms[-1].skill == "object"


@pytest.mark.parametrize("wrong", [{"skills": ["object"]}, {"vqa_list": [["why?"]]}])
def test_a_line_that_is_not_as_published_is_named(tmp_path: Path, wrong: dict[str, object]) -> None:
    file = tmp_path / "other.jsonl"
    file.write_text(json.dumps(LINES[0] | wrong))
    with pytest.raises(DataError, match=r"other.jsonl, line 1 is not as published"):
        read_prompts(file)


@given(st.lists(st.floats(0.0, 1.0), min_size=1, max_size=12))
def test_the_geometric_mean_is_no_larger_than_the_arithmetic(chances: list[float]) -> None:
    assert geometric_mean(chances) <= sum(chances) / len(chances) + 1e-9
    assert geometric_mean([*chances, 0.0]) == 0.0


@pytest.fixture
def image() -> Path:
    if not Path(STICKER_VLM.source).is_dir():
        pytest.skip("no trained sticker-vlm")
    scene = json.loads((DEVELOPMENT / "scenes.jsonl").read_text().splitlines()[0])
    return DEVELOPMENT / scene["image"]


def test_both_means_are_those_of_the_probabilities_and_unknown_words_are_not_judged(
    folder: Path, image: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The embedded VLM knows no zebra. What is kept is not asked again, without the image even."""
    (folder / "painter.json").write_text(json.dumps({"two red apples": str(image)}))
    options = [folder, "--images", folder / "painter.json", "--scores", folder / "kept"]
    first = numbers(capsys, "geneval2", *options)
    (folder / "painter.json").write_text("{}")
    assert numbers(capsys, "geneval2", *options) == first
    values = {name: each["value"] for name, each in first.items()}
    (am, gm), skills = (
        [value for name, value in values.items() if "unjudged:1" in name],
        [value for name, value in values.items() if "|skill:" in name],
    )
    assert len(skills) == 3
    assert am == pytest.approx(sum(skills) / 3)
    assert gm == pytest.approx((skills[0] * skills[1] * skills[2]) ** (1 / 3))
    assert all("model:painter|evaluator:sticker-vlm@" in name for name in first)
    (folder / "other.json").write_text("{}")
    said = refusal("geneval2", folder, "--images", folder / "other.json")
    assert said == "other.json names no image that exists for 'two red apples'"
    (folder / "other.json").write_text('{"two red')
    said = refusal("geneval2", folder, "--images", folder / "other.json")
    assert said.startswith("other.json is no JSON: Unterminated string")


def test_the_right_answer_counts_in_all_its_spellings_over_all_answers(image: Path) -> None:
    from PIL import Image as PillowImage

    model = Models(find_bundle("embedded")).answerer
    picture = PillowImage.open(image).convert("RGB")
    atom = Atom("is there a cat in the picture?", "Yes", "object")
    (found,) = soft_tifa([atom], picture, model)
    (said,) = model.p_yes(model.encode([picture]), [ImageQuestion(0, atom.question)])
    assert found.probability == pytest.approx(said.probability * said.confidence, abs=1e-4)
    assert found.answered is said.answered
