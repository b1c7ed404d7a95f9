"""Which models judge a picture: pure data, from a bundle's name to one `ModelSpec` per role.

Sizes of hub models are those of their files, memory follows from their numbers of weights;
`make hub-check` holds them against the hub.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from alignment.errors import UnknownBundleError, UnknownModelError

CHECKPOINTS = Path(__file__).resolve().parents[2] / "assets" / "checkpoints"
STICKER_WORLD = CHECKPOINTS.parent / "vocabulary.json"


@dataclass(frozen=True)
class Templates:
    """How a model wants to be spoken to; the words in braces are filled in."""

    write: str = "answer: {answer}  context: {context}"
    """Question writer: an answer and the whole text in, a question out. `{highlighted}` is the text
    with the answer between two `<hl>`."""
    read: str = "question: {question}  context: {context}"
    """Reader: a question and the whole text in, the answer out."""
    lower_case: bool = False
    """Reader: whether it was trained on lower-cased input."""
    question: str = "{question}"
    """Wraps whatever a vision model is asked."""
    free: str = "{question}"
    """Wraps a question that wants an answer in a word or two."""
    predicate: str = "is {answer} true for {question} in this image?"
    """Type C of VQ2: does the expected answer hold in the picture?"""
    same: str = "are {answer} and {seen} the same answer to {question}"
    """Type B of VQ2: does the answer seen in the picture say what the expected one says?"""
    entailment: str = "Does this image entail the description: {text}?"
    """VNLI: does the whole text hold in the picture?"""
    vqascore: str = 'Does this figure show "{text}"? Please answer yes or no.'
    """VQAScore: the same question in the words of Lin et al."""
    affirmative: str = "Yes"
    """VQAScore: the answer whose probability is the score, spelled as the model spells it."""
    contradict: str = "{examples}\nCaption: {text} | Contradicts: yes | Change:"
    """Language model: a prompt in, a caption that contradicts it out."""

    def writing(self, text: str, start: int, end: int) -> str:
        """What a question writer reads about the answer `text[start:end]`.

        >>> Templates(write="question: {highlighted}").writing("a red apple", 2, 5)
        'question: a <hl> red <hl> apple'
        """
        answer = text[start:end]
        highlighted = f"{text[:start]}<hl> {answer} <hl>{text[end:]}"
        return self.write.format(answer=answer, context=text, highlighted=highlighted)

    def reading(self, question: str, context: str) -> str:
        """What a reader reads."""
        text = self.read.format(question=question, context=context)
        return text.lower() if self.lower_case else text


@dataclass(frozen=True)
class ModelSpec:
    """One model that can be loaded; its role in a bundle says by which library."""

    name: str
    source: Path | str
    """A folder on this machine (`Path`) or a hub id or package name (`str`)."""
    licence: str
    notes: str = ""
    templates: Templates = Templates()
    size_gb: float = 0.0
    """What is downloaded or shipped, in units of 10^9 bytes."""
    memory_gb: float = 0.0
    """The weights as they are loaded on an accelerator: half precision, but for open_clip."""
    fine_tuned: bool = False
    """Whether it was trained to say if a picture entails a text; others are asked zero-shot."""
    architecture: str = ""
    """open_clip's own name for it, where its repository has no open_clip_config.json."""
    quick_gelu: bool | None = None
    """Whether open_clip's weights were trained with QuickGELU; None where it is not open_clip's."""
    float16_is_safe: bool = True
    """False where activations leave the range of float16, as in Gemma 2."""
    longest_edge: int | None = None
    """Pixels to which pictures are resized before they are cut into tiles; None as published."""

    knows: Path | None = None
    """A vocabulary file with all that the model knows; None for a model without such a limit."""

    @property
    def open_clip(self) -> bool:
        """Whether open_clip loads it: in single precision, whatever the device."""
        return self.quick_gelu is not None

    @property
    def embedded(self) -> bool:
        """Whether it is stored with the project."""
        return isinstance(self.source, Path) and self.source.is_relative_to(CHECKPOINTS)


