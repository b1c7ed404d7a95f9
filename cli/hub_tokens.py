"""What a bundle's loaded models read as yes and no, and what was checked while they were loaded."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from alignment import Models
from alignment.models.vlm import VisionLanguageModel


@dataclass(frozen=True)
class Check:
    """One expectation that a loaded model was held against."""

    model: str
    checked: str
    found: str
    faults: tuple[str, ...] = ()
    """What differs from what is expected."""


def checks(models: Models) -> Iterator[Check]:
    """Every check of the models of a bundle that look at images, each model once."""
    bundle = models.bundle
    for name, model in {
        bundle.answerer.name: models.answerer,
        bundle.entailment.name: models.entailment,
    }.items():
        for word in model.counted:
            yield spelling_check(name, model, word)
    if bundle.clip.open_clip:
        activation = "QuickGELU" if bundle.clip.quick_gelu else "GELU"
        yield Check(bundle.clip.name, "activation, when loaded", f"{activation}, as trained")
        padding = "behind the text, or not read"
        yield Check(bundle.clip.name, "padding of short texts, when loaded", padding)


def spelling_check(name: str, model: VisionLanguageModel, word: str) -> Check:
    """Whether the tokens that count as a word are those that decode to it."""
    tokenizer, counted = model.family.tokenizer, {*model.counted[word]}
    spelled = {*decoded(tokenizer, word)}
    faults = [
        *(f"{name} does not count token {each} as {word!r}" for each in sorted(spelled - counted)),
        *(f"{name} counts token {each} as {word!r}" for each in sorted(counted - spelled)),
    ]
    listed = ", ".join(f"{each} {tokenizer.decode([each])!r}" for each in sorted(counted))
    return Check(name, f"counts as {word}", listed, tuple(faults))


def decoded(tokenizer: Any, word: str) -> list[int]:
    """The tokens of a vocabulary that decode to a word alone, as one writes it in a text."""
    pieces = tokenizer.convert_ids_to_tokens(range(len(tokenizer)))
    spellings = (word, word.capitalize(), word.upper())
    return [
        token
        for token, piece in enumerate(pieces)
        if piece and word in piece.lower() and tokenizer.decode([token]).strip(" ") in spellings
    ]


def check_table(found: list[Check]) -> str:
    """A Markdown table with one row for each check."""
    rows = [("model", "checked", "found"), ("---",) * 3]
    rows += [(each.model, each.checked, each.found) for each in found]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)
