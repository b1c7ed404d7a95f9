"""What a batch run is made of, its target images, and who does which part of it."""

from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from alignment.questions.settings import AS_PUBLISHED, RECOMMENDED
from generation import MODELS, InvalidRequestError, find_model
from request import Request
from session.batch.units import Shard, TargetImage, Unit, read_targets
from session.batch.units import plan as plan_of
from session.errors import DataError, UnusableFileError

PROMPTS = ("an owl", "a fox")


def plan(
    prompts: list[str],
    pipelines: list[str],
    bundle: str = "embedded",
    rows: int = 3,
    columns: int = 3,
    completion: str = "off",
    targets: Any = MappingProxyType({}),
    grids: int = 1,
    **asked: Any,
) -> tuple[Unit, ...]:
    systems = [
        Request(
            "",
            rows,
            columns,
            model=name,
            completion=find_model(name).completes(completion),
            bundle=bundle,
            **asked,
        )
        for name in pipelines
    ]
    return plan_of(prompts, [("", each) for each in systems], grids, targets)


def test_a_prompt_that_is_written_twice_is_one_unit():
    units = plan(["a cow", "a car", "a cow"], ["stickers"])
    assert [unit.request.prompt for unit in units] == ["a cow", "a car"]


def test_a_prompt_that_cannot_be_generated_stops_the_plan():
    with pytest.raises(InvalidRequestError, match="no words"):
        plan(["a cow", "?!"], ["stickers"])


def test_an_id_never_changes_so_that_old_runs_can_go_on(monkeypatch: pytest.MonkeyPatch):
    then = replace(find_model("stickers"), steps=12, guidance=3.0, size=128)
    monkeypatch.setitem(MODELS, "stickers", then)
    assert one(["a cow"], ["stickers"]).id == "84f50d518ed8c1cf"


@pytest.mark.parametrize("other", [{"steps": 13}, {"call": {"eta": 1.0}}], ids=str)
def test_a_model_that_is_called_otherwise_is_other_work(
    other: dict[str, Any], monkeypatch: pytest.MonkeyPatch
):
    before = one(["a cow"], ["stickers"]).id
    monkeypatch.setitem(MODELS, "stickers", replace(find_model("stickers"), **other))
    assert one(["a cow"], ["stickers"]).id != before


def test_settings_that_are_the_bundles_own_leave_the_id_as_it_was():
    usual = {"prompts": ["a cow"], "pipelines": ["sd-turbo"]}
    assert one(**usual).id == one(**usual, vq2=RECOMMENDED, completion="auto").id


def test_a_model_that_completes_by_default_does_so_in_a_batch_when_asked():
    usual = {"prompts": ["a cow"], "pipelines": ["stickers"]}
    assert [one(**usual, completion=each).request.completion for each in ("auto", "off")] == [
        True,
        False,
    ]


@pytest.mark.parametrize(
    "other",
    [
        {"prompts": ["a car"]},
        {"pipelines": ["sd-turbo"]},
        {"bundle": "small"},
        {"columns": 2},
        {"seed": 8},
        {"steps": 13},
        {"wording": "{prompt}, highly detailed"},
        {"completion": "on"},
        {"vq2": AS_PUBLISHED},
        {"targets": {"a cow": (TargetImage(Path("cow.png"), "3a7b"),)}},
    ],
    ids=str,
)
def test_other_work_has_another_id(other: dict[str, Any]):
    usual = {"prompts": ["a cow"], "pipelines": ["stickers"]}
    assert one(**usual).id != one(**{**usual, **other}).id


def test_a_target_is_known_by_what_is_in_it_and_not_by_where_it_is():
    usual = {"prompts": ["a cow"], "pipelines": ["stickers"]}
    here, there, other = (
        one(**usual, targets={"a cow": (TargetImage(Path(name), content),)}).id
        for name, content in (("cow.png", "3a7b"), ("moved.png", "3a7b"), ("cow.png", "9c01"))
    )
    assert here == there != other


def test_the_grids_of_a_prompt_go_on_from_the_seeds_of_the_last():
    units = plan(["a cow", "a car"], ["stickers"], rows=2, columns=2, seed=7, grids=3)
    assert [(unit.request.prompt, unit.request.seed) for unit in units] == [
        ("a cow", 7),
        ("a cow", 11),
        ("a cow", 15),
        ("a car", 7),
        ("a car", 11),
        ("a car", 15),
    ]


def one(*args: Any, **work: Any) -> Unit:
    (unit,) = plan(*args, **work)
    return unit


@given(st.integers(0, 40), st.integers(1, 5), st.integers(1, 4))
def test_shards_and_their_processes_do_every_unit_once(count: int, shards: int, ranks: int):
    done: list[int] = []
    for whole in (Shard(place, shards) for place in range(shards)):
        parts = [whole.split(rank, ranks).take(range(count)) for rank in range(ranks)]
        assert sorted(unit for part in parts for unit in part) == [*whole.take(range(count))]
        done += whole.take(range(count))
    assert sorted(done) == [*range(count)]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two images, navy and white."""
    (tmp_path / "wanted").mkdir()
    for name, colour in (("1.png", "navy"), ("2.png", "white")):
        Image.new("RGB", (8, 8), colour).save(tmp_path / "wanted" / name)
    return tmp_path / "wanted"


def test_a_folder_has_one_image_for_each_prompt_by_name(folder: Path) -> None:
    found = read_targets(folder, PROMPTS)
    assert {prompt: [each.file.name for each in targets] for prompt, targets in found.items()} == {
        "an owl": ["1.png"],
        "a fox": ["2.png"],
    }
    (owl,) = found["an owl"]
    assert owl.sha256 == sha256((folder / "1.png").read_bytes()).hexdigest()
    assert owl.load().getpixel((0, 0)) == (0, 0, 128)


def test_a_table_may_name_several_for_a_prompt_and_some_for_no_prompt(folder: Path) -> None:
    table = folder.parent / "targets.csv"
    table.write_text(
        "prompt,image\na fox,wanted/1.png\nan owl,wanted/1.png\na fox,wanted/2.png\nan emu,no.png\n"
    )
    found = read_targets(table, PROMPTS)
    assert [each.file.name for each in found["a fox"]] == ["1.png", "2.png"]
    assert [*found] == [*PROMPTS]


def test_a_folder_with_too_few_images_is_refused(folder: Path) -> None:
    with pytest.raises(DataError, match="has 2 files for 3 prompts; give one image for each"):
        read_targets(folder, (*PROMPTS, "an emu"))


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("an owl,2.png", r": no target for 'a fox' \(1 prompts"),
        ("a fox", ", row 3 has no image; give prompt, image in every row"),
        ("a fox, ", ", row 3 has no image; give the path of a file"),
    ],
)
def test_what_a_table_leaves_out_is_named(folder: Path, row: str, message: str) -> None:
    table = folder / "targets.csv"
    table.write_text(f"prompt,image\nan owl,1.png\n{row}\n")
    with pytest.raises(DataError, match=f"targets.csv{message}"):
        read_targets(table, PROMPTS)


def test_what_is_no_image_is_refused_before_any_work(folder: Path) -> None:
    (folder / "2.png").write_text("no image")
    with pytest.raises(UnusableFileError, match='"2.png" is not a PNG'):
        read_targets(folder, PROMPTS)
