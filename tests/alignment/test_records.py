"""The pair to highlight, and the coverage of a score."""

from alignment.questions.records import AnswerSpan, QuestionAnswer
from alignment.records import Coverage, Evidence, ImageScore
from alignment.scorers.mean import averaged
from alignment.signature import Signature

COUNT = QuestionAnswer("how many stars are there?", AnswerSpan("three", 0, 5), 1.0)
PHRASE = QuestionAnswer("what is there?", AnswerSpan("three stars", 0, 11), 1.0)
MOON = QuestionAnswer("what else is there?", AnswerSpan("moon", 16, 20), 1.0)


def weakest(*entries: Evidence) -> QuestionAnswer | None:
    found = ImageScore("vq2", 0.5, evidence=entries).weakest
    return found.pair if found else None


def test_no_free_answer_drops_the_pair_that_fails() -> None:
    """The model may see an umbrella and all the same deny that the umbrella is there."""
    assert weakest(Evidence(MOON, 0.006, seen="moon"), Evidence(COUNT, 0.3)) == MOON


def test_where_all_hold_the_least_sure_is_told() -> None:
    assert weakest(Evidence(COUNT, 0.9), Evidence(PHRASE, 0.7), Evidence(MOON, 0.8)) == PHRASE
    assert weakest() is None


def test_a_prompt_without_content_words_is_covered() -> None:
    assert Coverage(words=0).share == 1


def test_a_mean_without_a_value_is_of_nothing() -> None:
    alone = ImageScore("vnli", 0.5, signature=Signature("VNLI"))
    assert averaged([ImageScore("vq2", None, "it asks nothing"), alone]).signature is None
