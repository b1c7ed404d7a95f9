"""ConGen: captions that contradict a prompt.

A language model is shown captions with a change that contradicts them and captions with one
that does not, and changes the prompt in the same way; an inference model says which changes
contradict, and rejects those that agree. A model that has learned to contradict needs no examples.

Source: Yarom et al., "What You See is What You Read?", section 2.3. The examples are our own.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from alignment.models.nli import PairClassifier
from alignment.models.text import SequenceToSequence
from alignment.questions.round_trip import normalised_words

CONTRADICTING = (
    ("a black kettle on a wooden stove", "a red kettle on a wooden stove"),
    ("three ducks swim in a pond", "five ducks swim in a pond"),
    ("a boy hands a letter to a nurse", "a nurse hands a letter to a boy"),
    ("an owl sits above a clock", "an owl sits below a clock"),
    ("a bakery with its shutters open", "a bakery with its shutters closed"),
    ("a violin beside a stack of books", "a trumpet beside a stack of books"),
    ("a white horse and a brown dog at dawn", "a brown horse and a white dog at dawn"),
)
"""Seven captions, each with a change that an image of it proves wrong."""

AGREEING = (
    ("a puppy sleeps on the sofa", "a young dog naps on the couch"),
    ("two cups of tea on a tray", "a tray with two cups of tea"),
    ("a girl flies a yellow kite", "a yellow kite is flown by a girl"),
    ("a narrow street in the rain", "a street in the rain"),
    ("a man repairs an old bicycle", "an old bike is mended by a man"),
    ("snow covers the roof of a barn", "the roof of a barn lies under snow"),
    ("a bowl of green apples", "a bowl of fruit"),
    ("a lighthouse to the left of a cabin", "a cabin to the right of a lighthouse"),
)
"""Eight captions, each with a change that stays true."""

TASK = "Change the caption so that a picture of the caption proves the change wrong."
WRITTEN = 8
"""How many changes a language model writes; what repeats the prompt or another is left out."""
SEED = 0


def contradictions(
    text: str, language: SequenceToSequence, inference: PairClassifier
) -> tuple[str, ...]:
    """Captions that contradict a prompt, each once; the first is the one that ConGen keeps.

    Args:
        text: the prompt, not empty.
        language: writes them.
        inference: says how much each contradicts the prompt.

    Returns:
        By falling probability of contradicting it; none when all that was written repeats the
        prompt or agrees with it.
    """
    asked = language.templates.contradict.format(examples=few_shot(), text=text)
    (written,) = language.alternatives([asked], WRITTEN, SEED)
    found = disagreeing(text, _others(text, written), inference)
    return tuple(sorted(found, key=lambda each: (-found[each], each)))


def disagreeing(text: str, changes: Sequence[str], inference: PairClassifier) -> dict[str, float]:
    """The changes that rather contradict a prompt than follow from it -> how likely, in order."""
    inferred = inference.infer([(text, each) for each in changes]) if changes else []
    return {
        each: verdict.contradicted
        for each, verdict in zip(changes, inferred, strict=True)
        if verdict.contradicted > verdict.entailed
    }


def learned_contradictions(
    text: str,
    contradictor: SequenceToSequence,
    count: int = 8,
    inference: PairClassifier | None = None,
) -> tuple[str, ...]:
    """Captions that contradict a prompt, by a model trained to write nothing else.

    `inference` rejects what agrees with the prompt; nothing is rejected when None.

    Returns:
        Before a place of the prompt is changed once more, all others have had their turn.
    """
    asked = contradictor.templates.contradict.format(examples="", text=text)
    (written,) = contradictor.alternatives([asked], 2 * count)
    turns = Counter[int]()
    found: list[tuple[int, str]] = []
    for each in _others(text, written):
        place = _first_change(text, each)
        found.append((turns[place], each))
        turns[place] += 1
    varied = [each for _, each in sorted(found, key=lambda turn: turn[0])]
    kept = varied if inference is None else disagreeing(text, varied, inference)
    return tuple(kept)[:count]


def few_shot() -> str:
    """The examples as a language model reads them, turn by turn; the last one contradicts.

    >>> few_shot().splitlines()[1]
    'Caption: a puppy sleeps on the sofa | Contradicts: no | Change: a young dog naps on the couch'
    """
    agreeing = [_example(*pair, "no") for pair in AGREEING]
    contradicting = [_example(*pair, "yes") for pair in CONTRADICTING]
    turns = [line for turn in zip(agreeing[1:], contradicting, strict=True) for line in turn]
    return "\n".join([TASK, agreeing[0], *turns])


def _example(caption: str, change: str, contradicts: str) -> str:
    """One line of the examples."""
    return f"Caption: {caption} | Contradicts: {contradicts} | Change: {change}"


def _others(text: str, written: Sequence[str]) -> list[str]:
    """What was written, each once, without what repeats the text."""
    bare: dict[str, str] = {}
    for each in written:
        bare.setdefault(_bare(each), each.strip())
    return [each for key, each in bare.items() if key not in ("", _bare(text))]


def _bare(text: str) -> str:
    """What two captions are compared by: "an moon" says nothing else than "a moon"."""
    return " ".join(normalised_words(text))


def _first_change(text: str, other: str) -> int:
    """The first word, by its number, in which two texts differ; articles belong to what follows.

    >>> _first_change("a cat and a dog", "A cat and an owl")
    4
    """
    one, two = (
        re.sub(r"\ban\b", "a", each.strip().rstrip(".").casefold()).split()
        for each in (text, other)
    )
    same = (a == b for a, b in zip(one, two, strict=False))
    return next((at for at, equal in enumerate(same) if not equal), min(len(one), len(two)))
