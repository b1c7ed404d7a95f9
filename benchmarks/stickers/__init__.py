"""The embedded models on the world of stickers: evaluating images, and generating them.

Of images of held-out scenes: are stated answers judged correctly (the predicate of VQ2's type C,
by kind of question), are free answers correct, does a true caption score above a foil in which one
claim was changed, and does the weakest pair point at that claim? VQ2 has the settings of the page
unless `--aggregation` and the like say otherwise, and a row of its own with the mean over its
pairs, as published. Of prompts with held-out compositions, and of prompts as people type them: does
the generated image show what was asked for, as read by a detector that was trained on drawn
scenes only?

`--images FOLDER` has other examples, such as public ones: `scenes.jsonl` with image, caption and
foil on each line and, if known, changed (its kind, and the ranges of the foil's characters that are
wrong; else the words that the caption does not have) and questions.

The whole takes about half an hour on two cores; `--limit 5` gives a first look.

For example:

    python -m benchmarks stickers --limit 5
    python -m benchmarks stickers --split test --only images
    python -m benchmarks stickers --only images --images FOLDER --bundle paper
    python -m benchmarks stickers --out sheet.png
"""
