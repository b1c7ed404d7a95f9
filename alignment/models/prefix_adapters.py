"""Adapters of models that read an image's features among the tokens of a question."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from inspect import signature
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from PIL.Image import Image

import hub
from alignment.errors import UnsuitableModelError
from alignment.models.greedy import Continuation, by_length, continued
from alignment.models.kept_prefix import Prefix, after_prefixes, divided, read_prefixes
from alignment.models.token_rows import Row, Rows, in_chat, opens_thought, padded, token_row
from alignment.models.vision_towers import pixels
from alignment.models.vlm import Features

if TYPE_CHECKING:
    from torch import Tensor

KEPT = 4
"""The prefixes that are kept get one part in so many of the free memory: an image of 1024 pixels
takes 152 MB in Qwen3-VL 4B (1,030 tokens, 36 layers, 8 heads of 128, keys and values, 2 bytes)."""


@dataclass(frozen=True, eq=False)
class Seen:
    """What a prefix model keeps of one image."""

    features: Tensor
    """Shape (tokens, width), or (parts, tokens, width) where the network joins them."""
    joined: bool
    """Whether the network takes several images in one tensor, as PaliGemma, or in a list."""
    size: tuple[int, int]
    """Width and height of the image, on which the number of tokens may depend."""
    layout: Mapping[str, Tensor]
    """What else the language model wants to know of it, such as `image_grid_thw`."""
    levels: tuple[Tensor, ...] = ()
    """What the first layers of the language model add at the image tokens, one for each, as in
    Qwen3-VL (DeepStack); each of shape (tokens, width)."""


class PrefixAdapter:
    """A model that takes image features in `mm_encoder_outputs`, among its tokens.

    In PaliGemma image and question attend to each other, so that keys and values of the image are
    other ones for each question: of an image, only its features can be kept.
    """

    def __init__(self, network: Any, processor: Any) -> None:
        if "mm_encoder_outputs" not in signature(network.forward).parameters:
            raise UnsuitableModelError(
                f"{type(network).__name__} does not take stored image features; "
                "choose a model from alignment.models.catalogue.MODELS"
            )
        if processor.chat_template is not None and opens_thought(in_chat(processor, "")):
            raise UnsuitableModelError(
                f"{type(network).__name__} thinks before it answers, so that its first word is no "
                "yes or no; choose a model whose chat template takes enable_thinking=False"
            )
        self.tokenizer = processor.tokenizer
        self.network = network
        self._processor = processor
        self._row = lru_cache(maxsize=1024)(partial(token_row, processor))

    def encode(self, images: Sequence[Image]) -> list[Seen]:
        """All images at once where each gets as many tokens; a chat model sees one by one."""
        if self._processor.chat_template is None:
            return self._encode(images)
        return [seen for image in images for seen in self._encode([image])]

    def reply(self, seen: Features, questions: Sequence[str], length: int) -> Continuation:
        """The questions are padded on the left and read at their last position."""
        rows = [self._row(text, each.size) for each, text in zip(seen, questions, strict=True)]
        return continued(self.network.generate, length, **self._inputs(seen, rows))

    def _inputs(self, seen: Sequence[Seen], rows: Rows) -> dict[str, Any]:
        """Rows padded on the left, with what is kept of the image in each."""
        import torch

        inputs: dict[str, Any] = padded(
            rows, self.tokenizer.pad_token_id, "left", self.network.device
        )
        for name in seen[0].layout:
            inputs[name] = torch.cat([each.layout[name] for each in seen])
        return inputs | {"mm_encoder_outputs": {"image": _encoder_output(seen)}}

    def _encode(self, images: Sequence[Image]) -> list[Seen]:
        import torch

        inputs = pixels(self._processor, images, self.network)
        encoder = self.network.get_image_features
        wanted = inputs.keys() & signature(encoder).parameters.keys()
        with torch.inference_mode():
            output = encoder(**{name: inputs[name] for name in wanted})
        pooled, levels = output.pooler_output, getattr(output, "deepstack_features", None) or ()
        layout = {name: inputs[name] for name in inputs.keys() & {"image_grid_thw"}}
        joined = torch.is_tensor(pooled)
        shares = pooled.chunk(len(images)) if joined else pooled
        return [
            Seen(features, joined, image.size, layout, tuple(level[place] for level in levels))
            for place, (features, image) in enumerate(zip(shares, images, strict=True))
        ]


class CausalAdapter(PrefixAdapter):
    """A model that takes features in the same way and reads its tokens from left to right.

    What stands up to the last image token is read once for each image, and its keys and values are
    kept for as many images as there is room, as long as somebody keeps the images.
    """

    def __init__(self, network: Any, processor: Any) -> None:
        super().__init__(network, processor)
        self._kept: WeakKeyDictionary[Seen, Prefix] = WeakKeyDictionary()
        self._start = lru_cache(maxsize=64)(self._before_words)
        self._words = lru_cache(maxsize=1024)(self._after_image)

    def reply(self, seen: Features, questions: Sequence[str], length: int) -> Continuation:
        """Only what follows the images is computed.

        Padding stands between image and question. It takes places of a sliding window, so where
        the window could be too narrow, only questions of one length go together.
        """
        parts = [self.row(text, each.size) for each, text in zip(seen, questions, strict=True)]
        prefixes = self._prefixes(seen, [before for before, _ in parts])
        pad_token = self.tokenizer.pad_token_id

        def reply(places: Sequence[int]) -> Continuation:
            before, after = [prefixes[at] for at in places], [parts[at][1] for at in places]
            inputs = after_prefixes(before, after, pad_token, self.network.device)
            return continued(self.network.generate, length, **inputs)

        before, after = (
            [len(part["input_ids"]) for part in side] for side in zip(*parts, strict=True)
        )
        window = getattr(self.network.config.get_text_config(), "sliding_window", None)
        if window is None or max(before) + max(after) + length <= window:
            return reply(range(len(parts)))
        return by_length(reply, after, pad_token)

    def row(self, question: str, size: tuple[int, int]) -> tuple[Row, Row]:
        """The tokens up to the last one of an image of that size, and those after it."""
        before, marks = self._start(size)
        tokens = [*marks, *self._words(question)]
        return before, {"input_ids": tokens, "attention_mask": [1] * len(tokens)}

    def _before_words(self, size: tuple[int, int]) -> tuple[Row, list[int]]:
        """What stands before the words after an image, and the marks at the image's end.

        The processor looks at a blank image for this, so it is done once for each size.
        """
        row = token_row(self._processor, "", size)
        before, after = divided(row, self.network.config.image_token_id)
        tokens = after["input_ids"]
        return before, tokens[: len(tokens) - len(self._words(""))]

    def _after_image(self, question: str) -> list[int]:
        """The tokens of all that follows the image in the chat template."""
        image = self.tokenizer.convert_ids_to_tokens(self.network.config.image_token_id)
        words = in_chat(self._processor, question).rpartition(image)[2]
        tokens: list[int] = self.tokenizer(image + words, add_special_tokens=False).input_ids[1:]
        return tokens

    def _prefixes(self, seen: Sequence[Seen], rows: Rows) -> list[Prefix]:
        """One for each row; those that are not kept are read together."""
        known = {each: self._kept[each] for each in seen if each in self._kept}
        if new := {each: row for each, row in zip(seen, rows, strict=True) if each not in known}:
            inputs = self._inputs([*new], [*new.values()])
            read = read_prefixes(self.network, [*new.values()], inputs)
            known |= zip(new, read, strict=True)
            self._keep(dict(zip(new, read, strict=True)))
        return [known[each] for each in seen]

    def _keep(self, read: Mapping[Seen, Prefix]) -> None:
        """Remember prefixes; all others are forgotten when these do not fit beside them."""
        room = hub.free_memory(self.network.device.type) / KEPT
        most = int(room / max(prefix.nbytes for prefix in read.values()))
        if len(self._kept) + len(read) > most:
            self._kept.clear()
        self._kept.update([*read.items()][:most])


def _encoder_output(seen: Sequence[Seen]) -> Any:
    """What is kept of some images, as the network's own vision tower gives it."""
    import torch
    from transformers.modeling_outputs import BaseModelOutputWithPooling

    features = [each.features for each in seen]
    output = BaseModelOutputWithPooling(
        pooler_output=torch.cat(features) if seen[0].joined else features
    )
    if seen[0].levels:
        output.deepstack_features = list(zip(*(each.levels for each in seen), strict=True))
    return output
