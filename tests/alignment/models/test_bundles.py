"""The whole job on twins, once for every bundle of the hub and every model that no bundle has."""

from dataclasses import fields, replace
from typing import Any, cast

import pytest
from PIL.Image import Image

from alignment.changes import rerank
from alignment.contrast_check import contrast_check
from alignment.errors import UnsuitableModelError
from alignment.evaluation import evaluate
from alignment.models.catalogue import ALONE, BUNDLES, find_bundle
from alignment.models.loading import Models
from alignment.models.spec import Bundle
from alignment.models.vlm import EncodedImages
from alignment.prompt_pairs.description_match import EVALUATORS, fit_matrices
from alignment.prompt_pairs.records import PromptPair
from alignment.prompt_pairs.score import expected_score
from alignment.questions.records import AnswerSpan, QuestionAnswer
from alignment.questions.settings import Assessment, Vq2Settings
from alignment.ranking import METHODS
from alignment.records import GridReport
from alignment.scorers import GRID_METHODS, SCORERS
from alignment.scorers.scorer import ScoringInput
from tests.alignment.calibrations import IDENTITY
from tests.alignment.models.conftest import Twins
from tests.alignment.tiny_evaluators import TEXT
from tests.twins.scoring import NAMES, facts

PAIR = QuestionAnswer("What is there?", AnswerSpan(TEXT, 0, len(TEXT)), 1.0)
COMMONSENSE = PromptPair(
    category="state",
    prompts=("a candle in the wind", "a candle at a match"),
    descriptions=("The candle is out.", "The candle burns."),
)
OF_THE_HUB = [name for name in BUNDLES if name != "embedded"]
SINGLE = [each.name for models in ALONE.values() for each in models if each.name in NAMES]
EVERY_QUESTION = Vq2Settings(filter=0.0)


def scored(models: Models, images: tuple[Image, ...]) -> GridReport:
    *_, last = evaluate(TEXT, images, 2, 2, models, settings=EVERY_QUESTION, calibrations=IDENTITY)
    return cast("GridReport", last.report)


def role_of(name: str) -> str:
    """The role in which a model that no bundle has takes another's place."""
    known = facts(name)
    if known["architecture"] == "open_clip":
        return "clip"
    return "matcher" if "Retrieval" in known["architecture"] else "answerer"


def bundle_with(name: str, twins: Twins) -> Bundle:
    """The bundle of that name, or `small` with the model of that name."""
    if name in BUNDLES:
        return twins.bundle(name)
    changed = {role_of(name): twins.spec(name)}
    if "answerer" in changed:
        changed["entailment"] = changed["answerer"]
    return replace(twins.bundle("small"), **changed)


def each_of(*names: str) -> list[Any]:
    """Those of two bundles are tested always, the others by `make test-hub`."""
    return [
        pytest.param(name, marks=[] if name in ("light", "modern") else pytest.mark.hub)
        for name in names
    ]


@pytest.mark.parametrize("name", each_of(*OF_THE_HUB, *SINGLE))
def test_the_whole_job_is_done(name: str, twins: Twins, images: tuple[Image, ...]) -> None:
    models = Models(bundle_with(name, twins))
    report = scored(models, images)
    assert report.questions
    assert list(report.scores) == list(GRID_METHODS)
    for scores in report.scores.values():
        assert all(score.value is not None and 0 <= score.value <= 1 for score in scores)
    assert report.set_scores
    for method in METHODS:
        assert sorted(rerank(report, method, images).ranking.order) == [0, 1, 2, 3]
    if name == "light":
        with pytest.raises(UnsuitableModelError, match="no model for the role 'language'"):
            next(contrast_check(report, images, models, EVERY_QUESTION))
    else:
        *_, checked = contrast_check(report, images, models, EVERY_QUESTION)
        assert len(checked.contradictions) == checked.total
    for method in (name for name in SCORERS if name != "itm" or models.bundle.matcher):
        scorer = SCORERS[method].build(models)
        (score,) = scorer.score(ScoringInput(TEXT, (PAIR,)), EncodedImages(images[:1]))
        assert score.value is not None, method
    for evaluator in EVALUATORS.values():
        *_, matrix = fit_matrices(COMMONSENSE, (images[:1], images[1:2]), evaluator(models))
        expected = expected_score(matrix)
        unread = any(None in fit.fits for row in matrix.fits for fit in row)
        assert unread if expected is None else 0 <= expected <= 1


@pytest.mark.parametrize("assessment", ["A", "B"])
@pytest.mark.parametrize("name", each_of(*(name for name in OF_THE_HUB if BUNDLES[name].inference)))
def test_every_assessment_has_its_models(
    name: str, assessment: Assessment, twins: Twins, images: tuple[Image, ...]
) -> None:
    asked = ScoringInput(TEXT, (PAIR,), Vq2Settings(assessment))
    scorer = SCORERS["vq2"].build(Models(twins.bundle(name)))
    (score,) = scorer.score(asked, EncodedImages(images[:1]))
    assert score.value is not None


def test_a_fine_tuned_checkpoint_plays_vnli_as_in_the_paper(
    twins: Twins, images: tuple[Image, ...]
) -> None:
    """Here the twin itself, from its folder: what counts is that it is loaded and called so."""
    folder = twins.build("paligemma-3b-mix")
    bundle = find_bundle(f"small+entailment=paligemma-3b-mix@{folder}")
    entailment = replace(bundle.entailment, memory_gb=0.01)
    scorer = SCORERS["vnli"].build(Models(replace(bundle, entailment=entailment)))
    plain = SCORERS["vnli"].build(Models(twins.bundle("small")))
    for model, training in ((scorer, ""), (plain, "|training:zero-shot")):
        (score,) = model.score(ScoringInput(TEXT), EncodedImages(images[:1]))
        assert str(score.signature) == f"VNLI|score:p(yes)/(p(yes)+p(no)){training}"
        assert score.value is not None


def test_every_model_of_the_hub_is_in_a_bundle_or_stands_alone() -> None:
    there = {getattr(BUNDLES[name], role.name) for name in OF_THE_HUB for role in fields(Bundle)}
    names = {each.name for each in there if hasattr(each, "source")}
    assert {*NAMES} <= names | {*SINGLE}
