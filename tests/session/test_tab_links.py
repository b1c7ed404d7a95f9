"""Links to the tabs beside the playground: what is asked survives, what cannot be is named."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import generation
from alignment.ranking import METHODS
from generation.validation import LARGEST_SEED
from session.comparison import ComparisonState
from session.pair_state import AskedPair
from session.systems.system import VQ2, System
from session.tab_links import (
    LONGEST,
    TOO_LONG,
    ComparisonLink,
    pair_query,
    read_comparison,
    read_pair,
)

TEXTS = st.text(st.characters(exclude_categories=["Cs", "Cc", "Zs", "Zl", "Zp"]), max_size=60)
PROMPTS = TEXTS.filter(bool)
SEEDS = st.integers(0, LARGEST_SEED)
MODELS = st.sampled_from([*generation.MODELS])
SYSTEMS = st.builds(
    System,
    model=MODELS,
    bundle=st.sampled_from(["embedded", "small"]),
    seed=SEEDS,
    completion=st.booleans(),
    wording=PROMPTS,
    vq2=st.sampled_from([*VQ2]),
)


@st.composite
def comparisons(draw: st.DrawFn) -> ComparisonLink:
    """Any comparison whose prompts are short enough."""
    asked = ComparisonState(
        tuple(draw(st.lists(PROMPTS, min_size=1, max_size=4, unique=True))),
        tuple(draw(st.lists(SYSTEMS, min_size=2, max_size=4))),
        draw(st.integers(1, 6)),
        draw(st.integers(1, 6)),
        draw(st.sampled_from(METHODS)),
    )
    return ComparisonLink(asked, draw(st.booleans()))


@given(comparisons())
def test_every_comparison_survives_its_link(link: ComparisonLink):
    assert link.whole
    assert read_comparison(f"?tab=compare&{link}") == (link, ())


@given(
    st.builds(
        AskedPair,
        first=TEXTS,
        second=TEXTS,
        first_shows=TEXTS,
        second_shows=TEXTS,
        pictures=st.integers(1, 6),
        seed=SEEDS,
        judge=st.sampled_from(["vnli", "clip", "vlm"]),
        model=MODELS,
        made=st.booleans(),
    )
)
def test_every_pair_survives_its_link(link: AskedPair):
    assert read_pair(pair_query(link)) == (link, ())


@given(st.text(max_size=200))
def test_no_query_is_too_strange_to_be_read(query: str):
    for text in (query, f"compare.prompts={query}", f"commonsense.seed={query}"):
        assert read_comparison(text)[0].asked.systems
        assert all(read_comparison(text)[1])
        assert all(read_pair(text)[1])


def test_the_links_of_all_tabs_fit_one_address():
    comparison = ComparisonLink(ComparisonState(("a cat",), (System(), System(seed=9))))
    pair = AskedPair(first="a", second="b", seed=3)
    whole = f"prompt=a+red+car&seed=5&{comparison}&{pair_query(pair)}"
    assert read_comparison(whole) == (comparison, ())
    assert read_pair(whole) == (pair, ())


@pytest.mark.parametrize(
    ("query", "says"),
    [
        ("compare.grid=9x9", '"compare.grid" is "9x9" in this link; it can be rows x columns'),
        (
            "compare.columns=5",
            '"compare.columns" is "5" in this link; it can be a whole number from 2',
        ),
        ("compare.b.model=sdxxl", '"compare.b.model" is "sdxxl" in this link; it can be the name'),
        ("compare.a.bundle=/etc", '"compare.a.bundle" is "/etc" in this link'),
        ("compare.a.seed=-1", '"compare.a.seed" is "-1" in this link'),
        ("compare.blind=perhaps", '"compare.blind" is "perhaps" in this link; it can be yes or no'),
    ],
)
def test_a_wrong_value_of_a_comparison_is_named_and_the_rest_is_kept(query: str, says: str):
    link, (said,) = read_comparison(f"compare.prompts=a+cat&{query}&compare.rank=clip")
    assert (link.asked.prompts, link.asked.rank_by) == (("a cat",), "clip")
    assert says in said


@pytest.mark.parametrize(
    ("query", "says"),
    [
        ("commonsense.judge=me", '"commonsense.judge" is "me" in this link; it can be one of vnli'),
        ("commonsense.pictures=7", '"commonsense.pictures" is "7" in this link'),
        (f"commonsense.first={'x' * 1001}", "it can be at most 1000 characters"),
    ],
)
def test_a_wrong_value_of_a_pair_is_named(query: str, says: str):
    link, (said,) = read_pair(f"commonsense.second=b&{query}")
    assert link.second == "b"
    assert says in said


def test_a_column_that_is_not_shown_is_not_read():
    link, mistakes = read_comparison("compare.prompts=a&compare.columns=2&compare.c.seed=-1")
    assert (len(link.asked.systems), mistakes) == (2, ())


def test_prompts_that_are_too_long_for_an_address_are_left_out_and_that_is_said():
    prompts = tuple(f"{number} {'x' * 900}" for number in range(10))
    link = ComparisonLink(ComparisonState(prompts, (System(), System(seed=9))))
    assert not link.whole
    assert len(str(link)) < LONGEST
    found, mistakes = read_comparison(str(link))
    assert (found.asked.systems, mistakes) == (link.asked.systems, (TOO_LONG,))


def test_a_prompt_that_nobody_could_reload_is_in_no_address():
    assert pair_query(AskedPair(first="a" * 1000)).startswith("commonsense.first=aaa")
    assert pair_query(AskedPair(*["é" * 1000] * 4)) == ""
