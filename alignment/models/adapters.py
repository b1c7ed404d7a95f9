"""Adapters that ask vision language models of four kinds for an answer, each about kept features.

Each answers by the first token that it would write:

PrefixAdapter  PaliGemma and chat models (SmolVLM, Idefics3, Qwen-VL, Gemma 4, LLaVA): the features
               stand among the tokens of the question; padded on the left
Blip2          the same with the few queries of a Q-Former, before a T5 or an OPT
InstructBlip   as BLIP-2, but its queries read the question, so only the tower's features are kept
BlipVqa        a text encoder looks at the features, a decoder at the encoded question
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from inspect import signature
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from PIL.Image import Image

from alignment.errors import UnsuitableModelError
from alignment.models.token_rows import Rows, padded, token_row
from alignment.models.vision_towers import pixels, stub_vision_tower, tower_features
from alignment.models.vlm import Adapter, Continuation, Features, TokenLimit

if TYPE_CHECKING:
    from torch import Tensor


@dataclass(frozen=True)
class Seen:
    """What a prefix model keeps of one picture."""

    features: Tensor
    """Shape (tokens, width), or (parts, tokens, width) where the network joins them."""
    joined: bool
    """Whether the network takes several pictures in one tensor, as PaliGemma, or in a list."""
    size: tuple[int, int]
    """Width and height of the picture, on which the number of tokens may depend."""
    layout: Mapping[str, Tensor]
    """What else the language model wants to know of it, such as `image_grid_thw`."""
    levels: tuple[Tensor, ...] = ()
    """What the first layers of the language model add at the image tokens, one for each, as in
    Qwen3-VL (DeepStack); each of shape (tokens, width)."""


class PrefixAdapter:
    """A model that takes image features in `mm_encoder_outputs`, among its tokens."""

    limit: TokenLimit | None = None

    def __init__(self, network: Any, processor: Any) -> None:
        if "mm_encoder_outputs" not in signature(network.forward).parameters:
            raise UnsuitableModelError(
                f"{type(network).__name__} does not take stored image features; "
                "choose a model from alignment.models.catalogue.MODELS"
            )
        self.tokenizer = processor.tokenizer
        self.network = network
        self._processor = processor
        self._row = lru_cache(maxsize=1024)(partial(token_row, processor))

    def encode(self, images: Sequence[Image]) -> list[Seen]:
        """All pictures at once where each gets as many tokens; a chat model sees one by one."""
        if self._processor.chat_template is None:
            return self._encode(images)
        return [seen for image in images for seen in self._encode([image])]

    def reply(self, seen: Features, questions: Sequence[str], length: int) -> Continuation:
        """The questions are padded on the left and read at their last position."""
        import torch

        rows = [self._row(text, each.size) for each, text in zip(seen, questions, strict=True)]
        inputs = padded(rows, self.tokenizer.pad_token_id, "left", self.network.device)
        for name in seen[0].layout:
            inputs[name] = torch.cat([each.layout[name] for each in seen])
        stored = {"image": _encoder_output(seen)}
        return continued(self.network.generate, length, **inputs, mm_encoder_outputs=stored)

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


class Blip2:
    """A Q-Former turns a picture into a few tokens, whatever will be asked."""

    limit: TokenLimit | None = None

    def __init__(self, network: Any, processor: Any) -> None:
        processor.num_query_tokens = network.config.num_query_tokens
        self.tokenizer = processor.tokenizer
        self.network = network
        self._processor = processor
        self._row = lru_cache(maxsize=1024)(partial(token_row, processor))

    def encode(self, images: Sequence[Image]) -> list[Tensor]:
        """The projected queries of each picture, shape (queries, width)."""
        import torch

        with torch.inference_mode():
            inputs = pixels(self._processor, images, self.network)
            return list(self.network.get_image_features(**inputs).pooler_output)

    def reply(self, seen: Features, questions: Sequence[str], length: int) -> Continuation:
        """By the language model inside: the network's own `generate` wants the pictures."""
        import torch

        network = self.network
        rows = [self._row(text) for text in questions]
        inputs = padded(rows, self.tokenizer.pad_token_id, _text_side(network), network.device)
        with torch.inference_mode():
            embeddings = network.get_input_embeddings()(inputs["input_ids"])
            places = (inputs["input_ids"] == network.config.image_token_id).unsqueeze(-1)
            features = torch.stack(tuple(seen)).to(embeddings.dtype)
        return continued(
            network.language_model.generate,
            length,
            inputs_embeds=embeddings.masked_scatter(places, features),
            attention_mask=inputs["attention_mask"],
        )


