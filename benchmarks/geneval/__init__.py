"""GenEval (Ghosh, Hajishirzi, Schmidt, 2023): does a picture show the objects its prompt names?

Any text-to-image model generates four pictures of each prompt; a detector reads them; the prompts'
own metadata say which objects, how many, in which colour and place they must show. Accuracy is
counted for each of the six parts, and overall it is the mean of the parts, as published.

The prompts are GenEval's `prompts/evaluation_metadata.jsonl`, from
https://github.com/djghosh13/geneval (MIT); any file in that format will do. The detector is the
project's own and knows stickers only, so that its figures hold in that world: the published ones,
printed beside them, are of photographs, read by Mask2Former and CLIP.
"""

from __future__ import annotations

from collections.abc import Sequence


def main(arguments: Sequence[str]) -> None:
    """Run the command; its modules are loaded then, not with this package."""
    from benchmarks.geneval.command import main as run

    run(arguments)
