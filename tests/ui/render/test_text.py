"""What people and models write is text, wherever the page shows it."""

from collections.abc import Callable, Iterator

import pytest

from alignment.questions.records import AnswerSpan, QuestionAnswer
from alignment.records import Evidence, ImageScore
from session.pair_state import AskedPair, PairState
from session.state import GridState
from tests.ui.conftest import with_prompt, with_scores
from tests.ui.reading import Element, read
from tests.ui.render.test_compare import compared
from ui.render import commonsense, compare
from ui.render.evidence import evidence
from ui.render.gallery import gallery
from ui.render.presentation import about_grid, presentation


def in_evidence(state: GridState, text: str) -> str:
    pair = QuestionAnswer(text, AnswerSpan(text, 2, 2 + len(text)), 1.0)
    score = ImageScore("vq2", 0.0, evidence=(Evidence(pair, 0.0, seen=text),))
    return evidence(with_scores(with_prompt(state, f"a {text}"), vq2=(score,) * 4), 0)


def in_gallery(state: GridState, text: str) -> str:
    return gallery(with_prompt(state, text))


def in_presentation(state: GridState, text: str) -> str:
    return presentation(about_grid(with_prompt(state, text)))


def in_comparison(state: GridState, text: str) -> str:
    return compare.comparison(compared(with_prompt(state, text), prompts=(text,)))


def in_prompt_pair(_: GridState, text: str) -> str:
    return commonsense.comparison(PairState(AskedPair(text, f"{text} again", text, "x")))


def elements(found: Element) -> Iterator[Element]:
    for each in found.inside:
        yield each
        yield from elements(each)


@pytest.mark.parametrize(
    "text", ["<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "{{value}} ${1}"]
)
@pytest.mark.parametrize(
    "shown", [in_evidence, in_gallery, in_presentation, in_comparison, in_prompt_pair]
)
def test_what_is_written_is_text_and_nothing_else(
    state: GridState, shown: Callable[[GridState, str], str], text: str
):
    document = read(shown(state, text))
    found = [*elements(document)]
    assert not [each for each in found if each.tag == "script" or "onerror" in each.attributes]
    assert "x" not in {each.attributes.get("src") for each in found}
    values = (value or "" for each in found for value in each.attributes.values())
    assert any(text in each for each in (document.text, *values))
