"""A page's link: every state survives the link, and a wrong link keeps what is right."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import generation
from alignment.ranking import METHODS
from request import Request
from request.query import MOST_NAMES
from session.link import Link, link_of, read_link
from session.search_state import Found
from session.state import GridImages, GridState
from session.viewer_utility import ViewingSettings

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=1000)
SEEDS = st.integers(0, 2**32 - 1)


@st.composite
def links(draw: st.DrawFn) -> Link:
    """Any link whose image is one of its grid."""
    rows, columns, seed = draw(st.integers(1, 6)), draw(st.integers(1, 6)), draw(SEEDS)
    cell = draw(st.integers(0, rows * columns - 1))
    made_again = draw(st.dictionaries(st.integers(0, rows * columns - 1), SEEDS, max_size=3))
    found = draw(st.sampled_from(["", ".repair.2", ".route.16"]))
    shown = draw(st.sampled_from([None, made_again.get(cell, seed + cell)]))
    return Link(
        prompt=draw(TEXTS),
        rows=rows,
        columns=columns,
        seed=seed,
        model=draw(st.sampled_from([*generation.MODELS])),
        completion=draw(st.booleans()),
        again=",".join(f"{cell}:{seed}{found}" for cell, seed in sorted(made_again.items())),
        rank_by=draw(st.sampled_from(METHODS)),
        arrangement=draw(st.sampled_from(["generated", "reranked", "best"])),
        order=draw(st.sampled_from(["positional", "saliency", "uniform"])),
        persistence=draw(st.floats(0.05, 0.95)),
        novelty=draw(st.booleans()),
        picture=None if shown is None or shown >= 2**32 else shown,
        revision=draw(st.from_regex("[0-9a-f]{0,40}", fullmatch=True)),
    )


@given(links())
def test_every_address_survives_its_link(link: Link):
    assert read_link(f"?{link}") == (link, ())


@given(st.text(max_size=200))
def test_no_query_is_too_strange_to_be_read(query: str):
    link, mistakes = read_link(query)
    assert read_link(str(link))[0].request == link.request
    assert all(mistakes)


def test_a_grid_has_the_address_that_gives_it():
    more = {"bundle": "small", "rank_by": "clip", "revision": "3f2a" * 10}
    request = Request("a red apple & a <b>", 2, 3, 11, completion=True, **more)
    found = {0: Found("repair", 2), 4: Found("neighbours", 11)}
    images = GridImages(("x",) * 6, regenerated={4: 17}, found=found)
    state = GridState(request, images)
    view = ViewingSettings("best", "saliency", 0.5, novelty=True)
    link, mistakes = read_link(str(link_of(state, 4, view)))
    assert not mistakes
    assert link.request == request
    assert (link.regenerated, link.cell, link.view) == ({4: 17}, 4, view)
    assert (link.again, link.found) == ("0:11.repair.2,4:17.neighbours.11", found)


def test_names_that_links_had_once_are_ignored():
    link, mistakes = read_link("prompt=a+red+apple&saliency=mit1003&numbered=yes")
    assert (link, mistakes) == (Link(prompt="a red apple"), ())


def test_what_is_looked_at_is_not_what_is_made():
    one = Link(prompt="a red apple", arrangement="best", picture=9)
    assert one.run == Link(prompt="a red apple").run
    assert one.run != Link(prompt="a red apple", seed=8).run


@pytest.mark.parametrize(
    ("query", "says"),
    [
        ("seed=-1", '"seed" is "-1" in this link; it can be a whole number from 0'),
        ("seed=1.5", '"seed" is "1.5" in this link'),
        ("model=sdxxl", '"model" is "sdxxl" in this link; it can be the name of a text-to-image'),
        ("bundle=huge", "embedded is used instead"),
        ("grid=9x9", "it can be rows x columns, 1x1 to 6x6; 3x3 is used instead"),
        ("rank=taste", '"rank" is "taste" in this link; it can be one of vq2, vnli'),
        ("again=a:b", '"again" is "a:b" in this link'),
        ("again=0:1.guess.2", '"again" is "0:1.guess.2" in this link'),
        ("picture=99", '"picture" is "99" in this link; it can be the seed of an image'),
        ("revision=XYZ", '"revision" is "XYZ" in this link; it can be the revision'),
        ("persistence=nan", '"persistence" is "nan" in this link'),
        (f"show={'x' * 500}", 'xxx..." in this link'),
    ],
)
def test_a_wrong_value_is_named_and_the_rest_is_kept(query: str, says: str):
    link, mistakes = read_link(f"prompt=a+red+apple&{query}&order=saliency")
    assert (link.prompt, link.order, link.picture) == ("a red apple", "saliency", None)
    (said,) = mistakes
    assert says in said


def test_no_link_names_a_bundle_that_its_owner_does_not():
    query = "prompt=a+red+apple&bundle=small%2Bentailment%3Dx%40%2Fetc"
    assert read_link(query)[0].bundle == "embedded"
    own = "small+clip=clip-vit-l-14"
    link, mistakes = read_link(str(Link(bundle=own)), [own])
    assert (link.bundle, mistakes) == (own, ())


def test_a_flood_of_names_is_not_read():
    link, (said,) = read_link("&".join(f"n{number}=1" for number in range(MOST_NAMES + 1)))
    assert link == Link()
    assert f"more than {MOST_NAMES} names" in said
