"""Words of a prompt: which carry content, and numbers written as digits."""

from __future__ import annotations

import re
import unicodedata

NUMBERS = {
    str(number): word
    for number, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
        "fifteen sixteen seventeen eighteen nineteen twenty".split()
    )
}
"""Digits -> the number in words."""

ARTICLES = frozenset(("a", "an", "the"))
POSSESSIVES = frozenset("my your his her its our their".split())
"""Words that say whose a thing is, which no image shows."""

FUNCTION_WORDS = ARTICLES.union(
    POSSESSIVES,
    "of in on at to and or nor but with without no not any some is are was were be been "
    "there here this that these those it which who what where how many much does do from by "
    "for as into onto very please show me draw paint generate create make take place time day "
    "i you he she we they them just could would will let want need get has have showing "
    "so than then while "
    "color colour kind type photo photos photograph photographs picture pictures image images "
    "painting paintings drawing drawings illustration illustrations render portrait "
    "icon icons scene next side true never neither zero 0 lacking instead rather than except minus "
    "excluding isn't aren't wasn't weren't doesn't don't".split(),
)
"""Words that no question asks about: grammar, courtesies, and nouns for the image itself."""

COURTESY = re.compile(r"\bcan (?=(?:i|you|we)\b)", re.IGNORECASE)
"""Of "can you draw a can?", what asks for a picture and not for a thing."""
WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
DIGITS = re.compile(r"(?<![\w.,:/$\u20ac\u00a3#-])(\d{1,2})(?![\w.,:/%-]*\w|\s?[%\u00b0])")
AMPERSAND = re.compile(r"(?<=\s)&(?=\s)")
FIRST_PICTORIAL = "\N{LEFTWARDS ARROW}"
"""Where signs begin that depict something; those before are signs of print, such as the degree."""


def without_courtesy(text: str) -> str:
    """The text with blanks for "can" where it asks for a picture; every other word stays in place.

    >>> without_courtesy("can you draw a can?")
    '    you draw a can?'
    """
    return COURTESY.sub(lambda asking: " " * len(asking[0]), text)


def words_of(text: str) -> list[tuple[str, int]]:
    """The content words of a text in lower case, each with the place where it begins.

    >>> words_of("a photo of 5 red apples")
    [('5', 11), ('red', 13), ('apples', 17)]
    >>> words_of("can you draw a can?")
    [('can', 15)]
    """
    said = WORD.finditer(without_courtesy(text))
    found = [(match.group().casefold(), match.start()) for match in said]
    return [
        each
        for each in found
        if each[0].replace("\N{RIGHT SINGLE QUOTATION MARK}", "'") not in FUNCTION_WORDS
    ]


def stems(text: str) -> set[str]:
    """The content words of a text, each without the ending of a plural.

    >>> sorted(stems("where are the red apples?"))
    ['apple', 'red']
    """
    return {word.removesuffix("s") for word, _ in words_of(text)}


def words_and_symbols(text: str) -> list[tuple[str, int]]:
    """The same with the emoji and other pictorial symbols, which a model of few words cannot read.

    >>> words_and_symbols("a dog and \N{DOG FACE}")
    [('dog', 2), ('\N{DOG FACE}', 10)]
    """
    return sorted((*words_of(text), *symbols_of(text)), key=lambda each: each[1])


def symbols_of(text: str) -> list[tuple[str, int]]:
    """The emoji and other pictorial symbols of a text, each with its place.

    >>> symbols_of("a dog\N{DEGREE SIGN} and \N{DOG FACE}")
    [('\N{DOG FACE}', 11)]
    """
    return [
        (sign, at)
        for at, sign in enumerate(text)
        if sign >= FIRST_PICTORIAL and unicodedata.category(sign) == "So"
    ]


def spelled(text: str) -> str:
    """The text with counts up to twenty and "&" in words; other numbers stay as they are.

    >>> spelled("5 apples & 1 dog"), spelled("99 balloons at 10:30"), spelled("a $5 bill, 20% off")
    ('five apples and one dog', '99 balloons at 10:30', 'a $5 bill, 20% off')
    """
    counted = DIGITS.sub(lambda match: NUMBERS.get(match[1], match[1]), text)
    return AMPERSAND.sub("and", counted)


def is_count(word: str) -> bool:
    """True of a number in digits or in words.

    >>> is_count("5"), is_count("seven"), is_count("red")
    (True, True, False)
    """
    return word.isdecimal() or word in NUMBERS.values()
