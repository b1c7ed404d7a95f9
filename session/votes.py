"""What a browser keeps of a person's blind tests: JSON, and back."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import asdict
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field, FiniteFloat, ValidationError

from session.blind import Kept, Vote, counted_once
from session.comparison_summary import MEASURES

MOST_SYSTEMS = 40
"""That the votes of a browser may be about."""
MOST_VOTES = 500
"""That are kept, the last ones."""
MOST_SEEN = 500
"""Comparisons that are known to be revealed."""
MOST_CHARACTERS = 500_000
"""Of their text; a page takes no more than twice that at once."""

Text = Annotated[str, Field(max_length=3000)]
Metrics = dict[Literal[MEASURES], FiniteFloat]  # type: ignore[valid-type]


class KeptVote(BaseModel):
    """A vote, checked: whoever opens the page may send any."""

    prompt: Text
    first: Text
    second: Text
    preference: Annotated[int, Field(ge=-2, le=2)]
    differences: Metrics
    id: Annotated[str, Field(max_length=64)] = ""


def votes_text(votes: Iterable[Vote]) -> str:
    """The last votes as JSON of less than `MOST_CHARACTERS`."""
    texts = [json.dumps(asdict(vote)) for vote in votes][-MOST_VOTES:]
    while sum(map(len, texts)) + 2 * len(texts) >= MOST_CHARACTERS:
        texts.pop(0)
    return f"[{', '.join(texts)}]"


def kept_text(kept: Kept) -> str:
    """What a browser is to keep, as JSON."""
    return f'{{"votes": {votes_text(kept.votes)}, "seen": {json.dumps(sorted(kept.seen))}}}'


def read_kept(plain: Mapping[str, Any]) -> Kept:
    """What `kept_text` wrote; of votes on the same two grids the first.

    >>> vote = Vote("a red car", "A", "B", -2, {"ERR": -0.25})
    >>> kept = Kept((vote,), frozenset({"0123456789abcdef"}))
    >>> read_kept(json.loads(kept_text(kept))) == kept
    True
    """
    return Kept(counted_once(read_votes(plain.get("votes"))), _read_seen(plain.get("seen")))


def _read_seen(plain: object) -> frozenset[str]:
    names = plain if isinstance(plain, list) and len(plain) <= MOST_SEEN else []
    return frozenset(each for each in names if isinstance(each, str) and len(each) == 16)


def read_votes(plain: object) -> tuple[Vote, ...]:
    """The votes that `votes_text` wrote; what is no such vote is left out.

    Of votes about more than `MOST_SYSTEMS` systems only the last are read.

    >>> vote = Vote("a red car", "A", "B", -2, {"ERR": -0.25})
    >>> read_votes(json.loads(votes_text([vote]))) == (vote,), read_votes(7)
    (True, ())
    """
    if not isinstance(plain, list) or len(plain) > MOST_VOTES:
        return ()
    kept = list[Vote]()
    for each in reversed(plain):
        with suppress(ValidationError):
            kept.append(Vote(**KeptVote.model_validate(each).model_dump()))
        if len({name for vote in kept for name in (vote.first, vote.second)}) > MOST_SYSTEMS:
            return tuple(reversed(kept[:-1]))
    return tuple(reversed(kept))
