"""Adapters that ask vision language models of three kinds for an answer, each about kept features.

Each answers by the first token that it would write:

PrefixAdapter  PaliGemma: the features stand among the tokens of the question; padded on the left
CausalAdapter  the same for chat models (SmolVLM, Idefics3, Qwen-VL, Gemma 4, LLaVA), whose keys
               and values before the question are kept as well
Blip2          the same with the few queries of a Q-Former, before an OPT or a T5, whose encoder
               reads image and question both ways: no more than the queries can be kept
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache, partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from PIL.Image import Image

from alignment.models.greedy import Continuation, continued
from alignment.models.prefix_adapters import CausalAdapter, PrefixAdapter
from alignment.models.token_rows import padded, token_row
from alignment.models.vision_towers import pixels
from alignment.models.vlm import Adapter, Features

if TYPE_CHECKING:
    from torch import Tensor


class Blip2:
    """A Q-Former turns an image into a few tokens, whatever will be asked."""

    def __init__(self, network: Any, processor: Any) -> None:
        processor.num_query_tokens = network.config.num_query_tokens
        self.tokenizer = processor.tokenizer
        self.network = network
        self._processor = processor
        self._row = lru_cache(maxsize=1024)(partial(token_row, processor))

    def encode(self, images: Sequence[Image]) -> list[Tensor]:
        """The projected queries of each image, shape (queries, width)."""
        import torch

        with torch.inference_mode():
            inputs = pixels(self._processor, images, self.network)
            return list(self.network.get_image_features(**inputs).pooler_output)

    def reply(self, seen: Features, questions: Sequence[str], length: int) -> Continuation:
        """By the language model inside: the network's own `generate` wants the images."""
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


FAMILIES: Mapping[str, Callable[[Any, Any], Adapter]] = MappingProxyType(
    {"blip-2": Blip2, "paligemma": PrefixAdapter}
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
