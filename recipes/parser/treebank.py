"""The English Web Treebank of Universal Dependencies, sentence by sentence."""

from __future__ import annotations

import lzma
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from spacy.tokens import Doc

TRAIN = "en_ewt-ud-train.conllu.xz"
DEV = "en_ewt-ud-dev.conllu.xz"
"""The part that the pipeline is chosen and measured on."""


def read_treebank(path: Path) -> list[Doc]:
    """One doc per sentence of an xz-compressed CoNLL-U file."""
    from spacy.training.converters import conllu_to_docs

    text = lzma.decompress(path.read_bytes()).decode("utf-8")
    return list(conllu_to_docs(text, n_sents=1, no_print=True))
