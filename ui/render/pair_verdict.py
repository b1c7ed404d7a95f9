"""What the result of a prompt pair means in words: verdict, score and likely reason."""

from __future__ import annotations

from difflib import SequenceMatcher

from alignment.prompt_pairs.score import generation_scores
from session.pair_state import PairState
from ui.render.words import counted, listed, number


def verdict(state: PairState) -> str:
    """What the images show, and what of the prompts was ignored; empty before the end.

    It speaks of the images that could be judged, and counts the others.
    """
    if state.stage != "done":
        return ""
    if state.unreadable:
        return "No reply could be read, so nothing can be said: choose another evaluator."
    return _of_judged(state) + _not_judged(state)


def _of_judged(state: PairState) -> str:
    """What the images show that could be judged."""
    first, second = shown(state, 0), shown(state, 1)
    if state.score == 1 and (first, second) == (0, 1):
        judged = " that could be judged" if state.matrix.unreadable else ""
        return (
            f"Every image{judged} shows what its prompt implies, and not what the other one does."
        )
    if None in (first, second):
        return _undecided(state, first, second)
    if (first, second) == (0, 1):
        return _mostly(state)
    if (first, second) == (1, 0):
        return "The two are the wrong way round: each prompt shows what the other one implies."
    return _one_sided(state, 1 if first == 0 else 0, first or 0)


def _not_judged(state: PairState) -> str:
    """How many images the verdict says nothing about."""
    fits = [fit.fits for row in state.matrix.fits for fit in row]
    mute = sum(None in fit for fit in fits)
    return f" {mute} of {counted(len(fits), 'image')} could not be judged." if mute else ""


def _judged(state: PairState, prompt: int) -> list[tuple[bool | None, bool | None]]:
    """What is known of the images of a prompt of which both replies were read."""
    return [fit.fits for fit in state.matrix.fits[prompt] if None not in fit.fits]


def _mostly(state: PairState) -> str:
    """Both prompts tend to what they imply: how many images fit that alone, in numbers."""
    right = [
        fits[prompt] is True and fits[1 - prompt] is False
        for prompt in (0, 1)
        for fits in _judged(state, prompt)
    ]
    return f"{sum(right)} of {len(right)} images fit what their prompt implies, and that alone."


def shown(state: PairState, prompt: int) -> int | None:
    """The description that more judged images of a prompt fit; None when neither is ahead."""
    first, second = _counts(state, prompt)
    return None if first == second else int(second > first)


def _one_sided(state: PairState, wrong: int, description: int) -> str:
    """Both prompts show the same; where most images do, the other's own words were ignored."""
    prompts, same = state.pair.prompts, state.pair.descriptions[description]
    shows = [[fits[description] is True for fits in _judged(state, prompt)] for prompt in (0, 1)]
    if any(2 * sum(some) <= len(some) for some in shows):
        return f'{sum(map(sum, shows))} of {sum(map(len, shows))} images show "{same}".'
    ignored = listed([f'"{words}"' for words in changed_words(prompts[wrong], prompts[1 - wrong])])
    return f'Both prompts came out as "{same}": the model ignored {ignored}.'


def _undecided(state: PairState, *shows: int | None) -> str:
    """Some prompt's images fit neither description more than the other."""
    if all(_judged(state, prompt) and not any(_counts(state, prompt)) for prompt in (0, 1)):
        return "None of the images fits either description."
    return " ".join(_unclear(state, prompt) for prompt, show in enumerate(shows) if show is None)


def _unclear(state: PairState, prompt: int) -> str:
    which = ("first", "second")[prompt]
    if not _judged(state, prompt):
        return f"None of the {which} prompt's images could be judged."
    fit, _ = _counts(state, prompt)
    how = "as many fit one description as the other" if fit else "none fits either description"
    return f"Of the {which} prompt's images, {how}."


def _counts(state: PairState, prompt: int) -> tuple[int, int]:
    """How many judged images of a prompt fit each description."""
    fits = _judged(state, prompt)
    return sum(fit[0] is True for fit in fits), sum(fit[1] is True for fit in fits)


def changed_words(prompt: str, other: str) -> list[str]:
    """The spans of a prompt that the other one does not have; the whole when it has them all.

    >>> changed_words("an umbrella put away after rain", "an umbrella being used in rain")
    ['put away after']
    >>> changed_words("a bulb", "a bulb without power")
    ['a bulb']
    """
    return [words for words, own in diff_spans(prompt, other) if own] or [prompt]


def diff_spans(prompt: str, other: str) -> list[tuple[str, bool]]:
    """A prompt as spans of whole words, each with whether the other prompt lacks it.

    >>> diff_spans("a lamp is lit", "a lamp was lit")
    [('a lamp', False), ('is', True), ('lit', False)]
    """
    words = prompt.split()
    matching = SequenceMatcher(None, words, other.split(), autojunk=False).get_opcodes()
    return [(" ".join(words[a:b]), kind != "equal") for kind, a, b, _, _ in matching if b > a]


def reason(state: PairState) -> str:
    """How alike the texts are to the text-to-image model; the likely reason once it is known to
    fail.
    """
    if state.prompts_alike is None or state.descriptions_alike is None:
        return ""
    prompts, descriptions = number(state.prompts_alike), number(state.descriptions_alike)
    measured = (
        f"The model's text encoder finds the two prompts {prompts} alike and the two "
        f"descriptions {descriptions}, where 1 is the same."
    )
    if state.score in (None, 1) or state.unreadable:
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
    whole = counted(state.generations, "generation")
    if state.score is None:
        return f"No score: of {whole}, none could be judged."
    of = whole if judged == state.generations else f"the {judged} of {whole} that could be judged"
    said = (
        f"Score {number(state.score)}: the expected share of {of} in which both images fit their "
        "own description alone."
    )
    if any(fit.fits == (True, True) for row in state.matrix.fits for fit in row):
        said += " An image that fits both descriptions counts half."
    return said
