"""Tiny judges saved once where checkpoints would be, and loaded as any model is."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image as PillowImage
from PIL.Image import Image

from alignment.models.catalogue import BUNDLES
from alignment.models.loading import Models
from alignment.models.spec import Bundle, ScoringModel, Templates
from tests.alignment.tiny_evaluators import (
    save_blip2,
    save_blip_itm,
    save_clip,
    save_inference,
    save_language_model,
    save_paligemma,
    save_text_model,
)

EMBEDDED = Models(BUNDLES["embedded"])


@pytest.fixture(scope="session")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., ScoringModel]:
    """Saves a model with random weights under a name."""

    def saved(name: str, save: Callable[[Path], None], **options: Templates) -> ScoringModel:
        folder: Path = tmp_path_factory.mktemp(name)
        save(folder)
        return ScoringModel(name, folder, "none", **options)

    return saved


def spec(name: str, save: Callable[[Path], None], **options: Templates) -> Any:
    """A fixture: the model under a name, saved once."""

    @pytest.fixture(scope="session")
    def saved(tiny: Callable[..., ScoringModel]) -> ScoringModel:
        return tiny(name, save, **options)

    return saved


text_spec = spec("tiny-text", save_text_model)
language_spec = spec("tiny-language", save_language_model)
paligemma_spec = spec(
    "tiny-paligemma", save_paligemma, templates=Templates(question="<image>{question}")
)
blip2_spec = spec("tiny-blip2", save_blip2)
clip_spec = spec("tiny-clip", save_clip)
blip_itm_spec = spec("tiny-blip-itm", save_blip_itm)
inference_spec = spec("tiny-inference", save_inference)


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
    """Four plain images of different colours."""
    return tuple(
        PillowImage.new("RGB", (48, 48), name) for name in ("red", "green", "navy", "pink")
    )
