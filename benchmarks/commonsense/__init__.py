r"""Does a text-to-image model know what a prompt leaves unsaid? Pairs of prompts come in,
accuracies go out.

    python -m benchmarks commonsense [--model stickers] [--evaluator vnli] [--pairs FILE]
    python -m benchmarks commonsense --pairs CommonsenseT2I/CommonsensenT2I \
        --model dalle3 --model sd_xl --images generated_images --bundle paper --evaluator clip

A pair has two prompts that differ little and two descriptions of what common sense expects; a
generation is right when its two pictures show the one and the other. `--pairs` is a JSON file in
the format of Commonsense-T2I, or the data set's name on the hub; without it, our pairs about
stickers. Both prompts of a pair are generated from the same seeds.

`--images ROOT` judges pictures that are already there, in the layout of the released code,
`ROOT/NAME_images/prompt1_img/original/0001-1.jpg`: NAME is what `--model` says, then prompt, pair
and generation. `--out ROOT` keeps what is generated in that layout. `--revised FILE` has the same
pairs with enriched prompts and scores them beside the plain ones (`NAME_revised_images`);
`--revise` has them written by the language model of the bundle, `--outright` generates the
descriptions themselves, the most that a revision could say.

`--labels FILE` has the judgements of people: columns model, pair (from 1), generation (from 1) and
right (0 or 1); evaluators are held against them on the pairs that people judged. Similarity of a
pair's prompts is that of the text-to-image model's text encoder; for pictures of `--images`, that
of the
bundle's CLIP.

Printed: accuracy by text-to-image model and evaluator in exact expectation with its interval, as
drawn by
chance, and weighted by likelihood; replies that could not be read; rank correlation with the
similarity of prompts; accuracy by category; what revision gains; overlap of errors; differences
from people; one JSON line. `--figures FOLDER` draws score against similarity.
"""

from __future__ import annotations

from benchmarks.commonsense.command import main

__all__ = ["main"]
