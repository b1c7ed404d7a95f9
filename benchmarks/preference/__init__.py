r"""Which system earns more, and do set metrics prefer what people prefer?

The published table of set metrics in one command: RBP and ERR under the saliency and the uniform
order, each with and without novelty (eta), Diversity and FID, held against people's preferences by
data set and pair of systems.

`--results` are the `results.jsonl` files of `python app.py batch`; an image that was filtered or
could not be judged counts as 0. `--grids` is a CSV file with one row for each image: prompt,
system, place (from 0, row by row) and relevance (0 to 1); if known also seed, attention (of the
place) and similarity (to each place in turn, 0 to 1, with spaces between). With `--targets`, a CSV
file of prompt and image, the images themselves are scored: `--grids` then has a column image (and
columns, of the grid) instead of relevance, `--images` says where they all are, and relevance is
max(0, cosine) to the nearest target. The columns of `--preferences` are those of
docs/formats/tables.md. With `--real`, folders of real images, FID is one more row. `--ratings`
instead takes the ratings published with DSG: a grid is one image, on which all metrics are alike.

Printed, with chance levels: for every metric the share of people's preferences that it shares, with
a 95 % interval in which prompts are drawn and a permutation test; systems compared in pairs by
Wilcoxon's test; people's agreement with one another; the mean score of each system by persistence,
and where the order of systems changes. All p-values are corrected by Holm over everything tested in
the run. Differences up to 1e-9 are ties.

Reading scored grids takes seconds, scoring images about a second for each grid.

For example:

    python -m benchmarks preference --results plain=results.jsonl --results completed=more.jsonl
    python -m benchmarks preference --grids grids.csv --images FOLDER --targets targets.csv \
        --preferences preferences.csv
    python -m benchmarks preference --ratings FOLDER --metric RBP
"""
