"""From images and questions to P(yes) and free answers; an image is encoded once for them all.

An image goes through the vision tower once (`encode`). Each question then runs through the
language model alone, with the stored image features in place of the image, or, where the model
reads from left to right, with what it has read of the image already. How that is done for a
given kind of model is the matter of `alignment.models.adapters`.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeAlias, TypeVar
from weakref import WeakKeyDictionary

from PIL.Image import Image

from alignment.errors import UnsuitableModelError
from alignment.models.batching import image_bytes, in_batches, row_bytes
from alignment.models.greedy import Continuation
from alignment.models.spec import Templates
from alignment.records import ANSWERED_FROM

if TYPE_CHECKING:
    from torch import Tensor

ANSWER_TOKENS = 12
"""The length of a free answer, at most."""

ROWS = 128
"""Questions that go together, at most: a step of an answer reads all weights, however many go."""

QUESTION_TOKENS = 128
"""What is set aside for the words of a question and its chat template."""

Result = TypeVar("Result")
Features: TypeAlias = Sequence[Any]
"""What a model keeps of each image, in their order."""


class ImageQuestion(NamedTuple):
    """One question put to one image."""

    image: int
    """Index among the encoded images."""
    text: str


class YesNoProbability(NamedTuple):
    """What a model says to a yes/no question."""

    probability: float
    """p(yes) / (p(yes) + p(no)) of the first answer token, in [0, 1]."""
    confidence: float
    """p(yes) + p(no) of the first answer token, in [0, 1]."""

    @property
    def answered(self) -> bool:
        """False when the model did not answer yes or no: less than half of its mass is on them."""
        return self.confidence >= ANSWERED_FROM


class Encoder(Hashable, Protocol):
    """A model that encodes images."""

    def encode(self, images: Sequence[Image]) -> Any:
        """Whatever the model keeps of the images, in their order."""


class Adapter(Protocol):
    """How a kind of model is spoken to."""

    tokenizer: Any
    network: Any
    """The network inside, for its configuration, device and precision."""

    def encode(self, images: Sequence[Image]) -> Features:
        """One pass of the vision tower over each image."""

    def reply(self, seen: Features, questions: Sequence[str], length: int) -> Continuation:
        """The greedy answers, of at most `length` tokens, to one question for each of `seen`."""


class EncodedImages:
    """The images of one grid; each model encodes them once, whoever asks.

    What a model makes of them goes with the model, so that nothing here keeps one in memory.
    """

    def __init__(self, images: Sequence[Image]) -> None:
        self._images = tuple(images)
        self._encoded: WeakKeyDictionary[Encoder, Any] = WeakKeyDictionary()

    def __len__(self) -> int:
        return len(self._images)

    def encoded_by(self, model: Encoder) -> Any:
        """What `model.encode` makes of the images, computed at the first call."""
        if model not in self._encoded:
            self._encoded[model] = model.encode(self._images)
        return self._encoded[model]


class VisionLanguageModel:
    """An answer model of any family: its template, its batches, its words for yes and no."""

    def __init__(self, family: Adapter, templates: Templates) -> None:
        self.templates = templates
        self.family = family
        self.images_at_once = 1 if family.network.device.type == "cpu" else 16
        """About how many to ask together: of one, where each is shown as soon as it is known."""
        self.counted = {word: word_tokens(family.tokenizer, word) for word in ("yes", "no")}
        """Word -> the ids of the tokens that count as it."""
        added = family.tokenizer.added_tokens_decoder.values()
        self._special = tuple(token.content for token in added if token.special)

    def encode(self, images: Sequence[Image]) -> Features:
        """One pass of the vision tower over each image, as many at a time as fit."""
        needed = image_bytes(self.family.network.config)
        return self._in_batches(self.family.encode, images, needed)

    def p_yes(self, features: Features, asks: Sequence[ImageQuestion]) -> list[YesNoProbability]:
        """P(yes) over yes and no alone, from the logits of the first answer token.

        The probabilities of all single-token spellings (casing, leading space) are added up.
        """

        def verdicts(batch: Sequence[ImageQuestion]) -> list[YesNoProbability]:
            return self._verdicts(self._first_logits(features, batch))

        return self._in_batches(verdicts, asks, self._ask_bytes(features))

    def p_word(self, features: Features, asks: Sequence[ImageQuestion], word: str) -> list[float]:
        """How likely each answer begins with a word, spelled so, over all answers.

        Of a word of several tokens the first one counts.

        Raises:
            UnsuitableModelError: the vocabulary does not have it.
        """
        token = first_token(self.family.tokenizer, word)

        def chances(batch: Sequence[ImageQuestion]) -> list[float]:
            logits = self._first_logits(features, batch)
            found: list[float] = logits.softmax(-1)[:, token].tolist()
            return found

        return self._in_batches(chances, asks, self._ask_bytes(features))

    def answer(self, features: Features, asks: Sequence[ImageQuestion]) -> list[str]:
        """The greedy answer to each question, at most 12 tokens."""

        def answers(batch: Sequence[ImageQuestion]) -> list[str]:
            tokens = self._reply(features, batch, ANSWER_TOKENS).tokens
            texts = self.family.tokenizer.batch_decode(tokens, skip_special_tokens=True)
            return [text.strip() for text in texts]

        return self._in_batches(answers, asks, self._ask_bytes(features))

    def max_tokens(self, text: str) -> None:
        """Questions of any length are read."""

    def _in_batches(
        self, work: Callable[[Any], Sequence[Result]], items: Sequence[Any], needed: int
    ) -> list[Result]:
        return in_batches(work, items, needed, self.family.network.device, ROWS)

    def _ask_bytes(self, features: Features) -> int:
        """What one question needs: the tokens of an image, and of the words."""
        network = self.family.network
        tokens = max(map(_image_tokens, features), default=0) + QUESTION_TOKENS
        return row_bytes(network.config.get_text_config(), tokens, network.dtype.itemsize)

    def _reply(
        self, features: Features, asks: Sequence[ImageQuestion], length: int
    ) -> Continuation:
        seen = [features[ask.image] for ask in asks]
        return self.family.reply(seen, [self._spoken(ask.text) for ask in asks], length)

    def _first_logits(self, features: Features, asks: Sequence[ImageQuestion]) -> Tensor:
        """Of the first token of each answer; `UnsuitableModelError` where they are no numbers."""
        logits = self._reply(features, asks, 1).first
        if logits.isnan().any():
            network = self.family.network
            raise UnsuitableModelError(
                f"the answer model computes no numbers in {str(network.dtype)[6:]} on "
                f"{network.device.type}, so nothing can be judged; choose another model"
            )
        return logits

    def _spoken(self, text: str) -> str:
        """The question in the model's template, without special tokens that it happens to spell."""
        for token in self._special:
            text = text.replace(token, " ")
        return self.templates.question.format(question=text)

    def _verdicts(self, logits: Tensor) -> list[YesNoProbability]:
        every, yes, no = (
            logits[:, tokens].logsumexp(-1) for tokens in (slice(None), *self.counted.values())
        )
        probability = (yes - no).sigmoid()
        confidence = ((yes - every).exp() + (no - every).exp()).clamp(max=1)
        return [
            YesNoProbability(*pair)
            for pair in zip(probability.tolist(), confidence.tolist(), strict=True)
        ]


def ask_every_image(
    model: VisionLanguageModel, images: EncodedImages, question: str
) -> list[YesNoProbability]:
    """What the model says to one question about each image."""
    asks = [ImageQuestion(image, question) for image in range(len(images))]
    return model.p_yes(images.encoded_by(model), asks)


def _image_tokens(seen: Any) -> int:
    """As how many tokens a language model reads what is kept of an image."""
    features = getattr(seen, "features", seen)
    return int(features.numel() // features.shape[-1])


def first_token(tokenizer: Any, word: str) -> int:
    """The token that an answer of this word begins with; a bare space is none.

    Raises:
        UnsuitableModelError: the vocabulary does not have it.
    """
    token: int = tokenizer.encode(word, add_special_tokens=False)[0]
    spelled = tokenizer.convert_ids_to_tokens(token).strip("▁Ġ ")
    if token == tokenizer.unk_token_id or not spelled:
        raise UnsuitableModelError(
            f"the answer model has no token for {word!r}; choose one whose vocabulary has it, "
            "or another `affirmative` in its templates"
        )
    return token


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
