"""How likely a reader is to recognise a generated icon, given its likeness, size and name.

Between what looks as it is drawn and what hardly does, it depends on the thing and on its size:
of stars that are alike by 0.8 readers recognise nearly all, of crocodiles hardly any. That is
fitted to what readers saw in generated images (`read_things`), so that others can be learned from.
"""

from __future__ import annotations

import csv
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from recipes.diffusion.read_things import FILE, RECOGNISED, SMEAR

CLEAR = 0.9
"""How much like its drawing a thing looks of which nothing is fitted: readers recognise most."""
PRIOR_VARIANCE = 1.0
"""Of what a name adds to the logit, which holds rarely read things near the others."""


class ReadLook(NamedTuple):
    """A generated thing, how it looks, and what a reader saw."""

    name: str
    size: int
    """Pixels on a side."""
    alike: float
    """How much like its drawing; see `recognition.Detection`."""
    letter: str
    """r for recognisable, s for a smear."""


def read_looks() -> tuple[ReadLook, ...]:
    """What both readers saw in things that are in doubt, of known size and likeness."""
    with FILE.open(encoding="utf-8", newline="") as lines:
        return tuple(
            ReadLook(name, int(look[0]), float(look[1]), letter)
            for _, _, name, _, _, letter, *look in csv.reader(lines)
            if look and float(look[1]) < CLEAR and letter in (RECOGNISED, SMEAR)
        )


def chance_recognised(name: str, size: int, alike: float) -> float:
    """The chance in [0, 1] that a reader recognises a thing.

    >>> chance_recognised("star", 48, 0.8) > 0.9 > 0.5 > chance_recognised("crocodile", 48, 0.8)
    True
    """
    return float(_fitted().predict_proba([[name, np.log(size), alike]])[0, 1])


@cache
def _fitted() -> Any:
    """A logistic regression on name, size and likeness."""
    looks = read_looks()
    model = regression()
    known = [[each.name, np.log(each.size), each.alike] for each in looks]
    return model.fit(known, [each.letter == RECOGNISED for each in looks])


def regression() -> Any:
    """What is fitted to rows of name, logarithm of size, and likeness."""
    from sklearn.compose import make_column_transformer
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder, StandardScaler

    columns = make_column_transformer(
        (OneHotEncoder(handle_unknown="ignore"), [0]), (StandardScaler(), [1, 2])
    )
    return make_pipeline(columns, LogisticRegression(C=PRIOR_VARIANCE, max_iter=1000))
