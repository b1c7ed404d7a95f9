r"""Does a text-to-image model know what a prompt leaves unsaid?

A pair has two prompts that differ little and two descriptions of what common sense expects; a
generation is right when its two images show the one and the other. `--pairs` is a JSON file in the
format of Commonsense-T2I, or the data set's name on the hub; without it, 71 pairs about stickers.
Both prompts of a pair are generated from the same seeds.

`--images ROOT` takes images that exist already, in the layout of the released code,
`ROOT/NAME_images/prompt1_img/original/0001-1.jpg`: NAME is what `--model` says, then prompt, pair
and generation. `--out ROOT` keeps what is generated in that layout. Beside the plain prompts,
`--revise` scores enriched ones, written by the language model of the bundle
(`NAME_revised_images`; `embedded` and `light` have none: `--bundle embedded+language=flan-t5-large`
has one), and `--outright` the descriptions themselves, the most that a revision could say
(`NAME_outright_images`).

The published pairs stand beside what the paper prints of people, for SD 2.1, SDXL and DALL-E 3.
Similarity of a pair's prompts is that of the text-to-image model's text encoder; for existing
images, that of the bundle's CLIP.

Printed: accuracy by text-to-image model and evaluator, of the generations that could be judged, in
exact expectation over the coin that an image which fits both descriptions throws, with its 95 %
interval (pairs of descriptions are drawn: prompts that share their descriptions are not
independent), by category, and weighted by likelihood (the data set rates how likely each pair's
expected images are, and a pair counts as much); replies that could not be read; images that fit
both; rank correlation with the similarity of prompts; what revision gains; errors that two models
share; differences from people. An evaluator that guesses is right in a quarter of the generations.

71 pairs with four generations each take about ten minutes on a CPU; `--limit 5 --generations 1`
gives a first look.

Source: X. Fu et al., "Commonsense-T2I Challenge", 2024.

For example:

    python -m benchmarks commonsense --evaluator vnli --evaluator clip
    python -m benchmarks commonsense --outright --generations 2
    python -m benchmarks commonsense --pairs CommonsenseT2I/CommonsensenT2I --model dalle3 \
        --model sd_xl --images generated_images --bundle paper --evaluator clip
"""
