"""Models of the catalogue that read and write text: parsers, question writers, readers, inference.

Sizes of hub models are those of their files, memory follows from their numbers of weights;
`make hub-check` holds them against the hub.
"""

from __future__ import annotations

from alignment.models.spec import CHECKPOINTS, ScoringModel, Templates

PROMPT_PARSER = ScoringModel(
    "prompt-parser",
    CHECKPOINTS / "prompt-parser",
    "CC BY-SA 4.0",
    size_gb=0.026,
    memory_gb=0.065,
)
STICKER_T5 = ScoringModel(
    "sticker-t5",
    CHECKPOINTS / "sticker-t5",
    "Apache-2.0",
    Templates(
        write="answer: {answer}  context: {highlighted}",
        contradict="contradict: {text}",
    ),
    size_gb=0.006,
    memory_gb=0.02,
)

ENGLISH_PARSER = ScoringModel(
    "en_core_web_lg",
    "en_core_web_lg",
    "MIT",
    size_gb=0.4,
    memory_gb=0.8,
)
T5_QUESTION_WRITER = ScoringModel(
    "t5-question-writer",
    "mrm8488/t5-base-finetuned-question-generation-ap",
    "Apache-2.0",
    size_gb=1.19,
    memory_gb=0.45,
)
UNIFIED_QA = ScoringModel(
    "unifiedqa-v2",
    "allenai/unifiedqa-v2-t5-large-1363200",
    "Apache-2.0",
    Templates(read="{question} \\n {context}", lower_case=True),
    size_gb=2.95,
    memory_gb=1.5,
)
UNIFIED_QA_SMALL = ScoringModel(
    "unifiedqa-v2-small",
    "allenai/unifiedqa-v2-t5-base-1363200",
    "Apache-2.0",
    UNIFIED_QA.templates,
    size_gb=0.89,
    memory_gb=0.45,
)
T5_SMALL_QUESTIONS = ScoringModel(
    "t5-small-questions",
    "valhalla/t5-small-qa-qg-hl",
    "MIT",
    Templates(write="generate question: {highlighted}"),
    size_gb=0.24,
    memory_gb=0.12,
)

DEBERTA_NLI = ScoringModel(
    "deberta-nli-large",
    "MoritzLaurer/DeBERTa-v3-large-mnli-fever-anli-ling-wanli",
    "MIT",
    size_gb=1.74,
    memory_gb=0.87,
)
DEBERTA_NLI_SMALL = ScoringModel(
    "deberta-nli",
    "cross-encoder/nli-deberta-v3-base",
    "Apache-2.0",
    size_gb=0.74,
    memory_gb=0.37,
)
FLAN_T5 = ScoringModel(
    "flan-t5-xl",
    "google/flan-t5-xl",
    "Apache-2.0",
    size_gb=11.4,
    memory_gb=5.7,
)
FLAN_T5_SMALL = ScoringModel(
    "flan-t5-large",
    "google/flan-t5-large",
    "Apache-2.0",
    size_gb=3.13,
    memory_gb=1.6,
)
