"""What readers answered about images of typed prompts is asked as they answered it."""

import re
from pathlib import Path

import numpy as np
import pytest
import torch

from alignment.models.spec import Templates
from benchmarks.stickers.generated import LoadedGenerator
from recipes.vlm.answered_images import AnsweredSet, read_answers, write_images
from recipes.vlm.examples import VqaExample

YES, NO, SIDE = (
    VqaExample(Templates().predicate.format(question="what animal is there?", answer=said), truth)
    for said, truth in (("cat", "yes"), ("dog", "no"), ("left of a dog", "yes"))
)


def images(count: int) -> torch.Tensor:
    """Each dark on its left half, bright on its right half."""
    pixels = torch.zeros(count, 3, 128, 128, dtype=torch.uint8)
    pixels[..., 64:] = 255
    return pixels


def test_each_image_has_a_letter_for_each_question() -> None:
    for each in read_answers():
        assert len(each.letters) == 3
        assert all(re.fullmatch(f"[ynxu]{{{len(each.pairs)}}}", said) for said in each.letters)


def test_no_prompt_is_one_that_figures_are_measured_with() -> None:
    measured = Path(__file__).parents[3] / "assets" / "benchmarks" / "prompts"
    texts = "\n".join(file.read_text("utf-8") for file in measured.glob("*.jsonl"))
    told = {prompt.lower() for prompt in re.findall(r'"prompt": "([^"]*)"', texts)}
    assert len(told) > 400
    assert not told & {each.prompt.lower() for each in read_answers()}


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_images(tmp_path_factory.mktemp("answered") / "images.pt", count=1)


def test_the_images_are_those_of_the_first_prompts(written: Path) -> None:
    found, first = AnsweredSet.read(written), read_answers()[0]
    image, *_ = LoadedGenerator.of("icons").grid(first.prompt, (1, 3), first.seed, completion=True)
    assert found.pixels.shape == (3, 3, 128, 128)
    assert np.array_equal(found.pixels[0].permute(1, 2, 0).numpy(), np.asarray(image))
    assert len(found.examples) == 3
    ((question, answer),) = first.pairs
    assert f"is {answer} true for {question}" in found.examples[0][0].prompt
    assert found.examples[0][0].answer == {"y": "yes", "n": "no"}[first.letters[0]]


def test_half_of_what_is_drawn_has_a_wrong_answer_and_nothing_is_drawn_without_one() -> None:
    rng = np.random.default_rng(0)
    found = AnsweredSet(((YES,), (YES,), (YES,), (NO, YES), ()), images(5))
    examples, pixels = found.draw(rng, 400, questions=2)
    assert len(examples) == 800
    assert len(pixels) == 400
    wrong = sum(any(e is NO for e in examples[at : at + 2]) for at in range(0, 800, 2))
    assert 140 < wrong < 220  # of 200, some of which are asked twice what is right of them


def test_only_what_says_nothing_of_sides_is_mirrored() -> None:
    rng = np.random.default_rng(0)
    for examples, mirrored in (((YES,), True), ((YES, SIDE), False)):
        _, pixels = AnsweredSet((examples,), images(1)).draw(rng, 20, questions=1)
        assert {float(each[0, 0, 0]) for each in pixels} == ({-1.0, 1.0} if mirrored else {-1.0})
