"""The embedded models on the world of stickers: evaluating pictures, and generating them.

Of pictures of held-out scenes (`assets/benchmarks/stickers`): are stated answers judged correctly
(the predicate of VQ2's type C, by kind of question), are free answers correct, does a true caption
score above a foil in which one claim was changed, and does the weakest pair point at that claim?

Of prompts with held-out compositions, and of prompts as people type them
(`assets/benchmarks/prompts`): does the generated picture show what was asked for, as read by a
detector that was trained on drawn scenes only? And how often is the picture that VQ2 ranks first of
nine correct, against a random one and against the best that the nine allow?

The whole takes about 45 minutes on two cores; `--limit 5` gives a first look.

For example:

    python -m benchmarks stickers --limit 5
    python -m benchmarks stickers --out sheet.png
"""

from __future__ import annotations

from typing import Any


def __getattr__(name: str) -> Any:
    """The command; its modules are loaded when it is asked for, not with this package."""
    if name == "main":
        from benchmarks.stickers.command import main

        return main
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
