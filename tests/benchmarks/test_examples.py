import json
from dataclasses import replace
from pathlib import Path

import pytest
from PIL import Image as PillowImage

from alignment import load_report, measured
from alignment.models.loading import Models
from alignment.prompt_pairs.records import DescriptionMatch, MatchMatrix
from benchmarks.examples import (
    MODEL,
    SIDE,
    STORED,
    WorkedGrid,
    all_images,
    save_pair_example,
    store,
    work_out,
)
from benchmarks.stickers.generated import LoadedGenerator
from generation import ModelSpec, load_pipeline
from session.pair_state import AskedPair, PairState, load_pair_example
from session.storage import ContentStore, load_image
from tests.alignment.tiny_evaluators import TEXT

VOCABULARY = json.loads((Path(__file__).parents[2] / "assets" / "icon-vocabulary.json").read_text())


@pytest.fixture(scope="module")
def worked(tiny_pipeline: ModelSpec, models: Models) -> WorkedGrid:
    generator = LoadedGenerator(load_pipeline(tiny_pipeline), MODEL)
    report, images, seed = work_out(TEXT, generator, models)
    chances = {method: ranking.values for method, ranking in report.rankings.items()}
    return WorkedGrid(measured(replace(report, relevance=chances)), images, seed)


def test_every_word_of_the_examples_is_in_the_vocabulary() -> None:
    words = {word.strip(",") for prompt, _ in STORED for word in prompt.split()}
    assert words <= set(VOCABULARY["words"])


def test_an_example_is_a_grid_judged_and_ranked(worked: WorkedGrid) -> None:
    report, images, *_ = worked
    assert len(images) == report.rows * report.columns == SIDE * SIDE
    assert sorted(report.ranking.order) == list(range(SIDE * SIDE))


def test_a_person_sees_every_image_best_first(worked: WorkedGrid) -> None:
    order = worked.report.ranking.order
    images = [
        PillowImage.new("RGB", (8, 8), "lime" if c == order[0] else "black") for c in range(9)
    ]
    sheet = all_images([worked._replace(images=images)])
    shown = sheet.width // 9
    assert sheet.getpixel((shown // 2, 60)) == (0, 255, 0)
    assert sheet.getpixel((shown + shown // 2, 60)) == (0, 0, 0)


def test_stored_examples_are_numbered_and_can_be_read_back(
    worked: WorkedGrid, tmp_path: Path
) -> None:
    report, images, *_ = worked
    other = replace(report, prompt="a cow, a yellow balloon and a pizza")
    old = tmp_path / "examples" / "01-forgotten"
    old.mkdir(parents=True)
    store([worked, WorkedGrid(other, images, 107)], old.parent)
    names = [path.name for path in sorted(old.parent.iterdir())]
    assert names == [f"01-{TEXT.replace(' ', '-')}", "02-a-cow-a-yellow-balloon-and-a-pizza"]
    kept = load_report(old.parent / names[0] / "report.json")
    assert kept.report.ranking.order == report.ranking.order
    first = PillowImage.open(old.parent / names[0] / kept.images[0])
    assert first.tobytes() == images[0].tobytes()
    assert load_report(old.parent / names[1] / "report.json").seed == 107


def test_states_and_images_come_back(tmp_path: Path):
    store = ContentStore(tmp_path / "images")
    colours = (("red", "blue"), ("lime", "black"))
    files = tuple(
        tuple(store.image(PillowImage.new("RGB", (64, 64), c)) for c in row) for row in colours
    )
    fit = DescriptionMatch((True, None), ("1", "?"))
    plain = PairState(
        AskedPair("a", "b", "c", "d", 2),
        files=(files[0], files[1]),
        matrix=MatchMatrix(((fit, fit), (fit, fit))),
        score=0.25,
        stage="done",
    )
    states = (plain, replace(plain, revised=True))
    save_pair_example(states, tmp_path / "saved")
    found = load_pair_example(tmp_path / "saved", store.image)
    assert tuple(replace(each, files=plain.files) for each in found) == states
    for row, colour in zip(found[1].files, colours, strict=True):
        for file, name in zip(row, colour, strict=True):
            shown, *_ = load_image(str(file)).getcolors()
            wanted = PillowImage.new("RGB", (1, 1), name)
            difference = zip(shown[1], wanted.getpixel((0, 0)), strict=True)
            assert max(abs(one - other) for one, other in difference) < 12
