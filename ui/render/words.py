"""The words and numbers of the page: names of methods and metrics, their meanings, formatting."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from difflib import SequenceMatcher
from html import escape
from pathlib import Path
from urllib.parse import quote

from alignment.questions.records import AnswerSpan, QuestionAnswer
from alignment.ranking import METHODS as RANKED_BY
from alignment.ranking import TARGETS
from alignment.records import ImageScore
from alignment.scorers import SCORERS
from session.state import GridState

IMAGES = "images"
"""Where the server hands out images, relative to the page."""

METHODS: Mapping[str, str] = {
    **{method: SCORERS[method].name for method in RANKED_BY},
    TARGETS: "targets",
}
"""The name of each ranking method on the page."""

ARRANGEMENTS: Mapping[str, str] = {
    "generated": "as generated",
    "reranked": "reranked",
    "best": "best layout",
}
"""The name of each arrangement on the page."""

MEANINGS: Mapping[str, str] = {
    **{method: SCORERS[method].meaning for method in RANKED_BY},
    TARGETS: "Targets: similarity to the nearest target image in one embedding space; "
    "max(0, cosine), from 0 to 1.",
    "ERR": "ERR, expected reciprocal rank: the probability, from 0 to 1, that a viewer meets an "
    "image that satisfies before giving up; the probability that an image satisfies is its "
    "calibrated chance.",
    "RBP": "RBP, rank-biased precision: the expected number of satisfying images that a viewer "
    "sees before giving up, each counted by its calibrated chance; from 0 to the sum of p to the "
    "power i.",
    "diversity": "Diversity: how unlike the images are, from 0 to 1: the mean, over all pairs, "
    "of 1 minus their similarity. It asks neither what they show nor where they are.",
    "saliency": "Visual saliency: the share of a viewer's attention that each place draws, from 0 "
    "to 100 %, computed on the image of the whole grid.",
    "contribution": "Contribution: the share of ERR that an image adds at its place, in exact "
    "expectation over the viewing orders; all contributions add up to 100 %.",
    "P(yes)": "P(yes): the probability of yes, over yes and no alone, from 0 to 100 %, that "
    "the expected answer is true of the image.",
}
"""The meaning and range of each number; a number without an entry has no help mark."""

LONGEST_NAME = 30
"""Characters of a file's name that are shown; of a longer one the middle is left out."""

APART = "Scores of different methods cannot be compared."


def method_name(method: str) -> str:
    """The name of a ranking method on the page.

    >>> method_name("vq2"), method_name("tifa")
    ('VQ2', 'tifa')
    """
    return METHODS.get(method, method)


def score_name(score: ImageScore) -> str:
    """How a score is called on the page: by its method, and by what its model was not trained for.

    >>> from alignment.scorers.vnli import ZERO_SHOT
    >>> score_name(ImageScore("vnli", 0.5, signature=ZERO_SHOT)), score_name(ImageScore("vq2", 1))
    ('VNLI, zero-shot', 'VQ2')
    """
    name = method_name(score.method)
    settings = score.signature.by_name if score.signature else {}
    return f"{name}, {settings['training']}" if "training" in settings else name


def with_marks(text: str, at: int, spans: Iterable[AnswerSpan], mark: Callable[[str], str]) -> str:
    """A part of the prompt as HTML, with spans of it marked.

    Args:
        text: that part.
        at: where in the prompt it begins.
        spans: of the prompt; those that begin outside that part are left out.
        mark: words -> their HTML.

    >>> with_marks("a red owl", 4, [AnswerSpan("red", 6, 9)], "<b>{}</b>".format)
    'a <b>red</b> owl'
    """
    html, done = "", 0
    for span in sorted(spans, key=lambda each: each.start):
        start, end = span.start - at, min(span.end - at, len(text))
        if done <= start < end:
            html += safe(text[done:start]) + mark(text[start:end])
            done = end
    return html + safe(text[done:])


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


def percent(share: float | None) -> str:
    """A share of 1 in whole per cent, or a dash; what is neither 0 nor 1 is not rounded to it.

    >>> percent(0.04), percent(1 / 200), percent(199 / 200), percent(0.0)
    ('4 %', 'under 1 %', 'over 99 %', '0 %')
    """
    if share is None:
        return "–"
    rounded = f"{share:.0%}".replace("%", " %")
    if rounded == "0 %" and share:
        return "under 1 %"
    return "over 99 %" if rounded == "100 %" and share < 1 else rounded


