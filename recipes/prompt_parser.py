"""The UD English EWT treebank goes in; `assets/checkpoints/prompt-parser`, a spaCy pipeline, comes out.

    python -m recipes.prompt_parser --treebank ../shared/ud-english-ewt
"""

from __future__ import annotations

import lzma
import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from recipes.parser_captions import captions

if TYPE_CHECKING:
    from spacy.tokens import Doc

PIPELINE = ["tagger", "morphologizer", "parser", "trainable_lemmatizer"]


@dataclass(frozen=True)
class Settings:
    """What decides the trained weights."""

    treebank: Path = Path("../shared/ud-english-ewt")
    output: Path = Path("assets/checkpoints/prompt-parser")
    work: Path = Path("runs/prompt-parser")
    seed: int = 0
    steps: int = 6000
    sentences: int = 0
    captions: int = 4000
    width: int = 96
    rows: tuple[int, ...] = (4000, 1000, 2000, 1000)
    batch_words: int = 600
    learn_rate: float = 0.002
    evaluate_every: int = 300
    start_from: Path | None = None


def read_treebank(path: Path, limit: int = 0) -> list[Doc]:
    """One doc per sentence of an xz-compressed CoNLL-U file, all of them when `limit` is 0."""
    from spacy.training.converters import conllu_to_docs

    with lzma.open(path, "rt", encoding="utf-8") as file:
        sentences = file.read().strip().split("\n\n")
    kept = "\n\n".join(sentences[: limit or None])
    return list(conllu_to_docs(kept, n_sents=1, no_print=True))


def group(docs: list[Doc], generator: random.Random) -> Iterator[Doc]:
    """Neighbours joined by one, two or three, so that the parser learns where sentences end."""
    from spacy.tokens import Doc

    start = 0
    while start < len(docs):
        size = generator.choice([1, 1, 1, 2, 3])
        yield Doc.from_docs(docs[start : start + size])
        start += size


def write_corpora(settings: Settings) -> None:
    from spacy.tokens import DocBin
    from spacy.vocab import Vocab

    generator = random.Random(settings.seed)
    treebank = read_treebank(settings.treebank / "en_ewt-ud-train.conllu.xz", settings.sentences)
    written = list(captions(settings.captions, settings.seed, Vocab()))
    held_out = read_treebank(settings.treebank / "en_ewt-ud-dev.conllu.xz", settings.sentences)
    settings.work.mkdir(parents=True, exist_ok=True)
    train = [*group(treebank, generator), *written]
    generator.shuffle(train)
    DocBin(docs=train, store_user_data=False).to_disk(settings.work / "train.spacy")
    DocBin(docs=held_out).to_disk(settings.work / "dev.spacy")


def configure(settings: Settings) -> Any:
    from spacy.cli.init_config import init_config

    config = init_config(lang="en", pipeline=PIPELINE, optimize="efficiency", gpu=False)
    config["paths"].update(
        train=str(settings.work / "train.spacy"), dev=str(settings.work / "dev.spacy")
    )
    config["system"]["seed"] = settings.seed
    tok2vec = config["components"]["tok2vec"]["model"]
    tok2vec["encode"]["width"] = settings.width
    tok2vec["embed"]["rows"] = list(settings.rows)
    config["components"]["parser"]["model"]["extra_state_tokens"] = True
    config["corpora"]["dev"]["gold_preproc"] = True
    config["corpora"]["train"]["augmenter"] = {"@augmenters": "spacy.lower_case.v1", "level": 0.1}
    training = config["training"]
    training.update(max_steps=settings.steps, patience=0, eval_frequency=settings.evaluate_every)
    training["batcher"]["size"] = settings.batch_words
    training["optimizer"].update(
        use_averages=True,
        learn_rate={
            "@schedules": "warmup_linear.v1",
            "warmup_steps": settings.steps // 20,
            "total_steps": settings.steps,
            "initial_rate": settings.learn_rate,
        },
    )
    training["score_weights"] = {
        "pos_acc": 0.25, "tag_acc": 0.1, "dep_uas": 0.2, "dep_las": 0.35, "lemma_acc": 0.1,
    }  # fmt: skip
    return config


if __name__ == "__main__":
    import sys
    from spacy.cli.train import train as spacy_train
    from dataclasses import replace
    s = Settings(steps=int(sys.argv[1]), batch_words=int(sys.argv[2]), evaluate_every=int(sys.argv[3]), work=Path(sys.argv[4]))
    write_corpora(s)
    configure(s).to_disk(s.work / "config.cfg")
    spacy_train(s.work / "config.cfg", s.work)
