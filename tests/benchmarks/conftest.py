"""Tiny judges that read prompts with the embedded parser."""

from __future__ import annotations

import pytest

from alignment.models.loading import Models
from alignment.models.spec import Bundle, ScoringModel, Templates
from alignment.models.text_models import PROMPT_PARSER
from tests.alignment.tiny_evaluators import save_clip, save_paligemma, save_text_model


@pytest.fixture(scope="session")
def models(tmp_path_factory: pytest.TempPathFactory) -> Models:
    if not PROMPT_PARSER.source.is_dir():
        pytest.skip("no trained prompt-parser: python -m recipes parser")
    folder = tmp_path_factory.mktemp("tiny-judges")
    for save in (save_text_model, save_paligemma, save_clip):
        save(folder / save.__name__)
    text = ScoringModel("text", folder / "save_text_model", "none")
    question = Templates(question="<image>{question}")
    vision = ScoringModel("vision", folder / "save_paligemma", "none", templates=question)
    clip = ScoringModel("clip", folder / "save_clip", "none")
    return Models(
        Bundle("tiny", "Random weights.", PROMPT_PARSER, text, text, vision, vision, clip)
    )
