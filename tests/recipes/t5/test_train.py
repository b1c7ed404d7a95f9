"""sticker-t5: its examples quote their captions, and two steps of training leave a checkpoint."""

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from alignment.models.spec import Templates
from alignment.models.text import SequenceToSequence
from alignment.questions.round_trip import token_f1
from alignment.questions.settings import KEPT_FROM
from recipes.t5.examples import (
    NAMED_WORLD,
    UNANSWERABLE,
    SpanQuestion,
    answer_example,
    pairs,
    question_example,
    sticker_caption,
    text_examples,
    unanswerable,
)
from recipes.t5.quality import (
    evaluate,
    exact,
    kept,
    mismatched,
    outputs,
)
from recipes.t5.train import T5Settings, build_tokenizer, train
from recipes.training import Schedule
from recipes.world.captions import Description, SceneCaption, Span, write_caption
from recipes.world.open_captions import (
    KNOWN_NOUNS,
    LANDMARKS,
    NAMED,
    UNKNOWN_NOUNS,
    free_caption,
    invented_word,
    splice,
)
from recipes.world.scenes import Group
from recipes.world.worlds import ICON_WORLD

OWNED = re.compile(r"\w+ [\w-]+'s ")
"""How a phrase begins that says in two words whose a thing is, which an answer leaves out."""
seeds = st.integers(0, 2**32 - 1)
CHECKPOINT = Path(__file__).parents[3] / "assets" / "checkpoints" / "sticker-t5"

TINY = T5Settings(width=16, heads=2, feed_forward=16, layers=1, captions=2, vocabulary=300)


def market() -> SceneCaption:
    """'two closed blue umbrellas and an owl', with its spans."""
    text = "two closed blue umbrellas and an owl"
    words = {"two": "count", "closed": "state", "blue": "colour", "umbrellas": "object"}
    spans = [Span(kind, 0, text.index(w), text.index(w) + len(w)) for w, kind in words.items()]
    spans += [Span("phrase", 0, 0, 25), Span("object", 1, 33, 36), Span("phrase", 1, 30, 36)]
    claim = Description((Group("umbrella", "blue", "closed", 2), Group("owl")))
    return SceneCaption(text, claim, tuple(spans))


def test_each_span_of_a_caption_becomes_a_question_and_its_answer() -> None:
    found = {pair.span: (pair.question, pair.answer) for pair in pairs(market())}
    assert found == {
        "two": ("how many umbrellas are there?", "two"),
        "closed": ("are the umbrellas open or closed?", "closed"),
        "blue": ("what color are the umbrellas?", "blue"),
        "closed blue": ("what color are the umbrellas?", "blue"),
        "umbrellas": ("what objects are there?", "blue umbrellas"),
        "two closed blue umbrellas": ("what objects are there?", "blue umbrellas"),
        "owl": ("what animal is there?", "owl"),
        "an owl": ("what animal is there?", "owl"),
    }


def test_words_that_stand_twice_in_a_caption_are_asked_of_where_each_stands() -> None:
    text = "two cats and two dogs"
    claim = Description((Group("cat", count=2), Group("dog", count=2)))
    spans = Span("count", 0, 0, 3), Span("phrase", 0, 0, 8), Span("object", 0, 4, 8)
    spans += Span("count", 1, 13, 16), Span("phrase", 1, 13, 21), Span("object", 1, 17, 21)
    found = pairs(SceneCaption(text, claim, spans), ICON_WORLD)
    asked = [question_example(text, pair) for pair in found if pair.span == "two"]
    assert [(each.source, each.target) for each in asked] == [
        ("answer: two  context: <hl> two <hl> cats and two dogs", "how many cats are there?"),
        ("answer: two  context: two cats and <hl> two <hl> dogs", "how many dogs are there?"),
    ]


def test_what_somebody_does_to_a_thing_is_asked_by_its_verb() -> None:
    spans = (Span("phrase", 0, 0, 5), Span("object", 0, 2, 5))
    spans += (Span("phrase", 1, 14, 19), Span("object", 1, 16, 19))
    caption = SceneCaption("a cat holding a cup", Description((Group("cat"), Group("cup"))), spans)
    found = {pair.span: (pair.question, pair.answer) for pair in pairs(caption, ICON_WORLD)}
    assert found["holding a cup"] == ("what is the cat holding?", "holding a cup")


@given(seeds)
def test_a_place_alone_is_asked_for_read_and_contradicted(seed: int) -> None:
    rng, place = np.random.default_rng(seed), Description((), background="beach")
    caption = write_caption(rng, place, NAMED_WORLD)
    found = pairs(caption, NAMED_WORLD)
    assert {pair.question for pair in found} == {"where does this take place?"}
    assert {pair.answer for pair in found} == {caption.quote(caption.of("background")[0])}
    *_, changed = text_examples(rng, caption, NAMED_WORLD)
    assert changed.target != caption.text


