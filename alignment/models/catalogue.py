"""Which models score a picture: a bundle names one for each role."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain
from pathlib import Path
from types import MappingProxyType
from typing import Any

from alignment.errors import UnknownBundleError, UnknownScoringModelError, UnsuitableModelError
from alignment.models.image_models import (
    BLIP2_ITM,
    BLIP2_XL,
    BLIP_ITM,
    BLIP_ITM_SMALL,
    CLIP_B32,
    CLIP_L14,
    CLIP_RN50X64,
    COCA_L14,
    COCA_L14_COCO,
    GEMMA4,
    ICON_VLM,
    IDEFICS3,
    PALIGEMMA_SMALL,
    QWEN3_VL_4B,
    QWEN3_VL_8B,
    SIGLIP2,
    SMOLVLM,
    SMOLVLM_SMALL,
    STICKER_CLIP,
)
from alignment.models.spec import Bundle, ScoringModel
from alignment.models.text_models import (
    DEBERTA_NLI,
    DEBERTA_NLI_SMALL,
    ENGLISH_PARSER,
    FLAN_T5,
    FLAN_T5_SMALL,
    PROMPT_PARSER,
    STICKER_T5,
    T5_QUESTION_WRITER,
    T5_SMALL_QUESTIONS,
    UNIFIED_QA,
    UNIFIED_QA_SMALL,
)

EMBEDDED = Bundle(
    "embedded",
    "Small models stored with the project: offline, on a CPU, about icons; CLIP about stickers.",
    parser=PROMPT_PARSER,
    question_writer=STICKER_T5,
    reader=STICKER_T5,
    answerer=ICON_VLM,
    entailment=ICON_VLM,
    clip=STICKER_CLIP,
    contradictor=STICKER_T5,
)
LIGHT = Bundle(
    "light",
    "Hub models for a laptop or a free CPU, about anything.",
    parser=PROMPT_PARSER,
    question_writer=T5_SMALL_QUESTIONS,
    reader=T5_SMALL_QUESTIONS,
    answerer=SMOLVLM_SMALL,
    entailment=SMOLVLM_SMALL,
    clip=CLIP_B32,
)
SMALL = Bundle(
    "small",
    "Hub models for a small GPU, beside a small text-to-image model.",
    parser=PROMPT_PARSER,
    question_writer=T5_QUESTION_WRITER,
    reader=UNIFIED_QA_SMALL,
    answerer=PALIGEMMA_SMALL,
    entailment=PALIGEMMA_SMALL,
    clip=CLIP_B32,
    matcher=BLIP_ITM_SMALL,
    inference=DEBERTA_NLI_SMALL,
    language=FLAN_T5_SMALL,
)
PAPER = Bundle(
    "paper",
    "As near to the publication as open weights allow.",
    parser=PROMPT_PARSER,
    question_writer=T5_QUESTION_WRITER,
    reader=UNIFIED_QA,
    answerer=BLIP2_XL,
    entailment=BLIP2_XL,
    clip=CLIP_L14,
    matcher=BLIP2_ITM,
    inference=DEBERTA_NLI,
    language=FLAN_T5,
)
MODERN = Bundle(
    "modern",
    "Open models of today, for a GPU.",
    parser=PROMPT_PARSER,
    question_writer=T5_QUESTION_WRITER,
    reader=UNIFIED_QA,
    answerer=QWEN3_VL_4B,
    entailment=QWEN3_VL_4B,
    clip=SIGLIP2,
    matcher=BLIP2_ITM,
    inference=DEBERTA_NLI,
    language=FLAN_T5_SMALL,
)
MODERN_LARGE = replace(
    MODERN,
    name="modern-8b",
    notes="The same with Qwen3-VL 8B, for a large GPU.",
    answerer=QWEN3_VL_8B,
    entailment=QWEN3_VL_8B,
    language=FLAN_T5,
)

BUNDLES = MappingProxyType(
    {
        bundle.name: bundle
        for bundle in (
            EMBEDDED,
            LIGHT,
            SMALL,
            PAPER,
            MODERN,
            MODERN_LARGE,
        )
    }
)
"""Every bundle by name."""

ROLES = MappingProxyType(
    {
        "parser": "parser",
        "question_writer": "text model",
        "reader": "text model",
        "answerer": "vision language model",
        "entailment": "vision language model",
        "clip": "contrastive model",
        "matcher": "image-text matcher",
        "inference": "textual inference model",
        "language": "text model",
        "contradictor": "text model",
    }
)
"""Role in a bundle -> the kind of model that can have it."""

ALONE = MappingProxyType(
    {
        "parser": (ENGLISH_PARSER,),
        "vision language model": (SMOLVLM, IDEFICS3, GEMMA4),
        "contrastive model": (CLIP_RN50X64, COCA_L14, COCA_L14_COCO),
        "image-text matcher": (BLIP_ITM,),
    }
)
"""Kind -> models that no bundle has, for one to take the place of another: see `find_model`."""

MODELS = MappingProxyType(
    {
        model.name: model
        for model in (
            *(each for bundle in BUNDLES.values() for each in bundle.models),
            *chain.from_iterable(ALONE.values()),
        )
    }
)
"""Every scoring model by name."""


def find_bundle(name: str) -> Bundle:
    """The bundle of that name, with other models for some of its roles where the name says so.

    Args:
        name: of a bundle; after it any number of `+ROLE=MODEL`, with a model in the
            sense of `find_model`.

    Raises:
        UnknownBundleError: there is none, or no such role; the error lists those there are.
        UnknownScoringModelError: there is no such model.
        UnsuitableModelError: the model is of another kind than the role wants.

    >>> find_bundle("embedded").clip.name
    'sticker-clip'
    >>> find_bundle("small+clip=clip-vit-l-14+entailment=paligemma-3b-mix@a/b").entailment.name
    'paligemma-3b-mix@a/b'
    """
    start, *changes = name.split("+")
    if start not in BUNDLES:
        raise UnknownBundleError(f"no bundle {start!r}; known: {', '.join(BUNDLES)}")
    if not changes:
        return BUNDLES[start]
    roles: dict[str, Any] = dict(_role(change) for change in changes)
    return replace(BUNDLES[start], name=name, **roles)


def find_model(name: str) -> ScoringModel:
    """The model of that name, to take a role in a bundle.

    Args:
        name: in `MODELS`; or `MODEL@SOURCE` for one of the same kind, fine-tuned to say whether a
            picture entails a text, from a hub id or a folder, whose full path is in its name: one
            folder has one name, however it is written.

    Raises:
        UnknownScoringModelError: there is none; the error lists those there are.

    >>> find_model("clip-rn50x64").source
    'timm/resnet50x64_clip.openai'
    >>> find_model("paligemma-3b-mix@somebody/vnli").source
    'somebody/vnli'
    """
    kind, _, source = name.partition("@")
    if kind not in MODELS:
        raise UnknownScoringModelError(f"no model {kind!r}; known: {', '.join(MODELS)}")
    return _fine_tuned(MODELS[kind], source) if source else MODELS[kind]


def _role(change: str) -> tuple[str, ScoringModel]:
    role, _, model = change.strip().partition("=")
    if role not in ROLES:
        raise UnknownBundleError(f"no role {role!r} in a bundle; known: {', '.join(ROLES)}")
    spec = find_model(model)
    kind = _kind(MODELS[model.partition("@")[0]])
    if kind != ROLES[role]:
        suitable = ", ".join(name for name, each in MODELS.items() if _kind(each) == ROLES[role])
        raise UnsuitableModelError(
            f"{model} is a {kind} and cannot be the {role}, which wants a {ROLES[role]}: {suitable}"
        )
    return role, spec


def _kind(spec: ScoringModel) -> str:
    """What a model is, known from a role that it has in a bundle, or from `ALONE`."""
    played = (
        kind
        for bundle in BUNDLES.values()
        for role, kind in ROLES.items()
        if getattr(bundle, role) == spec
    )
    alone = (kind for kind, models in ALONE.items() if spec in models)
    return next(chain(played, alone))


def _fine_tuned(kind: ScoringModel, source: str) -> ScoringModel:
    """The same kind of model with other weights, whose licence and size nobody knows here."""
    local = source.startswith((".", "/", "~")) or Path(source).is_dir()
    place = Path(source).expanduser().resolve() if local else source
    return replace(
        kind,
        name=f"{kind.name}@{place}",
        source=place,
        licence="not known",
        notes=f"Fine-tuned from {kind.name}.",
        fine_tuned=True,
    )
