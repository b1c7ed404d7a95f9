"""Captions as people type them into image models, as annotated docs.

A caption is mostly a noun phrase without a verb: colours are `amod`, numbers `nummod`, places
`nmod` with their `case`, lists `conj` with `cc`. What it says need not make sense.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from recipes.parser import caption_words as words
from recipes.parser.phrases import (
    COMMA,
    STOP,
    THAT,
    THE,
    THERE,
    Phrase,
    Word,
    adjective,
    article,
    be,
    compound,
    coordinate,
    join,
    name,
    noun,
    number,
    participle,
    preposition,
    prepositional,
    to_doc,
)

if TYPE_CHECKING:
    from spacy.tokens import Doc
    from spacy.vocab import Vocab


class Grammar:
    """Draws phrases; every choice comes from one random generator."""

    def __init__(self, generator: random.Random) -> None:
        self.draw = generator

    def chance(self, probability: float) -> bool:
        """True with this probability."""
        return self.draw.random() < probability

    def colour(self) -> Phrase:
        """As in "green", "dark green", "black and white"."""
        colours = [adjective(word) for word in self.draw.sample(words.COLOURS, 3)]
        kind = self.draw.choices(["one", "shade", "two", "three"], [16, 2, 4, 1])[0]
        if kind == "shade":
            shade = adjective(self.draw.choice(["dark", "light", "bright", "pale"]))
            return join(("amod", shade), ("ROOT", colours[0]))
        return coordinate(*colours[: 2 if kind == "two" else 3]) if kind != "one" else colours[0]

    def modifiers(self) -> list[tuple[str, Phrase]]:
        """Adjectives, participles and nouns before a noun, mostly one or none."""
        parts: list[tuple[str, Phrase]] = []
        if self.chance(0.25):
            parts.append(("amod", self.quality()))
        if self.chance(0.5):
            parts.append(("amod", self.colour()))
        if self.chance(0.08):
            parts.append(("amod", participle(*self.draw.choice(list(words.PARTICIPLES.items())))))
        if self.chance(0.12):
            source = words.MATERIALS if self.chance(0.5) else words.THINGS
            parts.append(("compound", noun(self.draw.choice(source))))
        return parts

    def quality(self) -> Phrase:
        """As in "small", "very small", "small and happy"."""
        first, second = (adjective(word) for word in self.draw.sample(words.QUALITIES, 2))
        if self.chance(0.05):
            return join(("advmod", (Word("very", "very", "ADV", "RB"),)), ("ROOT", first))
        return coordinate(first, second) if self.chance(0.08) else first

    def thing(self, plural: bool | None = None) -> Phrase:
        """As in "a black apple", "two yellow balloons", "the wooden chair", "orange juice"."""
        plural = self.chance(0.25) if plural is None else plural
        core = join(*self.modifiers(), ("ROOT", noun(self.draw.choice(words.THINGS), plural)))
        if plural and self.chance(0.75):
            return join(("nummod", number(self.draw.choice(words.NUMBERS))), ("ROOT", core))
        if not plural and self.chance(0.04):
            return join(("nummod", number("one")), ("ROOT", core))
        if not plural and self.chance(0.88):
            the = self.chance(0.15)
            return join(("det", THE if the else article(core)), ("ROOT", core))
        return core

    def part(self) -> Phrase:
        """A thing without article, as after "with": "blue eyes"."""
        return join(*self.modifiers(), ("ROOT", noun(self.draw.choice(words.THINGS), True)))

    def side(self) -> Phrase:
        """As in "to the left of a pink umbrella"."""
        of = prepositional("of", self.thing(False))
        return join(
            ("case", preposition(self.draw.choice(["to", "on"]))),
            ("det", THE),
            ("ROOT", noun(self.draw.choice(words.SIDES))),
            ("nmod", of),
        )

    def region(self) -> Phrase:
        """As in "in front of a house", "on top of a hill"."""
        marker, head = self.draw.choice(
            [("in", "front"), ("on", "top"), ("in", "middle"), ("at", "bottom"), ("in", "center")]
        )
        article_part = [] if head in ("front", "top") else [("det", THE)]
        return join(
            ("case", preposition(marker)),
            *article_part,
            ("ROOT", noun(head)),
            ("nmod", prepositional("of", self.thing(False))),
        )

    def scene(self) -> Phrase:
        """As in "on the grass", "at night", "in a snowy forest"."""
        if self.chance(0.2):
            return prepositional("at", noun(self.draw.choice(words.TIMES)))
        place = self.draw.choice(words.SCENES)
        core = noun("mountain", plural=True) if place == "mountains" else noun(place)
        if self.chance(0.2):
            core = join(("amod", self.quality()), ("ROOT", core))
        determiner = THE if self.chance(0.75) else article(core)
        marker = self.draw.choice(["in", "in", "on", "on", "at", "under", "near", "by"])
        return prepositional(marker, join(("det", determiner), ("ROOT", core)))

    def beside(self) -> Phrase:
        """As in "next to a tree", "left of a table", "with blue eyes"."""
        if self.chance(0.4):
            marker = self.draw.choice(["next to", "next to", "left of", "right of"])
            return prepositional(marker, self.thing())
        marker = self.draw.choice(words.PREPOSITIONS)
        return prepositional(marker, self.part() if marker == "with" else self.thing())

    def place(self) -> Phrase:
        """Any prepositional phrase that says where or when."""
        return self.draw.choices([self.scene, self.beside, self.side, self.region], [4, 4, 2, 1])[
            0
        ]()

    def action(self) -> Phrase:
        """As in "sitting on a wooden chair", "wearing a hat", "made of glass"."""
        kind = self.draw.choices(["rest", "hold", "made"], [5, 4, 1])[0]
        if kind == "hold":
            verb = participle(*self.draw.choice(list(words.HOLDING.items())))
            return join(("ROOT", verb), ("obj", self.thing()))
        if kind == "made":
            text, (lemma, marker) = self.draw.choice(list(words.MADE.items()))
            what = prepositional(marker, self.thing())
            return join(("ROOT", participle(text, lemma)), ("obl", what))
        verb = participle(*self.draw.choice(list(words.RESTING.items())))
        return join(("ROOT", verb), ("obl", self.place())) if self.chance(0.85) else verb

    def described(self) -> Phrase:
        """A thing and perhaps what it does, where it is, or what it is like."""
        kind = self.draw.choices(["bare", "place", "action", "clause"], [8, 6, 4, 1])[0]
        if kind == "place":
            return join(("ROOT", self.thing()), ("nmod", self.place()))
        if kind == "action":
            return join(("ROOT", self.thing()), ("acl", self.action()))
        return self.with_clause() if kind == "clause" else self.thing()

    def with_clause(self) -> Phrase:
        """As in "a backpack that is green"."""
        plural = self.chance(0.3)
        clause = join(("nsubj", THAT), ("cop", be(plural)), ("ROOT", self.colour()))
        return join(("ROOT", self.thing(plural)), ("acl:relcl", clause))

    def listed(self) -> Phrase:
        """As in "a cat, two dogs and a bird", "a cat, a dog"."""
        count = self.draw.choices([2, 3, 4], [8, 3, 1])[0]
        things = [self.thing() if self.chance(0.8) else self.described() for _ in range(count)]
        return coordinate(*things, joint=self.draw.choice(["and", "and", ", and", ","]))

    def medium(self) -> Phrase:
        """As in "a photo of two cats", "an oil painting of a fox"."""
        genre = [("compound", noun(self.draw.choice(words.GENRES)))] if self.chance(0.25) else []
        kind = self.draw.choice(words.MEDIA)
        core = join(*genre, ("ROOT", noun(kind)))
        determiner = [("det", article(core))] if self.chance(0.85) else []
        content = self.listed() if self.chance(0.3) else self.described()
        return join(*determiner, ("ROOT", core), ("nmod", prepositional("of", content)))

    def style(self) -> Phrase:
        """As in "in the style of van gogh"."""
        artist = (
            name(self.draw.choice(words.ARTISTS)) if self.chance(0.7) else compound("pixel art")
        )
        of = ("nmod", prepositional("of", artist))
        return join(("case", preposition("in")), ("det", THE), ("ROOT", noun("style")), of)

    def sentence(self) -> Phrase:
        """A full clause: "there are two cats", "a cat is sitting on a chair", "the cat is red"."""
        plural = self.chance(0.3)
        subject = self.thing(plural)
        kind = self.draw.choice(["there", "does", "is"])
        if kind == "there":
            where = [("obl", self.scene())] if self.chance(0.4) else []
            exists = ("ROOT", be(plural, "VERB"))
            return join(("expl", THERE), exists, ("nsubj", subject), *where)
        if kind == "does":
            text, lemma = self.draw.choice(list(words.RESTING.items()))
            verb = (Word(text, lemma, "VERB", "VBG", "Tense=Pres|VerbForm=Part"),)
            aux = ("aux", be(plural))
            return join(("nsubj", subject), aux, ("ROOT", verb), ("obl", self.place()))
        predicate = self.colour() if self.chance(0.5) else self.place()
        return join(("nsubj", subject), ("cop", be(plural)), ("ROOT", predicate))

    def caption(self) -> Phrase:
        """A whole caption, in the case and punctuation of a prompt."""
        kinds = [self.described, self.listed, self.medium, self.sentence]
        phrase = self.draw.choices(kinds, [7, 6, 3, 2])[0]()
        if self.chance(0.05):
            phrase = join(("nmod", self.scene()), ("punct", COMMA), ("ROOT", phrase))
        if self.chance(0.08):
            phrase = join(("ROOT", phrase), ("nmod", self.style()))
        if self.chance(0.1):
            flavours = self.draw.sample(words.FLAVOURS, self.draw.randint(1, 3))
            listed = [("list", join(("punct", COMMA), ("ROOT", compound(f)))) for f in flavours]
            phrase = join(("ROOT", phrase), *listed)
        if self.chance(0.2):
            phrase = (replace(phrase[0], text=phrase[0].text.capitalize()), *phrase[1:])
        return join(("ROOT", phrase), ("punct", STOP)) if self.chance(0.2) else phrase


def captions(count: int, seed: int, vocab: Vocab) -> Iterator[Doc]:
    """`count` captions, the same for the same seed."""
    grammar = Grammar(random.Random(seed))
    return (to_doc(grammar.caption(), vocab) for _ in range(count))
