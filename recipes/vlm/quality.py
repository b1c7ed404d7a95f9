"""How well a VLM answers what the page asks about images, as readers answered it."""

from __future__ import annotations

from dataclasses import asdict

import numpy as np
from numpy.typing import NDArray

from alignment.arrays import Floats
from alignment.models.vlm import ImageQuestion, VisionLanguageModel
from alignment.statistics.intervals import measured_mean
from benchmarks.statistics.classification import measured_auc
from recipes.cards import Figure
from recipes.vlm.answered_images import AnsweredSet
from recipes.vlm.examples import TEMPLATES

SEED = 7
WHOLE = TEMPLATES.entailment.partition("{")[0]
"""How a question about a whole prompt begins."""


def evaluate(model: VisionLanguageModel, asked: AnsweredSet) -> dict[str, Figure]:
    """How well P(yes) tells right from wrong, of VQ2's pairs and of VNLI's whole prompts.

    Over images that the model never learned from. Intervals draw prompts, as images of one prompt
    are alike.
    """
    told = [(at, each) for at, own in enumerate(asked.examples) for each in own]
    features = model.encode(asked.pictures)
    questions = [ImageQuestion(at, each.prompt) for at, each in told]
    chances = np.array([each.probability for each in model.p_yes(features, questions)])
    right = np.array([each.answer == "yes" for _, each in told])
    prompts = np.array([asked.prompts[at] for at, _ in told])
    whole = np.array([each.prompt.startswith(WHOLE) for _, each in told])
    return {
        f"{name}: {figure}": found
        for name, own in (("readers' answers", ~whole), ("readers' verdicts", whole))
        for figure, found in _figures(right[own], chances[own], prompts[own]).items()
    }


def _figures(
    right: NDArray[np.bool_], chances: Floats, prompts: NDArray[np.str_]
) -> dict[str, Figure]:
    rng = np.random.default_rng(SEED)
    apart = measured_auc(right, chances, prompts, rng)
    if apart is None:
        return {}
    held = measured_mean(chances[right] >= 0.5, rng, prompts[right])
    denied = measured_mean(chances[~right] < 0.5, rng, prompts[~right])
    found = {"ROC AUC": (apart, 0.5), "right ones held": (held, None)}
    found |= {"wrong ones denied": (denied, None)}
    return {
        name: Figure(**asdict(each), unit="prompts", chance=chance).rounded(3)
        for name, (each, chance) in found.items()
    }