@dataclass(frozen=True)
class Bundle:
    """A named choice of one model for each role; the last four serve the optional methods."""

    name: str
    notes: str
    parser: ModelSpec
    """Finds the answer spans of the prompt."""
    question_writer: ModelSpec
    """Writes a question for each span."""
    reader: ModelSpec
    """Answers the question from the prompt alone, to check it."""
    answerer: ModelSpec
    """Answers the question from the picture: VQ2, TIFA."""
    entailment: ModelSpec
    """Says whether the picture entails the prompt: VNLI, VQAScore."""
    clip: ModelSpec
    """Embeds pictures and prompt in one space: CLIP and similarity."""
    matcher: ModelSpec | None = None
    """Says whether picture and prompt belong together: ITM."""
    inference: ModelSpec | None = None
    """Says whether one text entails another: type A of VQ2, the choice of contradictions."""
    language: ModelSpec | None = None
    """Continues a text: enriches prompts, writes contradictions when it is shown how."""
    contradictor: ModelSpec | None = None
    """Writes contradictions because it was trained to."""

    @property
    def models(self) -> tuple[ModelSpec, ...]:
        """Every model of it, once, in the order of the roles."""
        chosen = (getattr(self, each.name) for each in fields(self))
        return tuple(dict.fromkeys(each for each in chosen if isinstance(each, ModelSpec)))

    @property
    def size_gb(self) -> float:
        """What its models take on a disk, together."""
        return sum(model.size_gb for model in self.models)

    @property
    def memory_gb(self) -> float:
        """What the weights of its models take when all are loaded."""
        return sum(model.memory_gb for model in self.models)


PROMPT_PARSER = ModelSpec(
    "prompt-parser",
    CHECKPOINTS / "prompt-parser",
    "CC BY-SA 4.0",
    "Trained on UD English EWT and caption-like text; knows GloVe word vectors.",
    size_gb=0.026,
    memory_gb=0.065,
)
STICKER_T5 = ModelSpec(
    "sticker-t5",
    CHECKPOINTS / "sticker-t5",
    "Apache-2.0",
    "Writes and reads questions about the sticker world, and contradicts captions of it.",
    Templates(contradict="contradict: {text}"),
    size_gb=0.006,
    memory_gb=0.02,
)
STICKER_VLM = ModelSpec(
    "sticker-vlm",
    CHECKPOINTS / "sticker-vlm",
    "Apache-2.0",
    "Sees the sticker world at 128 x 128.",
    Templates(question="<image>{question}", affirmative="yes"),
    size_gb=0.008,
    fine_tuned=True,
    memory_gb=0.03,
    knows=STICKER_WORLD,
)
STICKER_CLIP = ModelSpec(
    "sticker-clip",
    CHECKPOINTS / "sticker-clip",
    "Apache-2.0",
    "Knows the sticker world.",
    size_gb=0.003,
    memory_gb=0.01,
    knows=STICKER_WORLD,
)

ENGLISH_PARSER = ModelSpec(
    "en_core_web_lg",
    "en_core_web_lg",
    "MIT",
    "spaCy's large English pipeline; install it with `pip install '.[english-parser]'`.",
    size_gb=0.4,
    memory_gb=0.8,
)
T5_QUESTION_WRITER = ModelSpec(
    "t5-question-writer",
    "mrm8488/t5-base-finetuned-question-generation-ap",
    "Apache-2.0",
    "T5 base, fine-tuned on SQuAD 1.1 with answer and context in, question out.",
    size_gb=1.19,
    memory_gb=0.45,
)
UNIFIED_QA = ModelSpec(
    "unifiedqa-v2",
    "allenai/unifiedqa-v2-t5-large-1363200",
    "Apache-2.0",
    "T5 large, trained on SQuAD 2 and Natural Questions among others.",
    Templates(read="{question} \\n {context}", lower_case=True),
    size_gb=2.95,
    memory_gb=1.5,
)
UNIFIED_QA_SMALL = ModelSpec(
    "unifiedqa-v2-small",
    "allenai/unifiedqa-v2-t5-base-1363200",
    "Apache-2.0",
    "The same as unifiedqa-v2 at base width.",
    UNIFIED_QA.templates,
    size_gb=0.89,
    memory_gb=0.45,
)
T5_SMALL_QUESTIONS = ModelSpec(
    "t5-small-questions",
    "valhalla/t5-small-qa-qg-hl",
    "MIT",
    "T5 small, fine-tuned on SQuAD 1.1 to write questions and to answer them.",
    Templates(write="generate question: {highlighted}"),
    size_gb=0.24,
    memory_gb=0.12,
)

