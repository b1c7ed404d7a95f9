"""A prompt revised: what an image of it would show is written out by a language model.

A text-to-image model may draw what was meant and lack only the inference.

Source: Fu et al., "Commonsense-T2I Challenge", 2024. The examples of a revision are our own.
"""

from __future__ import annotations

from alignment.models.text import SequenceToSequence

EXAMPLES = (
    ("a lamp during a blackout", "a lamp during a blackout, dark and switched off"),
    ("ice cream forgotten in the sun", "ice cream forgotten in the sun, melted into a puddle"),
    ("a pond in the hardest winter", "a pond in the hardest winter, frozen over with ice"),
    ("a maple tree in October", "a maple tree in October, with red and orange leaves"),
)
"""Prompts, each with what it implies written out."""
TASK = "Write out what a picture of the caption would show."


def revise(prompt: str, language: SequenceToSequence) -> str:
    """The prompt as a language model enriches it; unchanged when the model writes nothing."""
    (written,) = language.complete([instruction(prompt)])
    return written.strip() or prompt


def instruction(prompt: str) -> str:
    """What the language model is shown: the task, the examples, the prompt.

    >>> instruction("a bulb without power").splitlines()[-2:]
    ['caption: a bulb without power', 'picture:']
    """
    shown = "\n".join(f"caption: {plain}\npicture: {full}" for plain, full in EXAMPLES)
    return f"{TASK}\n{shown}\ncaption: {prompt}\npicture:"
