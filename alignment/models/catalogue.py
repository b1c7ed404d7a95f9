"""Which models score an image: a bundle names one for each role."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain
from pathlib import Path
from types import MappingProxyType
from typing import Any

from alignment.errors import UnknownBundleError, UnknownScoringModelError, UnsuitableModelError
from alignment.models import image_models as image
from alignment.models import text_models as text
from alignment.models.spec import Bundle, ScoringModel

EMBEDDED = Bundle(
    "embedded",
    "Small models stored with the project: offline, on a CPU, about icons.",
    parser=text.PROMPT_PARSER,
    question_writer=text.STICKER_T5,
    reader=text.STICKER_T5,
    answerer=image.ICON_VLM,
    entailment=image.ICON_VLM,
    clip=image.ICON_CLIP,
    contradictor=text.STICKER_T5,
)
LIGHT = Bundle(
    "light",
    "Hub models for a laptop or a free CPU, about anything.",
    parser=text.PROMPT_PARSER,
    question_writer=text.T5_SMALL_QUESTIONS,
    reader=text.T5_SMALL_QUESTIONS,
    answerer=image.SMOLVLM_SMALL,
    entailment=image.SMOLVLM_SMALL,
    clip=image.CLIP_B32,
)
SMALL = Bundle(
    "small",
    "Hub models for a small GPU, beside a small text-to-image model.",
    parser=text.PROMPT_PARSER,
    question_writer=text.T5_QUESTION_WRITER,
    reader=text.UNIFIED_QA_SMALL,
    answerer=image.PALIGEMMA_SMALL,
    entailment=image.PALIGEMMA_SMALL,
    clip=image.CLIP_B32,
    matcher=image.BLIP_ITM_SMALL,
    inference=text.DEBERTA_NLI_SMALL,
    language=text.FLAN_T5_SMALL,
)
PAPER = Bundle(
    "paper",
    "As near to the publication as open weights allow.",
    parser=text.PROMPT_PARSER,
    question_writer=text.T5_QUESTION_WRITER,
    reader=text.UNIFIED_QA,
    answerer=image.BLIP2_XL,
    entailment=image.BLIP2_XL,
    clip=image.CLIP_L14,
    matcher=image.BLIP2_ITM,
    inference=text.DEBERTA_NLI,
    language=text.FLAN_T5,
)
MODERN = Bundle(
    "modern",
    "Open models of today, for a GPU.",
    parser=text.PROMPT_PARSER,
    question_writer=text.T5_QUESTION_WRITER,
    reader=text.UNIFIED_QA,
    answerer=image.QWEN3_VL_4B,
    entailment=image.QWEN3_VL_4B,
    clip=image.SIGLIP2,
    matcher=image.BLIP2_ITM,
    inference=text.DEBERTA_NLI,
    language=text.FLAN_T5_SMALL,
)
MODERN_LARGE = replace(
    MODERN,
    name="modern-8b",
    notes="The same with Qwen3-VL 8B, for a large GPU.",
    answerer=image.QWEN3_VL_8B,
    entailment=image.QWEN3_VL_8B,
    language=text.FLAN_T5,
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
        "parser": (text.ENGLISH_PARSER,),
        "vision language model": (image.SMOLVLM, image.IDEFICS3, image.GEMMA4),
        "contrastive model": (image.CLIP_RN50X64, image.COCA_L14, image.COCA_L14_COCO),
        "image-text matcher": (image.BLIP_ITM,),
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
    'icon-clip'
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
        name: in `MODELS`; or `MODEL@SOURCE` for one of the same kind, fine-tuned to say whether an
            image entails a text, from a hub id or a folder, whose full path is in its name: one
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
        fine_tuned=True,
    )
