"""GenEval (Ghosh, Hajishirzi, Schmidt, 2023): does a picture show the objects its prompt names?

Any text-to-image model generates four pictures of each prompt; a detector reads them; the prompts'
own metadata say which objects, how many, in which colour and place they must show. Accuracy is
counted for each of the six parts, and overall it is the mean of the parts, as published.

The prompts are GenEval's `prompts/evaluation_metadata.jsonl`, from
https://github.com/djghosh13/geneval (MIT); any file in that format will do. The detector is the
project's own and knows stickers only, so that its figures hold in that world: the published ones,
printed beside them, are of photographs, read by Mask2Former and CLIP.

553 prompts with four pictures each take about six minutes on two cores; a run that was stopped goes
on where it was.

For example:

    python -m benchmarks geneval evaluation_metadata.jsonl --limit 5
"""

from __future__ import annotations

from typing import Any


def __getattr__(name: str) -> Any:
    """The command; its modules are loaded when it is asked for, not with this package."""
    if name == "main":
        from benchmarks.geneval.command import main

        return main
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
