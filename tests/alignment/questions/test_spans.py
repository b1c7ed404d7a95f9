"""What can be asked of a prompt, in both label sets and with the embedded parser."""

import re
from pathlib import Path

import pytest
import spacy
from hypothesis import given, settings
from hypothesis import strategies as st
from spacy.language import Language
from spacy.tokens import Doc, Span

from alignment.questions.records import AnswerSpan
from alignment.questions.spans import answer_spans, phrases_by_noun, with_names

CHECKPOINT = Path(__file__).parents[3] / "assets" / "checkpoints" / "prompt-parser"


def reading(words: str, entity: tuple[int, int] | None = None) -> Language:
    """A pipeline that reads every text as these words: text/part of speech/head/label."""
    nlp = spacy.blank("en")
    forms, pos, heads, deps = zip(*(word.split("/") for word in words.split()), strict=True)

    def tokenizer(_: str) -> Doc:
        numbers = [int(head) for head in heads]
        doc = Doc(nlp.vocab, forms, lemmas=forms, pos=pos, heads=numbers, deps=deps)
        doc.set_ents([Span(doc, *entity, label="PERSON")] if entity else [])
        return doc

    nlp.tokenizer = tokenizer
    return nlp


def texts(spans: tuple[AnswerSpan, ...]) -> list[str]:
    return [span.text for span in spans]


SIDE = [
    "an owl", "owl", "to the left of a pink umbrella", "a pink umbrella", "pink", "umbrella",
]  # fmt: skip
STYLE = [
    "an orange cat", "orange", "cat", "in the style of van gogh", "the style", "style", "van gogh",
]  # fmt: skip
BESIDE = ["a tree", "tree", "next to two red houses", "two red houses", "two", "red", "houses"]
READINGS = {
    "UD side": (
        (
            "an/DET/1/det owl/NOUN/1/ROOT to/ADP/4/case the/DET/4/det left/NOUN/1/nmod "
            "of/ADP/8/case a/DET/8/det pink/ADJ/8/amod umbrella/NOUN/4/nmod"
        ),
        SIDE,
    ),
    "ClearNLP side": (
        (
            "an/DET/1/det owl/NOUN/1/ROOT to/ADP/1/prep the/DET/4/det left/NOUN/2/pobj "
            "of/ADP/4/prep a/DET/8/det pink/ADJ/8/amod umbrella/NOUN/5/pobj"
        ),
        SIDE,
    ),
    "UD style": (
        (
            "an/DET/2/det orange/ADJ/2/amod cat/NOUN/2/ROOT in/ADP/5/case the/DET/5/det "
            "style/NOUN/2/nmod of/ADP/7/case van/PROPN/5/nmod gogh/PROPN/7/flat"
        ),
        STYLE,
    ),
    "ClearNLP style": (
        (
            "an/DET/2/det orange/ADJ/2/amod cat/NOUN/2/ROOT in/ADP/2/prep the/DET/5/det "
            "style/NOUN/3/pobj of/ADP/5/prep van/PROPN/8/compound gogh/PROPN/6/pobj"
        ),
        STYLE,
    ),
    "UD beside": (
        (
            "a/DET/1/det tree/NOUN/1/ROOT next/ADP/6/case to/ADP/6/case two/NUM/6/nummod "
            "red/ADJ/6/amod houses/NOUN/1/nmod"
        ),
        BESIDE,
    ),
    "ClearNLP beside": (
        (
            "a/DET/1/det tree/NOUN/1/ROOT next/ADV/1/advmod to/ADP/2/prep two/NUM/6/nummod "
            "red/ADJ/6/amod houses/NOUN/3/pobj"
        ),
        BESIDE,
    ),
}


@pytest.mark.parametrize("name", READINGS)
def test_both_label_sets_give_the_same_spans(name: str) -> None:
    words, expected = READINGS[name]
    prompt = " ".join(word.partition("/")[0] for word in words.split())
    assert texts(answer_spans(reading(words)(prompt))) == expected


def test_a_named_entity_is_a_span_once() -> None:
    nlp = reading("near/ADP/1/case Ada/PROPN/1/ROOT Lovelace/PROPN/1/flat", entity=(1, 3))
    spans = answer_spans(nlp("near Ada Lovelace"))
    assert spans == (AnswerSpan("near Ada Lovelace", 0, 17), AnswerSpan("Ada Lovelace", 5, 17))


@pytest.fixture(scope="module")
def parser() -> Language:
    return spacy.load(CHECKPOINT)


