"""The answer table: claims as columns, images as rows, and what the prompt's words show."""

from alignment.answers import AnswerTable, answer_table
from alignment.questions.records import AnswerSpan, QuestionAnswer
from alignment.records import Coverage, Evidence, ImageScore, UncoveredWord, UnscoredPair

PROMPT = "two cats wearing a red cap"


def pair(text: str, kind: str, question: str = "what is there?") -> QuestionAnswer:
    start = PROMPT.index(text)
    span = AnswerSpan(text, start, start + len(text), kind)
    return QuestionAnswer(question, span, 1.0)


PHRASE, TWO, CATS = pair("two cats", "thing"), pair("two", "count"), pair("cats", "thing")
WORN = pair("wearing a red cap", "action")
CAP, RED, BARE = pair("a red cap", "thing"), pair("red", "attribute"), pair("cap", "thing")
PAIRS = (PHRASE, TWO, CATS, WORN, CAP, RED, BARE)
UNKNOWN = 'the scoring model does not know "wearing"'


def scored(**chances: float) -> ImageScore:
    """An image of which each pair holds, but for those whose word is given."""
    asked = [each for each in PAIRS if each != WORN]
    evidence = tuple(Evidence(each, chances.get(each.answer.text, 0.9)) for each in asked)
    coverage = Coverage(5, (UncoveredWord("wearing", 9, UNKNOWN),), 6, 7)
    unscored = (UnscoredPair(WORN, UNKNOWN),)
    return ImageScore("vq2", 0.5, "", evidence, unscored=unscored, coverage=coverage)


def table(*scores: ImageScore | None) -> AnswerTable:
    return answer_table(PROMPT, PAIRS, scores)


def said(found: AnswerTable) -> list[tuple[str, tuple[int, int] | str]]:
    return [
        (each.text, found.counted(each.claims)[::2] if each.claims else each.reason)
        for each in found.segments
    ]


def test_each_group_of_words_counts_the_images_that_hold_all_its_claims() -> None:
    found = table(scored(), scored(red=0.1), scored(cap=0.2))
    assert said(found) == [("two cats", (3, 3)), ("wearing", UNKNOWN), ("a red cap", (1, 3))]


def test_what_rests_on_a_thing_that_is_not_there_is_not_counted_as_shown() -> None:
    found = table(scored(cap=0.2), scored())
    (red,) = (index for index, claim in enumerate(found.claims) if claim.span.text == "red")
    assert found.shows([red]) == {0: False, 1: True}


def test_of_equal_words_each_is_named_with_its_thing() -> None:
    prompt = "a red car next to a red bus"
    car, bus = (0, 9), (18, 27)
    spans = [("red", 2, 5, car), ("car", 6, 9, car), ("red", 20, 23, bus), ("bus", 24, 27, bus)]
    asked = [
        QuestionAnswer(f"what of {start}?", AnswerSpan(text, start, end, phrase=phrase), 1.0)
        for text, start, end, phrase in spans
    ]
    found = answer_table(prompt, asked, [])
    names = [found.name(claim) for claim in found.claims]
    assert [each.text for each in names] == ["red car", "car", "red bus", "bus"]
    assert names[2].start == 20


def test_a_claim_holds_from_one_half_on() -> None:
    found = table(scored(cap=0.5), scored(cap=0.49))
    assert [bool(found.failing(row)) for row in range(2)] == [False, True]


def test_an_image_in_doubt_may_show_what_it_is_least_sure_of() -> None:
    unsure, unlikely = scored(red=0.6), scored(red=0.4)
    verdicts = (True, None, None, False)
    found = answer_table(PROMPT, PAIRS, [scored(), unsure, unlikely, unlikely], verdicts)
    cats, red = (found.counted(each.claims) for each in found.segments if each.claims)
    assert (cats, red) == ((4, 0, 4), (1, 2, 4))
    assert found.may_show(found.segments[2].claims) == (0, 1, 2)


def test_no_word_is_missing_of_an_image_that_is_right() -> None:
    found = answer_table(PROMPT, PAIRS, [scored(red=0.45)], [True])
    assert said(found) == [("two cats", (1, 1)), ("wearing", UNKNOWN), ("a red cap", (1, 1))]


def test_counts_grow_as_images_are_asked() -> None:
    assert said(table(scored(), None, None))[0] == ("two cats", (1, 1))
    assert said(table(None))[0] == ("two cats", (0, 0))


def test_what_fails_is_the_claim_that_everything_else_rests_on() -> None:
    no_cap = scored(**{"cap": 0.1, "red": 0.2, "a red cap": 0.05})
    blue = scored(**{"red": 0.2, "a red cap": 0.1})
    together = scored(**{"a red cap": 0.1})
    found = table(no_cap, blue, together)
    words = [[found.claims[index].span.text for index in found.failing(row)] for row in range(3)]
    assert words == [["cap"], ["red"], ["a red cap"]]
    assert [
        score.weakest.pair.answer.text for score in (no_cap, blue, together) if score.weakest
    ] == [
        "cap",
        "red",
        "a red cap",
    ]


def test_pairs_that_claim_the_same_are_one_claim_with_their_mean() -> None:
    again = pair("cats", "thing", "which animals are there?")
    evidence = (Evidence(CATS, 0.2, seen="dogs"), Evidence(again, 0.6, seen="cats"))
    found = answer_table(PROMPT, (CATS, again), [ImageScore("vq2", 0.4, "", evidence)])
    (claim,), ((answer,),) = found.claims, found.rows
    assert claim.pairs == (CATS, again)
    assert answer
    assert (answer.probability, answer.holds, answer.seen) == (0.4, False, "dogs")


def test_what_is_quoted_was_answered_to_the_question_that_is_quoted() -> None:
    """The first of the claim: another question about it has another answer."""
    again = pair("cats", "thing", "what is wearing a cap?")
    evidence = (Evidence(CATS, 0.3, seen="dogs"), Evidence(again, 0.1, seen="umbrella"))
    (row,) = answer_table(PROMPT, (CATS, again), [ImageScore("vq2", 0.2, "", evidence)]).rows
    assert row
    assert row[0]
    assert row[0].seen == "dogs"


def test_of_claims_that_no_image_holds_those_that_rest_on_another_are_left_out() -> None:
    found = table(scored(red=0.1, **{"a red cap": 0.2}), scored(red=0.1, cap=0.3))
    (cap,) = (each.claims for each in found.segments if each.text == "a red cap")
    assert [found.claims[each].span.text for each in found.shown_by_none(cap)] == ["red"]


def test_an_ending_after_an_apostrophe_stands_with_its_word() -> None:
    dog = AnswerSpan("the dog", 0, 7, "thing")
    asked = QuestionAnswer("what animal is there?", dog, 1.0)
    found = answer_table(
        "the dog's ball", [asked], [ImageScore("vq2", 0.9, "", (Evidence(asked, 0.9),))]
    )
    assert [each.text for each in found.segments] == ["the dog's", "ball"]