YES_OR_NO = 'Does this figure show "{text}"? Please answer Yes or No.'
"""VQAScore as t2v_metrics 3.1 asks PaliGemma and chat models."""

PALIGEMMA_TEMPLATES = Templates(question="<image>answer en {question}", vqascore=YES_OR_NO)
PALIGEMMA_SMALL = ModelSpec(
    "paligemma-3b-mix",
    "google/paligemma-3b-mix-224",
    "Gemma terms",
    "Accept the Gemma terms on the hub first.",
    PALIGEMMA_TEMPLATES,
    size_gb=11.7,
    memory_gb=5.9,
)
PALIGEMMA_LARGE = ModelSpec(
    "paligemma2-10b-mix",
    "google/paligemma2-10b-mix-448",
    "Gemma terms",
    "Accept the Gemma terms on the hub first.",
    PALIGEMMA_TEMPLATES,
    size_gb=19.3,
    memory_gb=19.3,
    float16_is_safe=False,
)
BLIP_VQA = ModelSpec(
    "blip-vqa",
    "Salesforce/blip-vqa-base",
    "BSD-3-Clause",
    "Answers in a word; never trained to judge a stated answer.",
    size_gb=1.54,
    memory_gb=0.72,
)
BLIP_FLAN_TEMPLATES = Templates(question="Question: {question} Short answer:")
"""As LAVIS asks both before a Flan-T5 (VQAv2, GQA and OK-VQA, zero-shot)."""
BLIP2_XL = ModelSpec(
    "blip2-flan-t5-xl",
    "Salesforce/blip2-flan-t5-xl",
    "MIT",
    "Stands in for PaLI, whose weights were never published.",
    BLIP_FLAN_TEMPLATES,
    size_gb=15.8,
    memory_gb=7.9,
)
INSTRUCTBLIP_XL = ModelSpec(
    "instructblip-flan-t5-xl",
    "Salesforce/instructblip-flan-t5-xl",
    "MIT",
    "Its queries read the question too.",
    BLIP_FLAN_TEMPLATES,
    size_gb=16.1,
    memory_gb=8.0,
)
CHAT_TEMPLATES = Templates(
    free="{question} Answer in a word or two.",
    predicate="is {answer} true for {question} in this image? Answer yes or no.",
    same="Are {answer} and {seen} the same answer to {question} Answer yes or no.",
    entailment="Does this image entail the description: {text}? Answer yes or no.",
    vqascore=YES_OR_NO,
)
SMOLVLM_SMALL = ModelSpec(
    "smolvlm2-500m",
    "HuggingFaceTB/SmolVLM2-500M-Video-Instruct",
    "Apache-2.0",
    "A chat model for a laptop; sees a picture as one tile of 512 x 512 pixels.",
    CHAT_TEMPLATES,
    size_gb=2.03,
    memory_gb=1.0,
    longest_edge=512,
)
SMOLVLM = ModelSpec(
    "smolvlm2-2.2b",
    "HuggingFaceTB/SmolVLM2-2.2B-Instruct",
    "Apache-2.0",
    "A chat model that fits beside a text-to-image model on a small GPU.",
    CHAT_TEMPLATES,
    size_gb=9.0,
    memory_gb=4.5,
)
IDEFICS3 = ModelSpec(
    "idefics3-8b",
    "HuggingFaceM4/Idefics3-8B-Llama3",
    "Apache-2.0",
    "A chat model; splits large pictures into tiles.",
    CHAT_TEMPLATES,
    size_gb=16.9,
    memory_gb=16.9,
)
QWEN_VL = ModelSpec(
    "qwen2.5-vl-7b",
    "Qwen/Qwen2.5-VL-7B-Instruct",
    "Apache-2.0",
    "A chat model; sees pictures at their own resolution.",
    CHAT_TEMPLATES,
    size_gb=16.6,
    memory_gb=16.6,
)
QWEN3_VL_4B = ModelSpec(
    "qwen3-vl-4b",
    "Qwen/Qwen3-VL-4B-Instruct",
    "Apache-2.0",
    "A chat model of 2025; sees pictures at their own resolution.",
    CHAT_TEMPLATES,
    size_gb=8.9,
    memory_gb=8.9,
)
QWEN3_VL_8B = ModelSpec(
    "qwen3-vl-8b",
    "Qwen/Qwen3-VL-8B-Instruct",
    "Apache-2.0",
    "The same as qwen3-vl-4b with twice the weights.",
    CHAT_TEMPLATES,
    size_gb=17.5,
    memory_gb=17.5,
)
GEMMA4 = ModelSpec(
    "gemma4-e4b",
    "google/gemma-4-E4B-it",
    "Apache-2.0",
    "A chat model of 2026 by another maker than Qwen's.",
    CHAT_TEMPLATES,
    size_gb=15.9,
    memory_gb=15.9,
    float16_is_safe=False,
)

