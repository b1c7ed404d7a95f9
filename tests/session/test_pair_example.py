"""A worked pair on disk: the same states and images come back."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from PIL import Image

from alignment.records import DescriptionMatch, MatchMatrix, PromptPair
from session.pair_state import PairState, load_pair_example, save_pair_example
from session.storage import ContentStore, load_image
from ui.page import PAIR
from ui.vocabulary import unlearned


def test_the_models_know_every_word_of_the_stored_pair(tmp_path: Path):
    plain, said = load_pair_example(PAIR, ContentStore(tmp_path).image)
    assert (plain.unknown, said.unknown) == ((), ())
    for words in (*plain.pair.prompts, *plain.pair.descriptions):
        assert unlearned(words, plain.model) == ()
    assert (plain.score, said.revised) == (0.0, True)


def test_states_and_pictures_come_back(tmp_path: Path):
    store = ContentStore(tmp_path / "pictures")
    colours = (("red", "blue"), ("lime", "black"))
    files = tuple(tuple(store.image(Image.new("RGB", (64, 64), c)) for c in row) for row in colours)
    fit = DescriptionMatch((True, None), ("1", "?"))
    plain = PairState(
        PromptPair(("a", "b"), ("c", "d")),
        generations=2,
        seed=7,
        model="stickers",
        bundle="embedded",
        evaluator="vnli",
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
            (shown, *_), wanted = load_image(str(file)).getcolors(), Image.new("RGB", (1, 1), name)
            difference = zip(shown[1], wanted.getpixel((0, 0)), strict=True)
            assert max(abs(one - other) for one, other in difference) < 12
