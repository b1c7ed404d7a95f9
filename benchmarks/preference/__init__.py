r"""Which system earns more, and do set metrics prefer what people prefer?

The published table of set metrics in one command: RBP and ERR under the saliency and the uniform
order, each with and without novelty (eta), Diversity and FID, held against people's preferences by
data set and pair of systems.

`--results` are the `results.jsonl` files that `python app.py batch` writes: scored grids with
attention and similarity, one or more of each prompt. Relevance is the calibrated chance, or with
`--relevance targets` the similarity to the target images that the batch was given; an image that
was filtered or could not be judged counts as 0, and how many there are is printed. `--grids` is a
CSV file with one row for each image: prompt, system, place (from 0, row by row) and relevance (0 to
1); if known also seed (several grids of a prompt, whose scores are averaged), attention (of the
place) and similarity (to each place in turn, 0 to 1, with spaces between). With `--targets`, a CSV
file of prompt and image, the images themselves are scored: `--grids` then has a column image (and
columns, of the grid) instead of relevance, `--images` says where they all are, relevance is max(0,
cosine) to the nearest target, and attention comes from the saliency of the grid.

`--preferences` has one row for each judgement of a person: prompt, first, second (two systems),
rater, and preference on five points: 2 first much better, 1 better, 0 alike, -1, -2 second. It does
not matter which system stands first. If known also grid (the seed of the two, or their ids with a
space between) and dataset, for which the table has columns. With `--real`, folders of real images,
FID is one more row: where people prefer the system that is farther from them, it says so.

`--ratings` instead takes the human ratings (1 to 5) of 160 prompts x 5 systems published with DSG:
a grid is one image, its relevance the share of questions that PaLI-17B answers with yes, and a
preference the difference of two mean ratings; on one image all metrics are alike.

Printed, with chance levels: for every metric the share of people's preferences that it shares, with
a 95 % interval in which prompts are drawn and a permutation test; systems compared in pairs by
Wilcoxon's test; people's agreement with one another; the mean score of each system by persistence,
and where the order of systems changes. All p-values are corrected by Holm over everything tested in
the run. Differences up to 1e-9 are ties.

Reading scored grids takes seconds, scoring images about a second for each grid.

For example:

    python -m benchmarks preference --results plain=results.jsonl --results completed=more.jsonl
    python -m benchmarks preference --results results.jsonl --relevance targets \
        --preferences preferences.csv
    python -m benchmarks preference --grids grids.csv --preferences preferences.csv
    python -m benchmarks preference --grids grids.csv --images FOLDER --targets targets.csv \
        --preferences preferences.csv
    python -m benchmarks preference --ratings FOLDER --metric RBP
    python -m benchmarks preference --results results.jsonl --order uniform --persistence 0.5
"""
