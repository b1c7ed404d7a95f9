"""The test set of images is another one than the development set."""

import json
from dataclasses import asdict
from pathlib import Path

import pytest
from PIL import Image

from benchmarks.stickers.evaluators import read_examples
from benchmarks.stickers.prompts import read_lines
from recipes.world import held_out_prompts
from recipes.world.domains import ICONS, MANY_ICONS
from recipes.world.held_out_images import SETS, examples, marks_of, read_scenes
from recipes.world.splits import icon_split, is_held_out

ROOT = Path(__file__).parents[3]


def test_scenes_that_are_known_are_not_drawn_again() -> None:
    seed = 5
    first = [*examples(seed, 6)]
    known = [example.scene for example in first]
    others = [example.scene for example in examples(seed, 6, marks_of(known))]
    assert marks_of(known).isdisjoint(marks_of(others))
    assert first == [*examples(seed, 6)], "the same without the others"


def test_icons_are_held_out_by_their_own_split_and_no_thing_is_there_in_two_looks() -> None:
    for example in examples(5, 12, domain=ICONS):
        names = [group.name for group in example.scene.groups]
        assert len({*names}) == len(names)
        assert any(icon_split(each) == "test" for each in example.scene.compositions)


def test_many_icons_are_five_or_six_and_are_asked_for_their_number() -> None:
    drawn = [*examples(5, 6, domain=MANY_ICONS)]
    assert {sum(group.count for group in each.scene.groups) for each in drawn} == {5, 6}
    asked = [{q.holds for q in each.questions if q.kind == "count"} for each in drawn]
    assert asked.count({True, False}) >= 5


def test_what_is_written_is_what_the_benchmark_reads(tmp_path: Path) -> None:
    (example,) = examples(5, 1)
    Image.new("RGB", (128, 128)).save(tmp_path / example.image)
    (tmp_path / "scenes.jsonl").write_text(json.dumps(asdict(example)) + "\n")
    (read,) = read_examples(tmp_path)
    assert (read.caption, read.foil) == (example.caption, example.foil)
    assert [each.accepted for each in read.questions] == [q.accepted for q in example.questions]


@pytest.mark.parametrize("name", SETS)
def test_every_stored_scene_holds_what_training_never_shows(name: str) -> None:
    folder, _, count = SETS[name]
    scenes = read_scenes(ROOT / folder)
    assert len(scenes) == count
    assert all(any(map(is_held_out, scene.compositions)) for scene in scenes)


def test_no_scene_of_the_test_set_is_one_of_the_development_set() -> None:
    development, test = (read_scenes(ROOT / SETS[name][0]) for name in ("development", "test"))
    assert marks_of(development).isdisjoint(marks_of(test))


def test_no_prompt_of_the_test_set_stands_in_the_development_set() -> None:
    development, test = (
        {each.prompt for each in read_lines(ROOT / held_out_prompts.SETS[name][0])}
        for name in ("development", "test")
    )
    assert len(test) > 300
    assert not development & test
