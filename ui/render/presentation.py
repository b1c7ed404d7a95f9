"""HTML of the presentation: slides of one screen each, about one grid or about the three papers."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from alignment.records import PromptPair
from session.pair_state import PairState
from session.state import GridState
from session.viewer_utility import ViewerUtility
from ui.render.evidence import marked_prompt
from ui.render.gallery import description
from ui.render.pair_verdict import verdict as pair_verdict
from ui.render.sentences import sentence
from ui.render.verdict import sentence as verdict_sentence
from ui.render.words import asked_for, method_name, number, safe, url

Viewed = Callable[[GridState], ViewerUtility]
"""What a finished grid is worth to a viewer whose eyes follow saliency, best layout included."""

OPENING = "Which picture is right, and why are the others wrong?"
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
        f'<section class="slide"><p class="asked">{OPENING}</p>{said}</section>'
        '<footer><span class="at"></span><button type="button" data-turn="0">close</button>'
        "</footer></dialog>"
    )


def about_grid(state: GridState) -> list[str]:
    """A grid, step by step: the prompt, its pictures, their order, and why the ends are there."""
    size = f"{state.size} pictures" if state.size > 1 else "one picture"
    opening = _text(state.prompt, f"{size} of this. Which is right?")
    pictures = _generated(state, "")
    if not state.report:
        return [opening, pictures]
    ranked = _grid(state, state.arranged("reranked"), safe(state.prompt), verdict_sentence(state))
    ends = dict.fromkeys(cell for cell in (*state.ranked[:1], *state.ranked[-1:]))
    return [opening, pictures, ranked, *(_reason(state, cell) for cell in ends), *_metrics(state)]


def tour(examples: Sequence[GridState], worked: Sequence[PairState], viewed: Viewed) -> list[str]:
    """The three papers on worked examples.

    Args:
        examples: finished grids; the first whose pictures differ in what they show is told.
        worked: a pair of prompts whose difference is implied, first as they are.
        viewed: asked once, about the grid that is told.
    """
    told = next((state for state in examples if _differs(state)), None)
    return [
        _text(OPENING, "three papers, one grid"),
        *(_questions_and_reasons(told) if told else ()),
        *(_order(told) if told else ()),
        *(_layout(told, viewed(told)) if told else ()),
        *_implied(worked[0].pair),
        *map(_pair, worked),
        _text("Now you: what should be generated?", "close this and write a prompt"),
    ]


def _questions_and_reasons(state: GridState) -> list[str]:
    asked = "".join(
        f"<li>{safe(each.question)} <b>{safe(asked_for(each))}</b></li>"
        for each in state.questions[:QUESTIONS_SHOWN]
    )
    return [
        _slide(f'<p class="asked">{safe(state.prompt)}</p>', f"<ol>{asked}</ol>", YAROM),
        _reason(state, state.ranked[-1], YAROM),
    ]


def _order(state: GridState) -> list[str]:
    before = _generated(state, "As generated", ARABZADEH)
    cells, said = state.arranged("reranked"), verdict_sentence(state)
    after = _grid(state, cells, safe(state.prompt), said, source=ARABZADEH)
    return [before, after, *_metrics(state, ARABZADEH)]


def _layout(state: GridState, found: ViewerUtility) -> list[str]:
    """The best layout, for a viewer whose eyes follow saliency; no slide where there is no ERR."""
    err = {each.arrangement: each.value for each in found.scores if each.metric == "ERR"}
    if not {"reranked", "best"} <= err.keys():
        return []
    said = (
        "But eyes do not go row by row. For a viewer drawn by visual saliency ERR is "
        f"{number(err['reranked'])} as reranked and {number(err['best'])} in this layout, the best "
        "found"
    )
    best = found.arrangements["best"].cells
    return [_grid(state, best, safe(state.prompt), said, source=ARABZADEH)]


def _implied(pair: PromptPair) -> list[str]:
    prompts = "".join(f'<p class="asked">{safe(prompt)}</p>' for prompt in pair.prompts)
    implied = "".join(f"<li>{safe(each)}</li>" for each in pair.descriptions)
    return [
        _slide(prompts, "<p>What differs between the two, though neither says so?</p>", FU),
        _slide(prompts, f"<p>They imply</p><ol>{implied}</ol>", FU),
    ]


def _pair(state: PairState) -> str:
    """The pictures of two prompts, a row each, and whether each fits its own description alone."""
    prompts = "".join(f'<p class="asked">{safe(prompt)}</p>' for prompt in state.pair.prompts)
    cells = "".join(
        _pair_cell(state, prompt, generation)
        for prompt in (0, 1)
        for generation in range(state.generations)
    )
    grid = f'<ol class="shown pair" style="--columns: {state.generations}; --rows: 2">{cells}</ol>'
    how = "With what they imply said" if state.revised else "As they are"
    said = f"{how}: {pair_verdict(state)}"
    return _slide(prompts, f'<div class="beside">{grid}<p>{safe(said)}</p></div>', FU)


def _pair_cell(state: PairState, prompt: int, generation: int) -> str:
    fit = state.matrix.fits[prompt][generation]
    right = fit.fits[prompt] is True and fit.fits[1 - prompt] is False
    shows = [
        text for text, fits in zip(state.pair.descriptions, fit.fits, strict=True) if fits is True
    ]
    alt = f"{state.pair.prompts[prompt]}: {' and '.join(shows) or 'fits neither description'}"
    address = safe(url(state.file(prompt, generation)) or "")
    return f'<li><img src="{address}" alt="{safe(alt)}"><span>{"✓" if right else "✗"}</span></li>'


def _differs(state: GridState) -> bool:
    """Whether the first image holds what was asked for and the last does not."""
    if len(state.ranked) < 2:
        return False
    ends = [state.score(cell, "vq2") for cell in (state.ranked[0], state.ranked[-1])]
    holds = [bool(each and each.weakest and each.weakest.holds) for each in ends]
    return holds == [True, False]


def _metrics(state: GridState, source: str = "") -> list[str]:
    """ERR before and after; no slide where there is none."""
    found = {
        score.arrangement: score.value
        for score in (state.report.set_scores if state.report else ())
        if (score.metric, score.order) == ("ERR", "positional")
    }
    if not {"generated", "reranked"} <= found.keys():
        return []
    said = (
        f"{number(found['generated'])} → {number(found['reranked'])}",
        "ERR, as generated and reranked: how likely a viewer who looks row by row meets a picture "
        "that satisfies",
    )
    return [_text(*said, source=source)]


def _reason(state: GridState, cell: int, source: str = "") -> str:
    score = state.score(cell, "vq2")
    weakest = score.weakest if score else None
    prompt = marked_prompt(state.prompt, weakest)
    place, cells = state.rank(cell), state.arranged("reranked")
    rank = f"#{place} of {state.size}" if place else "not ranked"
    if weakest is None or score is None or score.value is None:
        return _grid(state, cells, prompt, f"{rank}: could not be judged", cell, source)
    opening = "every answer holds; the least sure: " if weakest.holds else ""
    said = f"{'✓' if weakest.holds else '✗'} {rank}: {opening}{sentence(weakest)}"
    return _grid(state, cells, prompt, said, cell, source)


def _generated(state: GridState, said: str, source: str = "") -> str:
    """A slide with the grid as it was generated, which says nothing of ranks."""
    cells = state.arranged("generated")
    return _grid(state, cells, safe(state.prompt), said, source=source, ranked=False)


def _grid(
    state: GridState,
    cells: Sequence[int],
    prompt: str,
    said: str,
    selected: int | None = None,
    source: str = "",
    *,
    ranked: bool = True,
) -> str:
    """A slide with the grid on the left and one sentence on the right; `prompt` is HTML."""
    shown = "".join(_cell(state, cell, cell == selected, ranked) for cell in cells)
    columns, rows = state.request.columns, state.request.rows
    grid = f'<ol class="shown" style="--columns: {columns}; --rows: {rows}">{shown}</ol>'
    left = f'<p class="asked">{prompt}</p>'
    return _slide(left, f'<div class="beside">{grid}<p>{safe(said)}</p></div>', source)


def _cell(state: GridState, cell: int, selected: bool, ranked: bool) -> str:
    address = url(state.file(cell))
    alt = description(state, cell) if ranked else f"picture {cell + 1} of {state.size}"
    picture = f'<img src="{safe(address)}" alt="{safe(alt)}">' if address else ""
    rank = state.rank(cell)
    name = f"#{rank} {number(state.value(cell))}" if ranked and rank else "?" if ranked else ""
    chosen = ' class="chosen"' if selected else ""
    label = f'<span title="{safe(method_name(state.ranked_by))}">{name}</span>' if name else ""
    return f"<li{chosen}>{picture}{label}</li>"


def _text(large: str, small: str, source: str = "") -> str:
    return _slide(f'<p class="asked">{safe(large)}</p>', f"<p>{safe(small)}</p>", source)


def _slide(head: str, body: str, source: str = "") -> str:
    cited = f'<p class="source">{safe(source)}</p>' if source else ""
    return f'<section class="slide" hidden>{head}{body}{cited}</section>'
