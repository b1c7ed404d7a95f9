"""Tiny models under names of their own, beside those that the project knows."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

import pytest

import alignment
import generation
from alignment.calibration import asks_questions, save_calibration
from alignment.models.spec import Bundle, ScoringModel, Templates
from alignment.models.text_models import PROMPT_PARSER
from alignment.questions.settings import default_settings
from alignment.scorers import models_of
from tests.alignment.calibrations import IDENTITY
from tests.alignment.tiny_evaluators import save_clip, save_paligemma, save_text_model
from tests.tiny_pipelines import save_stable_diffusion, tiny_model

PROMPT = "a black apple and a green backpack"
"""What the tiny question writer has learned by heart."""


@contextmanager
def tiny_models(folder: Path, slow_steps: int = 3000) -> Iterator[None]:
    """While it lasts there are text-to-image models "tiny" and "slow", and the bundle "tiny"."""
    pipeline = tiny_pipeline(folder / "text-to-image model")
    slow = replace(pipeline, name="slow", steps=slow_steps, previews=slow_steps // 30)
    bundle = tiny_bundle(folder)
    with known([pipeline, slow], bundle), pytest.MonkeyPatch.context() as patch:
        patch.setattr(alignment.calibration, "CALIBRATIONS", folder / "calibration")
        save_calibrations(alignment.Models(bundle), folder / "calibration")
        yield


@contextmanager
def known(pipelines: Sequence[generation.ModelSpec], bundle: Bundle) -> Iterator[None]:
    """While it lasts these models have their names, in this process."""
    bundles = {**alignment.BUNDLES, bundle.name: bundle}
    with pytest.MonkeyPatch.context() as patch:
        for each in pipelines:
            patch.setitem(generation.MODELS, each.name, each)
        for room in (alignment, alignment.models.catalogue):
            patch.setattr(room, "BUNDLES", MappingProxyType(bundles))
        yield


def save_calibrations(models: alignment.Models, folder: Path) -> None:
    """Take the tiny models' scores for chances."""
    settings = default_settings("tiny")
    for method, each in IDENTITY.items():
        known = models_of(method, models, settings)
        asked = str(settings.signature) if asks_questions(method) else ""
        save_calibration(replace(each, models=known, settings=asked), folder)


def tiny_pipeline(folder: Path) -> generation.ModelSpec:
    save_stable_diffusion(folder)
    return tiny_model(folder)


def tiny_bundle(folder: Path) -> Bundle:
    saved = {"text": save_text_model, "vision": save_paligemma, "clip": save_clip}
    for name, save in saved.items():
        save(folder / name)
    text = ScoringModel("tiny-text", folder / "text", "none")
    asks = Templates(question="<image>{question}")
    vision = ScoringModel("tiny-vision", folder / "vision", "none", templates=asks)
    clip = ScoringModel("tiny-clip", folder / "clip", "none")
    roles = (PROMPT_PARSER, text, text, vision, vision, clip)
    return Bundle("tiny", "Random weights.", *roles, contradictor=text)
