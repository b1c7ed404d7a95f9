"""From images and a text to the chance that they belong together; an image is encoded once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from PIL.Image import Image

from alignment.models.batching import image_bytes, in_batches, row_bytes
from alignment.models.token_rows import padded, token_row
from alignment.models.vision_towers import pixels, stub_vision_tower
from alignment.models.vlm import Features

if TYPE_CHECKING:
    from torch import Tensor

Result = TypeVar("Result")


class BlipMatcher:
    """The image-text matching of BLIP, and that of BLIP-2 by its Q-Former."""

    def __init__(self, network: Any, processor: Any) -> None:
        self._network = network
        self._processor = processor
        self._tower = stub_vision_tower(network)
        self._two = network.config.model_type == "blip-2"
        self._reader = network.config.qformer_config if self._two else network.config.text_config
        self._reads: int = self._reader.max_position_embeddings

    def encode(self, images: Sequence[Image]) -> Features:
        """The tower's last layer for each image, shape (patches, width)."""
        import torch

        def features(batch: Sequence[Image]) -> list[Tensor]:
            inputs = pixels(self._processor, batch, self._network)
            with torch.inference_mode():
                return list(self._tower(pixel_values=inputs["pixel_values"]).last_hidden_state)

        return self._in_batches(features, images, image_bytes(self._network.config))

    def p_match(self, features: Features, text: str) -> list[float]:
        """The chance in [0, 1] that each image matches the text."""

        def chances(batch: Sequence[Tensor]) -> list[float]:
            found: list[float] = self._logits(batch, text).float().softmax(-1)[:, 1].tolist()
            return found

        tokens = max((each.shape[0] for each in features), default=0) + self._reads
        needed = row_bytes(self._reader, tokens, self._network.dtype.itemsize)
        return self._in_batches(chances, features, needed)

    def max_tokens(self, text: str) -> int | None:
        """The number of tokens the model reads, if the text has more."""
        tokens = self._processor.tokenizer(text, verbose=False).input_ids
        return self._reads if len(tokens) > self._reads else None

    def _in_batches(
        self, work: Callable[[Any], Sequence[Result]], items: Sequence[Any], needed: int
    ) -> list[Result]:
        return in_batches(work, items, needed, self._network.device)

    def _logits(self, features: Features, text: str) -> Tensor:
        """No match and match, shape (images, 2)."""
        import torch

        network, images = self._network, torch.stack(tuple(features))
        inputs = padded([self._row(text)] * len(features), 0, "right", network.device)
        with torch.inference_mode():
            if self._two:
                output = network(**inputs, pixel_values=images, use_image_text_matching_head=True)
                logits: Tensor = output.logits_per_image
            else:
                read = network.text_encoder(**inputs, encoder_hidden_states=images)
                logits = network.itm_head(read.last_hidden_state[:, 0])
        return logits

    def _row(self, text: str) -> dict[str, list[int]]:
        """BLIP-2 makes room for its queries among the tokens where its configuration says so."""
        config = self._network.config
        if not self._two:
            return token_row(self._processor, text, reads=self._reads)
        if config.image_token_index is None:
            row = self._processor.tokenizer(text, truncation=True, max_length=self._reads)
            return {name: row[name] for name in ("input_ids", "attention_mask")}
        self._processor.num_query_tokens = config.num_query_tokens
        return token_row(self._processor, text, reads=self._reads + config.num_query_tokens)
