"""What a text encoder is taught of a prompt, and how prompts are reworded for it."""

import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from recipes.diffusion.attention_loss import (
    RecordedAttention,
    attention_loss,
    record_attention,
    word_groups,
)
from recipes.diffusion.claims import ClaimLabels
from recipes.world.captions import Description, SceneCaption, describe, write_caption
from recipes.world.domains import TEXT_TO_IMAGE_ICONS
from recipes.world.prompt_augmentation import (
    READINGS,
    TEXT_TO_IMAGE_READINGS,
    Changes,
    augment_prompt,
    every_change,
    fill,
    other_names,
    rule_out,
)
from recipes.world.scenes import Group, sample_scene
from recipes.world.things import READ_AS, World
from recipes.world.word_tokenizers import clip_tokenizer, world_words
from recipes.world.worlds import ICON_WORLD, WORLD

SEEDS = st.integers(0, 2**32 - 1)
CLAIMS = ClaimLabels(WORLD)
CHANGES = (*READINGS, *every_change(ICON_WORLD))
CLAIM = Description((Group("car", "red"), Group("apple", count=2)), background="night")


@pytest.fixture(scope="module")
def tokenizer() -> Any:
    return clip_tokenizer(world_words(), 32)


def test_a_word_that_is_not_known_is_read_by_its_letters_and_not_by_words_within_it(
    tokenizer: Any,
) -> None:
    for word in ("carport", "scarf", "notebook", "redhead", "greenhouse", "pencils"):
        assert [piece.removesuffix("</w>") for piece in tokenizer.tokenize(word)] == [*word]


def often(world: World, times: float) -> Changes:
    """All changes, each so many times as likely as usual."""
    return tuple((change, times * chance) for change, chance in every_change(world))


@given(SEEDS)
def test_rewording_keeps_the_claim_and_quotes_every_thing(seed: int) -> None:
    rng = np.random.default_rng(seed)
    caption = write_caption(rng, describe(rng, sample_scene(rng)))
    typed = augment_prompt(rng, caption, often(WORLD, 3))
    assert typed.claim == caption.claim
    known = {name for t in WORLD.things for name in (t.name, t.plural_name)}
    known |= {name for names in other_names(WORLD).values() for name in names}
    for span in typed.spans:
        if span.kind == "object":
            assert typed.quote(span).lower() in known


def test_people_call_things_otherwise_and_count_in_digits() -> None:
    """Each kind of change comes up somewhere in many rewordings of one caption."""
    claim = Description((Group("cat", count=2, size="small"), Group("car", "red")), "", "night")
    caption = write_caption(np.random.default_rng(0), claim)
    typed = [
        augment_prompt(np.random.default_rng(seed), caption, often(WORLD, 3)).text
        for seed in range(200)
    ]
    for words in ("kittens", "2 ", "a pair of", "tiny", "automobile", "in the dark", "draw "):
        assert any(words in text for text in typed), words
    assert any("that is red" in text or "which is red" in text for text in typed)


def test_people_put_the_place_first_and_say_on_for_above() -> None:
    claim = Description((Group("cat"), Group("car", "red")), "above")
    rng = np.random.default_rng(0)
    captions = [write_caption(rng, claim, ICON_WORLD) for _ in range(300)]
    typed = {augment_prompt(rng, each, often(ICON_WORLD, 2)).text for each in captions}
    for said in ("cat on a red car", "cat on top of a red car", "on top of a red car is"):
        assert any(said in text for text in typed), said


def labels_of(caption: SceneCaption, tokenizer: object) -> tuple[list[str], np.ndarray]:
    tokens = tokenizer([caption.text], padding="max_length", truncation=True)  # type: ignore[operator]
    names = tokenizer.convert_ids_to_tokens(tokens.input_ids[0])  # type: ignore[attr-defined]
    return names, CLAIMS.of(tokens, 0, caption)


def test_the_last_tokens_say_what_each_group_is_and_where(tokenizer: object) -> None:
    caption = write_caption(np.random.default_rng(3), CLAIM)
    _, labels = labels_of(caption, tokenizer)
    slots = labels[-4:]
    assert [CLAIMS.names[row[0]] for row in slots[:3]] == ["car", "apple", ""]
    assert [CLAIMS.world.said_colours[row[2]] for row in slots[:2]] == ["red", ""]
    assert [row[3] for row in slots[:3]] == [1, 2, 0]
    assert CLAIMS.backgrounds[slots[3][6]] == "night"
    beside = Description((Group("car"), Group("apple")), "left")
    _, labels = labels_of(write_caption(np.random.default_rng(3), beside), tokenizer)
    assert [CLAIMS.roles[row[5]] for row in labels[-4:-1]] == ["left", "right", ""]