def listed(items: Sequence[str]) -> str:
    """Items as an enumeration.

    >>> listed(["a"]), listed(["a", "b", "c"])
    ('a', 'a, b and c')
    """
    *most, last = items
    return f"{', '.join(most)} and {last}" if most else last


def asked_for(pair: QuestionAnswer) -> str:
    """The answer that a prompt asks for, or the one that it rules out.

    >>> from alignment.questions.records import AnswerSpan
    >>> asked_for(QuestionAnswer("what animal is it?", AnswerSpan("dogs", 3, 7), 1.0, negated=True))
    'not dogs'
    """
    return f"{'not ' if pair.negated else ''}{pair.answer.text}"


def help_mark(name: str) -> str:
    """A question mark that explains a number to whoever hovers, focuses or listens."""
    if name not in MEANINGS:
        return ""
    meaning = safe(f"{MEANINGS[name]} {APART}" if name in METHODS else MEANINGS[name])
    said = f'data-says="{meaning}" aria-label="{meaning}"'
    return f'<span class="help" tabindex="0" role="note" {said}>?</span>'


def counted(count: float, noun: str) -> str:
    """A number of things.

    >>> counted(1, "question"), counted(4, "question")
    ('1 question', '4 questions')
    """
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def url(file: str) -> str:
    """Where an image is fetched: the name of its content; an inlined one is its own address."""
    return file if file.startswith("data:") else f"{IMAGES}/{quote(Path(file).name)}"


def image(file: str | None, alt: str = "", **attributes: str) -> str:
    """An image as HTML; nothing where there is no file.

    >>> image("/srv/images/3f2a.png", "a <cat>", draggable="false")
    '<img draggable="false" src="images/3f2a.png" alt="a &lt;cat&gt;">'
    """
    named = "".join(f' {name}="{safe(value)}"' for name, value in attributes.items())
    return f'<img{named} src="{safe(url(file))}" alt="{safe(alt)}">' if file else ""


def table(heads: Sequence[str], rows: str, kind: str = "", caption: str = "") -> str:
    """Rows as a table of HTML, under heads that are HTML too; an empty head is no cell to hear.

    >>> table(["", "A"], row("seed", ["7"]))[:62]
    '<table><thead><tr><td></td><th scope="col">A</th></tr></thead>'
    """
    cells = "".join(f'<th scope="col">{head}</th>' if head else "<td></td>" for head in heads)
    opening = f'<table class="{kind}">' if kind else "<table>"
    said = f"<caption>{caption}</caption>" if caption else ""
    return f"{opening}{said}<thead><tr>{cells}</tr></thead><tbody>{rows}</tbody></table>"


def row(head: str, cells: Iterable[str]) -> str:
    """A row of a table, of which head and cells are HTML.

    >>> row("seed", ["7"])
    '<tr><th scope="row">seed</th><td>7</td></tr>'
    """
    return f'<tr><th scope="row">{head}</th>{"".join(f"<td>{cell}</td>" for cell in cells)}</tr>'


def diff_spans(text: str, other: str) -> list[tuple[str, bool]]:
    """A text as spans of whole words, each with whether the other text lacks it.

    >>> diff_spans("a lamp is lit", "a lamp was lit")
    [('a lamp', False), ('is', True), ('lit', False)]
    """
    words = text.split()
    matching = SequenceMatcher(None, words, other.split(), autojunk=False).get_opcodes()
    return [(" ".join(words[a:b]), kind != "equal") for kind, a, b, _, _ in matching if b > a]


def own_in_bold(text: str, other: str) -> str:
    """A text as HTML, with the words in bold that the other text does not have."""
    parts = diff_spans(text, other)
    return " ".join(f"<b>{safe(words)}</b>" if own else safe(words) for words, own in parts)


def image_name(state: GridState, cell: int) -> str:
    """What an image is called wherever it is shown: its seed, or the name of its file."""
    names, found = state.images.names, state.images.found.get(cell)
    attempt = f", attempt {found.attempt}" if found else ""
    return shortened(names[cell]) if names else f"seed {state.seed_of(cell)}{attempt}"


def shortened(name: str) -> str:
    """The name of a file, cut in its middle where it is long.

    >>> shortened("red-car.png"), shortened("a-very-long-name-of-a-photograph-0001.png")
    ('red-car.png', 'a-very-long-nam…raph-0001.png')
    """
    return name if len(name) <= LONGEST_NAME else f"{name[:15]}…{name[-13:]}"
