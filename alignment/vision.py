"""From pictures and questions to P(yes) and free answers; a picture is encoded once for them all.

A picture goes through the vision tower once (`encode`). Each question then runs through the
language model alone, with the stored image features in place of the picture.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from PIL import Image as PillowImage
from PIL.Image import Image

from alignment.errors import UnsuitableModelError
from alignment.models import Templates

if TYPE_CHECKING:
    from torch import Tensor


class Ask(NamedTuple):
    """One question put to one picture."""

    image: int
    """Index among the encoded pictures."""
    text: str


class Verdict(NamedTuple):
    """What a model says to a yes/no question."""

    probability: float
    """p(yes) / (p(yes) + p(no)) of the first answer token, in [0, 1]."""
    confidence: float
    """p(yes) + p(no) of the first answer token, in [0, 1]."""


@dataclass(frozen=True)
class ImageFeatures:
    """Pictures as a language model sees them."""

    tokens: Tensor
    """Shape (images, tokens, width)."""
    container: type[Any]
    """The model's own output class, in which it takes the features back."""

    def pick(self, images: Sequence[int]) -> dict[str, Any]:
        """The features of these pictures, one after the other, as `mm_encoder_outputs`."""
        return {"image": self.container(pooler_output=self.tokens[list(images)])}


class Encoder(Hashable, Protocol):
    """A model that encodes pictures."""

    def encode(self, images: Sequence[Image]) -> Any:
        """Whatever the model keeps of the pictures, in their order."""


class AnswerModel(Hashable, Protocol):
    """A model that answers questions about pictures."""

    templates: Templates

    def encode(self, images: Sequence[Image]) -> ImageFeatures:
        """One pass of the vision tower over each picture."""

    def p_yes(self, features: ImageFeatures, asks: Sequence[Ask]) -> list[Verdict]:
        """How likely "yes" is as the answer to each question."""

    def answer(self, features: ImageFeatures, asks: Sequence[Ask]) -> list[str]:
        """A free answer to each question."""


class Pictures:
    """The pictures of one grid; each model encodes them once, whoever asks."""

    def __init__(self, images: Sequence[Image]) -> None:
        self._images = tuple(images)
        self._encoded: dict[Encoder, Any] = {}

    def __len__(self) -> int:
        return len(self._images)

    def encoded_by(self, model: Encoder) -> Any:
        """What `model.encode` makes of the pictures, computed at the first call."""
        if model not in self._encoded:
            self._encoded[model] = model.encode(self._images)
        return self._encoded[model]


