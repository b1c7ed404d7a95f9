"""What readers answered about images of typed prompts is asked as they answered it."""

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from alignment.labelled_pairs import read_labelled_pairs
from alignment.models.catalogue import EMBEDDED
from alignment.models.loading import Models
from alignment.models.spec import Templates
from benchmarks.stickers.generated import LoadedGenerator
from recipes.vlm.answered_images import AnsweredPrompt, AnsweredSet, read_answers, write_images
from recipes.vlm.answered_pairs import write_answered_pairs
from recipes.vlm.examples import VqaExample
from recipes.vlm.quality import evaluate


def today(_commit: str = "") -> LoadedGenerator:
    """The model that ships, as a copy of the project may have no history."""
    return LoadedGenerator.of("icons")


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
        assert len(each.letters) in (1, 3, 9)
        assert all(re.fullmatch(f"[ynxu]{{{len(each.pairs)}}}", said) for said in each.letters)


def test_no_prompt_is_one_that_figures_are_measured_with() -> None:
    measured = Path(__file__).parents[3] / "assets" / "benchmarks" / "prompts"
    texts = "\n".join(file.read_text("utf-8") for file in measured.glob("*.jsonl"))
    told = {prompt.lower() for prompt in re.findall(r'"prompt": "([^"]*)"', texts)}
    assert len(told) > 400
    assert not told & {each.prompt.lower() for each in read_answers()}


def test_no_prompt_that_is_held_out_is_learned_from() -> None:
    learned, held = ({each.prompt for each in read_answers(held_out=h)} for h in (False, True))
    assert len(learned) > 3 * len(held) > 0
    assert not learned & held


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("answered") / "images.pt"
    return write_images(read_answers()[:1], file, today)


def test_the_images_are_those_of_the_first_prompts(written: Path) -> None:
    found, first = AnsweredSet.read(written), read_answers()[0]
    image, *_ = today().grid(first.prompt, (1, 3), first.seed, completion=True)
    assert found.pixels.shape == (3, 3, 128, 128)
    assert np.array_equal(found.pixels[0].permute(1, 2, 0).numpy(), np.asarray(image))
    assert len(found.examples) == 3
    ((question, answer),) = first.pairs
    assert f"is {answer} true for {question}" in found.examples[0][0].prompt
    assert found.examples[0][0].answer == {"y": "yes", "n": "no"}[first.letters[0]]


def test_half_of_what_is_drawn_has_a_wrong_answer_and_nothing_is_drawn_without_one() -> None:
    rng = np.random.default_rng(0)
    found = AnsweredSet(((YES,), (YES,), (YES,), (NO, YES), ()), images(5), ("",) * 5)
    examples, pixels = found.draw(rng, 400, questions=2)
    assert len(examples) == 800
    assert len(pixels) == 400
    wrong = sum(any(e is NO for e in examples[at : at + 2]) for at in range(0, 800, 2))
    assert 140 < wrong < 220  # of 200, some of which are asked twice what is right of them


def test_only_what_says_nothing_of_sides_is_mirrored() -> None:
    rng = np.random.default_rng(0)
    for examples, mirrored in (((YES,), True), ((YES, SIDE), False)):
        _, pixels = AnsweredSet((examples,), images(1), ("",)).draw(rng, 20, questions=1)
        assert {float(each[0, 0, 0]) for each in pixels} == ({-1.0, 1.0} if mirrored else {-1.0})


def test_a_prompt_that_is_asked_about_wholly_is_asked_as_a_whole() -> None:
    asked = AnsweredPrompt(
        "2 cats", 0, (("how many cats are there?", "2"),), ("y", "n"), whole=True
    )
    whole = Templates().entailment.format(text="two cats")
    for letter, truth in (("y", "yes"), ("n", "no")):
        assert asked.examples(letter)[1:] == (VqaExample(whole, truth),)
        assert len(asked._replace(whole=False).examples(letter)) == 1
    assert asked.examples("u") == ()


def test_a_vlm_is_right_by_what_readers_answered(written: Path) -> None:
    templates, said = Templates(), ("airplane", "train")
    question = "what vehicle is there?"
    pairs = [templates.predicate.format(question=question, answer=each) for each in said]
    wholes = [templates.entailment.format(text=f"a {each}") for each in said]
    model, found = Models(EMBEDDED).answerer, AnsweredSet.read(written)
    for truth, value in ((("yes", "no"), 1.0), (("no", "yes"), 0.0)):
        asked = (*map(VqaExample, pairs, truth), *map(VqaExample, wholes, truth))
        figures = evaluate(model, replace(found, examples=(asked,) * 3))
        assert {name: (each.value, each.n) for name, each in figures.items()} == {
            f"readers' {kind}: {name}": (value, 1)
            for kind in ("answers", "verdicts")
            for name in ("ROC AUC", "right ones held", "wrong ones denied")
        }


def test_the_first_images_of_a_prompt_are_labelled_by_all_of_their_answers(tmp_path: Path) -> None:
    first, second = read_answers()[:2]
    images = write_images((first, second), tmp_path / "images.pt", today)
    pairs = (*first.pairs, ("what color is the airplane?", "blue"))
    asked = first._replace(pairs=pairs, letters=("yy", "yn", "yu"), whole=True)
    other = second._replace(letters=("yyyy", "yuuu", "nyyy"), whole=True)
    for added, expected in (
        (other._replace(prompt=first.prompt), ()),
        (other, (("0001-0.png", True), ("0001-2.png", False))),
        (other._replace(whole=False), ()),
    ):
        table = read_labelled_pairs(write_answered_pairs(tmp_path, (asked, added), images))
        names = [Path(each).name for each in table["image"]]
        assert [*zip(names, table["right"], strict=True)] == [
            ("0000-0.png", True),
            ("0000-1.png", False),
            *expected,
        ]
