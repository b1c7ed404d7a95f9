"""Checks of a written question by another reader than the model that wrote it.

The reader is the prompt's parser, and the rules ask whether the question is English and whether it
speaks of the prompt.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from alignment.questions.words import FUNCTION_WORDS, QUANTITIES, WORD, is_count, spelled

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc, Token

OPENINGS = frozenset(
    "what which who whose whom where when why how is are was were does do did can has have in on "
    "at to of for with by from".split()
)
"""How a question may begin: a question word, an auxiliary, or a preposition before one."""
CLOSED = "a|an|the|to|of|no|not|nothing|how|what|where|is|are|and|but|or|without|with|please"
MISPLACED = re.compile(rf"\b(?:(?:a|an|the)\s+(?:(?:{CLOSED})\b|\?)|please\b)", re.IGNORECASE)
"""An article before a word that no article goes with, or before none; a word to who draws."""
ASKS_NUMBER = frozenset("many much number old time year".split())
"""Words one of which is in a question that a bare number answers."""
GENERAL = frozenset(
    "animal area background body color colour condition day direction food fruit ground item kind "
    "location material month name number object one people person pattern place plant position "
    "season shape side size sort state style texture thing time top type vehicle weather year "
    "left right front bottom middle".split()
)
"""Nouns that ask for something, and may stand in a question without standing in the prompt."""
KIND_ASKED = re.compile(r"(?:what|which)\s+(?:(?:kind|sort|type)s?\s+of\s+)?(\w+)")
"""What kind of thing a question asks for: "what kind of animal"."""
THINGS = frozenset(
    "animal animals creature food foods fruit fruits item items object objects person people plant "
    "plants thing things toy toys vegetable vehicle vehicles".split()
)
"""Nouns among them that ask for a thing, which a place is not."""
PLACES = frozenset(
    "alley area backyard bay bedroom beach canyon city cliff coast countryside "
    "desert farm field forest garden glade harbor harbour hill hillside horizon island jungle "
    "kitchen lake landscape lawn meadow mountain night ocean orchard park pasture path playground "
    "pond prairie river road room sand scenery sea seaside shore shoreline sky snow street sunrise "
    "sunset swamp town valley village wasteland water wilderness woods yard".split()
)
"""Nouns for where or when something is."""


def fault(question: str, text: str, parser: Language, answer: str = "") -> str:
    """What is wrong with a question about a text; "" when nothing is.

    Args:
        question: as it was written.
        text: the prompt.
        parser: tags both.
        answer: what the text answers, where that is known.
    """
    words = WORD.findall(question.casefold())
    if not words or words[0] not in OPENINGS or not question.rstrip().endswith("?"):
        return "it is not a question"
    if _number(answer.casefold()) and not ASKS_NUMBER & {*words}:
        return "a number is no answer to it"
    if _place(answer) and (asked := KIND_ASKED.match(question.casefold())) and asked[1] in THINGS:
        return "a place is no answer to it"
    if words[-1] == "like":
        return "it asks for nothing definite"
    if misplaced := MISPLACED.search(question):
        return f'"{misplaced.group()}" is not English'
    asked, about = parser.pipe([question, spelled(text)])
    absent = next((token.text for token in asked if _claims(token) and not _in(token, about)), "")
    return f'"{absent}" is not in the prompt' if absent else ""


def _number(answer: str) -> bool:
    """Whether an answer says how many and nothing else: "5", "a couple"."""
    return is_count(answer) or answer.removeprefix("a ") in QUANTITIES


def _place(answer: str) -> bool:
    """Whether an answer is a place: "an empty beach", "the snow"; its noun is its last word.

    >>> _place("two snowy mountains"), _place("a beach ball"), _place("")
    (True, False, False)
    """
    words = WORD.findall(answer.casefold())
    return bool(words) and bool({words[-1], words[-1].removesuffix("s")} & PLACES)


def _claims(token: Token) -> bool:
    """True of a noun that the question takes for granted; "what fruit", "full or crescent" ask."""
    lower = token.lower_
    before = token.nbor(-1).lower_ if token.i > 0 else ""
    after = token.nbor(1).lower_ if token.i + 1 < len(token.doc) else ""
    asked_for = before in ("what", "which", "whose", "of", "or") or after == "or"
    noun = token.pos_ in ("NOUN", "PROPN", "X") or before in ("the", "a", "an", "many")
    return (
        noun
        and not asked_for
        and lower not in GENERAL
        and lower not in FUNCTION_WORDS
        and token.is_alpha
    )


def _in(token: Token, text: Doc) -> bool:
    """Whether a text has the word, in whatever form."""
    forms = _forms(token.lower_, token.lemma_)
    return any(forms & _forms(other.lower_, other.lemma_) for other in text)


def _forms(word: str, lemma: str) -> set[str]:
    lower = lemma.casefold()
    stems = {word, lower, word.removesuffix("s"), word.removesuffix("es"), lower.removesuffix("s")}
    return stems - {""}
