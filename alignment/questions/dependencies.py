"""Dependencies between answer spans, as in a scene graph.

A red dog needs a dog: what describes a thing, and the phrase it stands in, depend on the thing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from alignment.questions.records import AnswerSpan, QuestionAnswer
from alignment.questions.words import stems


def dependencies(spans: Sequence[AnswerSpan]) -> tuple[tuple[int, ...], ...]:
    """The parents of each span, by index, as in a scene graph.

    An English phrase ends in what it is about: in "a red dog", "dog" is the head. The phrase and
    what describes the dog depend on the shortest span that ends where the phrase ends.

    Args:
        spans: pieces of one text, in any order; one may stand there several times.

    Returns:
        For each span, the indices of its parents; a parent starts later than its child.

    Source: Cho et al., "Davidsonian Scene Graph", where a language model finds the dependencies.

    >>> from alignment.questions.records import AnswerSpan
    >>> text = "a red dog"
    >>> spans = [AnswerSpan(text, 0, 9), AnswerSpan("red", 2, 5), AnswerSpan("dog", 6, 9)]
    >>> dependencies(spans)
    ((2,), (2,), ())
    """
    return tuple(_parents(span, spans) for span in spans)


def rests_on(pairs: Sequence[QuestionAnswer]) -> tuple[tuple[int, ...], ...]:
    """What the truth of each pair rests on, by index: its parents, and the answers within its own.

    A place, and what somebody does, rest on the thing that their question names, too: what is not
    there is in no bowl and wears no hat.

    >>> from alignment.questions.records import AnswerSpan, QuestionAnswer
    >>> where = QuestionAnswer("where is the cat?", AnswerSpan("in a bowl", 6, 15, "place"), 1.0)
    >>> cat = QuestionAnswer("what animal is there?", AnswerSpan("cat", 2, 5, "thing"), 1.0)
    >>> bowl = QuestionAnswer("what object is there?", AnswerSpan("bowl", 11, 15, "thing"), 1.0)
    >>> rests_on([where, cat, bowl])
    ((1, 2), (), ())
    """
    spans = [pair.answer for pair in pairs]
    return tuple(
        tuple(sorted({*parents, *_within(pair.answer, spans), *_subjects(pair, pairs)}))
        for pair, parents in zip(pairs, dependencies(spans), strict=True)
    )


def _within(span: AnswerSpan, spans: Sequence[AnswerSpan]) -> Iterator[int]:
    for index, other in enumerate(spans):
        inside = span.start <= other.start and other.end <= span.end
        if inside and (span.start, span.end) != (other.start, other.end):
            yield index


def _subjects(pair: QuestionAnswer, pairs: Sequence[QuestionAnswer]) -> Iterator[int]:
    """The things of which a place or an action is asked; none where it is of the whole image."""
    asked = stems(pair.question) if pair.kind in ("place", "action") else set()
    for index, each in enumerate(pairs):
        named = stems(each.answer.text.rpartition(" ")[2]) & asked
        there = each.kind == "thing" and not each.negated
        if named and there and not each.answer.meets(pair.answer):
            yield index


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
