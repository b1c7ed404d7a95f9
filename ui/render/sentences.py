"""What an image shows of its prompt and what it does not, as a person would say it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from alignment.answers import Answer, AnswerTable, Claim
from alignment.questions.records import PLURAL, QuestionAnswer
from alignment.questions.round_trip import singular_words
from alignment.questions.words import ARTICLES, NUMBERS, POSSESSIVES, is_count
from alignment.records import Evidence
from ui.render.words import listed, percent

FORMS = (
    (r"how many (.+) (?:is|are) there", "not {said} {of}", "how many {of} there are"),
    (r"what (.+) (?:is|are) there", "{none} {said}", "which {of} {verb} there"),
    (r"what colou?r (?:is|are) (.+)", "{of} {verb} not {said}", "what color {of} {verb}"),
    (r"where (?:is|are) (.+)", "{of} {verb} not {said}", "where {of} {verb}"),
    (r"where does (.+) take place", "not {said}", "where {of} takes place"),
    (r"what time of day is (it)", "not {said}", "what time of day {of} is"),
    (r"what (?:is|are) (.+) like", "{of} {verb} not {said}", "what {of} {verb} like"),
    (r"what (?:is|are) (the \S+(?: \S+)?) (\w+ing)", "{none} {said}", r"what {of} {verb} \2"),
    (r"(?:is|are) (the \S+) .+ or .+", "{of} {verb} not {said}", "what {of} {verb} like"),
)
"""How a question is put, what is wrong where its answer fails, and the question as it is quoted."""

DETERMINERS = ARTICLES | POSSESSIVES
QUANTIFIERS = {*NUMBERS, *NUMBERS.values(), *"couple pair dozen several few many lot lots".split()}
"""Words that say how many, and digits: there are not two dogs, but no dogs."""


def faults(table: AnswerTable, *, sure: bool = True) -> tuple[str, ...]:
    """What is wrong with the one image of a table, one entry a fault; none where all holds.

    Each is only perhaps wrong, where the verdict on the image is not sure.
    """
    row = table.rows[0] or ()
    found = ((table.claims[index], row[index]) for index in table.failing(0))
    return tuple(
        f"Perhaps not just one {bare(claim.span.text)}."
        if _only_number_fails(row, claim)
        else fault(claim.pairs[0], claim.span.text, _telling(table, claim, answer), sure=sure)
        for claim, answer in found
        if answer
    )


def _only_number_fails(row: Sequence[Answer | None], claim: Claim) -> bool:
    """Of "a red apple", whether apple and red hold, so that its number is what fails."""
    parts = [row[index] for index in claim.rests_on]
    one = claim.span.text.partition(" ")[0].lower() in ("a", "an")
    return one and len(parts) > 1 and all(part is not None and part.holds for part in parts)


def _telling(table: AnswerTable, claim: Claim, answer: Answer) -> Answer:
    """The answer without what says nothing: asked for a bear, that balloons are there, too."""
    others = (each.span for each in table.claims if not each.span.meets(claim.span))
    asked_for = {word for span in others for word in _words(span.text)}
    thing = claim.pairs[0].kind == "thing"
    return replace(answer, seen="") if thing and _words(answer.seen) <= asked_for else answer


def sentence(entry: Evidence) -> str:
    """One answer in words: what is wrong, or what it holds to be there.

    >>> from alignment.questions.records import AnswerSpan
    >>> pair = QuestionAnswer("what color is the backpack?", AnswerSpan("green", 20, 25), 1.0)
    >>> sentence(Evidence(pair, 0.04, seen="pink"))
    'The backpack is not green. Asked what color the backpack is, the model says: pink.'
    >>> sentence(Evidence(pair, 0.96, seen="green"))
    'green.'
    """
    if entry.holds:
        said = entry.pair.answer.text
        return f"no {bare(said)}." if entry.pair.negated else f"{said}."
    return fault(entry.pair, entry.pair.answer.text, entry)


def fault(pair: QuestionAnswer, said: str, found: Answer | Evidence, *, sure: bool = True) -> str:
    """What is wrong with an image of which an answer does not hold.

    Args:
        pair: the question.
        said: what the prompt says.
        found: how likely that is, and the model's own answer.
        sure: of the verdict on the image.

    >>> from dataclasses import replace
    >>> from alignment.questions.records import AnswerSpan
    >>> turtle = QuestionAnswer("what animal is there?", AnswerSpan("a turtle", 10, 18), 1.0)
    >>> fault(turtle, "a turtle", Answer(0.1, "cat"))
    'No turtle. Asked which animal is there, the model says: cat.'
    >>> fault(turtle, "a turtle", Answer(0.1, "nothing"))
    'No turtle.'
    >>> two = QuestionAnswer("how many cats are there?", AnswerSpan("two", 0, 3), 1.0)
    >>> fault(two, "two", Answer(0.1, "three"))
    'Not two cats. Asked how many cats there are, the model says: three.'
    >>> sunset = QuestionAnswer("where does this take place?", AnswerSpan("at sunset", 9, 18), 1.0)
    >>> fault(sunset, "at sunset", Answer(0.1, "on the beach"))
    'Not at sunset. Asked where this takes place, the model says: on the beach.'
    >>> fault(sunset, "at sunset", Answer(0.1, "four"))
    'Not at sunset.'
    >>> night = QuestionAnswer("what time of day is it?", AnswerSpan("at night", 9, 17), 1.0)
    >>> fault(night, "at night", Answer(0.1, "in the water"))
    'Not at night. Asked what time of day it is, the model says: in the water.'
    >>> fault(replace(turtle, negated=True), "a turtle", Answer(0.1, "turtle"))
    'A turtle is there, though the prompt rules it out.'
    >>> fault(turtle, "turtles", Answer(0.31, "turtle"))
    'No clear turtles: the model says turtle, but gives it a probability of 31 %.'
    >>> fault(two, "two", Answer(0.46, "two"), sure=False)
    'Perhaps not two cats: the model says two, but is not sure.'
    >>> cats = QuestionAnswer("what animals are there?", AnswerSpan("two cats", 0, 8), 1.0)
    >>> fault(cats, "two cats", Answer(0.46, "cat"), sure=False)
    'Perhaps not two cats. Asked which animals are there, the model says: cat.'
    """
    told, seen = wrong(pair, said), found.seen
    told = f"{told[:1].upper()}{told[1:]}" if sure else f"Perhaps {told}"
    fits = not is_count(seen) or pair.question.startswith("how many")
    if pair.negated or seen in ("", "nothing") or not fits:
        return f"{told}."
    if _words(seen) == _words(said):
        told = re.sub("^No ", "No clear ", told)
        chance = (
            f"gives it a probability of {percent(found.probability)}" if sure else "is not sure"
        )
        return f"{told}: the model says {seen}, but {chance}."
    of, _, inside = _form(pair.question)
    asked = f"Asked {inside.format(of=of, verb=verb(of))}, the" if inside else "The"
    return f"{told}. {asked} model says: {seen}."


def _words(said: str) -> set[str]:
    """The words of an answer without its article, each by its singular."""
    return {*singular_words(bare(said))}


def wrong(pair: QuestionAnswer, said: str) -> str:
    """What is wrong with an image in which what the prompt says does not hold.

    >>> from alignment.questions.records import AnswerSpan
    >>> wrong(QuestionAnswer("where is the owl?", AnswerSpan("on a hat", 7, 15), 1.0), "on a hat")
    'the owl is not on a hat'
    >>> hat = QuestionAnswer("what is the owl wearing?", AnswerSpan("wearing a hat", 7, 20), 1.0)
    >>> wrong(hat, "wearing a hat"), wrong(hat, "a hat")
    ('not wearing a hat', 'no hat')
    >>> wrong(QuestionAnswer("what is there?", AnswerSpan("two dogs", 0, 8), 1.0), "two dogs")
    'not two dogs'
    """
    if pair.negated:
        them = "them" if verb(said) == "are" else "it"
        return f"{said} {verb(said)} there, though the prompt rules {them} out"
    of, form, _ = _form(pair.question)
    first, acts = said.partition(" ")[0].lower(), pair.question.rstrip("?").split()[-1:]
    none = "not" if first in {*QUANTIFIERS, *acts} else "no"
    return form.format(of=of, said=bare(said), verb=verb(of), none=none)


def _form(question: str) -> tuple[str, str, str]:
    """What a question asks about, and its form of `FORMS`."""
    for pattern, form, inside in FORMS:
        if found := re.fullmatch(pattern, question.rstrip("?")):
            return found[1], form, found.expand(inside)
    return "", "{none} {said}", ""


def bare(words: str) -> str:
    """Words without their article or possessive pronoun.

    >>> bare("a turtle"), bare("my dog"), bare("another cat")
    ('turtle', 'dog', 'another cat')
    """
    first, _, rest = words.partition(" ")
    return rest if rest and first.lower() in DETERMINERS else words


def verb(things: str) -> str:
    """Is or are; most plurals end with an s.

    >>> verb("animals"), verb("the glass"), verb("the bus"), verb("people")
    ('are', 'is', 'is', 'are')
    """
    return "are" if re.search(rf"({PLURAL}|people|men|children)$", things) else "is"


def not_judged(table: AnswerTable) -> tuple[str, ...]:
    """Why some words were not judged: each reason once, behind the words it holds for.

    E.g. '"a zebra": the scoring model does not know "zebra"'.
    """
    reasons = dict.fromkeys(each.reason for each in table.segments if each.reason)
    named = {
        reason: listed([f'"{each.text}"' for each in table.segments if each.reason == reason])
        for reason in reasons
    }
    return tuple(f"{words}: {reason}" for reason, words in named.items())