def test_each_of_four_things_has_a_slot_and_those_of_the_first_three_stay(
    tokenizer: object,
) -> None:
    names = ["car", "apple", "moon", "cat"]
    caption = write_caption(np.random.default_rng(3), Description(tuple(map(Group, names))))
    _, labels = labels_of(caption, tokenizer)
    assert [CLAIMS.names[labels[slot, 0]] for slot in (-4, -3, -2, -5)] == names
    tokens = tokenizer([caption.text], padding="max_length", truncation=True)  # type: ignore[operator]
    assert [row.nonzero()[0][-1] - 32 for row in word_groups(tokens, 0, caption)] == [
        -4,
        -3,
        -2,
        -5,
    ]


def test_a_noun_knows_what_it_names_and_nothing_behind_it(tokenizer: object) -> None:
    names, labels = labels_of(write_caption(np.random.default_rng(3), CLAIM), tokenizer)
    car = labels[names.index("car")]
    assert (CLAIMS.names[car[0]], CLAIMS.world.said_colours[car[2]], car[3]) == ("car", "red", 1)
    assert car[5] == -100


def test_a_noun_is_not_asked_for_a_colour_that_stands_behind_it(tokenizer: object) -> None:
    claim = Description((Group("car", "red"),))
    captions = [write_caption(np.random.default_rng(seed), claim) for seed in range(100)]
    behind = next(c for c in captions if "that is red" in c.text)
    names, labels = labels_of(behind, tokenizer)
    assert labels[names.index("car"), [0, 2]].tolist() == [CLAIMS.names.index("car"), -100]
    assert labels[-4, 2] == CLAIMS.world.said_colours.index("red")


def test_a_prompt_without_room_for_slots_has_none(tokenizer: object) -> None:
    claim = Description((Group("car"),))
    caption = SceneCaption("a car" + " q" * 25, claim, ())
    _, labels = labels_of(caption, tokenizer)
    assert (labels == -100).all()


def test_knowing_every_claim_costs_nothing(tokenizer: object) -> None:
    _, labels = labels_of(write_caption(np.random.default_rng(3), CLAIM), tokenizer)
    truth = torch.from_numpy(labels)[None]
    said = [
        torch.nn.functional.one_hot(truth[..., part].clamp(min=0), width) * 50.0
        for part, width in enumerate(CLAIMS.parts)
    ]
    assert CLAIMS.loss(torch.cat(said, -1), truth) < 1e-6
    assert CLAIMS.loss(torch.zeros(1, 32, sum(CLAIMS.parts)), truth) > 5


def test_the_words_of_each_thing_are_told_apart(tokenizer: object) -> None:
    caption = write_caption(np.random.default_rng(3), CLAIM)
    tokens = tokenizer([caption.text], padding="max_length", truncation=True)  # type: ignore[operator]
    names = tokenizer.convert_ids_to_tokens(tokens.input_ids[0])  # type: ignore[attr-defined]
    about = word_groups(tokens, 0, caption)
    assert [*np.flatnonzero(about[0])] == [names.index("car"), 28]
    assert [*np.flatnonzero(about[1])] == [names.index("apples"), 29]
    assert not about[2].any()


def watched(spread: torch.Tensor) -> list[RecordedAttention]:
    attention = RecordedAttention()
    attention.spread = spread
    return [attention]


def test_looking_up_a_thing_where_it_is_costs_little_and_elsewhere_much() -> None:
    """A car in the left half, an apple in the right one; token 0 is of the car, 1 of the apple."""
    about = torch.zeros(1, 3, 4, dtype=torch.int64)
    about[0, 0, 0] = about[0, 1, 1] = 1
    cover = torch.zeros(1, 3, 8, 8)
    cover[0, 0, :, :4] = cover[0, 1, :, 4:] = 1
    right = torch.zeros(1, 8, 8, 4)
    right[0, :, :4, 0] = right[0, :, 4:, 1] = 0.5
    swapped = right[..., [1, 0, 2, 3]]
    even = torch.full((1, 8, 8, 4), 0.25)
    costs = [attention_loss(watched(w.flatten(1, 2)), about, cover) for w in (right, even, swapped)]
    assert costs[0] < 0.01
    assert costs[1] == pytest.approx(np.log(2), abs=0.01)
    assert costs[2] > 5


def test_one_thing_alone_has_nothing_to_be_told_from() -> None:
    about = torch.zeros(1, 3, 4, dtype=torch.int64)
    about[0, 0, 0] = 1
    spread = torch.full((1, 64, 4), 0.25)
    assert attention_loss(watched(spread), about, torch.ones(1, 3, 8, 8)) == 0


def test_watching_does_not_change_what_a_unet_generates() -> None:
    from diffusers import UNet2DConditionModel

    torch.manual_seed(0)
    unet = UNet2DConditionModel(
        sample_size=4,
        in_channels=2,
        out_channels=2,
        block_out_channels=(8,),
        down_block_types=("CrossAttnDownBlock2D",),
        up_block_types=("CrossAttnUpBlock2D",),
        layers_per_block=1,
        cross_attention_dim=8,
        attention_head_dim=2,
        norm_num_groups=2,
    ).eval()
    inputs = torch.randn(1, 2, 4, 4), torch.tensor([5.0]), torch.randn(1, 3, 8)
    with torch.no_grad():
        alone = unet(*inputs).sample
        seen = record_attention(unet)
        assert torch.allclose(alone, unet(*inputs).sample, atol=1e-5)
    assert all(torch.allclose(each.spread.sum(-1), torch.ones(1, 16)) for each in seen)


