"""A person's votes of the blind mode as a browser keeps them: JSON, and back."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict
from typing import Annotated

from pydantic import BaseModel, Field, FiniteFloat, TypeAdapter, ValidationError

from session.blind import Vote

MOST_VOTES = 500
"""That are kept, the last ones; they take a browser about 400 kB."""

Text = Annotated[str, Field(max_length=3000)]
Metrics = Annotated[dict[Annotated[str, Field(max_length=40)], FiniteFloat], Field(max_length=40)]


class KeptVote(BaseModel):
    """A vote, checked: whoever opens the page may send any."""

    prompt: Text
    first: Text
    second: Text
    preference: Annotated[int, Field(ge=-2, le=2)]
    differences: Metrics


_VOTES = TypeAdapter(Annotated[list[KeptVote], Field(max_length=MOST_VOTES)])


def votes_text(votes: Iterable[Vote]) -> str:
    """The last votes as JSON."""
    return json.dumps([asdict(vote) for vote in votes][-MOST_VOTES:])


def read_votes(plain: object) -> tuple[Vote, ...]:
    """The votes that `votes_text` wrote; none where they are not such votes.

    >>> vote = Vote("a red car", "A", "B", -2, {"ERR": -0.25})
    >>> read_votes(json.loads(votes_text([vote]))) == (vote,), read_votes(7)
    (True, ())
    """
    try:
        kept = _VOTES.validate_python(plain)
    except ValidationError:
        return ()
    return tuple(Vote(**each.model_dump()) for each in kept)
