"""Every scoring model that can be chosen gives, from its repository's own files, what it should.

The twins have the real files, formats and configurations at small widths; each is loaded by its hub
id, offline, as the real one would be, and held against a straight-line use of its library.
"""

from collections.abc import Callable
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import open_clip
import pytest
import torch
from PIL.Image import Image
from transformers import AutoProcessor

from alignment.models import loading, revisions
from alignment.models.files import PICKLED
from alignment.models.partial_view import seen_in_part
from alignment.models.vlm import ImageQuestion, VisionLanguageModel, word_tokens
from tests.alignment.models.conftest import Twins
from tests.alignment.models.plain_library import plain_answer, plain_model
from tests.twins.scoring import NAMES, facts

QUESTIONS = ("What color is the backpack?", "is green true for what color is the apple?", "red?")
NO_PLACES = ("blip2-flan-t5-xl", "idefics3-8b", "smolvlm2-2.2b", "smolvlm2-500m")
"""Models whose tokens lie nowhere in the image: a Q-Former's queries, tiles."""
KINDS: dict[str, Callable[[Any], bool]] = {
    "vision": lambda known: (
        known["architecture"].endswith("ConditionalGeneration")
        and "vision_config" in known["config"]
    ),
    "text": lambda known: known["config"].get("model_type") == "t5",
    "clip": lambda known: known["architecture"] == "open_clip",
    "matcher": lambda known: "Retrieval" in known["architecture"],
    "inference": lambda known: known["config"].get("model_type") == "deberta-v2",
}


def of_kind(kind: str) -> list[str]:
    """The models of one role."""
    return [name for name in NAMES if KINDS[kind](facts(name))]


@pytest.mark.parametrize("name", NAMES)
def test_every_tokenizer_and_processor_is_read(name: str, twins: Twins) -> None:
    spec = twins.spec(name)
    folder = loading.model_folder(spec)
    if spec.open_clip:
        words = open_clip.get_tokenizer(spec.architecture or f"local-dir:{folder}")
    else:
        words = AutoProcessor.from_pretrained(folder)
    words = getattr(words, "tokenizer", words)
    assert words.decode(words.encode("a black apple")).strip().find("black") > 0


@pytest.mark.parametrize("name", of_kind("vision"))
def test_p_yes_and_answers_are_those_of_the_library_one_by_one(
    name: str, twins: Twins, noises: list[Image]
) -> None:
    spec, folder = twins.spec(name), twins.build(name)
    model = loading.load_vision(spec)
    asks = [ImageQuestion(*each) for each in product(range(len(noises)), QUESTIONS)]
    features = model.encode(noises)
    plain = [plain_answer(folder, spec, noises[ask.image], ask.text) for ask in asks]
    assert model.answer(features, asks) == [answer for _, answer in plain]
    yes, no = (spelled(model, word) for word in ("yes", "no"))
    verdicts = model.p_yes(features, asks)
    for verdict, (logits, _) in zip(verdicts, plain, strict=True):
        chances = logits.softmax(-1)
        either = float(chances[yes].sum() + chances[no].sum())
        assert verdict.probability == pytest.approx(float(chances[yes].sum()) / either, abs=1e-5)
        assert verdict.confidence == pytest.approx(either, abs=1e-5)
    assert len({round(each.probability, 6) for each in verdicts}) > 3


