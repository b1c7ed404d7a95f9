"""Which system earns more, and do set metrics prefer what people prefer?

    python -m benchmarks preference --results results.jsonl [more.jsonl] [--relevance vq2]
    python -m benchmarks preference --grids grids.csv --preferences preferences.csv
    python -m benchmarks preference --ratings FOLDER

`results.jsonl` is what `python app.py batch` writes: judged grids, with the attention that
each place draws and the pictures' similarity, so that novelty and diversity can be measured too.

`grids.csv` has one row for each picture: prompt, system, place (from 0, row by row), relevance (in
[0, 1]) and, if known, mass (its place's share of attention; equal where there is no such column).
`preferences.csv`, which either may be held against, has one row for each judgement of a person:
prompt, first, second (two systems), rater, and preference on five points: 2 first much better, 1
better, 0 alike, -1, -2 second.

With `--ratings` both come from the human ratings (1 to 5) of 160 prompts x 5 systems published
with DSG: a grid is one picture, its relevance the share of questions that PaLI-17B answers with
yes, and a preference the difference of two mean ratings. All metrics are alike on one picture.

Printed: systems with a paired Wilcoxon test, bootstrap interval and Holm's correction, in a table
and in a sentence to report, with its signature; agreement with people, ties and n, and Spearman's
rho; agreement of people with one another; the mean score of each system by persistence, and where
the order changes (`--curves FOLDER` draws it); one JSON line at the end.
"""

from __future__ import annotations

from benchmarks.preference.command import main

__all__ = ["main"]