class VisionLanguageModel:
    """A transformers model that takes image features in `mm_encoder_outputs`.

    PaliGemma and its kind (a prefix language model: padded on the left, read at the last
    position) and BLIP-2 (padded on the right and read at the decoder's start with a T5 inside).
    """

    def __init__(
        self, network: Any, processor: Any, templates: Templates, batch_size: int = 64
    ) -> None:
        self.templates = templates
        self._network = network
        self._processor = processor
        self._batch_size = batch_size
        self._two_part = bool(network.config.get_text_config().is_encoder_decoder)
        processor.tokenizer.padding_side = "right" if self._two_part else "left"
        self._yes = word_tokens(processor.tokenizer, "yes")
        self._no = word_tokens(processor.tokenizer, "no")
        self._token_row = lru_cache(maxsize=1024)(partial(token_row, processor, templates))

    def encode(self, images: Sequence[Image]) -> ImageFeatures:
        """One pass of the vision tower over each picture, `batch_size` at a time."""
        import torch

        with torch.inference_mode():
            outputs = [
                self._network.get_image_features(self._pixels(batch))
                for batch in batches(images, self._batch_size)
            ]
        return ImageFeatures(
            torch.cat([output.pooler_output for output in outputs]), type(outputs[0])
        )

    def p_yes(self, features: ImageFeatures, asks: Sequence[Ask]) -> list[Verdict]:
        """P(yes) over yes and no alone, from the logits of the first answer token.

        The probabilities of all single-token spellings (casing, leading space) are added up.
        """
        return [
            verdict
            for batch in batches(asks, self._batch_size)
            for verdict in self._verdicts(self.first_logits(features, batch))
        ]

    def answer(self, features: ImageFeatures, asks: Sequence[Ask]) -> list[str]:
        """The greedy answer to each question, at most 12 tokens."""
        return [
            text.strip()
            for batch in batches(asks, self._batch_size)
            for text in self._processor.batch_decode(
                self._generate(features, batch), skip_special_tokens=True
            )
        ]

    def first_logits(self, features: ImageFeatures, asks: Sequence[Ask]) -> Tensor:
        """Logits of the first answer token, shape (asks, vocabulary)."""
        import torch

        inputs = self.tokenise([ask.text for ask in asks])
        if self._two_part:
            start = self._network.config.get_text_config().decoder_start_token_id
            inputs["decoder_input_ids"] = torch.full_like(inputs["input_ids"][:, :1], start)
        else:
            inputs["logits_to_keep"] = 1
        with torch.inference_mode():
            output = self._network(
                **inputs,
                pixel_values=None,
                mm_encoder_outputs=features.pick([ask.image for ask in asks]),
            )
        logits: Tensor = output.logits[:, -1].float()
        return logits

    def tokenise(self, questions: Sequence[str]) -> dict[str, Tensor]:
        """The language model's inputs, with room for one picture in each; see `token_row`."""
        rows = [self._token_row(question) for question in questions]
        columns = {name: [row[name] for row in rows] for name in rows[0]}
        padded = self._processor.tokenizer.pad(columns, return_tensors="pt")
        return {name: column.to(self._network.device) for name, column in padded.items()}

    def _pixels(self, images: Sequence[Image]) -> Tensor:
        pixels: Tensor = self._processor.image_processor(
            [image.convert("RGB") for image in images], return_tensors="pt"
        ).pixel_values
        return pixels.to(self._network.device, self._network.dtype)

    def _verdicts(self, logits: Tensor) -> list[Verdict]:
        every, yes, no = (
            logits[:, tokens].logsumexp(-1) for tokens in (slice(None), self._yes, self._no)
        )
        probability = (yes - no).sigmoid()
        confidence = ((yes - every).exp() + (no - every).exp()).clamp(max=1)
        return [
            Verdict(*pair) for pair in zip(probability.tolist(), confidence.tolist(), strict=True)
        ]

    def _generate(self, features: ImageFeatures, asks: Sequence[Ask]) -> Any:
        inputs = self.tokenise([ask.text for ask in asks])
        picked = features.pick([ask.image for ask in asks])
        if self._network.config.model_type == "blip-2":
            return blip2_generate(self._network, inputs, picked["image"].pooler_output)
        tokens = self._network.generate(
            **inputs, mm_encoder_outputs=picked, max_new_tokens=12, do_sample=False
        )
        return tokens[:, inputs["input_ids"].shape[1] :]


def token_row(processor: Any, templates: Templates, question: str) -> dict[str, list[int]]:
    """The token columns of one question to one picture.

    The processor only makes room for a picture when it is given one, so it gets a blank. Special
    tokens that a question happens to spell are taken out of it first.
    """
    for token in processor.tokenizer.added_tokens_decoder.values():
        if token.special:
            question = question.replace(token.content, " ")
    blank = PillowImage.new("RGB", (8, 8))
    row = processor(images=[blank], text=[templates.question.format(question=question)])
    columns = row.keys() & {"input_ids", "attention_mask", "token_type_ids"}
    return {name: row[name][0] for name in sorted(columns)}


def blip2_generate(network: Any, inputs: dict[str, Tensor], features: Tensor) -> Any:
    """Answer tokens of BLIP-2 from stored features (its own `generate` wants the pictures)."""
    embeddings = network.get_input_embeddings()(inputs["input_ids"])
    places = (inputs["input_ids"] == network.config.image_token_id).unsqueeze(-1)
    return network.language_model.generate(
        inputs_embeds=embeddings.masked_scatter(places, features.to(embeddings.dtype)),
        attention_mask=inputs["attention_mask"],
        max_new_tokens=12,
        do_sample=False,
    )


def batches(items: Sequence[Any], size: int) -> list[Sequence[Any]]:
    """The items in runs of at most `size`.

    >>> batches("abcde", 2)
    ['ab', 'cd', 'e']
    """
    return [items[start : start + size] for start in range(0, len(items), size)]


def word_tokens(tokenizer: Any, word: str) -> list[int]:
    """Ids of the single tokens that spell a word, in any casing, with or without a leading space.

    Raises:
        UnsuitableModelError: no token spells the word.
    """
    vocabulary = tokenizer.get_vocab()
    spellings = [
        space + cased
        for space in ("", "▁", "Ġ")
        for cased in (word.lower(), word.capitalize(), word.upper())
    ]
    found = [vocabulary[spelling] for spelling in spellings if spelling in vocabulary]
    if not found:
        raise UnsuitableModelError(
            f"the answer model has no single token for {word!r}, so P(yes) cannot be read; "
            "choose a model whose vocabulary has both yes and no"
        )
    return found
