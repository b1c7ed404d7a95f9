"""What a model keeps of one image, seen in part: elsewhere stands the mean of its tokens.

So a part is looked at without the vision tower: it costs a question, and no look.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import isqrt
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from torch import Tensor

Region: TypeAlias = npt.NDArray[np.bool_]
"""Rows x columns of an image, True inside."""


def seen_in_part(seen: Any, parts: Sequence[Region]) -> list[Any] | None:
    """One image, once for each part.

    Args:
        seen: what an adapter of `alignment.models.adapters` keeps of it.
        parts: of the image; each is put on the grid of the tokens by its nearest places.

    Returns:
        None where the tokens have no places: the queries of a Q-Former, an image cut into tiles.
    """
    features = getattr(seen, "features", seen)
    shape = _grid(features, {} if features is seen else seen.layout)
    if shape is None:
        return None
    if features is seen:
        return [_view(features, part, shape) for part in parts]
    return [
        replace(
            seen,
            features=_view(features, part, shape),
            levels=tuple(_view(each, part, shape) for each in seen.levels),
        )
        for part in parts
    ]


def scaled(region: Region, shape: tuple[int, ...]) -> Region:
    """A region on a grid of another shape.

    >>> scaled(np.array([[True, False]]), (2, 4)).astype(int).tolist()
    [[1, 1, 0, 0], [1, 1, 0, 0]]
    """
    rows, columns = (np.arange(n) * of // n for n, of in zip(shape, region.shape, strict=True))
    return np.asarray(region[np.ix_(rows, columns)])


def _grid(features: Tensor, layout: Mapping[str, Tensor]) -> tuple[int, int] | None:
    """Rows and columns of the tokens; a class token may stand before them."""
    if features.ndim == 3 and len(features) > 1:
        return None
    tokens = features.shape[-2]
    if "image_grid_thw" in layout:  # before patches are merged
        _, rows, columns = layout["image_grid_thw"][0].tolist()
        merged = isqrt(rows * columns // tokens)
        return rows // merged, columns // merged
    sides = (isqrt(tokens), isqrt(tokens - 1))
    return next(((side, side) for side in sides if tokens - side**2 in (0, 1)), None)


def _view(features: Tensor, part: Region, shape: tuple[int, int]) -> Tensor:
    import torch

    view = features.clone()
    places = view.reshape(-1, view.shape[-1])[-shape[0] * shape[1] :]
    inside = torch.from_numpy(scaled(part, shape).ravel()).to(view.device)
    places[~inside] = places.mean(0)
    return view
