"""What the result of a prompt pair means in words: verdict, score and likely reason."""

from __future__ import annotations

from difflib import SequenceMatcher

from session.pair_state import PairState
from ui.render.words import counted, listed, number


def verdict(state: PairState) -> str:
    """What the pictures show, and what of the prompts was ignored; empty before the score."""
    if state.score is None:
        return ""
    if state.score == 1:
        return "Every picture shows what its prompt implies, and not what the other one does."
    if state.unreadable:
        return "No reply could be read, so nothing can be said: choose another evaluator."
    first, second = shown(state, 0), shown(state, 1)
    if None in (first, second):
        return _undecided(state, first, second)
    if (first, second) == (0, 1):
        return _mostly(state)
    if (first, second) == (1, 0):
        return "The two are the wrong way round: each prompt shows what the other one implies."
    return _one_sided(state, 1 if first == 0 else 0, first or 0)


def _mostly(state: PairState) -> str:
    """Both prompts tend to what they imply: how many images really fit it alone, in numbers."""
    fits = state.matrix.fits
    right = [fit.fits[prompt] is True for prompt in (0, 1) for fit in fits[prompt]]
    return f"{sum(right)} of {len(right)} pictures fit what their prompt implies."


def shown(state: PairState, prompt: int) -> int | None:
    """The description that more pictures of a prompt fit; None when neither is ahead."""
    first, second = state.matrix.counts[prompt]
    return None if first == second else int(second > first)


def _one_sided(state: PairState, wrong: int, description: int) -> str:
    """Both prompts show the same; the other one's own words were ignored."""
    prompts = state.pair.prompts
    ignored = listed([f'"{words}"' for words in changed_words(prompts[wrong], prompts[1 - wrong])])
    return (
        f'Both prompts came out as "{state.pair.descriptions[description]}": '
        f"the model ignored {ignored}."
    )


def _undecided(state: PairState, *shows: int | None) -> str:
    """Some prompt's pictures fit neither description more than the other."""
    if not any(map(any, state.matrix.counts)):
        return "None of the pictures fits either description."
    return " ".join(_unclear(state, prompt) for prompt, show in enumerate(shows) if show is None)


def _unclear(state: PairState, prompt: int) -> str:
    fit, _ = state.matrix.counts[prompt]
    how = "as many fit one description as the other" if fit else "none fits either description"
    return f"Of the {('first', 'second')[prompt]} prompt's pictures, {how}."


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
    """The score in words, and what it leaves out; empty before there is one."""
    if state.score is None:
        return ""
    generations = counted(state.generations, "generation")
    said = (
        f"Score {number(state.score)}: the expected share of {generations} in which both pictures "
        "fit their own description alone."
    )
    if any(fit.fits == (True, True) for row in state.matrix.fits for fit in row):
        said += " A picture that fits both descriptions counts half."
    if state.matrix.unreadable:
        replies = f"{state.matrix.unreadable} of {4 * state.generations} replies"
        said += f" {replies} could not be read; such a picture counts 0."
    return said
