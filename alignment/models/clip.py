"""From pictures and texts to unit vectors of one space, and from these to similarity."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from PIL.Image import Image

from alignment.models.vlm import Pictures, batches

if TYPE_CHECKING:
    from torch import Tensor


class EmbeddingModel(Hashable, Protocol):
    """A model with one embedding space for pictures and texts."""

    def encode(self, images: Sequence[Image]) -> Tensor:
        """Unit vectors of the pictures, shape (images, width)."""

    def embed_text(self, text: str) -> Tensor:
        """Unit vector of a text, shape (width,)."""

    def max_tokens(self, text: str) -> int | None:
        """The number of tokens the model reads, if the text has more."""


class OpenClip:
    """A CLIP model of open_clip, with its own preprocessing and tokeniser."""

    def __init__(
        self,
        network: Any,
        preprocess: Callable[[Image], Tensor],
        tokenizer: Any,
        batch_size: int = 64,
    ) -> None:
        self._network = network
        self._preprocess = preprocess
        self._tokenizer = tokenizer
        self._batch_size = batch_size
        self._device = next(network.parameters()).device

    def encode(self, images: Sequence[Image]) -> Tensor:
        """Unit vectors of the pictures, shape (images, width)."""
        import torch

        with torch.inference_mode():
            return torch.cat([self._embed(batch) for batch in batches(images, self._batch_size)])

    def embed_text(self, text: str) -> Tensor:
        """Unit vector of a text, shape (width,)."""
        import torch

        with torch.inference_mode():
            tokens = self._tokenizer([text]).to(self._device)
            embedding: Tensor = self._network.encode_text(tokens, normalize=True)[0]
        return embedding.cpu()

    def max_tokens(self, text: str) -> int | None:
        """The number of tokens the model reads, if the text has more."""
        limit = int(self._tokenizer.context_length)
        whole, nothing = self._tokenizer([text, ""], context_length=4 * limit)
        return limit if bool((whole[limit:] != nothing[limit:]).any()) else None

    def _embed(self, images: Sequence[Image]) -> Tensor:
        import torch

        pixels = torch.stack([self._preprocess(image.convert("RGB")) for image in images])
        embeddings: Tensor = self._network.encode_image(pixels.to(self._device), normalize=True)
        return embeddings.cpu()


def image_similarity(model: EmbeddingModel, pictures: Pictures) -> tuple[tuple[float, ...], ...]:
    """How alike the pictures are: max(0, cosine) of their embeddings, 1 on the diagonal.

    Negative cosines count as nothing alike, as in the definition of novelty.
    """
    embeddings = pictures.encoded_by(model)
    similarity = (embeddings @ embeddings.T).clamp(0, 1).fill_diagonal_(1)
    return tuple(tuple(row) for row in similarity.tolist())
