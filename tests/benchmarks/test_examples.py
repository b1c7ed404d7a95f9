import json
from dataclasses import replace
from pathlib import Path

import pytest
from PIL import Image as PillowImage

from alignment.prompt_pairs.records import DescriptionMatch, MatchMatrix
from benchmarks.examples import STORED, save_pair_example, told, work_out
from request import Request
from session.pair_state import AskedPair, PairState, load_pair_example
from session.state import GridState
from session.storage import ContentStore, load_example, load_image
from tests.tiny_models import PROMPT, tiny_models

VOCABULARY = json.loads((Path(__file__).parents[2] / "assets" / "icon-vocabulary.json").read_text())
ASKED = [Request(PROMPT, 1, 2, seed, "tiny", bundle="tiny") for seed in (7, 107)]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("examples")


@pytest.fixture(scope="module")
def worked(home: Path, tmp_path_factory: pytest.TempPathFactory) -> list[GridState]:
    with tiny_models(tmp_path_factory.mktemp("models")):
        return work_out(ASKED, home)


def test_every_word_of_the_examples_is_in_the_vocabulary() -> None:
    words = {word.strip(",") for each in STORED for word in each.prompt.split()}
    assert words <= set(VOCABULARY["words"])


def test_a_person_sees_every_image_best_first(worked: list[GridState]) -> None:
    for state in worked:
        best = state.report.ranking.order[0]
        image, said = next(told(state))
        assert image.tobytes() == load_image(state.file(best)).resize(image.size).tobytes()
        assert float(said.split()[0]) == max(round(each.value, 2) for each in state.scores["vq2"])


def test_stored_examples_are_numbered_and_open_as_they_were(
    worked: list[GridState], home: Path
) -> None:
    folders = sorted(home.iterdir())
    slug = "-".join(PROMPT.split())
    assert [folder.name for folder in folders] == [f"01-{slug}", f"02-{slug}"]
    for folder, state in zip(folders, worked, strict=True):
        opened = load_example(folder / "report.json")
        assert opened.request.grid == state.request.grid
        assert opened.report.ranking.order == state.report.ranking.order
        for cell in range(state.size):
            file = folder / f"cell-{cell:02}.png"
            assert opened.file(cell) == state.file(cell) == str(file)


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
