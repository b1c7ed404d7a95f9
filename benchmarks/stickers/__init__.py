"""The embedded models on the world of stickers: seeing, and painting as a judge reads it.

    python -m benchmarks stickers [--bundle embedded] [--model stickers] [--out sheet.png]

Of pictures of held-out scenes (`assets/benchmarks/stickers`): are stated answers judged rightly
(the predicate of VQ2's type C, by kind of question), are free answers right, does a true caption
score above a foil in which one claim was changed, and does the weakest pair point at that claim?

Of prompts with held-out compositions, and of prompts as people type them
(`assets/benchmarks/prompts`): does the painted picture show what was asked for, as read by a judge
that was trained on drawn scenes only? And how often is the picture that VQ2 ranks first of nine
right, against a random one and against the best that the nine allow?
"""

from benchmarks.stickers.command import main

__all__ = ["main"]