@given(seeds)
def test_a_right_answer_to_a_span_of_up_to_five_words_survives_the_round_trip(seed: int) -> None:
    rng = np.random.default_rng(seed)
    for caption, world in (sticker_caption(rng), free_caption(rng)):
        for pair in pairs(caption, world):
            assert pair.span in caption.text
            assert pair.answer.split()[-1] in caption.text
            if len(pair.span.split()) <= 5 and not OWNED.match(pair.span):
                assert token_f1(pair.answer, pair.span) >= KEPT_FROM


@given(seeds)
def test_an_unanswerable_question_is_none_that_the_caption_answers(seed: int) -> None:
    rng = np.random.default_rng(seed)
    for caption, world in (sticker_caption(rng), free_caption(rng)):
        asked = unanswerable(rng, caption, world)
        assert asked.answer == UNANSWERABLE
        assert asked.question not in {pair.question for pair in pairs(caption, world)}


@given(seeds)
def test_a_caption_gives_lessons_to_write_to_read_and_to_contradict(
    seed: int,
) -> None:
    rng = np.random.default_rng(seed)
    given_out = text_examples(rng, *free_caption(rng))
    tasks = [example.source.partition(":")[0] for example in given_out]
    assert tasks == ["answer", "answer", "question", "question", "contradict"]
    assert all(example.target.endswith("?") for example in given_out[:2])


@given(seeds)
def test_spans_of_free_captions_still_quote_the_claim(seed: int) -> None:
    caption, world = free_caption(np.random.default_rng(seed))
    for span in caption.spans:
        words, said = caption.quote(span).lower(), caption.claim.groups[span.group]
        if span.kind == "object":
            thing = world.thing(said.name)
            assert words == (thing.name if said.count == 1 else thing.plural_name)
        if span.kind in ("colour", "state"):
            assert words == getattr(said, span.kind)
        assert words == words.strip()


@pytest.mark.parametrize(
    ("start", "end", "words", "text", "quoted"),
    [
        (0, 0, "a photo of ", "a photo of a red cat", ("red", "cat", "a red cat")),
        (2, 5, "green", "a green cat", ("green", "cat", "a green cat")),
        (0, 2, "", "red cat", ("red", "cat", "red cat")),
        (9, 9, ", 4k", "a red cat, 4k", ("red", "cat", "a red cat")),
    ],
)
def test_spans_move_along_when_words_are_exchanged(
    start: int, end: int, words: str, text: str, quoted: tuple[str, ...]
) -> None:
    spans = (Span("colour", 0, 2, 5), Span("object", 0, 6, 9), Span("phrase", 0, 0, 9))
    caption = splice(SceneCaption("a red cat", Description(()), spans), start, end, words)
    assert caption.text == text
    assert tuple(caption.quote(span) for span in caption.spans) == quoted


def test_unknown_nouns_are_never_said_in_training() -> None:
    assert len(UNKNOWN_NOUNS) >= 30
    assert not set(UNKNOWN_NOUNS) & {*KNOWN_NOUNS, *NAMED}
    rng = np.random.default_rng(0)
    said = {group.name for _ in range(500) for group in free_caption(rng)[0].claim.groups}
    assert not set(UNKNOWN_NOUNS) & said


def test_captions_of_unknown_nouns_and_their_worlds_hold_nothing_else() -> None:
    rng = np.random.default_rng(0)
    for _ in range(100):
        caption, world = free_caption(rng, UNKNOWN_NOUNS, stickers=0.0)
        said = {group.name for group in caption.claim.groups}
        assert said == {thing.name for thing in world.things}
        assert said <= set(UNKNOWN_NOUNS)


def test_any_text_can_be_spelled_and_is_lower_cased() -> None:
    tokenizer = build_tokenizer(TINY)
    text = "Zxqv's TEAPOT — ünïcode, 7 🎈 <b>&amp;</b>"
    ids = tokenizer(text).input_ids
    assert tokenizer.decode(ids, skip_special_tokens=True) == text.lower()
    assert ids[-1] == tokenizer.eos_token_id


@pytest.mark.parametrize(("answer", "right"), [("apple", True), ("green", False), ("", False)])
def test_a_pair_is_kept_when_the_reader_finds_the_span(answer: str, right: bool) -> None:
    assert kept(SpanQuestion("what fruit is there?", "a black apple", "apple", 0), answer) == right


def test_wrong_pairs_ask_for_something_else_in_the_same_text() -> None:
    """The colour of an apple is half of "black apple": no reader could drop that pair."""
    text = "a black apple and an owl"
    fruit, black, owl = (
        SpanQuestion("what fruit is there?", "black apple", "black apple", 2),
        SpanQuestion("what color is the apple?", "black", "black", 2),
        SpanQuestion("what animal is there?", "an owl", "owl", 14),
    )
    asked = [(text, fruit), (text, black), (text, owl), ("an owl", owl)]
    assert list(mismatched(asked, ["black apple", "black", "owl", "owl"])) == [
        (text, fruit, "owl"),
        (text, black, "owl"),
    ]


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sticker-t5")
    settings = replace(
        TINY,
        run=folder / "sticker-t5",
        schedule=Schedule(steps=2, lr=1e-3, warmup=1, ema=0.9),
    )
    return train(settings)