class InstructBlip:
    """A Q-Former that reads the question too; the vision tower still sees a picture once."""

    def __init__(self, network: Any, processor: Any) -> None:
        processor.num_query_tokens = network.config.num_query_tokens
        self.tokenizer = processor.tokenizer
        positions = network.config.qformer_config.max_position_embeddings
        self.limit = TokenLimit(processor.qformer_tokenizer, positions)
        self.network = network
        self._processor = processor
        self._tower = stub_vision_tower(network)
        self._row = lru_cache(maxsize=1024)(self._tokens)

    def encode(self, images: Sequence[Image]) -> list[Tensor]:
        """The tower's last layer for each picture, shape (patches, width)."""
        return tower_features(self._tower, pixels(self._processor, images, self.network))

    def reply(self, seen: Features, questions: Sequence[str], length: int) -> Continuation:
        """Stored features go in where pixels went, through the hole that the tower left."""
        import torch

        network = self.network
        rows = [self._row(text) for text in questions]
        inputs = padded(rows, self.tokenizer.pad_token_id, _text_side(network), network.device)
        return continued(network.generate, length, **inputs, pixel_values=torch.stack(tuple(seen)))

    def _tokens(self, question: str) -> dict[str, list[int]]:
        """The Q-Former's tokens cut where its positions end, all of the language model's."""
        tokenizer, most = self.limit
        cut = tokenizer(question, truncation=True, max_length=most)
        read = {f"qformer_{name}": cut[name] for name in ("input_ids", "attention_mask")}
        return token_row(self._processor, question) | read


class BlipVqa:
    """A text encoder looks at the picture, a text decoder at what the encoder read."""

    def __init__(self, network: Any, processor: Any) -> None:
        self.tokenizer = processor.tokenizer
        positions = network.config.text_config.max_position_embeddings
        self.limit = TokenLimit(processor.tokenizer, positions)
        self.network = network
        self._processor = processor
        self._tower = stub_vision_tower(network)
        self._row = lru_cache(maxsize=1024)(partial(token_row, processor, reads=positions))

    def encode(self, images: Sequence[Image]) -> list[Tensor]:
        """The tower's last layer for each picture, shape (patches, width)."""
        return tower_features(self._tower, pixels(self._processor, images, self.network))

    def reply(self, seen: Features, questions: Sequence[str], length: int) -> Continuation:
        """Questions of one length go together: the decoder would read the padding of others."""
        import torch
        from torch.nn.utils.rnn import pad_sequence

        rows = [self._row(text) for text in questions]
        lengths = [len(row["input_ids"]) for row in rows]
        replies: dict[int, tuple[Tensor, Tensor]] = {}
        for each in set(lengths):
            places = [place for place, length_there in enumerate(lengths) if length_there == each]
            features = torch.stack([seen[place] for place in places])
            said = self._reply(features, [rows[place] for place in places], length)
            replies.update(zip(places, zip(*said, strict=True), strict=True))
        first, tokens = zip(*(replies[place] for place in range(len(rows))), strict=True)
        padding = self.tokenizer.pad_token_id
        return Continuation(torch.stack(first), pad_sequence(tokens, True, padding))

    def _reply(self, features: Tensor, rows: Rows, length: int) -> Continuation:
        inputs = padded(rows, self.tokenizer.pad_token_id, "right", self.network.device)
        return continued(self.network.generate, length, **inputs, pixel_values=features)


FAMILIES: Mapping[str, Callable[[Any, Any], Adapter]] = MappingProxyType(
    {"blip": BlipVqa, "blip-2": Blip2, "instructblip": InstructBlip}
)
"""The `model_type` of a configuration -> its family; all others are prefix models."""


def adapter_of(network: Any, processor: Any) -> Adapter:
    """The family that a loaded network belongs to.

    Raises:
        UnsuitableModelError: it belongs to none.
    """
    return FAMILIES.get(network.config.model_type, PrefixAdapter)(network, processor)


def _encoder_output(seen: Sequence[Seen]) -> Any:
    """What is kept of some pictures, as the network's own vision tower gives it."""
    import torch
    from transformers.modeling_outputs import BaseModelOutputWithPooling

    features = [each.features for each in seen]
    output = BaseModelOutputWithPooling(
        pooler_output=torch.cat(features) if seen[0].joined else features
    )
    if seen[0].levels:
        output.deepstack_features = list(zip(*(each.levels for each in seen), strict=True))
    return output


def continued(generate: Callable[..., Any], length: int, **inputs: Any) -> Continuation:
    """What a network's `generate` says, greedily, with the raw logits of its first token."""
    import torch

    with torch.inference_mode():
        output = generate(
            **inputs,
            max_new_tokens=length,
            do_sample=False,
            num_beams=1,
            return_dict_in_generate=True,
            output_logits=True,
        )
    steps = output.logits
    return Continuation(steps[0].float(), output.sequences[:, -len(steps) :])


def _text_side(network: Any) -> str:
    """Where the language model inside a BLIP-2 wants its padding: a T5 reads from the left."""
    return "right" if network.config.get_text_config().is_encoder_decoder else "left"
