"""What counts as a correct image, and what ranking nine images is worth."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from PIL import Image as PillowImage

from alignment.statistics.intervals import measured_mean
from benchmarks.best_of_n import RankedGrid, gains, right_by_n
from benchmarks.charts import contact_sheet
from benchmarks.stickers.command import generated_right, unselected
from benchmarks.stickers.detector import (
    DetectedScene,
    Detector,
    DetectorVocabulary,
    Sticker,
    detect,
    load_detector,
    save_detector,
    to_pixels,
)
from benchmarks.stickers.generated import GeneratedImage, LoadedGenerator, peak_ratio
from benchmarks.stickers.geometry import relation
from benchmarks.stickers.prompts import (
    KINDS,
    EvaluationPrompt,
    RequestedGroup,
    read_prompts,
    satisfies,
)
from generation.models import CHECKPOINTS

VOCABULARY = DetectorVocabulary(
    (0, 32, 64), (("car", ""), ("egg", "whole")), ("", "red"), ("plain", "night"), (8,) * 3
)
CAR = Sticker(0, 32, 64, "car", "red", "")
EGG = Sticker(64, 32, 64, "egg", "", "whole")
RED_CAR = RequestedGroup("car", 1, "red")


def prompt(*groups: RequestedGroup, **more: object) -> EvaluationPrompt:
    return EvaluationPrompt("a prompt", "one", groups, **more)  # type: ignore[arg-type]


def scene(*stickers: Sticker) -> DetectedScene:
    return DetectedScene(stickers, "night")


def test_what_is_asked_for_must_be_there_in_its_colour_and_number() -> None:
    assert satisfies(scene(CAR), prompt(RED_CAR))
    assert not satisfies(scene(CAR), prompt(RequestedGroup("car", 1, "blue")))
    assert not satisfies(scene(CAR), prompt(RequestedGroup("car", 2, "red")))
    assert not satisfies(scene(EGG), prompt(RED_CAR))
    assert satisfies(scene(EGG), prompt(RequestedGroup("egg", 1, state="whole", size="large")))
    assert not satisfies(scene(EGG), prompt(RequestedGroup("egg", 1, state="hatched")))
    assert not satisfies(scene(EGG), prompt(RequestedGroup("egg", 1, size="small")))


def test_vague_plurals_ask_for_two_or_more() -> None:
    frogs = prompt(RequestedGroup("egg", 2, at_least=True))
    assert not satisfies(scene(EGG), frogs)
    assert all(satisfies(scene(*[EGG] * count), frogs) for count in (2, 3))


def test_two_of_a_name_are_told_apart_by_their_colours() -> None:
    blue = Sticker(64, 32, 64, "car", "blue", "")
    pair = prompt(RED_CAR, RequestedGroup("car", 1, "blue"), relation="left")
    assert satisfies(scene(CAR, blue), pair)
    assert not satisfies(scene(CAR), pair)


def test_nothing_else_may_be_there_unless_the_prompt_has_unknown_words() -> None:
    assert not satisfies(scene(CAR, EGG), prompt(RED_CAR))
    assert satisfies(scene(CAR, EGG), prompt(RED_CAR, unknown=("dragon",)))


def test_the_background_counts_where_the_prompt_speaks_of_it() -> None:
    assert satisfies(scene(CAR), prompt(RED_CAR, background="night"))
    assert not satisfies(scene(CAR), prompt(RED_CAR, background="plain"))


def test_a_relation_is_read_from_the_middles_of_two_stickers() -> None:
    pair = RED_CAR, RequestedGroup("egg", 1)
    assert relation([CAR], [EGG]) == "left"
    assert relation([EGG], [CAR]) == "right"
    small, low = Sticker(16, 16, 32, "car", "", ""), Sticker(0, 64, 64, "egg", "", "")
    assert relation([small], [low]) == "above"
    assert relation([replace(small, size=64, x=0, y=0)], [replace(low, x=64)]) == ""
    assert satisfies(scene(EGG, CAR), prompt(*pair, relation="left"))
    assert not satisfies(scene(EGG, CAR), prompt(*pair, relation="right"))


def test_a_thing_is_above_two_where_both_are_below_it_and_not_where_one_is() -> None:
    beside, left, right = (
        Sticker(*at, 48, "egg", "", "whole") for at in ((64, 0), (0, 64), (64, 64))
    )
    asked = prompt(RED_CAR, RequestedGroup("egg", 2), relation="above")
    corner = Sticker(0, 0, 48, "car", "red", "")
    assert satisfies(scene(corner, left, right), asked)
    assert not satisfies(scene(corner, left, beside), asked)
    assert not satisfies(scene(replace(corner, x=64), left, replace(left, x=16, y=80)), asked)


def test_a_folder_of_a_pipeline_generates_with_the_steps_and_the_guidance_it_is_given() -> None:
    generator = LoadedGenerator.of(str(CHECKPOINTS / "sticker-diffusion"), steps=2, guidance=3.0)
    (image,) = generator.grid("a cat", (1, 1), 7)
    assert (generator.spec.steps, generator.spec.guidance, image.size) == (2, 3.0, (128, 128))


def test_accuracy_is_taken_kind_by_kind() -> None:
    image = PillowImage.new("RGB", (128, 128))
    one, two = (EvaluationPrompt("a red car", kind, (RED_CAR,)) for kind in ("one", "two"))
    generated = [
        GeneratedImage(one, image, correct=True),
        GeneratedImage(one, image, correct=False),
        GeneratedImage(two, image, correct=False),
    ]
    found = {each.about["kind"]: each for each in generated_right(generated)}
    assert {kind: (each.value, each.units) for kind, each in found.items()} == {
        "one": (0.5, 2),
        "two": (0.0, 1),
        "all but those as people type": (pytest.approx(1 / 3), 3),
    }
    assert found["one"].interval == "0.095 .. 0.905"
    assert unselected(generated) == generated
    assert contact_sheet([(p.image, p.prompt.prompt) for p in generated], 2).width == 256


def test_decibels_have_an_interval_over_images_and_the_ratio_is_of_their_mean_error() -> None:
    """Errors of .001 and .002 in turn: 10 log10(1 / .0015) = 28.24 dB, 40 images."""
    errors = [0.001, 0.002] * 20
    found = peak_ratio(errors, np.random.default_rng(7))
    assert (round(found.value, 2), found.n) == (28.24, 40)
    error = measured_mean(errors, np.random.default_rng(7))
    ends = [-10 * np.log10(error.high), -10 * np.log10(error.low)]
    assert [found.low, found.high] == pytest.approx(ends)
    assert 27.7 < found.low < found.value < found.high < 28.8
    alone = peak_ratio([0.001], np.random.default_rng(7))
    assert (alone.low, round(alone.high, 1)) == (0, 48.1)


def test_a_method_can_show_a_wrong_image_first_and_lose_what_was_right() -> None:
    """Two prompts: VQ2 finds the right image of one; CLIP loses that of the other."""
    grids = [
        RankedGrid((False, True, False), {"vq2": (0.1, 0.9, 0.2), "clip": (0.9, 0.1, 0.1)}, {}),
        RankedGrid((True, False, False), {"vq2": (0.8, 0.1, 0.1), "clip": (0.1, 0.1, 0.9)}, {}),
    ]
    rng = np.random.default_rng(7)
    found, gained = (
        {each.about["method"]: each for each in make(grids, rng, ["vq2", "clip"], {})}
        for make in (right_by_n, gains)
    )
    assert {name: number.value for name, number in found.items()} == {
        "random": pytest.approx(1 / 3),
        "as generated": 0.5,
        "vq2": 1.0,
        "clip": 0.0,
        "at best": 1.0,
    }
    assert {name: number.value for name, number in gained.items()} == {"vq2": 0.5, "clip": -0.5}
    assert found["vq2"].units == gained["clip"].units == 2


def test_a_detector_is_stored_with_its_vocabulary(tmp_path: Path) -> None:
    torch.manual_seed(0)
    detector = load_detector(save_detector(Detector(VOCABULARY), tmp_path))
    assert detector.vocabulary == VOCABULARY
    pixels = to_pixels([PillowImage.new("RGB", (128, 128), "white")] * 2)
    assert pixels.max() == 1
    first, second = detect(detector, pixels)
    assert first == second
    assert first.background in VOCABULARY.backgrounds


def test_there_are_a_hundred_prompts_of_each_kind_that_the_detector_can_read() -> None:
    prompts, vocabulary = read_prompts(), load_detector().vocabulary
    assert [sum(prompt.kind == kind for prompt in prompts) for kind in KINDS] == [100] * len(KINDS)
    assert len(read_prompts(limit=3)) == 3 * len(KINDS)
    for prompt in prompts:
        assert {group.name for group in prompt.groups} <= {name for name, _ in vocabulary.looks}
        assert {group.colour for group in prompt.groups} <= {*vocabulary.colours}
        assert prompt.background in ("", *vocabulary.backgrounds)


def test_no_held_out_prompt_says_what_training_has_shown() -> None:
    from recipes.world.splits import is_held_out

    folder = Path(__file__).parents[3] / "assets" / "benchmarks" / "prompts"
    for line in map(json.loads, (folder / "held_out.jsonl").read_text().splitlines()):
        names = [group["name"] for group in line["groups"]]
        found = [("colour", g["name"], g["colour"]) for g in line["groups"] if "colour" in g]
        found += [("count", g["name"], str(g["count"])) for g in line["groups"] if g["count"] > 1]
        found += [(line["relation"], *names)] if line["relation"] else []
        assert any(is_held_out(tuple(composition)) for composition in found), line["prompt"]
