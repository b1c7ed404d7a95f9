"""Description match: whether each image of a prompt pair fits each of its two descriptions.

Source: Fu et al., "Commonsense-T2I Challenge", 2024, sections 3 and 4.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import repeat
from types import MappingProxyType
from typing import TypeAlias

from PIL.Image import Image

from alignment.models.clip import OpenClip
from alignment.models.loading import Models
from alignment.models.spec import Bundle
from alignment.models.vlm import EncodedImages, ImageQuestion, VisionLanguageModel
from alignment.prompt_pairs.records import DescriptionMatch, MatchMatrix, PromptPair
from alignment.questions.knowledge import Knowledge, read_knowledge
from alignment.records import AS_LIKELY_AS_NOT
from alignment.scorers import knowledge_of

ONE_OR_ZERO = (
    'Can you tell me if the image generally fits the descriptions "{description}"? '
    "If it generally fits the descriptions, then return 1, otherwise, return 0. "
    "Give me number 1 or 0 only."
)
"""What the paper asks a vision-language model."""
READABLE = {"1": True, "0": False}
FILTERED = DescriptionMatch((None, None), reason="there is no image to score")
"""What is known of an image that a safety checker blacked out."""

Descriptions: TypeAlias = tuple[str, str]


Evaluator: TypeAlias = Callable[[EncodedImages, Descriptions], Iterator[DescriptionMatch]]
"""Says whether images fit descriptions, of each as soon as it is known."""


def larger_cosine(
    model: OpenClip, images: EncodedImages, descriptions: Descriptions
) -> Iterator[DescriptionMatch]:
    """CLIP: the description with the larger cosine fits, the other does not; on a tie neither.

    Its replies are the cosines.
    """
    texts = [model.embed_text(text) for text in descriptions]
    for image in images.encoded_by(model):
        first, second = (float(image @ text) for text in texts)
        yield DescriptionMatch((first > second, second > first), (f"{first:.3f}", f"{second:.3f}"))


def binary_prompt(
    model: VisionLanguageModel, images: EncodedImages, descriptions: Descriptions
) -> Iterator[DescriptionMatch]:
    """A vision-language model that is asked for the number 1 or 0, as in the paper.

    Its replies are what the model wrote.
    """
    questions = [ONE_OR_ZERO.format(description=text) for text in descriptions]
    features = images.encoded_by(model)
    for image in range(len(images)):
        asks = [ImageQuestion(image, question) for question in questions]
        first, second = model.answer(features, asks)
        yield DescriptionMatch((_read_number(first), _read_number(second)), (first, second))


def entailed(
    model: VisionLanguageModel, images: EncodedImages, descriptions: Descriptions
) -> Iterator[DescriptionMatch]:
    """VNLI: a description fits when the image entails it more likely than not.

    Its replies are P(yes); the model's reply is unreadable when it is neither yes nor no.
    """
    questions = [model.templates.entailment.format(text=text) for text in descriptions]
    features = images.encoded_by(model)
    for image in range(len(images)):
        found = model.p_yes(features, [ImageQuestion(image, each) for each in questions])
        first, second = (each.probability for each in found)
        fits = [e.probability > AS_LIKELY_AS_NOT if e.answered else None for e in found]
        yield DescriptionMatch((fits[0], fits[1]), (f"P(yes) {first:.2f}", f"P(yes) {second:.2f}"))


def within_words(evaluator: Evaluator, knows: Knowledge | None) -> Evaluator:
    """An evaluator that is asked nothing where its model does not know a word of a description."""
    if knows is None:
        return evaluator

    def asked(images: EncodedImages, descriptions: Descriptions) -> Iterator[DescriptionMatch]:
        reason = next(filter(None, map(knows.objection, descriptions)), "")
        if reason:
            return repeat(DescriptionMatch((None, None), reason=reason), len(images))
        return evaluator(images, descriptions)

    return asked


EVALUATORS: Mapping[str, Callable[[Models], Evaluator]] = MappingProxyType(
    {
        "vnli": lambda models: within_words(
            partial(entailed, models.entailment), knowledge_of(models, "entailment")
        ),
        "clip": lambda models: within_words(
            partial(larger_cosine, models.clip), knowledge_of(models, "clip")
        ),
        "vlm": lambda models: partial(binary_prompt, models.answerer),
    }
)
"""Name -> what builds the evaluator from the loaded models."""


def evaluators_of(bundle: Bundle) -> tuple[str, ...]:
    """The evaluators that the models of a bundle can be.

    A model that does not know the words of `ONE_OR_ZERO` is not asked for a number.
    """
    knows = bundle.answerer.knows
    mute = bool(knows and read_knowledge(knows).objection(ONE_OR_ZERO))
    return tuple(name for name in EVALUATORS if not (mute and name == "vlm"))


def _read_number(reply: str) -> bool | None:
    """The number that was asked for, or None.

    >>> [_read_number(reply) for reply in (" 1. ", "0", "10", "yes")]
    [True, False, None, None]
    """
    return READABLE.get(reply.strip(" \n\t.\"'"))


def fit_matrices(
    pair: PromptPair,
    images: tuple[Sequence[Image | None], Sequence[Image | None]],
    evaluator: Evaluator,
) -> Iterator[MatchMatrix]:
    """Hold the images of both prompts, None where one was filtered, against both descriptions.

    Returns:
        One matrix after each image, the first prompt's before the second's; the last is full.
    """
    fits: tuple[list[DescriptionMatch], list[DescriptionMatch]] = ([], [])
    for row, own in zip(fits, images, strict=True):
        there = EncodedImages([image for image in own if image is not None])
        matches = evaluator(there, pair.descriptions)
        for image in own:
            row.append(FILTERED if image is None else next(matches))
            yield MatchMatrix((tuple(fits[0]), tuple(fits[1])))