CLIP_B32 = ModelSpec(
    "clip-vit-b-32",
    "laion/CLIP-ViT-B-32-laion2B-s34B-b79K",
    "MIT",
    "The common small CLIP.",
    size_gb=0.6,
    memory_gb=0.6,
    quick_gelu=False,
)
CLIP_L14 = ModelSpec(
    "clip-vit-l-14",
    "timm/vit_large_patch14_clip_224.openai",
    "Apache-2.0",
    "The paper's CLIP ViT-L/14 in open_clip's form; OpenAI's original is under MIT.",
    size_gb=1.71,
    memory_gb=1.71,
    quick_gelu=True,
)
CLIP_RN50X64 = ModelSpec(
    "clip-rn50x64",
    "timm/resnet50x64_clip.openai",
    "MIT",
    "The paper's CLIP RN50x64; its configuration names QuickGELU, with which it was trained.",
    size_gb=2.49,
    memory_gb=2.49,
    quick_gelu=True,
)
COCA_L14 = ModelSpec(
    "coca-vit-l-14",
    "laion/CoCa-ViT-L-14-laion2B-s13B-b90k",
    "MIT",
    "The paper's CoCa.",
    size_gb=2.55,
    memory_gb=2.55,
    quick_gelu=False,
    architecture="coca_ViT-L-14",
)
COCA_L14_COCO = ModelSpec(
    "coca-vit-l-14-coco",
    "laion/mscoco_finetuned_CoCa-ViT-L-14-laion2B-s13B-b90k",
    "MIT",
    "The paper's CoCa, fine-tuned on captions of COCO.",
    size_gb=2.55,
    memory_gb=2.55,
    quick_gelu=False,
)
SIGLIP2 = ModelSpec(
    "siglip2-so400m",
    "timm/ViT-SO400M-14-SigLIP2",
    "Apache-2.0",
    "Its cosines are lower than CLIP's; compare only within one model.",
    size_gb=4.54,
    memory_gb=4.54,
    quick_gelu=False,
)

BLIP_ITM = ModelSpec(
    "blip-itm",
    "Salesforce/blip-itm-large-coco",
    "BSD-3-Clause",
    "The paper's BLIP.",
    size_gb=1.79,
    memory_gb=0.9,
)
BLIP_ITM_SMALL = ModelSpec(
    "blip-itm-small",
    "Salesforce/blip-itm-base-coco",
    "BSD-3-Clause",
    "The same as blip-itm at base width.",
    size_gb=0.9,
    memory_gb=0.45,
)
BLIP2_ITM = ModelSpec(
    "blip2-itm",
    "Salesforce/blip2-itm-vit-g-coco",
    "MIT",
    "The paper's BLIP-2 (COCO).",
    size_gb=4.79,
    memory_gb=2.4,
)