EXAMPLES = {
    "a black apple and a green backpack": [
        "a black apple", "black", "apple", "a green backpack", "green", "backpack",
    ],
    "two red apples left of a blue car": [
        "two red apples", "two", "red", "apples", "left of a blue car", "a blue car", "blue", "car",
    ],
    "two yellow balloons": ["two yellow balloons", "two", "yellow", "balloons"],
    "a cat on top of a car": ["a cat", "cat", "on top of a car", "a car", "car"],
    "a bowl full of lemons": ["a bowl", "bowl", "full of lemons", "lemons"],
    "a cat in the middle of a field": [
        "a cat", "cat", "in the middle of a field", "a field", "field",
    ],
    "a cat on bed of leaves": ["a cat", "cat", "on bed of leaves", "bed", "leaves"],
    "three stars at night": ["three stars", "three", "stars", "at night", "night"],
    "an owl to the left of a pink umbrella": SIDE,
    "a closed umbrella on the beach": [
        "a closed umbrella", "closed", "umbrella", "on the beach", "the beach", "beach",
    ],
    "a photo of a black and white cat": [
        "a photo", "photo", "a black and white cat", "black and white", "black", "white", "cat",
    ],
    "a cat sitting on a wooden chair in the style of van gogh": [
        "a cat", "cat", "sitting on a wooden chair", "on a wooden chair",
        "a wooden chair", "wooden", "chair", "in the style of van gogh", "the style", "style",
        "van gogh",
    ],
    "a Van Gogh painting of the Eiffel Tower in New York": [
        "a Van Gogh painting", "Van Gogh", "painting", "the Eiffel Tower", "Eiffel Tower",
        "in New York", "New York",
    ],
    "A Small Dog on the Grass": [
        "A Small Dog", "Small", "Dog", "on the Grass", "the Grass", "Grass",
    ],
    "a cat wearing a red hat in the snow": [
        "a cat", "cat", "wearing a red hat", "a red hat", "red", "hat", "in the snow",
        "the snow", "snow",
    ],
    "can you draw a cat on a sofa": ["a cat", "cat", "on a sofa", "a sofa", "sofa"],
    "a man wearing hats and scarves": [
        "a man", "man", "wearing hats and scarves", "hats", "scarves",
    ],
    "a glass of apple juice": ["a glass", "glass", "apple juice", "apple", "juice"],
    "a yellow diamond-shaped sign": [
        "a yellow diamond-shaped sign", "yellow", "diamond-shaped", "diamond", "sign",
    ],
    "a very small dog on the hill of a big city": [
        "a very small dog", "very small", "small", "dog",
        "on the hill of a big city", "the hill", "hill", "a big city", "big", "city",
    ],
}  # fmt: skip


@pytest.mark.parametrize("prompt", EXAMPLES)
def test_the_embedded_parser_finds_what_can_be_asked(prompt: str, parser: Language) -> None:
    assert texts(answer_spans(parser(prompt))) == EXAMPLES[prompt]


@pytest.mark.parametrize(
    "prompt",
    [
        "a black t-shirt with the peace sign on it",
        "a t-shirt with 'Archaelogy Rocks!' written on it",
    ],
)
def test_a_hyphen_that_the_parser_takes_for_a_noun_is_no_thing(
    prompt: str, parser: Language
) -> None:
    """Both prompts are of PartiPrompts; each parse calls the hyphen a noun."""
    assert [noun for noun in phrases_by_noun(parser(prompt)) if not noun.isalpha()] == []
    assert "shirt" in phrases_by_noun(parser(prompt))


def test_a_name_of_several_words_is_one_thing(parser: Language) -> None:
    names = re.compile(r"\bhot dogs?\b")
    prompt = "a hot dog beside two hot dogs"
    assert texts(answer_spans(with_names(parser(prompt), names))) == [
        "a hot dog", "hot dog", "beside two hot dogs", "two hot dogs", "two", "hot dogs",
    ]  # fmt: skip


def test_the_same_words_at_two_places_are_two_spans(parser: Language) -> None:
    spans = answer_spans(parser("two red cats and two red dogs"))
    assert [span.start for span in spans if span.text == "red"] == [4, 21]


def test_simple_spans_are_those_without_places_and_groups(parser: Language) -> None:
    doc = parser("an apple on the backpack")
    every, simple = (texts(answer_spans(doc, multi_word=wide)) for wide in (True, False))
    assert "on the backpack" in every
    assert simple == [text for text in every if text != "on the backpack"]


@pytest.mark.parametrize("prompt", ["", " ", "\n\t", "\U0001f389\U0001f389", "...", "\x00"])
def test_nothing_to_ask_gives_no_spans(prompt: str, parser: Language) -> None:
    assert answer_spans(parser(prompt)) == ()


FRAGMENTS = st.lists(
    st.sampled_from(["a red cat", " and ", "to the left of", "<b>", "\U0001f389", "\n ", "ﬁ", ","])
    | st.text(max_size=12)
).map("".join)


@settings(max_examples=60)
@given(prompt=FRAGMENTS)
def test_spans_quote_the_prompt_in_its_order_without_duplicates(
    prompt: str, parser: Language
) -> None:
    spans = answer_spans(parser(prompt))
    assert all(prompt[span.start : span.end] == span.text for span in spans)
    assert len(set(spans)) == len(spans)
    assert list(spans) == sorted(spans, key=lambda span: (span.start, -span.end))


def test_two_thousand_characters_are_read_to_the_end(parser: Language) -> None:
    prompt = ("a red cat, " * 200)[:2000].rstrip(", ")
    spans = answer_spans(parser(prompt))
    assert spans[-1].end > 1980
    assert sum(span.text == "red" for span in spans) > 150