@pytest.mark.parametrize("name", of_kind("vision"))
def test_p_yes_in_bfloat16_is_near_that_in_single_precision(
    name: str, twins: Twins, noises: list[Image], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each number has eight bits; 0.017 was the largest difference, 0.005 the largest mean."""
    spec = twins.spec(name)
    asks = [ImageQuestion(*each) for each in product(range(len(noises)), QUESTIONS)]
    single = loading.load_vision(spec)
    monkeypatch.setattr(revisions, "ON_CPU", "bfloat16")
    half = loading.load_vision(replace(spec, name=f"{name} in bfloat16"))
    assert half.family.network.dtype == torch.bfloat16
    exact, near = (model.p_yes(model.encode(noises), asks) for model in (single, half))
    apart = [abs(a.probability - b.probability) for a, b in zip(exact, near, strict=True)]
    assert 0 < max(apart) < 0.03


@pytest.mark.parametrize("name", of_kind("vision"))
def test_an_image_seen_in_part_is_another_and_seen_whole_the_same(
    name: str, twins: Twins, noises: list[Image]
) -> None:
    model = loading.load_vision(twins.spec(name))
    whole = model.encode(noises[:1])
    left = np.arange(8) < np.full((8, 1), 4)
    parts = seen_in_part(whole[0], [left | ~left, left, ~left])
    if parts is None:
        assert name in NO_PLACES
        return
    asked, *seen = (
        [each.probability for each in model.p_yes(view, [ImageQuestion(0, QUESTIONS[1])])]
        for view in (whole, *([part] for part in parts))
    )
    assert seen[0] == pytest.approx(asked, abs=1e-6)
    assert len({round(each[0], 7) for each in seen}) == 3


@pytest.mark.parametrize("name", of_kind("vision"))
def test_vqascore_is_that_of_t2v_metrics(name: str, twins: Twins, noises: list[Image]) -> None:
    """Its 3.1: the softmax over all tokens at the first place of the answer, at the one for Yes."""
    spec, folder = twins.spec(name), twins.build(name)
    model = loading.load_vision(spec)
    question = spec.templates.vqascore.format(text="a red apple")
    asks = [ImageQuestion(image, question) for image in range(len(noises))]
    found = model.p_word(model.encode(noises), asks, spec.templates.affirmative)
    (token,) = plain_model(folder)[1].tokenizer.encode("Yes", add_special_tokens=False)[:1]
    for value, image in zip(found, noises, strict=True):
        logits, _ = plain_answer(folder, spec, image, question)
        assert value == pytest.approx(float(logits.softmax(-1)[token]), abs=1e-5)


def spelled(model: VisionLanguageModel, word: str) -> list[int]:
    """The tokens that are the word and nothing else, found by decoding the whole vocabulary."""
    tokenizer = model.family.tokenizer
    return [
        token
        for token in range(len(tokenizer))
        if tokenizer.decode([token]).strip() in (word, word.capitalize(), word.upper())
        and token not in tokenizer.all_special_ids
    ]


def test_yes_and_no_of_the_real_t5_vocabulary(reference: Path) -> None:
    from transformers import T5Tokenizer

    repository = reference / "hub" / "stabilityai" / "stable-diffusion-3-medium-diffusers"
    words = T5Tokenizer.from_pretrained(repository / "tokenizer_3")
    assert sorted(word_tokens(words, "yes")) == [2163, 4273, 10070, 19739]
    assert sorted(word_tokens(words, "no")) == [150, 465, 4168, 5693, 7400]


@pytest.mark.parametrize("name", of_kind("text"))
def test_texts_are_completed_as_by_the_library_one_by_one(name: str, twins: Twins) -> None:
    from transformers import AutoTokenizer, T5ForConditionalGeneration

    spec, folder = twins.spec(name), twins.build(name)
    texts = ["answer: black  context: a black apple", "question: what is green?  context: a tree"]
    network = T5ForConditionalGeneration.from_pretrained(folder).eval()
    tokenizer = AutoTokenizer.from_pretrained(folder)
    plain = [
        tokenizer.decode(
            network.generate(**tokenizer(text, return_tensors="pt"), max_new_tokens=48)[0],
            skip_special_tokens=True,
        )
        for text in texts
    ]
    assert len({*plain, ""}) == len(texts) + 1
    assert loading.load_text(spec).complete(texts) == plain


@pytest.mark.parametrize("name", ["flan-t5-xl", "flan-t5-large"])
def test_flan_t5_keeps_the_head_that_it_was_trained_with(name: str, twins: Twins) -> None:
    network = loading.load_text(twins.spec(name))._network
    assert not torch.equal(network.lm_head.weight, network.shared.weight)


@pytest.mark.parametrize("name", of_kind("clip"))
def test_cosines_are_those_of_open_clip_one_by_one(
    name: str, twins: Twins, noises: list[Image]
) -> None:
    import open_clip

    spec, folder = twins.spec(name), twins.build(name)
    place = spec.architecture or f"local-dir:{folder}"
    weights = {"pretrained": str(folder / PICKLED)} if spec.architecture else {}
    network, preprocess = open_clip.create_model_from_pretrained(place, **weights)
    tokenizer = open_clip.get_tokenizer(place)
    if name.startswith("siglip"):
        tokenizer.tokenizer.padding_side = "right"
    with torch.no_grad():
        text = network.eval().encode_text(tokenizer(["a red apple"]))[0]
        plain = [
            float(torch.cosine_similarity(network.encode_image(preprocess(each)[None])[0], text, 0))
            for each in noises
        ]
    model = loading.load_clip(spec)
    cosines = (model.encode(noises) @ model.embed_text("a red apple")).tolist()
    assert cosines == pytest.approx(plain, abs=1e-5)
    assert len({round(each, 6) for each in cosines}) == len(noises)


@pytest.mark.parametrize("name", of_kind("matcher"))
def test_matches_are_those_of_the_library_one_by_one(
    name: str, twins: Twins, noises: list[Image]
) -> None:
    spec, folder = twins.spec(name), twins.build(name)
    network, processor = plain_model(folder)
    plain = []
    for image in noises:
        pixels = processor.image_processor(image, return_tensors="pt")
        inputs = {**pixels, **processor.tokenizer("a red apple", return_tensors="pt")}
        inputs.pop("token_type_ids", None)
        with torch.no_grad():
            output = network(**inputs, **head_of(network))
        logits = output.logits_per_image if "logits_per_image" in output else output.itm_score
        plain.append(float(logits.softmax(-1)[0, 1]))
    model = loading.load_matcher(spec)
    assert model.p_match(model.encode(noises), "a red apple") == pytest.approx(plain, abs=1e-5)
    assert len({round(each, 6) for each in plain}) == len(noises)


@pytest.mark.parametrize("name", of_kind("matcher"))
def test_a_matcher_reads_a_text_up_to_its_last_position(
    name: str, twins: Twins, noises: list[Image]
) -> None:
    model, long = loading.load_matcher(twins.spec(name)), "apple " * 100
    assert model.max_tokens(long) == 40
    assert len(model.p_match(model.encode(noises), long)) == len(noises)


def head_of(network: Any) -> dict[str, bool]:
    two = network.config.model_type == "blip-2"
    return {"use_image_text_matching_head" if two else "use_itm_head": True}


@pytest.mark.parametrize("name", of_kind("inference"))
def test_inferences_are_those_of_the_library_one_by_one(name: str, twins: Twins) -> None:
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    spec, folder = twins.spec(name), twins.build(name)
    network = AutoModelForSequenceClassification.from_pretrained(folder).eval()
    tokenizer = AutoTokenizer.from_pretrained(folder)
    pairs = [("a black apple", "a red apple"), ("two books", "what is there? two books")]
    places = {label: index for index, label in network.config.id2label.items()}
    found = loading.load_inference(spec).infer(pairs)
    for each, pair in zip(found, pairs, strict=True):
        with torch.no_grad():
            chances = network(**tokenizer(*pair, return_tensors="pt")).logits[0].softmax(-1)
        assert each.entailed == pytest.approx(float(chances[places["entailment"]]), abs=1e-5)
        assert each.contradicted == pytest.approx(float(chances[places["contradiction"]]), abs=1e-5)
