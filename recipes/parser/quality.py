"""How often the prompt parser agrees with annotated sentences, with intervals over sentences."""

from __future__ import annotations

import lzma
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from alignment.statistics.intervals import measured_proportion, measured_ratio
from recipes.cards import Figure
from recipes.parser.captions import captions

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token
    from spacy.vocab import Vocab

DEV = "en_ewt-ud-dev.conllu.xz"
"""The part that the pipeline is chosen and measured on."""
CAPTIONS = 500
"""Held-out captions of the grammar that the parser learned from."""

ANNOTATIONS: Mapping[str, Callable[[Token], object]] = {
    "UPOS": lambda token: token.pos_,
    "XPOS": lambda token: token.tag_,
    "UAS": lambda token: token.head.i - token.i,
    "LAS": lambda token: (token.head.i - token.i, token.dep_),
    "lemma": lambda token: token.lemma_,
}
"""Measure -> what two annotations of a token must share to agree."""


def read_treebank(path: Path) -> list[Doc]:
    """One doc per sentence of an xz-compressed CoNLL-U file of Universal Dependencies."""
    from spacy.training.converters import conllu_to_docs

    text = lzma.decompress(path.read_bytes()).decode("utf-8")
    return list(conllu_to_docs(text, n_sents=1, no_print=True))


def held_out_parts(treebank: Path, seed: int = 0) -> dict[str, list[Doc]]:
    """What the parser is measured on: the treebank's dev part, and captions of another seed."""
    from spacy.vocab import Vocab

    held_out = captions(CAPTIONS, seed + 1, Vocab())
    return {"dev": read_treebank(treebank / DEV), "captions": [*held_out]}


def evaluate(folder: Path, parts: Mapping[str, Sequence[Doc]]) -> dict[str, Figure]:
    """Accuracy of a pipeline on each part, in percent of tokens.

    Tokens and sentences are the annotated ones; punctuation counts, and a label counts as right
    with its subtype only.

    Returns:
        "dev UPOS", "dev XPOS", "dev UAS", "dev LAS", "dev lemma", and so on for each part.
    """
    import spacy

    nlp = spacy.load(folder)
    quality: dict[str, Figure] = {}
    for part, docs in parts.items():
        parsed = [*nlp.pipe(_unannotated(doc, nlp.vocab) for doc in docs)]
        for measure, figure in agreement(parsed, docs).items():
            quality[f"{part} {measure}"] = figure.rounded(2)
    return quality


def _unannotated(doc: Doc, vocab: Vocab) -> Doc:
    """The same tokens in another pipeline's vocabulary, with nothing said about them."""
    from spacy.tokens import Doc

    words = [token.text for token in doc]
    return Doc(vocab, words=words, spaces=[bool(token.whitespace_) for token in doc])


def agreement(parsed: Sequence[Doc], annotated: Sequence[Doc]) -> dict[str, Figure]:
    """In how many of 100 tokens two annotations of the same sentences are the same.

    Intervals draw sentences. Chance is the commonest annotation given to every token; of lemmas,
    the word as it stands.
    """
    sizes = [len(doc) for doc in annotated]
    return {
        measure: _percent(
            [
                sum(said(token) == said(gold) for token, gold in zip(*docs, strict=True))
                for docs in zip(parsed, annotated, strict=True)
            ],
            sizes,
            _chance(measure, annotated),
        )
        for measure, said in ANNOTATIONS.items()
    }


def _percent(right: Sequence[int], sizes: Sequence[int], chance: float) -> Figure:
    """Tokens that are right, of the tokens of all sentences."""
    share = sum(right) / sum(sizes)
    found = measured_ratio(right, sizes, np.random.default_rng(7))
    if share in (0, 1):
        found = measured_proportion(share * len(sizes), len(sizes))
    low, high = 100 * found.low, 100 * found.high
    return Figure(100 * share, low, high, len(sizes), "sentences", 100 * chance)


def _chance(measure: str, annotated: Sequence[Doc]) -> float:
    tokens = [token for doc in annotated for token in doc]
    if measure == "lemma":
        return sum(bool(token.lemma_ == token.text) for token in tokens) / len(tokens)
    ((_, count),) = Counter(map(ANNOTATIONS[measure], tokens)).most_common(1)
    return count / len(tokens)
