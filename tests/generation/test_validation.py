import pytest
from hypothesis import given
from hypothesis import strategies as st

from generation import (
    GridRequest,
    InvalidRequestError,
    ModelSpec,
    find_model,
    load_pipeline,
    truncated_words,
    validate_request,
    words_cut,
)
from generation.validation import LARGEST_SEED, LARGEST_SIDE, LONGEST_PROMPT


@pytest.mark.parametrize(
    ("request_", "sentence"),
    [
        (GridRequest(""), "the prompt is empty"),
        (GridRequest(" \n\t "), "the prompt is empty"),
        (GridRequest("🎈🦉"), "the prompt has no words"),
        (GridRequest("a" * 2000), "the prompt has 2000 characters; it can have 1000"),
        (GridRequest("a dog", rows=0, columns=9), "the grid is 0 x 9; it can be 1 x 1 to 6 x 6"),
        (GridRequest("a dog", rows=-1, columns=3), "the grid is -1 x 3"),
        (GridRequest("a dog", seed=-1), "the seed is -1; it can be 0 to 4294967287"),
        (GridRequest("a dog", seed=2**70), "the seed is 1180591620717411303424"),
        (
            GridRequest("a dog", 1, 2, seed=2**32 - 1),
            "the seed is 4294967295; it can be 0 to 4294967294 for 2 images",
        ),
        (
            GridRequest("a dog", 1, 1, seed=2**32),
            "the seed is 4294967296; it can be 0 to 4294967295",
        ),
    ],
)
def test_a_request_that_cannot_be_generated_is_answered_with_what_came_and_what_can_be(
    request_: GridRequest, sentence: str
):
    with pytest.raises(InvalidRequestError) as caught:
        validate_request(request_)
    assert str(caught.value).startswith(sentence)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("guidance", [0.0, 1.0, 5.0])
def test_a_guidance_that_was_asked_for_once_can_be_asked_for_again(guidance: float):
    once = find_model("sd-1.5").asked(None, guidance)
    assert once.asked(None, guidance) == once


@pytest.mark.parametrize("prompt", ["<b onclick=alert(1)>a dog</b>", "一只红色的狗", "🎈 2"])
def test_markup_and_any_script_are_just_prompts(prompt: str):
    validate_request(GridRequest(prompt))


@given(
    rows=st.integers(1, LARGEST_SIDE),
    columns=st.integers(1, LARGEST_SIDE),
    seed=st.integers(0, LARGEST_SEED),
    length=st.integers(1, LONGEST_PROMPT),
)
def test_everything_within_the_limits_is_accepted(rows: int, columns: int, seed: int, length: int):
    first = min(seed, LARGEST_SEED + 1 - rows * columns)
    validate_request(GridRequest("a" * length, rows, columns, first))


@pytest.mark.parametrize(
    ("prompt", "unread"),
    [
        ("a red dog, one cat", ()),
        (
            "Two red dogs, one owl's egg, and a star!",
            ("owl's", "egg", "and", "a", "star"),
        ),
        ("a" * 14, ()),
        ("a" * 15, ("a" * 15,)),
    ],
)
def test_words_that_are_not_read_to_their_end_are_named_in_order_and_without_punctuation(
    prompt: str, unread: tuple[str, ...], tiny_pipeline: ModelSpec
):
    """The tiny tokenizer reads letter by letter: 16 tokens are a start, 14 letters and an end."""
    assert truncated_words(prompt, load_pipeline(tiny_pipeline)) == unread


def test_words_that_will_be_cut_off_are_known_before_anything_is_loaded():
    spec = find_model("stickers")
    assert words_cut("a red apple and a green backpack at night", spec) == ()
    assert words_cut("two red hearts and a green backpack " * 5, spec)[-1] == "backpack"
    assert words_cut("\N{CAT FACE}" * 8 + " and a red dog", find_model("stickers"))[-1] == "dog"
    assert words_cut("dog " * 250, find_model("sd-turbo")) == ()
