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
        each = measured["decibels"]
        kept = Figure(each["value"], each["low"], each["high"], each["pictures"], "pictures")
        yield DIFFUSION, "autoencoder, dB", kept.rounded(2)
    for kind, each in measured.get("generated", {}).items():
        right = Figure(each["share"], each["low"], each["high"], each["prompts"], "prompts")
        yield DIFFUSION, f"{kind}: correct", right
    if "captions" in measured:
        yield from _evaluators(measured)


def _evaluators(measured: Mapping[str, Any]) -> Iterator[tuple[str, str, Figure]]:
    answers, pointed = measured["answers"]["all"], measured["pointed"]
    pictures, by_chance = answers["pictures"], answers["exact_by_chance"]
    low, high = answers["balanced_interval"]
    judged = Figure(answers["balanced_accuracy"], low, high, pictures, "pictures", 0.5)
    yield VLM, "type-C balanced accuracy", judged
    low, high = answers["exact_interval"]
    free = Figure(answers["exact"], low, high, pictures, "pictures", by_chance)
    yield VLM, "free answers exact", free
    methods = {"vq2": (VLM, "VQ2 "), "vnli": (VLM, "VNLI "), "clip": (CLIP, "")}
    for method, (checkpoint, name) in methods.items():
        each = measured["captions"][method]
        auc = each["auc"], each["low"], each["high"]
        yield checkpoint, f"{name}ROC AUC", Figure(*auc, each["pictures"], "pictures", 0.5)
    found = pointed["share"], pointed["low"], pointed["high"]
    about = Figure(*found, pointed["foils"], "foils", pointed["chance"])
    yield VLM, "weakest pair is about the changed word", about
