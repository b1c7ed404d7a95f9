"""From images and texts to unit vectors of one space, and from these to similarity."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PIL.Image import Image

from alignment.errors import UnsuitableModelError
from alignment.models.batching import PIXEL_BYTES, in_batches
from alignment.models.files import PICKLED
from alignment.models.spec import ScoringModel
from alignment.models.vlm import EncodedImages

if TYPE_CHECKING:
    from torch import Tensor


class OpenClip:
    """A CLIP model of open_clip, with its own preprocessing and tokeniser."""

    def __init__(
        self,
        network: Any,
        preprocess: Callable[[Image], Tensor],
        tokenizer: Any,
    ) -> None:
        self._network = network
        self._preprocess = preprocess
        self._tokenizer = tokenizer
        self._device = next(network.parameters()).device
        side = getattr(network.visual, "image_size", 224)
        self._image_bytes = PIXEL_BYTES * (side if isinstance(side, int) else max(side)) ** 2

    def encode(self, images: Sequence[Image]) -> Tensor:
        """Unit vectors of the images, shape (images, width)."""
        import torch

        with torch.inference_mode():
            embeddings = in_batches(self._embed, images, self._image_bytes, self._device)
        return torch.stack(embeddings)

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

    def _embed(self, images: Sequence[Image]) -> list[Tensor]:
        import torch

        pixels = torch.stack([self._preprocess(image.convert("RGB")) for image in images])
        embeddings = self._network.encode_image(pixels.to(self._device), normalize=True)
        return list(embeddings.cpu())


def open_clip_model(spec: ScoringModel, folder: Path, device: str) -> OpenClip:
    """The model in a folder, built as its own configuration or by its `architecture` says.

    Raises:
        UnsuitableModelError: see `check_activation` and `pad_after_text`.
    """
    import open_clip

    name = spec.architecture or f"local-dir:{folder}"
    weights = str(folder / PICKLED) if spec.architecture else None
    network, preprocess = open_clip.create_model_from_pretrained(
        name, pretrained=weights, device=device
    )
    tokenizer = open_clip.get_tokenizer(name)
    check_activation(network, spec.quick_gelu, spec.name)
    pad_after_text(network, tokenizer, spec.name)
    return OpenClip(network.eval(), preprocess, tokenizer)


def check_activation(network: Any, quick_gelu: bool | None, name: str) -> None:
    """Refuse a network with another activation than its weights were trained with.

    Args:
        network: as it was built from the repository's configuration.
        quick_gelu: whether the weights were trained with QuickGELU; None where nobody says.
        name: of the model.

    Raises:
        UnsuitableModelError: the configuration names the other one, and every score would be off.
    """
    from open_clip.transformer import QuickGELU

    found = any(isinstance(module, QuickGELU) for module in network.modules())
    if quick_gelu is not None and found != quick_gelu:
        built, trained = ("QuickGELU", "GELU") if found else ("GELU", "QuickGELU")
        raise UnsuitableModelError(
            f"the weights of {name} were trained with {trained}, but its configuration builds "
            f"{built}; set quick_gelu in open_clip_config.json, or choose another CLIP model"
        )


def pad_after_text(network: Any, tokenizer: Any, name: str) -> None:
    """Have short texts padded behind, where the network reads its last token, as SigLIP does.

    Raises:
        UnsuitableModelError: the last token of a short text is no padding all the same.
    """
    if getattr(getattr(network, "text", None), "pool_type", None) != "last":
        return
    words = tokenizer.tokenizer
    words.padding_side = "right"
    if int(tokenizer(["a cat"])[0, -1]) != words.pad_token_id:
        raise UnsuitableModelError(
            f"{name} reads the last of its {tokenizer.context_length} tokens, which must be "
            "padding after a short text, and its tokenizer puts something else there"
        )


def image_similarity(model: OpenClip, images: EncodedImages) -> tuple[tuple[float, ...], ...]:
    """How alike the images are: max(0, cosine) of their embeddings, 1 on the diagonal.

    Negative cosines count as nothing alike, as in the definition of novelty.
    """
    embeddings = images.encoded_by(model)
    similarity = (embeddings @ embeddings.T).clamp(0, 1).fill_diagonal_(1)
    return tuple(tuple(row) for row in similarity.tolist())
