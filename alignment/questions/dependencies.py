"""Dependencies between answer spans, as in a scene graph.

A red dog needs a dog: what describes a thing, and the phrase it stands in, depend on the thing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from alignment.records import AnswerSpan


def dependencies(spans: Sequence[AnswerSpan]) -> tuple[tuple[int, ...], ...]:
    """The parents of each span, by index, as in a scene graph.

    An English phrase ends in what it is about: in "a red dog", "dog" is the head. The phrase and
    what describes the dog depend on the shortest span that ends where the phrase ends.

    Args:
        spans: pieces of one text, in any order; one may stand there several times.

    Returns:
        For each span, the indices of its parents; a parent starts later than its child.

    Source: Cho et al., "Davidsonian Scene Graph", where a language model finds the dependencies.

    >>> from alignment.records import AnswerSpan
    >>> text = "a red dog"
    >>> spans = [AnswerSpan(text, 0, 9), AnswerSpan("red", 2, 5), AnswerSpan("dog", 6, 9)]
    >>> dependencies(spans)
    ((2,), (2,), ())
    """
    return tuple(_parents(span, spans) for span in spans)


def rests_on(spans: Sequence[AnswerSpan]) -> tuple[tuple[int, ...], ...]:
    """What the truth of each span rests on, by index: its parents, and the spans within it.

    A place, and what somebody does, rest on the thing before them, too: what is not there is in no
    bowl and wears no hat.

    >>> from alignment.records import AnswerSpan
    >>> text = "a red dog"
    >>> rests_on([AnswerSpan(text, 0, 9), AnswerSpan("red", 2, 5), AnswerSpan("dog", 6, 9)])
    ((1, 2), (2,), ())
    """
    within = (
        {
            index
            for index, other in enumerate(spans)
            if span.start <= other.start
            and other.end <= span.end
            and (span.start, span.end) != (other.start, other.end)
        }
        for span in spans
    )
    return tuple(
        tuple(sorted({*parents, *inner, *_subject(span, spans)}))
        for span, parents, inner in zip(spans, dependencies(spans), within, strict=True)
    )


def _subject(span: AnswerSpan, spans: Sequence[AnswerSpan]) -> tuple[int, ...]:
    """The thing that a place or an action is said of: the nearest that ends before it."""
    if span.kind not in ("place", "action"):
        return ()
    before = [each.end for each in spans if each.kind == "thing" and each.end <= span.start]
    return tuple(
        index
        for index, each in enumerate(spans)
        if each.kind == "thing" and before and each.end == max(before)
    )


def undermined(holds: Sequence[bool], parents: Sequence[Sequence[int]]) -> list[bool]:
    """Which entries rest on one that fails, however far up.

    Args:
        holds: for each entry, whether it is true of the image.
        parents: for each entry, the indices of those it depends on.

    >>> undermined([True, True, False], ((2,), (2,), ()))
    [True, True, False]
    """

    def rests_on_failure(entry: int) -> bool:
        return any(not holds[parent] or rests_on_failure(parent) for parent in parents[entry])

    return [rests_on_failure(entry) for entry in range(len(holds))]


def _parents(span: AnswerSpan, spans: Sequence[AnswerSpan]) -> tuple[int, ...]:
    """The head of the furthest phrase that the span lies in, where that is another span.

    The phrase itself need not be a span.
    """
    ends = (phrase.end for phrase in spans if phrase.start <= span.start < phrase.end)
    last = {other.end for other in spans} & {span.phrase[1], *ends}
    end = max(last)
    start = max(other.start for other in spans if other.end == end)
    heads = (index for index, other in enumerate(spans) if (other.start, other.end) == (start, end))
    return tuple(heads) if start > span.start else ()
