"""Models of the catalogue that look at an image: vision language models, CLIP, matchers.

Sizes of hub models are those of their files, memory follows from their numbers of weights;
`make hub-check` holds them against the hub.
"""

from __future__ import annotations

from alignment.models.spec import (
    CHECKPOINTS,
    ICON_WORLD,
    ScoringModel,
    Templates,
)

ICON_VLM = ScoringModel(
    "icon-vlm",
    CHECKPOINTS / "icon-vlm",
    "Apache-2.0",
    Templates(question="<image>{question}", affirmative="yes"),
    size_gb=0.008,
    fine_tuned=True,
    memory_gb=0.03,
    knows=ICON_WORLD,
)
ICON_CLIP = ScoringModel(
    "icon-clip",
    CHECKPOINTS / "icon-clip",
    "Apache-2.0",
    size_gb=0.003,
    memory_gb=0.01,
    knows=ICON_WORLD,
)

YES_OR_NO = 'Does this figure show "{text}"? Please answer Yes or No.'
"""VQAScore as t2v_metrics 3.1 asks PaliGemma and chat models."""

PALIGEMMA_TEMPLATES = Templates(question="<image>answer en {question}", vqascore=YES_OR_NO)
PALIGEMMA_SMALL = ScoringModel(
    "paligemma-3b-mix",
    "google/paligemma-3b-mix-224",
    "Gemma terms",
    PALIGEMMA_TEMPLATES,
    gated=True,
    size_gb=11.7,
    memory_gb=5.9,
    image_tera=0.219,
    question_tera=1.187,
)
BLIP_FLAN_TEMPLATES = Templates(question="Question: {question} Short answer:")
"""As LAVIS asks before a Flan-T5 (VQAv2, GQA and OK-VQA, zero-shot)."""
BLIP2_XL = ScoringModel(
    "blip2-flan-t5-xl",
    "Salesforce/blip2-flan-t5-xl",
    "MIT",
    BLIP_FLAN_TEMPLATES,
    size_gb=15.8,
    memory_gb=7.9,
    image_tera=0.518,
    question_tera=0.2,
)
CHAT_TEMPLATES = Templates(
    free="{question} Answer in a word or two.",
    predicate="is {answer} true for {question} in this image? Answer yes or no.",
    same="Are {answer} and {seen} the same answer to {question} Answer yes or no.",
    entailment="Does this image entail the description: {text}? Answer yes or no.",
    vqascore=YES_OR_NO,
)
SMOLVLM_SMALL = ScoringModel(
    "smolvlm2-500m",
    "HuggingFaceTB/SmolVLM2-500M-Video-Instruct",
    "Apache-2.0",
    CHAT_TEMPLATES,
    size_gb=2.03,
    memory_gb=1.0,
    image_tera=0.253,
    question_tera=0.025,
    longest_edge=512,
    float16_is_safe=False,
)
SMOLVLM = ScoringModel(
    "smolvlm2-2.2b",
    "HuggingFaceTB/SmolVLM2-2.2B-Instruct",
    "Apache-2.0",
    CHAT_TEMPLATES,
    size_gb=9.0,
    memory_gb=4.5,
    float16_is_safe=False,
)
IDEFICS3 = ScoringModel(
    "idefics3-8b",
    "HuggingFaceM4/Idefics3-8B-Llama3",
    "Apache-2.0",
    CHAT_TEMPLATES,
    size_gb=16.9,
    memory_gb=16.9,
    float16_is_safe=False,
)
QWEN3_VL_4B = ScoringModel(
    "qwen3-vl-4b",
    "Qwen/Qwen3-VL-4B-Instruct",
    "Apache-2.0",
    CHAT_TEMPLATES,
    size_gb=8.9,
    memory_gb=8.9,
    image_tera=2.677,
    question_tera=0.292,
    float16_is_safe=False,
)
QWEN3_VL_8B = ScoringModel(
    "qwen3-vl-8b",
    "Qwen/Qwen3-VL-8B-Instruct",
    "Apache-2.0",
    CHAT_TEMPLATES,
    size_gb=17.5,
    memory_gb=17.5,
    image_tera=4.651,
    question_tera=0.558,
    float16_is_safe=False,
)
GEMMA4 = ScoringModel(
    "gemma4-e4b",
    "google/gemma-4-E4B-it",
    "Apache-2.0",
    CHAT_TEMPLATES,
    size_gb=15.9,
    memory_gb=15.9,
    float16_is_safe=False,
)

CLIP_B32 = ScoringModel(
    "clip-vit-b-32",
    "laion/CLIP-ViT-B-32-laion2B-s34B-b79K",
    "MIT",
    size_gb=0.6,
    memory_gb=0.6,
    quick_gelu=False,
)
CLIP_L14 = ScoringModel(
    "clip-vit-l-14",
    "timm/vit_large_patch14_clip_224.openai",
    "Apache-2.0",
    size_gb=1.71,
    memory_gb=1.71,
    quick_gelu=True,
)
CLIP_RN50X64 = ScoringModel(
    "clip-rn50x64",
    "timm/resnet50x64_clip.openai",
    "MIT",
    size_gb=2.49,
    memory_gb=2.49,
    quick_gelu=True,
)
COCA_L14 = ScoringModel(
    "coca-vit-l-14",
    "laion/CoCa-ViT-L-14-laion2B-s13B-b90k",
    "MIT",
    size_gb=2.55,
    memory_gb=2.55,
    quick_gelu=False,
    architecture="coca_ViT-L-14",
)
COCA_L14_COCO = ScoringModel(
    "coca-vit-l-14-coco",
    "laion/mscoco_finetuned_CoCa-ViT-L-14-laion2B-s13B-b90k",
    "MIT",
    size_gb=2.55,
    memory_gb=2.55,
    quick_gelu=False,
)
SIGLIP2 = ScoringModel(
    "siglip2-so400m",
    "timm/ViT-SO400M-14-SigLIP2",
    "Apache-2.0",
    size_gb=4.54,
    memory_gb=4.54,
    quick_gelu=False,
)

BLIP_ITM = ScoringModel(
    "blip-itm",
    "Salesforce/blip-itm-large-coco",
    "BSD-3-Clause",
    size_gb=1.79,
    memory_gb=0.9,
)
BLIP_ITM_SMALL = ScoringModel(
    "blip-itm-small",
    "Salesforce/blip-itm-base-coco",
    "BSD-3-Clause",
    size_gb=0.9,
    memory_gb=0.45,
)
BLIP2_ITM = ScoringModel(
    "blip2-itm",
    "Salesforce/blip2-itm-vit-g-coco",
    "MIT",
    size_gb=4.79,
    memory_gb=2.4,
)