def test_two_steps_make_a_checkpoint_that_loads_and_writes(trained: Path) -> None:
    model = load(trained)
    asked = ["answer: black  context: a black apple", "question: what?  context: an owl and " * 3]
    assert model.complete(asked) == [text for each in asked for text in model.complete([each])]


def test_each_kind_of_caption_has_figures_with_intervals(trained: Path) -> None:
    quality = evaluate(load(trained), 10)
    kinds = ("held-out scenes", "unknown nouns")
    assert {f"{kind}: question exact match" for kind in kinds} <= set(quality)
    assert all(0 <= each.low <= each.high <= 1 for each in quality.values())
    assert {each.unit for each in quality.values()} == {"captions"}


def load(folder: Path) -> SequenceToSequence:
    from transformers import AutoModelForSeq2SeqLM, AutoTokenizer

    network = AutoModelForSeq2SeqLM.from_pretrained(folder).eval()
    return SequenceToSequence(network, AutoTokenizer.from_pretrained(folder), Templates())


@pytest.fixture(scope="module")
def model() -> SequenceToSequence:
    return load(CHECKPOINT)


def test_the_embedded_model_is_small() -> None:
    assert (CHECKPOINT / "model.safetensors").stat().st_size <= 10_000_000


@pytest.mark.parametrize(
    ("span", "question"),
    [
        ("a black apple", "what fruit is there?"),
        ("black", "what color is the apple?"),
        ("a green backpack", "what object is there?"),
        ("green", "what color is the backpack?"),
    ],
)
def test_the_embedded_model_writes_and_reads(
    model: SequenceToSequence, span: str, question: str
) -> None:
    text = "a black apple and a green backpack"
    pair = SpanQuestion(question, span, "", text.index(span))
    assert model.complete([question_example(text, pair).source]) == [question]
    assert kept(pair, model.complete([answer_example(text, pair).source])[0])


def test_the_embedded_model_asks_rightly_about_scenes_it_never_saw(
    model: SequenceToSequence,
) -> None:
    rng = np.random.default_rng(3)
    drawn = [sticker_caption(rng, "test") for _ in range(30)]
    asked = [question_example(c.text, pair) for c, world in drawn for pair in pairs(c, world)]
    assert np.mean(exact(asked, outputs(model, asked))) >= 0.9


def test_invented_words_can_be_read_aloud() -> None:
    rng = np.random.default_rng(0)
    words = {invented_word(rng) for _ in range(100)}
    assert len(words) > 90
    assert all(word.isalpha() and word.islower() for word in words)


def test_a_possessive_is_no_part_of_what_a_question_names() -> None:
    text = "my sister's cat under two chairs"
    places = {"cat": ("object", 0), "my sister's cat": ("phrase", 0), "two chairs": ("phrase", 1)}
    places |= {"chairs": ("object", 1), "under two chairs": ("relation", 0)}
    spans = tuple(
        Span(*place, text.index(words), text.index(words) + len(words))
        for words, place in places.items()
    )
    claim = Description((Group("cat"), Group("chair", count=2)), "below")
    found = {each.span: each for each in pairs(SceneCaption(text, claim, spans))}
    assert found["under two chairs"].question == "where is the cat?"
    assert found["my sister's cat"].answer == found["cat"].answer == "cat"


def test_of_two_groups_one_stands_somewhere_however_many_they_are() -> None:
    rng = np.random.default_rng(5)
    claims = [free_caption(rng)[0].claim for _ in range(400)]
    related = [max(group.count for group in claim.groups) for claim in claims if claim.relation]
    assert min(related) == 1
    assert max(related) > 1


def test_some_captions_say_the_place_first() -> None:
    captions = [free_caption(np.random.default_rng(seed))[0] for seed in range(300)]
    placed = [each for each in captions if any(s.start == 0 for s in each.of("relation"))]
    assert placed
    for caption in placed:
        assert caption.span("phrase", 1).end < caption.span("phrase", 0).start


def test_what_is_above_a_place_is_asked_where_it_is() -> None:
    drawn = [free_caption(np.random.default_rng(seed)) for seed in range(400)]
    over = [
        each.question
        for caption, world in drawn
        if caption.claim.relation and caption.claim.groups[1].name in LANDMARKS
        for each in pairs(caption, world)
        if each.span == caption.quote(caption.of("relation")[0])
    ]
    assert len(over) > 5
    assert all(question.startswith("where ") for question in over)
    assert "where does this take place?" not in over
