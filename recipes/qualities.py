"""What the output of `python -m benchmarks stickers` says of each checkpoint, for its card."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from recipes.cards import Figure

DIFFUSION, VLM, CLIP = "sticker-diffusion", "sticker-vlm", "sticker-clip"


def qualities(measured: Mapping[str, Any]) -> dict[str, dict[str, Figure]]:
    """Checkpoint -> its figures; each names the split it was measured on.

    Args:
        measured: the JSON line; what `--only` left out of it is on no card.
    """
    found: dict[str, dict[str, Figure]] = {}
    for checkpoint, name, figure in _figures(measured):
        found.setdefault(checkpoint, {})[f"{measured['split']}: {name}"] = figure.rounded(4)
    return found


def _figures(measured: Mapping[str, Any]) -> Iterator[tuple[str, str, Figure]]:
    if "decibels" in measured:
        kept = Figure(**measured["decibels"], unit="pictures")
        yield DIFFUSION, "autoencoder, dB", kept.rounded(2)
    for kind, each in measured.get("generated", {}).items():
        yield DIFFUSION, f"{kind}: correct", Figure(**each, unit="prompts")
    if "captions" in measured:
        yield from _evaluators(measured)


def _evaluators(measured: Mapping[str, Any]) -> Iterator[tuple[str, str, Figure]]:
    answers, pointed = measured["answers"]["all"], measured["pointed"]
    judged = Figure(**answers["balanced_accuracy"], unit="pictures", chance=0.5)
    yield VLM, "type-C balanced accuracy", judged
    free = Figure(**answers["exact"], unit="pictures", chance=answers["exact_by_chance"])
    yield VLM, "free answers exact", free
    methods = {"vq2": (VLM, "VQ2 "), "vnli": (VLM, "VNLI "), "clip": (CLIP, "")}
    for method, (checkpoint, name) in methods.items():
        auc = measured["captions"][method]["auc"]
        yield checkpoint, f"{name}ROC AUC", Figure(**auc, unit="pictures", chance=0.5)
    about = Figure(**pointed["share"], unit="foils", chance=pointed["chance"])
    yield VLM, "weakest pair is about the changed word", about
