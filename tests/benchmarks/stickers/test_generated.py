"""What counts as painted right, and what ranking nine pictures is worth."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import torch
from PIL import Image as PillowImage

from benchmarks.data.sheets import contact_sheet
from benchmarks.stickers.command import Paintings, painted_sentence, painted_table, unselected
from benchmarks.stickers.detector import (
    Judge,
    Seen,
    Sticker,
    Words,
    load_judge,
    read,
    save_judge,
    to_pixels,
)
from benchmarks.stickers.generated import (
    KINDS,
    Painted,
    Wanted,
    Wish,
    fulfils,
    read_wishes,
    relation,
    shares,
)
from benchmarks.stickers.reranked import Choice, precision

WORDS = Words(
    (0, 32, 64), (("car", ""), ("egg", "whole")), ("", "red"), ("plain", "night"), (8,) * 3
)
CAR = Sticker("car", "red", "", 64, 0, 32)
EGG = Sticker("egg", "", "whole", 64, 64, 32)
RED_CAR = Wanted("car", 1, "red")


def wish(*groups: Wanted, **more: object) -> Wish:
    return Wish("a prompt", "one", groups, **more)  # type: ignore[arg-type]


def seen(*stickers: Sticker) -> Seen:
    return Seen(stickers, "night")


def test_what_is_asked_for_must_be_there_in_its_colour_and_number() -> None:
    assert fulfils(seen(CAR), wish(RED_CAR))
    assert not fulfils(seen(CAR), wish(Wanted("car", 1, "blue")))
    assert not fulfils(seen(CAR), wish(Wanted("car", 2, "red")))
    assert not fulfils(seen(EGG), wish(RED_CAR))
    assert fulfils(seen(EGG), wish(Wanted("egg", 1, state="whole", size="large")))
    assert not fulfils(seen(EGG), wish(Wanted("egg", 1, state="hatched")))
    assert not fulfils(seen(EGG), wish(Wanted("egg", 1, size="small")))


def test_vague_plurals_ask_for_two_or_more() -> None:
    frogs = wish(Wanted("egg", 2, at_least=True))
    assert not fulfils(seen(EGG), frogs)
    assert all(fulfils(seen(*[EGG] * count), frogs) for count in (2, 3))


def test_two_of_a_name_are_told_apart_by_their_colours() -> None:
    blue = Sticker("car", "blue", "", 64, 64, 32)
    pair = wish(RED_CAR, Wanted("car", 1, "blue"), relation="left")
    assert fulfils(seen(CAR, blue), pair)
    assert not fulfils(seen(CAR), pair)


def test_nothing_else_may_be_there_unless_the_prompt_has_unknown_words() -> None:
    assert not fulfils(seen(CAR, EGG), wish(RED_CAR))
    assert fulfils(seen(CAR, EGG), wish(RED_CAR, unknown=("dragon",)))


def test_the_background_counts_where_the_prompt_speaks_of_it() -> None:
    assert fulfils(seen(CAR), wish(RED_CAR, background="night"))
    assert not fulfils(seen(CAR), wish(RED_CAR, background="plain"))


def test_a_relation_is_read_from_the_middles_of_two_stickers() -> None:
    pair = RED_CAR, Wanted("egg", 1)
    assert relation(CAR, EGG) == "left"
    assert relation(EGG, CAR) == "right"
    assert (
        relation(Sticker("car", "", "", 32, 16, 16), Sticker("egg", "", "", 64, 0, 64)) == "above"
    )
    assert relation(Sticker("car", "", "", 64, 0, 0), Sticker("egg", "", "", 64, 64, 64)) == ""
    assert fulfils(seen(EGG, CAR), wish(*pair, relation="left"))
    assert not fulfils(seen(EGG, CAR), wish(*pair, relation="right"))


def test_shares_are_taken_kind_by_kind() -> None:
    image = PillowImage.new("RGB", (128, 128))
    one, two = (Wish("a red car", kind, (RED_CAR,)) for kind in ("one", "two"))
    painted = [
        Painted(one, image, seen(CAR)),
        Painted(one, image, seen()),
        Painted(two, image, seen()),
    ]
    assert shares(painted) == {"one": 0.5, "two": 0.0}
    assert painted_table(Paintings(tuple(painted), {}, 30.0)).row_count == 2
    assert unselected(painted) == painted
    assert contact_sheet([(p.image, p.wish.prompt) for p in painted], 2).width == 256


def test_the_first_of_nine_is_held_against_chance_and_the_best() -> None:
    ranked = precision([Choice((True, False, False), 0), Choice((False, True, False), 0)])
    assert ranked == pytest.approx({"random": 1 / 3, "ranked": 0.5, "best": 1.0})
    assert "(25% of the way). The autoencoder keeps 30.0 dB" in painted_sentence(
        Paintings((), ranked, 30.0)
    )


def test_a_judge_is_stored_with_its_words(tmp_path: Path) -> None:
    torch.manual_seed(0)
    judge = load_judge(save_judge(Judge(WORDS), tmp_path))
    assert judge.words == WORDS
    pixels = to_pixels([PillowImage.new("RGB", (128, 128), "white")] * 2)
    assert pixels.max() == 1
    first, second = read(judge, pixels)
    assert first == second
    assert first.background in WORDS.places


def test_there_are_a_hundred_prompts_of_each_kind_for_which_the_judge_has_words() -> None:
    wishes, words = read_wishes(), load_judge().words
    assert [sum(wish.kind == kind for wish in wishes) for kind in KINDS] == [100] * len(KINDS)
    assert len(read_wishes(limit=3)) == 3 * len(KINDS)
    for wish in wishes:
        assert {group.name for group in wish.groups} <= {name for name, _ in words.looks}
        assert {group.colour for group in wish.groups} <= {*words.colours}
        assert wish.background in ("", *words.places)


def test_no_held_out_prompt_says_what_training_has_shown() -> None:
    from recipes.world.splits import is_held_out

    folder = Path(__file__).parents[3] / "assets" / "benchmarks" / "prompts"
    for line in map(json.loads, (folder / "held_out.jsonl").read_text().splitlines()):
        names = [group["name"] for group in line["groups"]]
        found = [("colour", g["name"], g["colour"]) for g in line["groups"] if "colour" in g]
        found += [("count", g["name"], str(g["count"])) for g in line["groups"] if g["count"] > 1]
        found += [(line["relation"], *names)] if line["relation"] else []
        assert any(is_held_out(tuple(composition)) for composition in found), line["prompt"]
