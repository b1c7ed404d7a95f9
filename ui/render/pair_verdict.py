"""A `PairBoard` comes in; what it means goes out in words: the verdict, and the likely reason."""

from __future__ import annotations

from difflib import SequenceMatcher

from session.pair_state import PairBoard
from session.wording import counted
from ui.render.words import listed, number


def verdict(board: PairBoard) -> str:
    """What the pictures show, and what of the prompts was ignored; empty before the score."""
    if board.score is None:
        return ""
    if board.score == 1:
        return "Every picture shows what its prompt implies, and not what the other one does."
    if board.blind:
        return "No reply could be read, so nothing is known of the pictures: choose another judge."
    first, second = shown(board, 0), shown(board, 1)
    if None in (first, second):
        return _undecided(board, first, second)
    if (first, second) == (0, 1):
        return "Most pictures show what their prompt implies, but not all."
    if (first, second) == (1, 0):
        return "The two are the wrong way round: each prompt shows what the other one implies."
    return _one_sided(board, 1 if first == 0 else 0, first or 0)


def shown(board: PairBoard, prompt: int) -> int | None:
    """The description that more pictures of a prompt fit; None when neither is ahead."""
    first, second = board.matrix.counts[prompt]
    return None if first == second else int(second > first)


def _one_sided(board: PairBoard, wrong: int, description: int) -> str:
    """Both prompts show the same; the other one's own words were ignored."""
    prompts = board.pair.prompts
    ignored = listed([f'"{words}"' for words in own_words(prompts[wrong], prompts[1 - wrong])])
    return (
        f'Both prompts came out as "{board.pair.descriptions[description]}": '
        f"the painter ignored {ignored}."
    )


def _undecided(board: PairBoard, *shows: int | None) -> str:
    """Some prompt's pictures fit neither description more than the other."""
    if not any(map(any, board.matrix.counts)):
        return "None of the pictures fits either description."
    return " ".join(_unclear(board, prompt) for prompt, show in enumerate(shows) if show is None)


def _unclear(board: PairBoard, prompt: int) -> str:
    fit, _ = board.matrix.counts[prompt]
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


def reason(board: PairBoard) -> str:
    """How alike the texts are to the painter; the likely reason once it is known to fail."""
    if board.prompts_alike is None or board.descriptions_alike is None:
        return ""
    prompts, descriptions = number(board.prompts_alike), number(board.descriptions_alike)
    measured = (
        f"The painter's text encoder finds the two prompts {prompts} alike and the two "
        f"descriptions {descriptions}, where 1 is the same."
    )
    if board.score in (None, 1) or board.blind:
        return measured
    if board.prompts_alike > board.descriptions_alike:
        return (
            f"{measured} A likely reason: to it the prompts differ less than what they should show."
        )
    return f"{measured} A likely reason: it tells the prompts apart, but not what they imply."


def tally(board: PairBoard) -> str:
    """The score in words, and what it leaves out; empty before there is one."""
    if board.score is None:
        return ""
    generations = counted(board.generations, "generation")
    said = (
        f"{board.score * board.generations:g} of {generations} right: score {number(board.score)}."
    )
    if any(fit.fits == (True, True) for row in board.matrix.fits for fit in row):
        said += " A picture that fits both descriptions is right half of the time."
    if board.matrix.unread:
        replies = f"{board.matrix.unread} of {4 * board.generations} replies"
        said += f" {replies} could not be read; such a picture counts for nothing."
    return said
