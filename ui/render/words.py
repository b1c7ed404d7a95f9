"""Numbers, names and texts come in; words a person reads, safe to put into a page, go out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

METHODS: Mapping[str, str] = {
    "vq2": "VQ2",
    "vnli": "VNLI",
    "clip": "CLIP",
    "mean": "mean",
    "targets": "targets",
}
"""How each ranking method is called on the page."""

ARRANGEMENTS: Mapping[str, str] = {
    "generated": "as generated",
    "reranked": "reranked",
    "best": "best layout",
}
"""How each arrangement of the pictures is called on the page."""

MEANINGS: Mapping[str, str] = {
    "vq2": "VQ2: questions are written from the prompt and put to the picture; the mean chance, "
    "from 0 to 1, that the expected answers hold.",
    "vnli": "VNLI: the chance, from 0 to 1, that the picture as a whole entails the prompt.",
    "clip": "CLIP: how near picture and prompt lie in one space of meaning; the cosine, moved to "
    "0 to 1.",
    "mean": "The mean of VQ2 and VNLI, from 0 to 1.",
    "targets": "Targets: how close a picture comes to the nearest target picture in one space of "
    "meaning; the cosine, or 0 where it is less.",
    "ERR": "ERR: the chance, from 0 to 1, that a viewer meets a picture that satisfies before "
    "losing patience; a picture satisfies with the chance that is its score.",
    "RBP": "RBP: how many matching pictures a viewer sees before losing patience, each counted by "
    "its score; from 0 up to what a grid of perfect pictures gives.",
    "diversity": "Diversity: how unlike the pictures are, from 0 to 1: the mean, over all pairs, "
    "of 1 minus their similarity. It asks neither what they show nor where they are.",
    "mass": "A place's mass: the part of a viewer's attention that is drawn there, from 0 to "
    "100 %, measured on the picture of the whole grid.",
    "share": "A picture's share: the part of ERR that it earns at its place, exactly, over all "
    "orders in which this viewer may look; all shares together are 100 %.",
    "P(yes)": "P(yes): the model's chance of yes, over yes and no alone, from 0 to 100 %, that the "
    "expected answer is true of the picture.",
}
"""What each number means, in one sentence with its range; a number without an entry has no mark."""

APART = "Numbers of different methods do not compare."


def method_name(method: str) -> str:
    """How a ranking method is called on the page.

    >>> method_name("vq2"), method_name("tifa")
    ('VQ2', 'tifa')
    """
    return METHODS.get(method, method)


def safe(text: str) -> str:
    """A text as HTML, whoever wrote it.

    >>> safe('<b onclick="x">')
    '&lt;b onclick=&quot;x&quot;&gt;'
    """
    return escape(text, quote=True)


def number(value: float | None) -> str:
    """Two places; a dash where there is no number.

    >>> number(0.4149), number(None)
    ('0.41', '–')
    """
    return "–" if value is None else f"{value:.2f}"


def percent(share: float) -> str:
    """A share of 1 in whole per cent; what is neither 0 nor 1 is not rounded to it.

    >>> percent(0.04), percent(0.001), percent(0.9999), percent(0.0)
    ('4 %', 'under 1 %', 'over 99 %', '0 %')
    """
    if 0 < share < 0.005:
        return "under 1 %"
    return "over 99 %" if 0.995 < share < 1 else f"{share:.0%}".replace("%", " %")


def listed(items: Sequence[str]) -> str:
    """Items in a row, as a person says them.

    >>> listed(["a"]), listed(["a", "b", "c"])
    ('a', 'a, b and c')
    """
    *most, last = items
    return f"{', '.join(most)} and {last}" if most else last


def help_mark(name: str) -> str:
    """A question mark that explains a number to whoever hovers, focuses or listens."""
    if name not in MEANINGS:
        return ""
    meaning = safe(f"{MEANINGS[name]} {APART}" if name in METHODS else MEANINGS[name])
    said = f'data-says="{meaning}" aria-label="{meaning}"'
    return f'<span class="help" tabindex="0" role="note" {said}>?</span>'
