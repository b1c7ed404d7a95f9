"""Tiny judges saved once where checkpoints would be, and loaded as any model is."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image as PillowImage
from PIL.Image import Image

from alignment.models.loading import Models
from alignment.models.spec import Bundle, ScoringModel, Templates
from tests.alignment.models.tiny_adapters import save_blip_itm, save_inference
from tests.alignment.tiny_evaluators import (
    save_blip2,
    save_clip,
    save_language_model,
    save_paligemma,
    save_text_model,
)


@pytest.fixture(scope="session")
def text_spec(tmp_path_factory: pytest.TempPathFactory) -> ScoringModel:
    folder: Path = tmp_path_factory.mktemp("tiny-text")
    save_text_model(folder)
    return ScoringModel("tiny-text", folder, "none")


@pytest.fixture(scope="session")
def language_spec(tmp_path_factory: pytest.TempPathFactory) -> ScoringModel:
    folder: Path = tmp_path_factory.mktemp("tiny-language")
    save_language_model(folder)
    return ScoringModel("tiny-language", folder, "none")


@pytest.fixture(scope="session")
def paligemma_spec(tmp_path_factory: pytest.TempPathFactory) -> ScoringModel:
    folder: Path = tmp_path_factory.mktemp("tiny-paligemma")
    save_paligemma(folder)
    return ScoringModel(
        "tiny-paligemma", folder, "none", templates=Templates(question="<image>{question}")
    )


@pytest.fixture(scope="session")
def blip2_spec(tmp_path_factory: pytest.TempPathFactory) -> ScoringModel:
    folder: Path = tmp_path_factory.mktemp("tiny-blip2")
    save_blip2(folder)
    return ScoringModel("tiny-blip2", folder, "none")


@pytest.fixture(scope="session")
def clip_spec(tmp_path_factory: pytest.TempPathFactory) -> ScoringModel:
    folder: Path = tmp_path_factory.mktemp("tiny-clip")
    save_clip(folder)
    return ScoringModel("tiny-clip", folder, "none")


@pytest.fixture(scope="session")
def blip_itm_spec(tmp_path_factory: pytest.TempPathFactory) -> ScoringModel:
    folder: Path = tmp_path_factory.mktemp("tiny-blip-itm")
    save_blip_itm(folder)
    return ScoringModel("tiny-blip-itm", folder, "none")


@pytest.fixture(scope="session")
def inference_spec(tmp_path_factory: pytest.TempPathFactory) -> ScoringModel:
    folder: Path = tmp_path_factory.mktemp("tiny-inference")
    save_inference(folder)
    return ScoringModel("tiny-inference", folder, "none")


@pytest.fixture(scope="session")
def models(
    text_spec: ScoringModel,
    paligemma_spec: ScoringModel,
    clip_spec: ScoringModel,
    blip_itm_spec: ScoringModel,
    inference_spec: ScoringModel,
    language_spec: ScoringModel,
    tmp_path_factory: pytest.TempPathFactory,
) -> Models:
    """A bundle of tiny models; its parser folder is missing on purpose."""
    nowhere = ScoringModel("no-parser", tmp_path_factory.mktemp("empty") / "parser", "none")
    return Models(
        Bundle(
            "tiny",
            "Random weights.",
            parser=nowhere,
            question_writer=text_spec,
            reader=text_spec,
            answerer=paligemma_spec,
            entailment=paligemma_spec,
            clip=clip_spec,
            matcher=blip_itm_spec,
            inference=inference_spec,
            language=language_spec,
        )
    )


@pytest.fixture(scope="session")
def images() -> tuple[Image, ...]:
    """Four plain pictures of different colours."""
    return tuple(
        PillowImage.new("RGB", (48, 48), name) for name in ("red", "green", "navy", "pink")
    )