def test_an_image_is_also_described_by_words_that_are_read_as_the_plain_ones() -> None:
    cats = Group("cat", count=2), Group("cap")
    told = {
        augment_prompt(np.random.default_rng(seed), caption, CHANGES).text.lower()
        for seed in range(300)
        for caption in [write_caption(np.random.default_rng(seed), Description(cats))]
    }
    for words in ("some cats", "cats and", "cats with"):
        assert any(words in text for text in told), words
    assert any(f"cats {verb} " in text for verb in READ_AS["with"] for text in told)


def test_with_is_often_read_for_and_but_not_where_a_relation_is_said() -> None:
    def told(claim: Description) -> list[str]:
        return [
            augment_prompt(rng, write_caption(rng, claim, ICON_WORLD), TEXT_TO_IMAGE_READINGS).text
            for rng in map(np.random.default_rng, range(300))
        ]

    joined = told(Description((Group("cat"), Group("cap"))))
    said = [
        sum(f"cat {word} " in text.lower() for text in joined)
        for word in ("with", "and", *READ_AS["with"])
    ]
    assert said[0] + sum(said[2:]) > said[1] / 2 > 0
    beside = told(Description((Group("cat"), Group("cap")), "above"))
    assert not any("with a cap" in text for text in beside)


@given(SEEDS)
def test_what_holds_several_things_may_stand_before_them(seed: int) -> None:
    rng = np.random.default_rng(seed)
    claim = Description((Group("lemon", "green", count=3), Group("bowl", "red")), "in", "grass")
    caption = write_caption(rng, claim, TEXT_TO_IMAGE_ICONS.world)
    filled = fill(rng, caption)
    if caption.of("phrase")[0].start:  # the place is first
        assert filled == caption
        return
    said = ("phrase", "object", "colour", "count", "background")
    assert {filled.quote(span).lower() for kind in said for span in filled.of(kind)} == {
        caption.quote(span).lower() for kind in said for span in caption.of(kind)
    }
    assert re.search(r"\bbowl\b.* (of|with) three\b.*\blemons\b", filled.text)
    alone = replace(claim, groups=(Group("lemon"), Group("bowl")))
    unfilled = write_caption(rng, alone, TEXT_TO_IMAGE_ICONS.world)
    assert fill(rng, unfilled) == unfilled


def test_words_before_a_thing_and_things_that_nobody_knows_are_read_past() -> None:
    told = [
        augment_prompt(
            rng, write_caption(rng, claim, ICON_WORLD), TEXT_TO_IMAGE_READINGS
        ).text.lower()
        for claim in [Description((Group("spoon"),))]
        for rng in map(np.random.default_rng, range(400))
    ]
    qualified = [text for text in told if re.search(r"\ba (?!spoon)\w+ spoon\b", text)]
    related = [text for text in told if re.search(r" (next to|over|above|under) ", text)]
    assert len(qualified) > 20
    assert len(related) > 4


def test_words_that_say_nothing_may_stand_within_a_relation() -> None:
    claim = Description((Group("cat"), Group("cap")), "left")
    changes = (*TEXT_TO_IMAGE_READINGS, *often(ICON_WORLD, 5))
    for rng in map(np.random.default_rng, range(300)):
        assert augment_prompt(rng, write_caption(rng, claim, ICON_WORLD), changes).claim == claim


def test_what_begins_a_place_is_never_read_otherwise() -> None:
    for place in ("grass", "beach", "snow", "water"):
        claim = Description((Group("cat"),), background=place)
        for seed in range(100):
            rng = np.random.default_rng(seed)
            text = augment_prompt(rng, write_caption(rng, claim, ICON_WORLD), CHANGES).text.lower()
            assert not any(word in text for word in READ_AS["on"]), text


def test_a_thing_that_is_shown_is_never_ruled_out() -> None:
    claim = Description((Group("cat", count=2), Group("cap")))
    for seed in range(300):
        rng = np.random.default_rng(seed)
        before = write_caption(rng, claim, ICON_WORLD)
        after = rule_out(rng, before)
        assert after.claim == before.claim
        shown = before.text.rstrip(".")
        assert shown.lower() in after.text.lower()
        said = after.text.replace(shown, "|")
        signs = "without( an?| any)?|and no|but no|with no"
        first, last = (
            r"(no|without( an?| any)?) [a-z -]+(, (just |only )?| but )\|\.?",
            rf"\|,? ({signs}) [a-z -]+\.?",
        )
        assert re.fullmatch(f"{first}|{last}", said), said
        assert not re.search(r"\b(cats?|caps?)\b", said)