DEBERTA_NLI = ModelSpec(
    "deberta-nli-large",
    "MoritzLaurer/DeBERTa-v3-large-mnli-fever-anli-ling-wanli",
    "MIT",
    "Stands in for the T5-XXL of the paper, which needs 45 GB.",
    size_gb=1.74,
    memory_gb=0.87,
)
DEBERTA_NLI_SMALL = ModelSpec(
    "deberta-nli",
    "cross-encoder/nli-deberta-v3-base",
    "Apache-2.0",
    "Entailment, neutral, contradiction.",
    size_gb=0.74,
    memory_gb=0.37,
)
FLAN_T5 = ModelSpec(
    "flan-t5-xl",
    "google/flan-t5-xl",
    "Apache-2.0",
    "Stands in for PaLM, whose weights were never published.",
    size_gb=11.4,
    memory_gb=5.7,
)
FLAN_T5_SMALL = ModelSpec(
    "flan-t5-large",
    "google/flan-t5-large",
    "Apache-2.0",
    "The same as flan-t5-xl at large width.",
    size_gb=3.13,
    memory_gb=1.6,
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
    contradictor=STICKER_T5,
)
SMALL = Bundle(
    "small",
    "Hub models that fit a GPU of 16 GB, beside a small text-to-image model.",
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
    "Open models of today, for a GPU of 24 GB.",
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
    notes="The same with Qwen3-VL 8B, for a GPU of 40 GB.",
    answerer=QWEN3_VL_8B,
    entailment=QWEN3_VL_8B,
    language=FLAN_T5,
)
MODERN_2025 = replace(
    MODERN_LARGE,
    name="modern-2025",
    notes="What `modern` was before, to compare with.",
    answerer=QWEN_VL,
    entailment=PALIGEMMA_LARGE,
)

BUNDLES = MappingProxyType(
    {
        bundle.name: bundle
        for bundle in (EMBEDDED, LIGHT, SMALL, PAPER, MODERN, MODERN_LARGE, MODERN_2025)
    }
)
"""Every bundle by name."""

ALONE = (
    ENGLISH_PARSER,
    BLIP_VQA,
    INSTRUCTBLIP_XL,
    SMOLVLM,
    IDEFICS3,
    GEMMA4,
    CLIP_RN50X64,
    COCA_L14,
    COCA_L14_COCO,
    BLIP_ITM,
)
"""Models that no bundle has, for one to take the place of another: see `find_model`."""

MODELS = MappingProxyType(
    {
        model.name: model
        for model in (*(each for bundle in BUNDLES.values() for each in bundle.models), *ALONE)
    }
)
"""Every judge by name."""


def find_bundle(name: str) -> Bundle:
    """The bundle of that name, with other models for some of its roles where the name says so.

    Args:
        name: of a bundle; after it any number of `+ROLE=MODEL`, with a model in the
            sense of `find_model`.

    Raises:
        UnknownBundleError: there is none, or no such role; the error lists those there are.
        UnknownModelError: there is no such model.

    >>> find_bundle("embedded").clip.name
    'sticker-clip'
    >>> find_bundle("small+clip=clip-vit-l-14+entailment=paligemma-3b-mix@./mine").entailment.name
    'paligemma-3b-mix@./mine'
    """
    start, *changes = name.split("+")
    if start not in BUNDLES:
        raise UnknownBundleError(f"no bundle {start!r}; known: {', '.join(BUNDLES)}")
    if not changes:
        return BUNDLES[start]
    roles: dict[str, Any] = dict(_role(change) for change in changes)
    return replace(BUNDLES[start], name=name, **roles)


def find_model(name: str) -> ModelSpec:
    """The model of that name, to take a role in a bundle.

    Args:
        name: in `MODELS`; or `MODEL@SOURCE` for one of the same kind, fine-tuned to say whether a
            picture entails a text, from a folder or a hub id.

    Raises:
        UnknownModelError: there is none; the error lists those there are.

    >>> find_model("clip-rn50x64").source
    'timm/resnet50x64_clip.openai'
    >>> find_model("paligemma-3b-mix@somebody/vnli").source
    'somebody/vnli'
    """
    kind, _, source = name.partition("@")
    if kind not in MODELS:
        raise UnknownModelError(f"no model {kind!r}; known: {', '.join(MODELS)}")
    return _fine_tuned(MODELS[kind], source) if source else MODELS[kind]


def _role(change: str) -> tuple[str, ModelSpec]:
    role, _, model = change.strip().partition("=")
    known = [each.name for each in fields(Bundle) if each.name not in ("name", "notes")]
    if role not in known:
        raise UnknownBundleError(f"no role {role!r} in a bundle; known: {', '.join(known)}")
    return role, find_model(model)


def _fine_tuned(kind: ModelSpec, source: str) -> ModelSpec:
    """The same kind of model with other weights, whose licence and size nobody knows here."""
    local = source.startswith((".", "/", "~")) or Path(source).is_dir()
    return replace(
        kind,
        name=f"{kind.name}@{source}",
        source=Path(source).expanduser() if local else source,
        licence="not known",
        notes=f"Fine-tuned from {kind.name}.",
        fine_tuned=True,
    )
