"""Adapters that ask vision language models of four kinds for an answer, each about kept features.

Each answers by the first token that it would write:

PrefixAdapter  PaliGemma: the features stand among the tokens of the question; padded on the left
CausalAdapter  the same for chat models (SmolVLM, Idefics3, Qwen-VL, Gemma 4, LLaVA), whose keys
               and values before the question are kept as well
Blip2          the same with the few queries of a Q-Former, before an OPT or a T5, whose encoder
               reads image and question both ways: no more than the queries can be kept
InstructBlip   as BLIP-2, but its queries read the question, so only the tower's features are kept
BlipVqa        a text encoder looks at the features, a decoder at the encoded question
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache, partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from PIL.Image import Image

from alignment.models.greedy import Continuation, by_length, continued
from alignment.models.prefix_adapters import CausalAdapter, PrefixAdapter
from alignment.models.token_rows import padded, token_row
from alignment.models.vision_towers import pixels, stub_vision_tower, tower_features
from alignment.models.vlm import Adapter, Features, TokenLimit

if TYPE_CHECKING:
    from torch import Tensor


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

        rows, pad_token = [self._row(text) for text in questions], self.tokenizer.pad_token_id

        def reply(places: Sequence[int]) -> Continuation:
            features = torch.stack([seen[place] for place in places])
            chosen = [rows[place] for place in places]
            inputs = padded(chosen, pad_token, "right", self.network.device)
            return continued(self.network.generate, length, **inputs, pixel_values=features)

        return by_length(reply, [len(row["input_ids"]) for row in rows], pad_token)


FAMILIES: Mapping[str, Callable[[Any, Any], Adapter]] = MappingProxyType(
    {"blip": BlipVqa, "blip-2": Blip2, "instructblip": InstructBlip, "paligemma": PrefixAdapter}
)
"""The `model_type` of a configuration -> its family; all others are prefix models."""
KEEPING = frozenset({"full_attention", "sliding_attention"})
"""Kinds of layers whose keys and values are all that they keep of what they have read."""


def adapter_of(network: Any, processor: Any) -> Adapter:
    """The family that a loaded network belongs to.

    Raises:
        UnsuitableModelError: it belongs to none.
    """
    text = getattr(network.config, "text_config", None)
    layers = getattr(text, "layer_types", None) or ()
    prefix = CausalAdapter if KEEPING.issuperset(layers) else PrefixAdapter
    return FAMILIES.get(network.config.model_type, prefix)(network, processor)


def _text_side(network: Any) -> str:
    """Where the language model inside a BLIP-2 wants its padding: a T5 reads from the left."""
    return "right" if network.config.get_text_config().is_encoder_decoder else "left"
