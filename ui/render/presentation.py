"""HTML of the presentation: slides of one screen each, about one grid or about the three papers."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from session.pair_state import PairState
from session.state import GridState
from session.viewer_utility import ViewerUtility
from ui.render.gallery import description
from ui.render.outcome import NOTHING, WRONG, outcome, struck
from ui.render.pair_verdict import verdict as pair_verdict
from ui.render.verdict import sentence as verdict_sentence
from ui.render.verdict import share
from ui.render.words import asked_for, counted, image, method_name, number, safe, with_marks

Viewed = Callable[[GridState], ViewerUtility]
"""What a finished grid is worth to a viewer whose eyes follow saliency, best layout included."""
Lit = Callable[[GridState, Sequence[int]], str]
"""From an arrangement of a finished grid to the address of its map of saliency."""

OPENING = "Which image is right, and why are the others wrong?"
QUESTIONS_SHOWN = 5
YAROM = "Yarom et al. 2023, What You See is What You Read?"
ARABZADEH = "Arabzadeh, Diaz and He 2024, Offline Evaluation of Set-Based Text-to-Image Generation"
FU = "Fu et al. 2024, Commonsense-T2I Challenge"


def presentation(slides: Sequence[str]) -> str:
    """A dialog that shows one slide after the other; assets/presentation.js turns them."""
    turn = "".join(
        f'<button type="button" data-turn="{step}" aria-label="{name}">{arrow}</button>'
        for step, name, arrow in ((-1, "back", "←"), (1, "next", "→"))
    )
    return (
        '<dialog class="presentation" aria-label="Presentation">'
        f'{"".join(slides)}<footer><span class="at" role="status"></span>{turn}'
        '<button type="button" data-turn="0">close</button></footer></dialog>'
    )


def preparing() -> str:
    """What stands in for the tour until it has come."""
    said = '<p role="status">the tour is being prepared: looking for the best layout …</p>'
    return (
        '<dialog class="presentation preparing" aria-label="Presentation">'
        f'<section class="slide">{_asked(OPENING)}{said}</section>'
        '<footer><span class="at"></span><button type="button" data-turn="0">close</button>'
        "</footer></dialog>"
    )


def about_grid(state: GridState) -> list[str]:
    """A grid, step by step: its images, their order, why the last is wrong, and the first right."""
    opening = _generated(state, f"{counted(state.size, 'image')} of this. Which is right?")
    if not state.report:
        return [opening]
    ranked = _ranked(state, verdict_sentence(state))
    ends = dict.fromkeys(cell for cell in (*state.ranked[-1:], *state.ranked[:1]))
    return [opening, ranked, *(_reason(state, cell) for cell in ends), *_metrics(state)]


def tour(
    examples: Sequence[GridState], worked: Sequence[PairState], viewed: Viewed, lit: Lit
) -> list[str]:
    """The three papers on worked examples; every slide has images.

    Args:
        examples: finished grids; of those whose images differ in what they show the one is told
            whose order helps most.
        worked: a pair of prompts whose difference is implied, first as they are.
        viewed: asked once, about the grid that is told.
        lit: shows where people look.
    """
    told = max(filter(_differs, examples), key=_gain, default=None)
    seen = _grid(told, told.arranged("generated"), ranked=False) if told else _pair_grid(worked[0])
    return [
        _slide(seen, _asked(safe(OPENING)) + "<p>three papers, one grid</p>"),
        *(_about_questions(told) if told else ()),
        *(_about_order(told) if told else ()),
        *(_about_layout(told, viewed(told), lit) if told else ()),
        _question(worked[0]),
        *map(_pair, worked),
        _slide(
            seen,
            _asked("Now you: what should be generated?") + _said("Close this and write a prompt."),
        ),
    ]


def _about_questions(state: GridState) -> list[str]:
    wrong = state.ranked[-1]
    pairs = [claim.pairs[0] for claim in state.answers().claims]
    questions = "".join(
        f"<li>{safe(each.readable)} <b>{safe(asked_for(each))}</b></li>"
        for each in pairs[:QUESTIONS_SHOWN]
    )
    asked = _asked(safe(state.prompt)) + f"<ol>{questions}</ol>"
    return [_slide(_large(state, wrong), asked, YAROM), _reason(state, wrong, YAROM)]


def _about_order(state: GridState) -> list[str]:
    ranked = _ranked(state, verdict_sentence(state), ARABZADEH)
    return [_generated(state, "As generated", ARABZADEH), ranked, *_metrics(state, ARABZADEH)]


def _about_layout(state: GridState, found: ViewerUtility, lit: Lit) -> list[str]:
    """Where people look, and the best layout for them; no slide where there is no ERR."""
    err = {each.arrangement: each.value for each in found.scores if each.metric == "ERR"}
    if not {"reranked", "best"} <= err.keys():
        return []
    looked = (
        "But eyes do not go row by row: visual saliency, bright here, says where. ERR is "
        f"{number(err['reranked'])} for a viewer who follows it."
    )
    address = safe(lit(state, found.arrangements["reranked"].cells))
    lights = f'<img class="large" src="{address}" alt="the grid, lit where it is salient">'
    best = _grid(state, found.arrangements["best"].cells)
    layout = f"In this layout, the best found, it is {number(err['best'])}."
    prompt = _prompt(state)
    return [
        _slide(lights, prompt + _said(looked), ARABZADEH),
        _slide(best, prompt + _said(layout), ARABZADEH),
    ]


def _question(state: PairState) -> str:
    asked = "What differs between the two, though neither says so?"
    return _slide(_pair_grid(state, marked=False), _prompts(state) + _said(asked), FU)


def _pair(state: PairState) -> str:
    """The images of two prompts, a row each, and whether each fits its own description alone."""
    implied = "".join(f"<li>{safe(each)}</li>" for each in state.pair.descriptions)
    told = "" if state.revised else f"<p>They imply</p><ol>{implied}</ol>"
    how = "With what they imply written out: " if state.revised else ""
    said = _said(f"{how}{pair_verdict(state)}")
    return _slide(_pair_grid(state), _prompts(state) + told + said, FU)


def _prompts(state: PairState) -> str:
    return "".join(map(_asked, map(safe, state.pair.prompts)))


def _pair_grid(state: PairState, *, marked: bool = True) -> str:
    cells = "".join(
        _pair_cell(state, prompt, generation, marked)
        for prompt in (0, 1)
        for generation in range(state.request.pictures)
    )
    style = f"--columns: {state.request.pictures}; --rows: 2"
    return f'<ol class="shown pair" style="{style}">{cells}</ol>'


def _pair_cell(state: PairState, prompt: int, generation: int, marked: bool) -> str:
    fit = state.matrix.fits[prompt][generation]
    right = fit.fits[prompt] is True and fit.fits[1 - prompt] is False
    shows = [
        text for text, fits in zip(state.pair.descriptions, fit.fits, strict=True) if fits is True
    ]
    fits_in_words = " and ".join(shows) or "fits neither description"
    alt = state.pair.prompts[prompt] + (f": {fits_in_words}" if marked else "")
    shown = image(state.file(prompt, generation), alt)
    sign = f"<span>{'✓' if right else '✗'}</span>" if marked else ""
    return f"<li>{shown}{sign}</li>"


def _differs(state: GridState) -> bool:
    """Whether the first image holds what was asked for and the last does not."""
    if len(state.ranked) < 2:
        return False
    ends = [state.score(cell, "vq2") for cell in (state.ranked[0], state.ranked[-1])]
    holds = [bool(each and each.weakest and each.weakest.holds) for each in ends]
    return holds == [True, False]


def _metrics(state: GridState, source: str = "") -> list[str]:
    """ERR before and after; no slide where there is none."""
    found = state.report.row_by_row("ERR") if state.report else {}
    if not {"generated", "reranked"} <= found.keys():
        return []
    said = (
        f"ERR {number(found['generated'])} → {number(found['reranked'])}, as generated and "
        "reranked: how likely a viewer who looks row by row is to meet an image that satisfies"
    )
    return [_ranked(state, said, source)]


def _gain(state: GridState) -> float:
    """What the order adds to ERR for a viewer who looks row by row."""
    found = state.report.row_by_row("ERR") if state.report else {}
    return found.get("reranked", 0) - found.get("generated", 0)


def _reason(state: GridState, cell: int, source: str = "") -> str:
    """One image on half of the screen, and what is wrong or right with it on the other."""
    place, found = state.rank(cell), outcome(state, cell)
    rank = f"#{place} of {state.size}" if place else "not ranked"
    said = f"{found.sign} {rank}: {found}".strip()
    return _slide(_large(state, cell), _prompt(state, cell) + _said(said), source)


def _generated(state: GridState, said: str, source: str = "") -> str:
    """A slide with the grid as it was generated, which says nothing of ranks."""
    grid = _grid(state, state.arranged("generated"), ranked=False)
    return _slide(grid, _asked(safe(state.prompt)) + _said(said), source)


def _ranked(state: GridState, said: str, source: str = "") -> str:
    """A slide with the reranked grid and the prompt with its counts."""
    return _slide(_grid(state, state.arranged("reranked")), _prompt(state) + _said(said), source)


def _prompt(state: GridState, cell: int | None = None) -> str:
    """The prompt, each group of words with how many images show it; what a cell lacks is struck."""
    found = NOTHING if cell is None else outcome(state, cell)
    wrong = [each for each in found.faults if found.sign == WRONG and each.surely]
    missing = [each.words for each in wrong if not each.unwanted]
    unwanted = [each.words for each in wrong if each.unwanted]
    table = state.answers()
    if not any(table.rows):
        return _asked(safe(state.prompt))
    groups = []
    for each in table.segments:
        words, count = with_marks(each.text, each.start, missing, struck), ""
        if each.claims:
            count = f" <small>{share(table.counted(each.claims))}</small>"
        elif each.reason:
            count = " <small>not judged</small>"
        spans = [table.claims[claim].span for claim in each.claims]
        if any(words.meets(span) for words in unwanted for span in spans):
            count += " <small>ruled out, but there</small>"
        groups.append(f"{words}{count}")
    return _asked(" ".join(groups))


def _large(state: GridState, cell: int) -> str:
    return image(state.file(cell), description(state, cell), **{"class": "large"})


def _grid(state: GridState, cells: Sequence[int], *, ranked: bool = True) -> str:
    shown = "".join(_cell(state, cell, ranked) for cell in cells)
    columns, rows = state.request.columns, state.request.rows
    return f'<ol class="shown" style="--columns: {columns}; --rows: {rows}">{shown}</ol>'


def _cell(state: GridState, cell: int, ranked: bool) -> str:
    alt = description(state, cell) if ranked else f"image {cell + 1} of {state.size}"
    rank = state.rank(cell)
    name = f"#{rank} {number(state.value(cell))}" if ranked and rank else "?" if ranked else ""
    label = f'<span title="{safe(method_name(state.ranked_by))}">{name}</span>' if name else ""
    return f"<li>{image(state.file(cell), alt)}{label}</li>"


def _asked(html: str) -> str:
    return f'<p class="asked">{html}</p>'


def _said(text: str) -> str:
    return f"<p>{safe(text)}</p>"


def _slide(seen: str, told: str, source: str = "") -> str:
    """Images on one half of the screen, words on the other; both are HTML."""
    cited = f'<p class="source">{safe(source)}</p>' if source else ""
    return (
        f'<section class="slide" hidden><div class="halves"><div class="seen">{seen}</div>'
        f'<div class="told">{told}</div></div>{cited}</section>'
    )
