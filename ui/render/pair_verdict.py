"""A `PairState` comes in; what it means goes out in words: the verdict, and the likely reason."""

from __future__ import annotations

from difflib import SequenceMatcher

from session.pair_state import PairState
from session.wording import counted
from ui.render.words import listed, number


def verdict(state: PairState) -> str:
    """What the pictures show, and what of the prompts was ignored; empty before the score."""
    if state.score is None:
        return ""
    if state.score == 1:
        return "Every picture shows what its prompt implies, and not what the other one does."
    if state.blind:
        return "No reply could be read, so nothing is known of the pictures: choose another judge."
    first, second = shown(state, 0), shown(state, 1)
    if None in (first, second):
        return _undecided(state, first, second)
    if (first, second) == (0, 1):
        return "Most pictures show what their prompt implies, but not all."
    if (first, second) == (1, 0):
        return "The two are the wrong way round: each prompt shows what the other one implies."
    return _one_sided(state, 1 if first == 0 else 0, first or 0)


def shown(state: PairState, prompt: int) -> int | None:
    """The description that more pictures of a prompt fit; None when neither is ahead."""
    first, second = state.matrix.counts[prompt]
    return None if first == second else int(second > first)


def _one_sided(state: PairState, wrong: int, description: int) -> str:
    """Both prompts show the same; the other one's own words were ignored."""
    prompts = state.pair.prompts
    ignored = listed([f'"{words}"' for words in own_words(prompts[wrong], prompts[1 - wrong])])
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


def own_words(prompt: str, other: str) -> list[str]:
    """The pieces of a prompt that the other one does not have; the whole when it has them all.

    >>> own_words("an umbrella put away after rain", "an umbrella being used in rain")
    ['put away after']
    >>> own_words("a bulb", "a bulb without power")
    ['a bulb']
    """
    return [words for words, own in pieces(prompt, other) if own] or [prompt]


def pieces(prompt: str, other: str) -> list[tuple[str, bool]]:
    """A prompt in pieces of whole words, each with whether it is the prompt's own.

    >>> pieces("a wish is granted", "a wish was granted")
    [('a wish', False), ('is', True), ('granted', False)]
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
    if state.score in (None, 1) or state.blind:
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
        f"{state.score * state.generations:g} of {generations} right: score {number(state.score)}."
    )
    if any(fit.fits == (True, True) for row in state.matrix.fits for fit in row):
        said += " A picture that fits both descriptions is right half of the time."
    if state.matrix.unread:
        replies = f"{state.matrix.unread} of {4 * state.generations} replies"
        said += f" {replies} could not be read; such a picture counts for nothing."
    return said
