"""Annotated phrases, and spaCy docs of them.

The annotation is that of the UD English EWT treebank. A phrase is a tuple of words, one of them its
root; phrases are joined under the root of one of them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from recipes.world.plural import pluralise

if TYPE_CHECKING:
    from spacy.tokens import Doc
    from spacy.vocab import Vocab

PLURAL_ONLY = {"glasses", "scissors"}
MODIFYING = {
    "cinematic", "digital", "high", "isometric", "low", "pastel", "pop", "sharp", "soft", "white",
    "wide",
}  # fmt: skip
"""First words of `compound` that are adjectives."""


@dataclass(frozen=True)
class Word:
    """A token and its annotation; `head` is an index into its phrase, its own for the root."""

    text: str
    lemma: str
    pos: str
    tag: str
    morph: str = ""
    head: int = 0
    dep: str = "ROOT"


Phrase = tuple[Word, ...]


def root(phrase: Phrase) -> int:
    """Index of the word that governs the phrase."""
    return next(i for i, word in enumerate(phrase) if word.dep == "ROOT")


def join(*parts: tuple[str, Phrase]) -> Phrase:
    """Phrases side by side; the one labelled ROOT governs the roots of the others.

    >>> [(w.text, w.dep, w.head) for w in join(("amod", adjective("red")), ("ROOT", noun("cat")))]
    [('red', 'amod', 1), ('cat', 'ROOT', 1)]
    """
    starts = [sum(len(phrase) for _, phrase in parts[:i]) for i in range(len(parts))]
    governor = next(s + root(p) for s, (dep, p) in zip(starts, parts, strict=True) if dep == "ROOT")
    return tuple(
        replace(word, head=governor, dep=dep)
        if word.dep == "ROOT"
        else replace(word, head=word.head + start)
        for start, (dep, phrase) in zip(starts, parts, strict=True)
        for word in phrase
    )


def noun(lemma: str, plural: bool = False) -> Phrase:
    """A common noun."""
    plural = plural or lemma in PLURAL_ONLY
    number, tag = ("Plur", "NNS") if plural else ("Sing", "NN")
    return (Word(pluralise(lemma) if plural else lemma, lemma, "NOUN", tag, f"Number={number}"),)


def adjective(text: str) -> Phrase:
    """An adjective in its plain form."""
    return (Word(text, text, "ADJ", "JJ", "Degree=Pos"),)


def participle(text: str, lemma: str) -> Phrase:
    """A participle: "sleeping" or "broken"."""
    if text.endswith("ing"):
        return (Word(text, lemma, "VERB", "VBG", "VerbForm=Ger"),)
    return (Word(text, lemma, "VERB", "VBN", "Tense=Past|VerbForm=Part|Voice=Pass"),)


def number(text: str) -> Phrase:
    """A cardinal, written as a word or in digits."""
    form = "Digit" if text.isdigit() else "Word"
    return (Word(text, text, "NUM", "CD", f"NumForm={form}|NumType=Card"),)


def name(text: str) -> Phrase:
    """A person's name: the first word governs the others."""
    words = [(Word(part, part, "PROPN", "NNP", "Number=Sing"),) for part in text.split()]
    return join(*zip(["ROOT"] + ["flat"] * (len(words) - 1), words, strict=True))


def compound(text: str) -> Phrase:
    """A noun after nouns or adjectives: "digital art"."""
    *before, last = text.split()
    modifiers = [
        ("amod", adjective(word)) if word in MODIFYING else ("compound", noun(word))
        for word in before
    ]
    return join(*modifiers, ("ROOT", noun(last.removesuffix("s"), plural=last.endswith("s"))))


def preposition(text: str) -> Phrase:
    """One word that marks a case: "on", "of"."""
    return (Word(text, text, "ADP", "IN"),)


def article(following: Phrase) -> Phrase:
    """As in "a" or "an", as the next word asks.

    >>> article(noun("unicorn"))[0].text, article(noun("umbrella"))[0].text
    ('a', 'an')
    """
    first = following[0].text
    text = "an" if first[0] in "aeiou8" and not first.startswith("uni") else "a"
    return (Word(text, "a", "DET", "DT", "Definite=Ind|PronType=Art"),)


THE: Phrase = (Word("the", "the", "DET", "DT", "Definite=Def|PronType=Art"),)
AND: Phrase = (Word("and", "and", "CCONJ", "CC"),)
COMMA: Phrase = (Word(",", ",", "PUNCT", ","),)
STOP: Phrase = (Word(".", ".", "PUNCT", "."),)
THAT: Phrase = (Word("that", "that", "PRON", "WDT", "PronType=Rel"),)
THERE: Phrase = (Word("there", "there", "PRON", "EX"),)
FINITE = "Mood=Ind|Number={}|Person=3|Tense=Pres|VerbForm=Fin"


def be(plural: bool, pos: str = "AUX") -> Phrase:
    """As in "is" or "are"."""
    if plural:
        return (Word("are", "be", pos, "VBP", FINITE.format("Plur")),)
    return (Word("is", "be", pos, "VBZ", FINITE.format("Sing")),)


def prepositional(marker: str, governed: Phrase) -> Phrase:
    """As in "next to" and "a red cat": the case markers, then the noun phrase they mark."""
    return join(*[("case", preposition(word)) for word in marker.split()], ("ROOT", governed))


def coordinate(first: Phrase, *others: Phrase, joint: str = "and") -> Phrase:
    """A list, commas between its parts, and before the last the joint: "and", ", and" or ","."""
    *middle, last = others
    leads = {
        "and": [("cc", AND)],
        ", and": [("punct", COMMA), ("cc", AND)],
        ",": [("punct", COMMA)],
    }
    return join(
        ("ROOT", first),
        *[("conj", join(("punct", COMMA), ("ROOT", phrase))) for phrase in middle],
        ("conj", join(*leads[joint], ("ROOT", last))),
    )


def to_doc(phrase: Phrase, vocab: Vocab) -> Doc:
    """The phrase as a spaCy doc; no space before a comma or a full stop."""
    from spacy.tokens import Doc

    following = [word.pos for word in phrase[1:]] + ["PUNCT"]
    return Doc(
        vocab,
        words=[word.text for word in phrase],
        spaces=[pos != "PUNCT" for pos in following],
        lemmas=[word.lemma for word in phrase],
        pos=[word.pos for word in phrase],
        tags=[word.tag for word in phrase],
        morphs=[word.morph for word in phrase],
        heads=[word.head for word in phrase],
        deps=[word.dep for word in phrase],
    )
