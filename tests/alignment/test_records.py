"""The pair to highlight, and the coverage of a score."""

from __future__ import annotations

from alignment.records import AnswerSpan, Coverage, Evidence, ImageScore, QuestionAnswer

COUNT = QuestionAnswer("how many stars are there?", AnswerSpan("three", 0, 5), 1.0)
PHRASE = QuestionAnswer("what is there?", AnswerSpan("three stars", 0, 11), 1.0)
MOON = QuestionAnswer("what else is there?", AnswerSpan("moon", 16, 20), 1.0)


def weakest(*entries: Evidence) -> QuestionAnswer | None:
    found = ImageScore("vq2", 0.5, evidence=entries).weakest
    return found.pair if found else None


def test_a_count_that_fails_is_told_before_the_phrase_that_holds_it() -> None:
    assert weakest(Evidence(PHRASE, 0.01), Evidence(COUNT, 0.2), Evidence(MOON, 0.9)) == COUNT


def test_the_headline_is_a_pair_whose_two_answers_agree() -> None:
    doubtful, sure = Evidence(MOON, 0.05, agrees=False), Evidence(COUNT, 0.3, agrees=True)
    assert weakest(doubtful, sure) == COUNT
    assert weakest(doubtful) == MOON, "where none agrees, the weakest is told all the same"


def test_nothing_holds_in_the_headline_while_some_pair_fails() -> None:
    doubtful, sure = Evidence(MOON, 0.07, agrees=False), Evidence(COUNT, 0.9, agrees=True)
    assert weakest(doubtful, sure) == MOON


def test_where_all_hold_the_least_sure_is_told() -> None:
    assert weakest(Evidence(COUNT, 0.9), Evidence(PHRASE, 0.7), Evidence(MOON, 0.8)) == PHRASE
    assert weakest() is None


def test_a_prompt_without_content_words_is_covered() -> None:
    assert Coverage(words=0).share == 1
