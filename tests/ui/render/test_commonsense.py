"""A prompt pair as a person sees it: images, the matrix, the verdict and its reason in words."""

from dataclasses import replace

import pytest
from PIL import Image

from alignment.prompt_pairs.description_match import EVALUATORS
from alignment.prompt_pairs.records import DescriptionMatch, MatchMatrix, PromptPair
from alignment.prompt_pairs.score import expected_score
from generation.records import GridCell, SamplingProgress
from session.pair_state import AskedPair, PairState
from tests.ui.reading import read
from ui.render.commonsense import comparison
from ui.render.pair_verdict import reason, tally, verdict

UNLIT, LIT = (
    DescriptionMatch((True, False), ("0.9", "0.1")),
    DescriptionMatch((False, True), ("0.2", "0.8")),
)
MUTE = DescriptionMatch((None, None), ("two", "red"))
BOTH, NEITHER, UNREAD = (
    DescriptionMatch((True, True)),
    DescriptionMatch((False, False)),
    DescriptionMatch((None, False), ("hm", "0")),
)

BULB = PromptPair(
    ("a lightbulb without electricity", "a lightbulb with electricity"),
    ("an unlit lightbulb", "a lit lightbulb"),
)
FIRST, SECOND = (f'"{prompt}"' for prompt in BULB.prompts)
REQUESTED = PairState(AskedPair(*BULB.prompts, *BULB.descriptions, 2))


def evaluated(
    first: tuple[DescriptionMatch, ...], second: tuple[DescriptionMatch, ...]
) -> PairState:
    matrix = MatchMatrix((first, second))
    files = (("a.png",) * len(first), ("b.png",) * len(second))
    request = replace(REQUESTED.request, pictures=len(first))
    state = replace(REQUESTED, files=files, request=request).with_matrix(matrix)
    return replace(state, score=expected_score(matrix), stage="done")


@pytest.mark.parametrize(
    ("first", "second", "says"),
    [
        (
            (UNLIT, UNLIT),
            (LIT, LIT),
            "Every image shows what its prompt implies, and not what the other one does.",
        ),
        (
            (LIT, LIT),
            (LIT, LIT),
            f'2 of 2 images of {FIRST} show "a lit lightbulb" instead of "an unlit lightbulb".',
        ),
        (
            (NEITHER,) * 2 + (LIT,),
            (LIT,) * 3,
            f'1 of 3 images of {FIRST} shows "a lit lightbulb" instead of "an unlit lightbulb" '
            "and 2 fit neither description.",
        ),
        ((UNLIT, BOTH), (LIT, LIT), f"1 of 2 images of {FIRST} fits both descriptions."),
        (
            (NEITHER,),
            (UNLIT,),
            f'1 of 1 image of {FIRST} fits neither description; 1 of 1 image of {SECOND} shows "an '
            'unlit lightbulb" instead of "a lit lightbulb".',
        ),
        (
            (UNLIT, UNREAD),
            (LIT, LIT),
            "Every image that could be judged shows what its prompt implies, and not what the "
            "other one does. 1 of 4 images could not be judged.",
        ),
        (
            (UNLIT, UNREAD),
            (LIT, BOTH),
            f"1 of 2 images of {SECOND} fits both descriptions. 1 of 4 images could not be judged.",
        ),
        (
            (MUTE,),
            (MUTE,),
            "No image could be judged: no reply of the evaluator could be read. "
            "Choose other words or another evaluator.",
        ),
    ],
)
def test_the_verdict_says_in_which_prompts_images_what_is_wrong(
    first: tuple[DescriptionMatch, ...], second: tuple[DescriptionMatch, ...], says: str
) -> None:
    assert verdict(evaluated(first, second)) == says


def test_there_is_no_verdict_before_every_image_is_evaluated() -> None:
    growing = REQUESTED.with_matrix(MatchMatrix(((UNLIT,), ())))
    assert verdict(growing) == tally(growing) == ""
    assert (growing.done, growing.total) == (1, 4)


def test_the_score_says_what_it_is_and_how_doubtful_replies_count() -> None:
    assert tally(evaluated((UNLIT, LIT), (LIT, LIT))) == (
        "Score 0.50: the expected share of 2 generations in which both images fit their own "
        "description alone."
    )
    assert "An image that fits both descriptions counts half." in tally(evaluated((BOTH,), (LIT,)))
    assert "of the 1 of 2 generations that could be judged" in tally(
        evaluated((UNREAD, UNLIT), (LIT, LIT))
    )
    assert tally(evaluated((UNREAD,), (LIT,))) == (
        "No score: of 1 generation, none could be judged."
    )


