"""What a scoring model knows: the words it was trained on, and the most of one thing it has seen.

Models trained on a small world name a vocabulary file in their `ScoringModel`; for all others there
is no such limit.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import chain
from pathlib import Path

from alignment.questions.negation import SIGNS
from alignment.questions.records import QuestionAnswer
from alignment.questions.words import NUMBERS, WORD, is_count, words_and_symbols

SIDE_OF_IMAGE = re.compile(
    r"\b(?:left|right)\b"
    r"(?!(?:[ -](?:hand|side))*\s+of\s+(?!(?:the\s+|this\s+)?(?:picture|image|photo)))",
    re.IGNORECASE,
)
"""Left or right, but of nothing in the image: "on the left", not "left of a tree"."""
PREPOSITIONS = frozenset("in on at by into onto".split())
"""Words of grammar that place one thing from another where no known place follows."""
JOINING = PREPOSITIONS | frozenset("a of the to top".split())
"""Words of a place that others share."""
TOP = re.compile(r"(?<!\bon\s)\btop\b|\btop\b(?!\s+of\b)", re.IGNORECASE)
"""A top, but not that of "on top of", which is all that it has been told of one."""
LEADS = 3
"""Words after one of them among which the place is named: "on the wet grass"."""
CALLED = re.compile(r"(?:what|which)\s+(\w+)", re.IGNORECASE)
"""What a question calls a thing: "flower" of "what flower is there?"."""
UNFINISHED = "the question writer ran on until it was cut off"
UNASKED = "no question asks about it"
"""Of a prompt that is not judged by questions, this is no objection."""
UNKNOWN = "the scoring model does not know"
NO_SIDES = "the scoring model knows left and right of a thing, not of the image"


@dataclass(frozen=True)
class Knowledge:
    """The vocabulary of a scoring model.

    >>> world = Knowledge(frozenset({"red", "apple", "two"}), most=2)
    >>> world.objection("a red zebra"), world.objection("a red apple")
    ('the scoring model does not know "zebra"', '')
    >>> world.objection("5 apples")
    'the scoring model has seen at most 2 of a thing'
    """

    words: frozenset[str]
    """In lower case, every form of each that may stand by itself: not "hot" of "hot dog"."""
    most: int
    """The largest number of one thing that it has seen."""
    plurals: Mapping[str, str] = field(default_factory=dict)
    """Noun -> its plural."""
    places: frozenset[str] = frozenset()
    """Words of the places that it has seen: "grass" of "on the grass", "left" of "left of"."""
    relations: frozenset[str] = frozenset()
    """Single words for where it has seen one thing from another: "above", "on"."""
    categories: frozenset[str] = frozenset()
    """What its questions call things, and no caption: "what flower is there?"."""

    @cached_property
    def names(self) -> re.Pattern[str]:
        """Its nouns of several words, one and many of each, long ones first.

        >>> Knowledge(frozenset(), 4, {"hot dog": "hot dogs"}).names.findall("Two hot dogs")
        ['hot dogs']
        """
        several = (name for name in self._singular if " " in name)
        return re.compile(_any_of(several), re.IGNORECASE)

    def apart_from_names(self, text: str) -> str:
        """The text with blanks in the place of each name of several words, known only as a whole.

        >>> Knowledge(frozenset(), 4, {"hot dog": "hot dogs"}).apart_from_names("a hot dog, hot")
        'a        , hot'
        """
        return self.names.sub(lambda name: " " * len(name.group()), text)

    def things(self, text: str) -> set[str]:
        """Which things a text names that it has seen, each as one of them.

        >>> sorted(Knowledge(frozenset(), 4, {"owl": "owls", "hat": "hats"}).things("An owl, hats"))
        ['hat', 'owl']
        """
        found = self._nouns.findall(text.casefold())
        return {self._singular[" ".join(name.split())] for name in found}

    @cached_property
    def _nouns(self) -> re.Pattern[str]:
        return re.compile(_any_of(self._singular))

    @cached_property
    def _singular(self) -> Mapping[str, str]:
        """One and many of each thing -> one of it."""
        return {said: one for one, many in self.plurals.items() for said in (one, many)}

    def plural(self, phrase: str) -> str:
        """A phrase for one thing said of several, without its article; "" for any other phrase.

        >>> world = Knowledge(frozenset(), 4, {"bucket": "buckets", "stop sign": "stop signs"})
        >>> world.plural("a red bucket"), world.plural("any stop sign")
        ('red buckets', 'stop signs')
        """
        one = self._one.fullmatch(" ".join(phrase.casefold().split()))
        return one[1] + self.plurals[one[2]] if one else ""

    @cached_property
    def _one(self) -> re.Pattern[str]:
        """A phrase for one of its things: what is said of it, and its name."""
        return re.compile(rf"(?:(?:an?|any) )?(.*?)({_any_of(self.plurals)})")

    def knows(self, word: str) -> bool:
        """Whether a word is one of its vocabulary, letter case aside."""
        return NUMBERS.get(word, word).casefold() in self.words

    def words_of(self, text: str) -> list[tuple[str, int]]:
        """The words that count in a text, each with its place.

        Among them are "in", "on" and the like where they lead to no place that it has seen: unless
        it knows them as relations, it cannot tell a cat in a box from one beside it.

        >>> world = Knowledge(frozenset(), 4, places=frozenset({"grass"}))
        >>> world.words_of("a cat in a box on the grass")
        [('cat', 2), ('in', 6), ('box', 11), ('grass', 22)]
        """
        said = [(match.group().casefold(), match.start()) for match in WORD.finditer(text)]
        placing = [
            each
            for at, each in enumerate(said)
            if each[0] in PREPOSITIONS - self.relations
            and not any(word in self.places for word, _ in said[at + 1 : at + 1 + LEADS])
        ]
        return sorted([*words_and_symbols(text), *placing], key=lambda each: each[1])

    def unknown(self, text: str) -> dict[int, str]:
        """Where each word begins that the model does not know -> why, in the order of the text."""
        sides = {found.start() for found in SIDE_OF_IMAGE.finditer(text)}
        tops = {found.start() for found in TOP.finditer(text)}
        apart = self.apart_from_names(text)
        found: dict[int, str] = {}
        for word, start in self.words_of(text):
            if apart[start] == " ":
                continue
            if start in sides:
                found[start] = NO_SIDES
            elif not self.knows(word) and is_count(word):
                found[start] = f"the scoring model has seen at most {self.most} of a thing"
            elif word in PREPOSITIONS or start in tops or not self.knows(word):
                found[start] = f'{UNKNOWN} "{word}"'
        return found

    def objection(self, text: str) -> str:
        """Why the model cannot be asked about a text; "" where nothing stands against it."""
        return next(iter(self.unknown(text).values()), "")

    def objection_to(self, pair: QuestionAnswer) -> str:
        """Why a pair cannot be put to the model; "" where nothing stands against it."""
        if not pair.question.endswith("?"):
            return UNFINISHED
        if not words_and_symbols(pair.answer.text):
            return f'{UNKNOWN} "{pair.answer.text}"'
        called = CALLED.match(pair.question)
        kind = called.start(1) if called and called[1].casefold() in self.categories else -1
        unknown = (why for at, why in self.unknown(pair.question).items() if at != kind)
        return self.objection(pair.answer.text) or next(unknown, "")

    def objection_to_prompt(self, text: str, pairs: Sequence[QuestionAnswer]) -> str:
        """Why the model cannot be asked about a whole prompt with these pairs; "" where it can."""
        if sign := SIGNS.search(text):
            return f'the scoring model has never read a prompt with "{sign.group()}"'
        objections = (pair.objection for pair in pairs)
        objected = next((each for each in objections if each and each != UNASKED), "")
        return objected or self.objection(text)


def _any_of(names: Iterable[str]) -> str:
    """A pattern of some names as whole words, long ones before what they begin with."""
    longest = sorted(names, key=len, reverse=True)
    said = (r"\s+".join(map(re.escape, name.split())) for name in longest)
    return rf"\b(?:{'|'.join(said) or '(?!)'})\b"


@lru_cache
def read_knowledge(file: Path) -> Knowledge:
    """The knowledge that a vocabulary file lists, such as `assets/icon-vocabulary.json`."""
    stored = json.loads(file.read_text(encoding="utf-8"))
    plurals = {name: each["plural"] for name, each in stored["classes"].items()}
    for each in stored["classes"].values():
        plurals |= each["synonyms"]
    relations = frozenset(phrase for phrase in stored["relations"] if " " not in phrase)
    said = " ".join([*stored["relations"], *chain.from_iterable(stored["backgrounds"].values())])
    places = frozenset(said.split()) - JOINING - relations
    words = frozenset(stored["words"])
    categories = frozenset(chain.from_iterable(stored["categories"].items()))
    return Knowledge(words, len(stored["counts"]), plurals, places, relations, categories)
