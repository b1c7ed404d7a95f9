"""Figures as the publications print them, each with its source."""

from __future__ import annotations

import re
from statistics import fmean

RATINGS = "tifa160-likert-anns.csv"
CORRELATIONS = {
    ("mplug_vq2a", False): (0.212, 0.164),
    ("pali17b_vq2a", False): (0.207, 0.157),
    ("mplug_dsg", False): (0.464, 0.378),
    ("mplug_dsg", True): (0.463, 0.380),
    ("pali17b_dsg", False): (0.570, 0.457),
    ("pali17b_dsg", True): (0.571, 0.458),
}
"""File of answers, and whether dependencies count -> Spearman, Kendall over 800 images: J. Cho et
al., "Davidsonian Scene Graph", 2024, and the output given with its code."""
DIFFICULTY = {
    ("tifa160",): 88.1,
    ("stanford_paragraph", "localized_narratives"): 85.1,
    ("vrd",): 34.4,
    ("countbench",): 70.4,
    ("diffusiondb", "midjourney"): 89.7,
    ("posescript",): 89.6,
    ("whoops",): 84.4,
    ("drawtext",): 83.7,
}
"""Sets of prompts -> mean score of SD 2.1's images by PaLI-17B, percent; in the same output."""
SEETRUE_PAIRS = 8_381
SEETRUE = {"drawbench": (1_968, 36.9), "editbench": (3_827, 55.7), "coco_t2i": (2_586, 63.6)}
"""Data set -> pairs, and percent of positive ones: M. Yarom et al., "What You See is What You
Read?", 2023. Table 1 prints the rates of DrawBench and EditBench the other way round; the text,
rightly, calls DrawBench's 36.9 % the lowest."""
RANDOM_CHOICES = {
    "coco_t2i, SD 1.4": 68.6,
    "coco_t2i, SD 2.1": 71.3,
    "drawbench, SD 1.4": 66.7,
    "drawbench, SD 2.1": 59.0,
}
"""Percent of random choices that are right, as the row "Random" of their table 4 prints."""
SUBSET = "the public CSV is a part of it: each of the two data sets lacks one model's images"
VQ2, VNLI, MEAN = "VQ2", "VNLI (PaLI + synthetic)", "mean of VQ2 and VNLI"
MEAN_OF_SETS = "mean of data sets"
DATA_SETS = (
    "snli-ve",
    "winoground",
    "drawbench",
    "editbench",
    "coco_t2i",
    "coco-con",
    "pickapic-con",
)
_AUC = {
    "CLIP ViT-L/14": (65.8, 53.3, 60.5, 62.1, 58.8, 70.7, 66.8),
    "BLIP": (75.2, 58.2, 60.5, 68.0, 70.7, 84.2, 76.6),
    "BLIP-2 (COCO)": (75.9, 60.0, 65.7, 70.0, 73.3, 85.8, 78.0),
    VQ2: (88.0, 63.5, 82.6, 73.6, 83.4, 87.1, 81.7),
    VNLI: (94.2, 61.8, 86.8, 77.2, 83.2, 91.0, 85.9),
    MEAN: (93.9, 63.5, 87.8, 78.4, 85.1, 93.0, 87.3),
}
AUC = {
    row: dict(zip((*DATA_SETS, MEAN_OF_SETS), (*each, round(fmean(each), 1)), strict=True))
    for row, each in _AUC.items()
}
"""Six of the rows of "What You See is What You Read?", table 2: data set -> ROC AUC, percent."""
_TOLD_APART = {
    "random": (25.0, 25.0, 16.67),
    "CLIP RN50x64": (26.5, 13.75, 10.25),
    "CoCa ViT-L/14 (COCO)": (28.25, 11.5, 8.25),
    "BLIP-2 (COCO)": (44.0, 26.0, 23.5),
    "TIFA": (19.0, 12.5, 11.3),
    VQ2: (47.0, 42.2, 30.5),
    "OFA large (SNLI-VE)": (27.7, 14.3, 9.0),
    "VNLI (PaLI)": (45.0, 41.5, 28.7),
    VNLI: (46.5, 38.0, 28.75),
}
TOLD_APART = {
    row: dict(zip(("text", "image", "group"), each, strict=True))
    for row, each in _TOLD_APART.items()
}
"""Their table 3: text, image and group score on Winoground, percent, as the public leaderboard of
Winoground (Papers with Code, kept by gitlab.com/OpenCodePapers) repeats it."""
BY_METHOD = {"random": "random", "vq2": VQ2, "vnli": VNLI, "mean": MEAN, "tifa": "TIFA"}
"""Method -> its row."""
BY_MODEL = {
    "clip-vit-l-14": "CLIP ViT-L/14",
    "clip-rn50x64": "CLIP RN50x64",
    "coca-vit-l-14-coco": "CoCa ViT-L/14 (COCO)",
    "blip-itm": "BLIP",
    "blip2-itm": "BLIP-2 (COCO)",
}
"""Scoring model -> the row of its cosine or matching score."""
COMMONSENSE_PAIRS = 150
COMMONSENSE = {"SD 2.1": 18.83, "SDXL": 24.92, "DALL-E 3": 48.92}
"""Model -> accuracy by people in percent over 150 pairs with four generations each: X. Fu et al.,
"Commonsense-T2I Challenge", 2024, table 2."""


def commonsense_people(model: str) -> float | None:
    """What people say of a text-to-image model, in [0, 1], however its name is spelled.

    >>> commonsense_people("sd_xl"), commonsense_people("dalle3"), commonsense_people("stickers")
    (0.2492, 0.4892, None)
    """
    percent = {_letters(name): each for name, each in COMMONSENSE.items()}
    found = percent.get(_letters(model))
    return None if found is None else round(found / 100, 4)


def _letters(name: str) -> str:
    return re.sub(r"[\W_]", "", name.casefold())


WANTED = {
    "dsg/mplug_dsg.csv": "github.com/j-min/DSG",
    "dsg/mplug_vq2a.csv": "github.com/j-min/DSG",
    "dsg/pali17b_dsg.csv": "github.com/j-min/DSG",
    "dsg/pali17b_vq2a.csv": "github.com/j-min/DSG",
    "dsg/tifa160-likert-anns.csv": "github.com/j-min/DSG",
    "seetrue/SeeTRUE.csv": "huggingface.co/datasets/yonatanbitton/SeeTRUE",
}
"""File of the folder -> where it is published."""
