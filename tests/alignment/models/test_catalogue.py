"""Bundles are data: one model per role, known by name."""

from dataclasses import fields
from pathlib import Path

import pytest

from alignment.errors import (
    AlignmentError,
    UnknownBundleError,
    UnknownScoringModelError,
    UnsuitableModelError,
)
from alignment.models.catalogue import BUNDLES, EMBEDDED, MODELS, find_bundle, find_model
from alignment.models.catalogue import ROLES as ALL_ROLES
from alignment.models.spec import CHECKPOINTS, Bundle, ScoringModel, Templates

ROLES = ("parser", "question_writer", "reader", "answerer", "entailment", "clip")


def test_the_bundles_are_known_by_name() -> None:
    larger = ["small", "paper", "modern", "modern-8b"]
    assert list(BUNDLES) == ["embedded", "light", *larger]
    assert all(find_bundle(name).name == name for name in BUNDLES)


def test_an_unknown_bundle_is_refused_with_those_there_are() -> None:
    with pytest.raises(UnknownBundleError, match="no bundle 'tiny'; known: embedded, light"):
        find_bundle("tiny")
    assert issubclass(UnknownBundleError, AlignmentError)


@pytest.mark.parametrize("role", ROLES)
def test_the_embedded_bundle_needs_no_network(role: str) -> None:
    assert getattr(BUNDLES["embedded"], role).source.parent == CHECKPOINTS


@pytest.mark.parametrize("spec", MODELS.values(), ids=MODELS)
def test_every_model_is_known_by_its_name_and_states_licence_size_and_memory(
    spec: ScoringModel,
) -> None:
    assert find_model(spec.name) == spec
    assert spec.licence
    assert 0 < spec.size_gb <= 20
    assert 0 < spec.memory_gb <= 20


def test_an_unknown_judge_is_refused_with_those_there_are() -> None:
    assert len({spec.source for spec in MODELS.values()}) == len(MODELS)
    with pytest.raises(
        UnknownScoringModelError, match="no model 'gpt'; known: prompt-parser, sticker-t5"
    ):
        find_model("gpt")


@pytest.mark.parametrize("spec", EMBEDDED.models, ids=lambda spec: spec.name)
def test_the_size_of_an_embedded_model_is_that_of_its_folder(spec: ScoringModel) -> None:
    folder = Path(spec.source)
    weighed = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file()) / 1e9
    assert spec.size_gb == pytest.approx(weighed, abs=0.004)


def test_the_small_bundle_leaves_room_for_a_pipeline_on_a_gpu_of_16_gb() -> None:
    assert BUNDLES["small"].memory_gb <= 12


def test_the_light_bundle_fits_a_laptop() -> None:
    assert BUNDLES["light"].size_gb <= 3
    assert BUNDLES["light"].memory_gb <= 2


@pytest.mark.parametrize("name", ["small", "paper", "modern", "modern-8b"])
def test_a_hub_bundle_has_a_model_for_every_role(name: str) -> None:
    without = [role.name for role in fields(Bundle) if not getattr(BUNDLES[name], role.name)]
    assert without == ["contradictor"], "whose part the language model plays"


def test_a_model_that_plays_two_roles_is_counted_once() -> None:
    assert EMBEDDED.models.count(EMBEDDED.answerer) == 1
    assert EMBEDDED.size_gb == pytest.approx(sum(model.size_gb for model in EMBEDDED.models))


def test_a_name_can_change_the_models_of_a_bundle() -> None:
    changed = find_bundle("small+clip=clip-vit-l-14+matcher=blip2-itm")
    assert (changed.clip, changed.matcher) == (MODELS["clip-vit-l-14"], MODELS["blip2-itm"])
    assert changed.name == "small+clip=clip-vit-l-14+matcher=blip2-itm"
    assert changed.answerer == BUNDLES["small"].answerer
    with pytest.raises(UnknownBundleError, match="no role 'judge' in a bundle; known: parser, "):
        find_bundle("small+judge=gemma4-e4b")
    with pytest.raises(UnknownScoringModelError, match="no model 'gpt'"):
        find_bundle("small+answerer=gpt")


def test_a_model_of_another_kind_cannot_have_a_role() -> None:
    wrong = "unifiedqa-v2 is a text model and cannot be the clip, .*: icon-clip, clip-vit-b"
    with pytest.raises(UnsuitableModelError, match=wrong):
        find_bundle("small+clip=unifiedqa-v2")


@pytest.mark.parametrize("name", MODELS)
def test_every_model_can_have_a_role(name: str) -> None:
    assert any(_can_play(role, name) for role in ALL_ROLES)


def _can_play(role: str, name: str) -> bool:
    try:
        changed = find_bundle(f"small+{role}={name}")
    except UnsuitableModelError:
        return False
    return bool(getattr(changed, role) == MODELS[name])


@pytest.mark.parametrize("source", ["somebody/vnli", "./vnli", "/models/vnli"])
def test_a_fine_tuned_checkpoint_takes_the_role_of_entailment(source: str) -> None:
    model = find_bundle(f"small+entailment=paligemma-3b-mix@{source}").entailment
    assert model.fine_tuned
    assert not MODELS["paligemma-3b-mix"].fine_tuned
    assert model.source == (source if source[0] == "s" else Path(source).resolve())
    assert model.templates == MODELS["paligemma-3b-mix"].templates


def test_a_folder_has_one_name_however_it_is_written(tmp_path: Path) -> None:
    roundabout = f"{tmp_path}/../{tmp_path.name}/./"
    names = [f"prompt-parser@{source}" for source in (tmp_path, roundabout)]
    one, other = map(find_model, names)
    assert one == other


def test_unified_qa_reads_lower_case_and_a_backslash_n() -> None:
    for name in ("unifiedqa-v2", "unifiedqa-v2-small"):
        read = MODELS[name].templates.reading("What is Red?", "A Red Apple in NYC")
        assert read == "what is red? \\n a red apple in nyc"
    assert Templates().reading("Who?", "Ann") == "question: Who?  context: Ann"


@pytest.mark.parametrize(
    ("name", "asked"),
    [
        ("blip2-flan-t5-xl", "Question: what is it? Short answer:"),
        ("paligemma-3b-mix", "<image>answer en what is it?"),
    ],
)
def test_a_model_is_asked_with_the_prefix_of_its_training_and_by_lavis(
    name: str, asked: str
) -> None:
    assert MODELS[name].templates.question.format(question="what is it?") == asked


@pytest.mark.parametrize("name", ["smolvlm2-500m", "qwen3-vl-4b", "gemma4-e4b", "idefics3-8b"])
def test_a_chat_model_is_told_to_answer_yes_or_no_where_that_is_wanted(name: str) -> None:
    templates = MODELS[name].templates
    for asked in (templates.predicate, templates.same, templates.entailment):
        assert asked.endswith(" Answer yes or no.")
    assert templates.free.endswith(" Answer in a word or two.")


@pytest.mark.parametrize(
    "name", ["smolvlm2-500m", "qwen3-vl-4b", "qwen3-vl-8b", "gemma4-e4b", "paligemma-3b-mix"]
)
def test_vqascore_has_the_words_of_t2v_metrics(name: str) -> None:
    asked = MODELS[name].templates.vqascore.format(text="a cat")
    assert asked == 'Does this figure show "a cat"? Please answer Yes or No.'
