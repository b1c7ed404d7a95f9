"""HTML of a prompt pair: its images, the match matrix and the verdict."""

from __future__ import annotations

from collections.abc import Sequence

from alignment.prompt_pairs.records import DescriptionMatch
from session.pair_state import PairState
from ui.render.pair_verdict import reason, tally, verdict
from ui.render.status import about_truncated
from ui.render.words import counted, image, own_in_bold, safe, table

NAMES = ("first", "second")
EVALUATED_BY = {
    "vnli": "Evaluated by VNLI: a description fits when the probability that the image entails "
    "it is over one half.",
    "clip": "Evaluated by CLIP: the description more similar to the image fits, the other does "
    "not.",
    "vlm": "Evaluated by a vision-language model that is asked, of each description, for 1 when it "
    "generally fits and 0 otherwise.",
}
"""When a description fits, by evaluator."""
FILTERED = (
    '<span class="pair-image filtered">filtered by the safety checker</span>'
    '<span class="pair-sign">? not evaluated</span>'
)
"""In place of a filtered image, once its turn to be evaluated has come."""


def comparison(state: PairState) -> str:
    """A prompt pair: the images of both prompts, what they fit, and the verdict."""
    rows = "".join(_images(state, prompt) for prompt in (0, 1))
    return (
        f'<section class="prompt-pair" style="--columns: {state.request.pictures}">'
        f'<div class="pair-rows">{rows}</div>'
        f'<div class="pair-said">{_matrix(state)}{_words(state)}</div></section>'
    )


def activity(state: PairState) -> str:
    if state.download:
        return f"downloading {state.download}"
    images = counted(state.request.pictures, "image")
    return {
        "loading": f"loading {state.request.model}",
        "reading": "reading the prompts",
        "generating": f"generating {images} of prompt {state.prompt_in_work + 1}",
        "evaluating": "comparing each image with both descriptions",
    }.get(state.stage, "done")


def _images(state: PairState, prompt: int) -> str:
    """A small grid: one prompt's images, each with what it fits."""
    cells = "".join(_image(state, prompt, k) for k in range(state.request.pictures))
    said = own_in_bold(state.pair.prompts[prompt], state.pair.prompts[1 - prompt])
    return f'<figure class="pair-row"><figcaption>{said}</figcaption><ol>{cells}</ol></figure>'


def _image(state: PairState, prompt: int, generation: int) -> str:
    file = state.file(prompt, generation)
    row = state.matrix.fits[prompt]
    fit = row[generation] if generation < len(row) else None
    if fit and not file:
        return f"<li>{FILTERED}</li>"
    words = _said(state, prompt, fit) if fit else "not evaluated yet"
    waiting = '<span class="waiting" role="img" aria-label="not generated yet"></span>'
    shown = image(file, words, title=words) or waiting
    sign = _sign(state, prompt, fit) if fit else '<span class="pair-sign"></span>'
    return f'<li><span class="pair-image">{shown}</span>{sign}</li>'


def _said(state: PairState, prompt: int, fit: DescriptionMatch) -> str:
    """What one image fits, with the evaluator's own words, or why it was not asked."""
    if fit.reason:
        return f"{NAMES[prompt]} prompt; could not be judged: {fit.reason}"
    parts = [
        f"{_answer(fits)}: {text} ({reply})"
        for fits, text, reply in zip(fit.fits, state.pair.descriptions, fit.replies, strict=True)
    ]
    return f"{NAMES[prompt]} prompt; {'; '.join(parts)}"


def _answer(fits: bool | None) -> str:
    """What was answered, in words.

    >>> _answer(True), _answer(False), _answer(None)
    ('fits', 'does not fit', 'could not be judged')
    """
    return "could not be judged" if fits is None else "fits" if fits else "does not fit"


def _sign(state: PairState, prompt: int, fit: DescriptionMatch) -> str:
    """What one image shows, and whether that is what its prompt implies."""
    if None in fit.fits:
        return '<span class="pair-sign">? could not be judged</span>'
    if fit.fits == (True, True):
        return '<span class="pair-sign">? fits both</span>'
    name, sign = ("holds", "✓") if fit.fits[prompt] else ("fails", "✗")
    shown = [text for text, fits in zip(state.pair.descriptions, fit.fits, strict=True) if fits]
    said = f"shows {shown[0]}" if shown else "fits neither"
    return f'<span class="pair-sign {name}">{sign} {safe(said)}</span>'


def _matrix(state: PairState) -> str:
    """How many images of each prompt fit each description, filled in as they are evaluated."""
    rows = "".join(_row(state, prompt) for prompt in (0, 1))
    caption = "how many images fit: it should be all in the outlined cells, none in the others"
    return table(["", *map(safe, state.pair.descriptions)], rows, "fit-matrix", caption)


def _row(state: PairState, prompt: int) -> str:
    cells = "".join(
        _count([fit.fits[description] for fit in state.matrix.fits[prompt]], description == prompt)
        for description in (0, 1)
    )
    return f'<tr><th scope="row">{NAMES[prompt]} prompt</th>{cells}</tr>'


def _count(replies: Sequence[bool | None], wanted: bool) -> str:
    """One of the four numbers, of what was judged; wanted on the diagonal alone."""
    place = "wanted" if wanted else "unwanted"
    read = [reply for reply in replies if reply is not None]
    if not read:
        return f'<td class="{place}">{"not judged" if replies else "–"}</td>'
    good = read.count(wanted) / len(read)
    state = "holds" if good == 1 else "fails" if good < 0.5 else "mixed"
    sign = {"holds": "✓ ", "fails": "✗ ", "mixed": ""}[state]
    return f'<td class="{place} {state}">{sign}{read.count(True)} of {len(read)}</td>'


def _words(state: PairState) -> str:
    lines = {
        "pair-verdict": verdict(state),
        "pair-score": tally(state),
        "pair-reason": reason(state),
        "pair-truncated": " ".join(filter(None, map(about_truncated, state.truncated_words))),
        "pair-evaluator": EVALUATED_BY[state.request.judge] if any(state.matrix.fits) else "",
    }
    return "".join(f'<p class="{name}">{safe(said)}</p>' for name, said in lines.items() if said)
