"""What the result of a prompt pair means in words: verdict, score and likely reason."""

from __future__ import annotations

from alignment.prompt_pairs.score import generation_scores
from session.pair_state import PairState
from ui.render.words import counted, listed, number

UNREAD = "no reply of the evaluator could be read"


def verdict(state: PairState) -> str:
    """What is wrong with which prompt's images, in one sentence; empty before the end.

    It speaks of the images that could be judged, and counts the others.
    """
    if state.stage != "done":
        return ""
    if state.unreadable:
        reasons = (fit.reason or UNREAD for row in state.matrix.fits for fit in row)
        why = "; ".join(dict.fromkeys(reasons))
        return f"No image could be judged: {why}. Choose other words or another evaluator."
    fits = [fit.fits for row in state.matrix.fits for fit in row]
    mute = sum(None in fit for fit in fits)
    said = "; ".join(filter(None, (_faults(state, prompt) for prompt in (0, 1)))) or _right(mute)
    return f"{said}." + (
        f" {mute} of {counted(len(fits), 'image')} could not be judged." if mute else ""
    )


def _right(mute: int) -> str:
    """No image that could be judged has a fault."""
    judged = " that could be judged" if mute else ""
    return f"Every image{judged} shows what its prompt implies, and not what the other one does"


def _faults(state: PairState, prompt: int) -> str:
    """How many judged images of a prompt show what instead of its description; empty for none.

    E.g. '2 of 3 images of "a lamp by day" show "a lit lamp" instead of "an unlit lamp" and 1 fits
    neither description'.
    """
    own, other = state.pair.descriptions[prompt], state.pair.descriptions[1 - prompt]
    judged = [fit.fits for fit in state.matrix.fits[prompt] if None not in fit.fits]
    fits = [(each[prompt], each[1 - prompt]) for each in judged]
    kinds = (
        (fits.count((False, True)), "show", f'"{other}" instead of "{own}"'),
        (fits.count((False, False)), "fit", "neither description"),
        (fits.count((True, True)), "fit", "both descriptions"),
    )
    of = f' of {counted(len(fits), "image")} of "{state.pair.prompts[prompt]}"'
    found = [kind for kind in kinds if kind[0]]
    said = [
        f"{n}{whose} {verb}{'s' if n == 1 else ''} {what}"
        for (n, verb, what), whose in zip(found, (of, "", ""), strict=False)
    ]
    return listed(said) if said else ""


def reason(state: PairState) -> str:
    """How alike the texts are to the text-to-image model; in the end the likely reason, where an
    image shows what the other prompt implies.
    """
    if state.prompts_alike is None or state.descriptions_alike is None:
        return ""
    prompts, descriptions = number(state.prompts_alike), number(state.descriptions_alike)
    measured = (
        f"To the model's text encoder the two prompts have a similarity of {prompts}, the two "
        f"descriptions one of {descriptions}; 1 is the same."
    )
    confused = any(
        (fit.fits[own], fit.fits[1 - own]) == (False, True)
        for own in (0, 1)
        for fit in state.matrix.fits[own]
    )
    if state.stage != "done" or not confused:
        return measured
    if state.prompts_alike > state.descriptions_alike:
        return (
            f"{measured} A likely reason: to it the prompts differ less than what they should show."
        )
    return f"{measured} A likely reason: it tells the prompts apart, but not what they imply."


def tally(state: PairState) -> str:
    """The score in words, and what it leaves out; empty before the end."""
    if state.stage != "done":
        return ""
    judged = sum(score is not None for score in generation_scores(state.matrix))
    whole = counted(state.request.pictures, "generation")
    if state.score is None:
        return f"No score: of {whole}, none could be judged."
    of = (
        whole
        if judged == state.request.pictures
        else f"the {judged} of {whole} that could be judged"
    )
    said = (
        f"Score {number(state.score)}: the expected share of {of} in which both images fit their "
        "own description alone."
    )
    if any(fit.fits == (True, True) for row in state.matrix.fits for fit in row):
        said += " An image that fits both descriptions counts half."
    return said
