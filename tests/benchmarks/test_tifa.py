from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image as PillowImage

from alignment.models.image_models import STICKER_CLIP, STICKER_VLM
from alignment.records import AnswerSpan, Evidence, ImageScore, QuestionAnswer
from benchmarks.data.images import ImageStore
from benchmarks.tifa import image_names, measure, read_questions
from tests.benchmarks.command import refusal, run


def entry(prompt: str, question: str, answer: str, kind: str = "color") -> dict[str, Any]:
    return {"id": prompt, "caption": f"a {prompt}", "question": question, "answer": answer,
            "choices": ["yes", "no"], "element": prompt, "element_type": kind}  # fmt: skip


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    """Two prompts with three questions, and an image of the first."""
    questions, images = tmp_path / "questions.json", tmp_path / "images"
    images.mkdir()
    PillowImage.new("RGB", (64, 64), "red").save(images / "cat.png")
    entries = [
        entry("cat", "is it a cat?", "yes", "animal"),
        entry("cat", "is it red?", "yes"),
        entry("dog", "is it a dog?", "yes", "animal"),
    ]
    questions.write_text(json.dumps(entries))
    return questions, images


def test_questions_are_those_of_a_prompt(files: tuple[Path, Path]) -> None:
    found = read_questions(files[0])
    assert {name: len(entries) for name, entries in found.items()} == {"cat": 2, "dog": 1}


def test_an_image_is_called_by_its_id_or_by_the_map(files: tuple[Path, Path]) -> None:
    entries, store = read_questions(files[0]), ImageStore(files[1])
    assert image_names(entries, store, {}) == {"cat": "cat.png"}
    assert image_names(entries, store, {"dog": "deep/other.jpg"})["dog"] == "other.jpg"


def test_the_score_is_the_mean_over_images_and_kinds_are_over_questions() -> None:
    def scored(value: float, *answers: tuple[str, float]) -> ImageScore:
        pairs = [
            Evidence(QuestionAnswer("?", AnswerSpan("a", 0, 1), 1.0, kind=kind), right)
            for kind, right in answers
        ]
        return ImageScore("tifa", value, evidence=tuple(pairs))

    scores = [scored(0.5, ("color", 1.0), ("animal", 0.0)), scored(1.0, ("color", 1.0))]
    overall, animal, color = measure(scores, "tiny", np.random.default_rng(7))
    assert (overall.value, overall.units) == (0.75, 2)
    assert (animal.value, color.value) == (0.0, 1.0)
    assert color.signature == "TIFA|kind:color|bundle:tiny|questions:2"


def test_the_command_scores_what_has_an_image(
    files: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    for spec in (STICKER_VLM, STICKER_CLIP):
        if not Path(spec.source).is_dir():
            pytest.skip(f"no trained {spec.name}")
    result = run(capsys, "tifa", "--questions", files[0], "--images", files[1])
    overall = result["numbers"][0]
    assert overall["signature"] == "TIFA|questions:published|bundle:embedded|n:1"
    assert overall["value"] in (0.0, 0.5, 1.0)
    assert (result["questions"], result["questions_asked"], result["images_scored"]) == (2, 2, 1)


def test_what_the_model_does_not_know_is_not_asked_and_is_said(
    files: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    questions = json.loads(files[0].read_text())
    questions[1] = entry("cat", "is there a zebra?", "yes", "animal")
    questions.insert(2, entry("cat", "is the cat black?", "no"))
    files[0].write_text(json.dumps(questions))
    result = run(capsys, "tifa", "--questions", files[0], "--images", files[1])
    assert (result["questions"], result["questions_asked"]) == (3, 2)


def test_images_that_are_called_otherwise_want_a_map(files: tuple[Path, Path]) -> None:
    (files[1] / "cat.png").rename(files[1] / "1.png")
    said = refusal("tifa", "--questions", files[0], "--images", files[1])
    assert said == "no image is called like the id of a prompt; give --map"


def test_an_entry_that_lacks_a_field_is_named(tmp_path: Path) -> None:
    (tmp_path / "q.json").write_text('[{"id": "cat", "caption": "a cat"}]')
    said = refusal("tifa", "--questions", tmp_path / "q.json", "--images", tmp_path)
    assert said.startswith("q.json has an entry without question, choices, answer")
