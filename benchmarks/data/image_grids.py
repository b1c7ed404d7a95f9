"""Grids of images that exist already, scored by how close they come to target images.

Relevance is max(0, cosine) to the nearest target of the prompt in the space of the bundle's CLIP,
similarity is max(0, cosine) between images, and attention is the saliency of the grid as shown.

Source: N. Arabzadeh, F. Diaz, J. He, "Offline Evaluation of Set-Based Text-to-Image Generation".
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt
import pandas as pd
from PIL.Image import Image

from alignment.models.clip import EmbeddingModel
from alignment.set_metrics.relevance import cosine_similarity, relevance_to_targets
from alignment.set_metrics.saliency import SaliencyMap, cell_attention, compose_grid
from benchmarks.progress import watched
from session.errors import DataError
from session.systems.grids import ScoredGrid, Systems, shared
from session.tables import check_columns


def score_image_grids(
    table: pd.DataFrame,
    targets: pd.DataFrame,
    image: Callable[[str], Image],
    embedder: EmbeddingModel,
    saliency: SaliencyMap,
) -> Systems:
    """The grids of a table of images, over the prompts that all systems have.

    Args:
        table: prompt, system, place (from 0, row by row), image and, if known, columns (of the
            grid; as square as can be where there is no such column) and seed.
        targets: prompt and image, one or more for each prompt.
        image: opens one by its name.
        embedder: gives the embeddings of both.
        saliency: where people look in the image of a grid.

    Raises:
        DataError: a column is missing, a prompt has no target, or no prompt is shared.
    """
    check_columns(table, "grids", "prompt", "system", "place", "image")
    check_columns(targets, "targets", "prompt", "image")
    table = table if "seed" in table else table.assign(seed=0)
    wanted = {prompt: [*rows["image"]] for prompt, rows in targets.groupby("prompt")}
    missing = sorted(set(table["prompt"]) - set(wanted))
    if missing:
        raise DataError(f"targets: no image for {missing[0]!r} ({len(missing)} prompts lack one)")
    embedded = {
        prompt: embedder.encode([image(name) for name in names]).numpy()
        for prompt, names in wanted.items()
    }
    systems: dict[str, dict[str, tuple[ScoredGrid, ...]]] = {}
    groups = [*table.sort_values("place").groupby(["system", "prompt", "seed"])]
    for (system, prompt, _), rows in watched(groups, "grids scored"):
        images = [image(name) for name in rows["image"]]
        grid = _scored_grid(images, _columns(rows), embedded[prompt], embedder, saliency)
        grids = systems.setdefault(str(system), {})
        grids[str(prompt)] = (*grids.get(str(prompt), ()), grid)
    return shared(systems)


def _columns(rows: pd.DataFrame) -> int:
    if "columns" in rows:
        return int(rows["columns"].iloc[0])
    return int(np.ceil(np.sqrt(len(rows))))


def _scored_grid(
    images: list[Image],
    columns: int,
    targets: npt.NDArray[np.float64],
    embedder: EmbeddingModel,
    saliency: SaliencyMap,
) -> ScoredGrid:
    rows = -(-len(images) // columns)
    shown, boxes = compose_grid(images, rows, columns)
    attention = cell_attention(saliency(shown), boxes)[: len(images)]
    embeddings = embedder.encode(images).numpy()
    similarity = cosine_similarity(embeddings, embeddings).clip(0, 1)
    return ScoredGrid(
        tuple(relevance_to_targets(embeddings, targets).tolist()),
        attention,
        tuple(map(tuple, similarity.tolist())),
    )