@pytest.mark.parametrize(
    ("prompts", "descriptions", "says"),
    [
        (0.98, 0.55, "to it the prompts differ less than what they should show."),
        (0.40, 0.55, "it tells the prompts apart, but not what they imply."),
    ],
)
def test_alike_prompts_are_named_as_the_likely_reason_where_one_shows_what_the_other_implies(
    prompts: float, descriptions: float, says: str
) -> None:
    alike = replace(REQUESTED, prompts_alike=prompts, descriptions_alike=descriptions)

    def done(first: DescriptionMatch, second: DescriptionMatch) -> PairState:
        return replace(alike.with_matrix(MatchMatrix(((first,), (second,)))), stage="done")

    measured = (
        f"To the model's text encoder the two prompts have a similarity of {prompts:.2f}, the two "
        "descriptions one of 0.55; 1 is the same."
    )
    for confused in (done(LIT, LIT), done(UNLIT, UNLIT)):
        assert reason(confused) == f"{measured} A likely reason: {says}"
        assert reason(replace(confused, stage="evaluating")) == measured
    for first, second in ((UNLIT, LIT), (MUTE, MUTE), (BOTH, BOTH), (NEITHER, NEITHER)):
        assert reason(done(first, second)) == measured
    assert reason(REQUESTED) == ""


def matrix_cells(state: PairState) -> list[str]:
    table = read(comparison(state)).one("table", "fit-matrix")
    return [cell.text for cell in table.all("td") if cell.attributes.get("class")]


def test_the_matrix_counts_what_fits_and_marks_the_cells_that_should() -> None:
    state = evaluated((UNLIT, LIT), (LIT, LIT))
    assert matrix_cells(state) == ["1 of 2", "1 of 2", "✓ 0 of 2", "✓ 2 of 2"]
    table = read(comparison(state)).one("table", "fit-matrix")
    cells = [cell for cell in table.all("td") if cell.attributes.get("class")]
    wanted = ["wanted" in str(cell.attributes["class"]).split() for cell in cells]
    assert wanted == [True, False, False, True]
    assert [head.text for head in table.all("th")][:2] == list(BULB.descriptions)


def test_each_image_says_what_it_fits_and_in_whose_words() -> None:
    page = read(comparison(evaluated((UNLIT, UNREAD, NEITHER), (UNLIT, BOTH, LIT))))
    signs = [sign.text for sign in page.all("span", "pair-sign")]
    assert signs == [
        "✓ shows an unlit lightbulb",
        "? could not be judged",
        "✗ fits neither",
        "✗ shows an unlit lightbulb",
        "? fits both",
        "✓ shows a lit lightbulb",
    ]
    first = page.all("img")[0].attributes["alt"]
    assert first == (
        "first prompt; fits: an unlit lightbulb (0.9); does not fit: a lit lightbulb (0.1)"
    )
    assert "could not be judged: an unlit lightbulb (hm)" in str(
        page.all("img")[1].attributes["alt"]
    )


def test_a_filtered_image_is_neither_shown_nor_evaluated() -> None:
    black = Image.new("RGB", (8, 8))
    cells = (GridCell(0, 7, black), GridCell(1, 8, black, filtered=True))
    generated = REQUESTED.with_sample(0, SamplingProgress(1, 1, cells, ()), {0: "0.png"})
    assert generated.files[0] == ("0.png", None)
    page = read(comparison(generated.with_matrix(MatchMatrix(((UNLIT, MUTE), ())))))
    assert page.one("span", "filtered").text == "filtered by the safety checker"
    assert len(page.all("img")) == 1
    signs = [sign.text for sign in page.all("span", "pair-sign")]
    assert signs[:2] == ["✓ shows an unlit lightbulb", "? not evaluated"]


def test_replies_that_could_not_be_read_are_left_out_of_the_matrix() -> None:
    cells = matrix_cells(evaluated((UNLIT, UNREAD), (MUTE, MUTE)))
    assert cells == ["✓ 1 of 1", "✓ 0 of 2", "not judged", "not judged"]


@pytest.mark.parametrize("evaluator", EVALUATORS)
def test_every_evaluator_says_what_it_calls_a_fit(evaluator: str) -> None:
    asked = replace(REQUESTED, request=replace(REQUESTED.request, judge=evaluator))
    assert not read(comparison(asked)).all("p", "pair-evaluator")
    page = read(comparison(asked.with_matrix(MatchMatrix(((LIT,), ())))))
    assert page.one("p", "pair-evaluator").text.startswith("Evaluated by ")


def test_words_beyond_the_pipelines_reach_are_said() -> None:
    page = read(comparison(replace(REQUESTED, truncated_words=((), ("at", "night")))))
    assert page.one("p", "pair-truncated").text.endswith("it does not see: at night.")
    assert not read(comparison(replace(REQUESTED, truncated_words=((), ())))).all(
        "p", "pair-truncated"
    )


def test_only_whole_words_of_a_prompt_are_set_in_bold() -> None:
    pair = AskedPair("the lamp is near", "the lamp was near", "a", "b")
    first, second = read(comparison(PairState(pair))).all("figcaption")
    assert [bold.text for bold in (*first.all("b"), *second.all("b"))] == ["is", "was"]
