"""The whole job, by every method, for bundles of the classes that those of the hub are made of."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from PIL.Image import Image

from alignment.evaluation import evaluate
from alignment.models.catalogue import BUNDLES, PROMPT_PARSER, ModelSpec
from alignment.models.loading import Models
from alignment.models.vlm import Pictures
from alignment.questions.contradictions import contradictions
from alignment.questions.settings import Assessment, Vq2Settings
from alignment.records import AnswerSpan, QuestionAnswer
from alignment.scorers import GRID_METHODS, SCORERS, ScoringInput
from tests.alignment import tiny_evaluators
from tests.alignment.models import tiny_adapters
from tests.alignment.tiny_evaluators import TEXT

PAIR = QuestionAnswer("what color is the apple?", AnswerSpan("black", 2, 7), 1.0)
Save = Callable[[Path], None]

OF_T5: dict[str, Save] = dict.fromkeys(
    ("question_writer", "reader", "language"), tiny_evaluators.save_text_model
)
CLASSES: Mapping[str, Mapping[str, Save]] = {
    "small": {
        **OF_T5,
        "answerer": tiny_evaluators.save_paligemma,
        "entailment": tiny_evaluators.save_paligemma,
        "clip": tiny_evaluators.save_clip,
        "matcher": tiny_adapters.save_blip_itm,
        "inference": tiny_adapters.save_deberta,
    },
    "paper": {
        **OF_T5,
        "answerer": tiny_evaluators.save_blip2,
        "entailment": tiny_evaluators.save_blip2,
        "clip": tiny_evaluators.save_clip,
        "matcher": tiny_adapters.save_blip2_itm,
        "inference": tiny_adapters.save_deberta,
    },
    "modern": {
        **OF_T5,
        "answerer": tiny_adapters.save_qwen_vl,
        "entailment": tiny_evaluators.save_paligemma,
        "clip": tiny_evaluators.save_siglip2,
        "matcher": tiny_adapters.save_blip2_itm,
        "inference": tiny_adapters.save_deberta,
    },
}
"""Bundle -> role -> what saves a tiny model of the class that plays it."""

pytestmark = pytest.mark.skipif(
    not Path(PROMPT_PARSER.source).is_dir(), reason="the prompt parser is not there"
)


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Save], Path]:
    """Saves each model once, whoever asks."""
    folders: dict[Save, Path] = {}

    def folder_of(save: Save) -> Path:
        if save not in folders:
            folders[save] = tmp_path_factory.mktemp(save.__name__)
            save(folders[save])
        return folders[save]

    return folder_of


@pytest.fixture(params=CLASSES)
def models(request: pytest.FixtureRequest, saved: Callable[[Save], Path]) -> Models:
    """The bundle as it is, each model's source replaced by a tiny one of its class."""
    bundle = BUNDLES[request.param]
    tiny: dict[str, ModelSpec] = {
        role: replace(getattr(bundle, role), source=saved(save))
        for role, save in CLASSES[request.param].items()
    }
    return Models(replace(bundle, **tiny, parser=PROMPT_PARSER))


def test_a_grid_is_judged_by_a_bundle_of_the_hubs_classes(
    models: Models, images: tuple[Image, ...]
) -> None:
    settings = Vq2Settings(kept_from=0.0)
    *_, last = evaluate(TEXT, images, 2, 2, models, settings=settings)
    report = last.report
    assert report is not None
    assert report.questions
    assert list(report.scores) == list(GRID_METHODS)
    for scores in report.scores.values():
        assert all(score.value is not None and 0 <= score.value <= 1 for score in scores)
    assert {score.signature for score in report.scores["vq2"]} == {settings.signature}
    assert report.set_scores


@pytest.mark.parametrize("method", SCORERS)
def test_every_method_has_its_models_in_a_bundle_of_the_hub(
    method: str, models: Models, images: tuple[Image, ...]
) -> None:
    asked = ScoringInput(TEXT, (PAIR,))
    (score,) = SCORERS[method](models).score(asked, Pictures(images[:1]))
    assert score.value is not None


@pytest.mark.parametrize("assessment", ["A", "B"])
def test_every_assessment_has_its_models_in_a_bundle_of_the_hub(
    assessment: Assessment, models: Models, images: tuple[Image, ...]
) -> None:
    asked = ScoringInput(TEXT, (PAIR,), Vq2Settings(assessment))
    (score,) = SCORERS["vq2"](models).score(asked, Pictures(images[:1]))
    assert score.value is not None


def test_contradictions_are_found_by_a_bundle_of_the_hub(models: Models) -> None:
    found = contradictions(TEXT, models.language, models.inference, count=2)
    assert all(0 <= each.probability <= 1 for each in found)
    assert found
