r"""Does a text-to-image model know what a prompt leaves unsaid?

A pair has two prompts that differ little and two descriptions of what common sense expects; a
generation is right when its two images show the one and the other. `--pairs` is a JSON file in the
format of Commonsense-T2I, or the data set's name on the hub; without it, 71 pairs about stickers.
Both prompts of a pair are generated from the same seeds.

`--images ROOT` takes images that exist already, in the layout of the released code,
`ROOT/NAME_images/prompt1_img/original/0001-1.jpg` (NAME is what `--model` says, then prompt, pair
and generation); `--out ROOT` keeps what is generated so. Beside the plain prompts, `--revise`
scores enriched ones (`NAME_revised_images`), by a bundle with a language model, such as
`embedded+language=flan-t5-large`, and `--outright` the descriptions (`NAME_outright_images`).

Accuracy is in exact expectation over the coin that an image which fits both descriptions throws;
intervals draw pairs of descriptions. Beside it stands what the paper prints of people. An evaluator
that guesses is right in a quarter of the generations.

71 pairs with four generations each take about ten minutes on a CPU; `--limit 5 --generations 1`
gives a first look.

Source: X. Fu et al., "Commonsense-T2I Challenge", 2024.

For example:

    python -m benchmarks commonsense --evaluator vnli --evaluator clip
    python -m benchmarks commonsense --outright --generations 2
    python -m benchmarks commonsense --pairs CommonsenseT2I/CommonsensenT2I --model dalle3 \
        --model sd_xl --images generated_images --bundle paper --evaluator clip
"""
