"""Which models judge a picture: pure data, from a bundle's name to one `ModelSpec` per role."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from alignment.errors import UnknownBundleError

CHECKPOINTS = Path(__file__).resolve().parent.parent / "assets" / "checkpoints"


@dataclass(frozen=True)
class Templates:
    """How a model wants to be spoken to; the words in braces are filled in."""

    write: str = "answer: {answer}  context: {context}"
    """Question writer: an answer and the whole text in, a question out."""
    read: str = "question: {question}  context: {context}"
    """Reader: a question and the whole text in, the answer out."""
    question: str = "{question}"
    """Wraps whatever a vision model is asked."""
    predicate: str = "is {answer} true for {question} in this image?"
    """Type C of VQ2: does the expected answer hold in the picture?"""
    entailment: str = "Does this image entail the description: {text}?"
    """VNLI: does the whole text hold in the picture?"""


@dataclass(frozen=True)
class ModelSpec:
    """One model that can be loaded; its role in a bundle says by which library."""

    name: str
    source: Path | str
    """A folder on this machine (`Path`) or a hub id or package name (`str`)."""
    licence: str
    notes: str = ""
    templates: Templates = Templates()


@dataclass(frozen=True)
class Bundle:
    """A named choice of one model for each role."""

    name: str
    notes: str
    parser: ModelSpec
    """Finds the answer spans of the prompt."""
    question_writer: ModelSpec
    """Writes a question for each span."""
    reader: ModelSpec
    """Answers the question from the prompt alone, to check it."""
    answerer: ModelSpec
    """Answers the question from the picture: VQ2."""
    entailment: ModelSpec
    """Says whether the picture entails the prompt: VNLI."""
    clip: ModelSpec
    """Embeds pictures and prompt in one space: CLIP and similarity."""


PROMPT_PARSER = ModelSpec(
    "prompt-parser",
    CHECKPOINTS / "prompt-parser",
    "CC BY-SA 4.0",
    "Trained on UD English EWT and caption-like text.",
)
STICKER_T5 = ModelSpec(
    "sticker-t5",
    CHECKPOINTS / "sticker-t5",
    "Apache-2.0",
    "Writes and reads questions about the sticker world; one model for both.",
)
STICKER_VLM = ModelSpec(
    "sticker-vlm",
    CHECKPOINTS / "sticker-vlm",
    "Apache-2.0",
    "Sees the sticker world at 128 x 128.",
    Templates(question="<image>{question}"),
)
STICKER_CLIP = ModelSpec(
    "sticker-clip",
    CHECKPOINTS / "sticker-clip",
    "Apache-2.0",
    "Knows the sticker world.",
)

T5_QUESTION_WRITER = ModelSpec(
    "t5-question-writer",
    "mrm8488/t5-base-finetuned-question-generation-ap",
    "Apache-2.0",
    "T5 base, fine-tuned on SQuAD 1.1 with answer and context in, question out.",
)
UNIFIED_QA = ModelSpec(
    "unifiedqa-v2",
    "allenai/unifiedqa-v2-t5-large-1363200",
    "Apache-2.0",
    "T5 large, trained on SQuAD 2 and Natural Questions among others.",
    Templates(read="{question} \\n {context}"),
)
UNIFIED_QA_SMALL = ModelSpec(
    "unifiedqa-v2-small",
    "allenai/unifiedqa-v2-t5-base-1363200",
    "Apache-2.0",
    "The same as unifiedqa-v2 at base width.",
    UNIFIED_QA.templates,
)
ENGLISH_PARSER = ModelSpec(
    "en_core_web_lg", "en_core_web_lg", "MIT", "spaCy's large English pipeline."
)

PALIGEMMA_TEMPLATES = Templates(question="<image>answer en {question}")
PALIGEMMA_SMALL = ModelSpec(
    "paligemma-3b-mix",
    "google/paligemma-3b-mix-224",
    "Gemma terms",
    "Accept the Gemma terms on the hub first.",
    PALIGEMMA_TEMPLATES,
)
PALIGEMMA_LARGE = ModelSpec(
    "paligemma2-10b-mix",
    "google/paligemma2-10b-mix-448",
    "Gemma terms",
    "Accept the Gemma terms on the hub first; wants about 24 GB.",
    PALIGEMMA_TEMPLATES,
)
BLIP2_TEMPLATES = Templates(question="Question: {question} Answer:")
BLIP2_XL = ModelSpec(
    "blip2-flan-t5-xl",
    "Salesforce/blip2-flan-t5-xl",
    "MIT",
    "Stands in for PaLI, whose weights were never published; wants about 8 GB.",
    BLIP2_TEMPLATES,
)

CLIP_B32 = ModelSpec(
    "clip-vit-b-32",
    "laion/CLIP-ViT-B-32-laion2B-s34B-b79K",
    "MIT",
    "The common small CLIP.",
)
CLIP_L14 = ModelSpec(
    "clip-vit-l-14",
    "timm/vit_large_patch14_clip_224.openai",
    "MIT",
    "The paper's CLIP ViT-L/14 in open_clip's form.",
)
SIGLIP2 = ModelSpec(
    "siglip2-so400m",
    "timm/ViT-SO400M-14-SigLIP2",
    "Apache-2.0",
    "Its cosines are lower than CLIP's; compare only within one model.",
)

EMBEDDED = Bundle(
    "embedded",
    "Small models stored with the project: offline, on a CPU, about stickers only.",
    parser=PROMPT_PARSER,
    question_writer=STICKER_T5,
    reader=STICKER_T5,
    answerer=STICKER_VLM,
    entailment=STICKER_VLM,
    clip=STICKER_CLIP,
)
SMALL = Bundle(
    "small",
    "Hub models that fit a free GPU.",
    parser=PROMPT_PARSER,
    question_writer=T5_QUESTION_WRITER,
    reader=UNIFIED_QA_SMALL,
    answerer=PALIGEMMA_SMALL,
    entailment=PALIGEMMA_SMALL,
    clip=CLIP_B32,
)
PAPER = Bundle(
    "paper",
    "As near to the publication as open weights allow.",
    parser=ENGLISH_PARSER,
    question_writer=T5_QUESTION_WRITER,
    reader=UNIFIED_QA,
    answerer=BLIP2_XL,
    entailment=BLIP2_XL,
    clip=CLIP_L14,
)
MODERN = Bundle(
    "modern",
    "Larger open models of today, for one large GPU.",
    parser=PROMPT_PARSER,
    question_writer=T5_QUESTION_WRITER,
    reader=UNIFIED_QA,
    answerer=PALIGEMMA_LARGE,
    entailment=PALIGEMMA_LARGE,
    clip=SIGLIP2,
)

BUNDLES = MappingProxyType({bundle.name: bundle for bundle in (EMBEDDED, SMALL, PAPER, MODERN)})
"""Every bundle by name."""


def find_bundle(name: str) -> Bundle:
    """The bundle of that name.

    Raises:
        UnknownBundleError: there is none; the error lists those there are.

    >>> find_bundle("embedded").clip.name
    'sticker-clip'
    """
    if name not in BUNDLES:
        raise UnknownBundleError(f"no bundle {name!r}; known: {', '.join(BUNDLES)}")
    return BUNDLES[name]
