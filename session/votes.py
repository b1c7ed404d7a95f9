"""What is kept of a person's blind tests: JSON in the browser, and tables as CSV."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import Any

from pydantic import OnErrorOmit, TypeAdapter

from alignment.records import GridReport
from session.blind import Kept, Vote, counted_once
from session.comparison import ComparisonState
from session.tables import csv_text

MOST_VOTED_SYSTEMS = 40
"""That the votes of a browser may be about."""
MOST_VOTES = 500
"""That are kept, the last ones."""
MOST_SEEN = 500
"""Comparisons that are known to be revealed."""
LONGEST_NAME = 60
"""Characters of the name of who votes."""
MOST_CHARACTERS = 500_000
"""Of their text; a page takes no more than twice that at once."""

VOTES = TypeAdapter(list[OnErrorOmit[Vote]])


def votes_text(votes: Iterable[Vote]) -> str:
    """The last votes as JSON of less than `MOST_CHARACTERS`."""
    texts = [json.dumps(asdict(vote)) for vote in votes][-MOST_VOTES:]
    while sum(map(len, texts)) + 2 * len(texts) >= MOST_CHARACTERS:
        texts.pop(0)
    return f"[{', '.join(texts)}]"


def kept_text(kept: Kept) -> str:
    """What a browser is to keep, as JSON."""
    known = {"seen": sorted(kept.seen), "name": kept.name}
    return f'{{"votes": {votes_text(kept.votes)}, {json.dumps(known)[1:]}'


def read_kept(plain: Mapping[str, Any]) -> Kept:
    """What `kept_text` wrote; of votes on the same two grids the first.

    >>> vote = Vote("a red car", "A", "B", -2, {"ERR": -0.25})
    >>> kept = Kept((vote,), frozenset({"0123456789abcdef"}), "Ann")
    >>> read_kept(json.loads(kept_text(kept))) == kept
    True
    """
    votes, name = counted_once(read_votes(plain.get("votes"))), plain.get("name")
    said = name[:LONGEST_NAME] if isinstance(name, str) else ""
    return Kept(votes, _read_seen(plain.get("seen")), said)


def _read_seen(plain: object) -> frozenset[str]:
    names = plain if isinstance(plain, list) and len(plain) <= MOST_SEEN else []
    return frozenset(each for each in names if isinstance(each, str) and len(each) == 16)


def read_votes(plain: object) -> tuple[Vote, ...]:
    """The votes that `votes_text` wrote; what is no such vote is left out.

    Of votes about more than `MOST_VOTED_SYSTEMS` systems only the last are read.

    >>> vote = Vote("a red car", "A", "B", -2, {"ERR": -0.25})
    >>> read_votes(json.loads(votes_text([vote]))) == (vote,), read_votes(7)
    (True, ())
    """
    if not isinstance(plain, list) or len(plain) > MOST_VOTES:
        return ()
    kept = list[Vote]()
    for each in reversed(VOTES.validate_python(plain)):
        kept.append(each)
        if len({name for vote in kept for name in (vote.first, vote.second)}) > MOST_VOTED_SYSTEMS:
            return tuple(reversed(kept[:-1]))
    return tuple(reversed(kept))


def preferences_csv(kept: Kept) -> str:
    """A person's votes as `python -m benchmarks preference --preferences` reads them."""
    rows = ((v.prompt, v.first, v.second, kept.rater, v.preference) for v in kept.votes)
    return csv_text([("prompt", "first", "second", "rater", "preference"), *rows])


def grids_csv(comparison: ComparisonState) -> str:
    """The reranked grids as `python -m benchmarks preference --grids` reads them; "" without any.

    Relevance is the calibrated chance of each image by the method of the ranking; an image without
    one is worth nothing. A grid whose ranking is not calibrated is left out: a score is no chance.
    """
    rows = [
        (comparison.prompts[prompt], comparison.called(system), *row)
        for (prompt, system), grid in comparison.finished.items()
        if grid.report and grid.report.ranked_by in grid.report.relevance
        for row in _places(grid.report)
    ]
    header = ("prompt", "system", "place", "relevance", "attention", "similarity")
    return csv_text([header, *rows]) if rows else ""


def _places(report: GridReport) -> Iterable[tuple[int, float, float, str]]:
    """Place, relevance, attention and similarities of each image, as reranked."""
    order = report.ranking.order
    relevance = report.relevance[report.ranked_by]
    attention = report.saliency.get("reranked", (1.0,) * len(order))
    for place, cell in enumerate(order):
        known = report.similarity
        alike = [float(cell == other) for other in order] if known is None else known[cell]
        similarity = " ".join(f"{alike[other]:.6g}" for other in order)
        yield place, relevance[cell] or 0.0, attention[place], similarity
