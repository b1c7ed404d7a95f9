"""What a comparison of systems is given: grids, preferences, and what is known of the people.

Of images that exist already, relevance is max(0, cosine) to the nearest target of the prompt in the
space of the bundle's CLIP, similarity is max(0, cosine) between images, and attention is the
saliency of the grid as shown.

Source: N. Arabzadeh, F. Diaz, J. He, "Offline Evaluation of Set-Based Text-to-Image Generation".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from PIL.Image import Image

from alignment.arrays import Floats
from alignment.models.clip import OpenClip
from alignment.models.loading import Models
from alignment.models.revisions import identity
from alignment.models.spec import Bundle
from alignment.ranking import NEAREST_TARGET
from alignment.set_metrics.grid import MetricInputs
from alignment.set_metrics.relevance import relevance_to_targets
from alignment.set_metrics.saliency import SPECTRAL_RESIDUAL, grid_attention
from benchmarks.data.dsg import read_published
from benchmarks.data.images import ImageStore, image_files, open_image
from benchmarks.preference.people import read_preferences, without_grids
from benchmarks.progress import watched
from benchmarks.statistics.correlation import rank_correlation
from benchmarks.statistics.reliability import raters_agreement, raters_by_pair
from session.errors import DataError
from session.systems.grids import ScoredGrid, Systems, read_results, shared
from session.tables import check_columns, read_table


@dataclass(frozen=True)
class Comparison:
    """What is compared, and where it comes from."""

    systems: Systems
    preferences: pd.DataFrame | None
    inputs: MetricInputs
    """Where relevance, attention and similarity come from, for signatures."""
    known: Mapping[str, Any]
    """What is known of people and of coverage before any metric."""
    arrangement: str = ""
    """Of the images, e.g. "generated"; empty where it is not known."""
    image: Callable[[str], Image] = open_image
    """Opens an image of a grid, or a real one."""


def from_ratings(folder: Path) -> Comparison:
    """Single images with the ratings that are published with DSG."""
    grids, preferences, ratings = read_published(folder)
    raters = raters_agreement(
        ratings.rename(columns={"worker_id": "rater"}), ["item_id", "t2i_model"], "answer"
    )
    rho, tau = rank_correlation(grids["relevance"], grids["rating"])
    known = {
        "raters": {"single images": asdict(raters)},
        "correlation": {"spearman": rho, "kendall": tau, "n": len(grids)},
    }
    return Comparison(
        read_grids(grids), preferences, MetricInputs("share of yes by pali-17b"), known
    )


def from_images(
    grids: Path | None,
    images: Sequence[Path] | None,
    targets: Path,
    bundle: Bundle,
) -> Comparison:
    """Images that exist, scored against target images.

    Raises:
        DataError: a file is missing.
    """
    if not (grids and images):
        raise DataError("--targets wants --grids with a column image, and --images")
    clip, store = identity(bundle.clip), ImageStore(*images)
    tables = read_table(grids), read_table(targets)
    systems = score_image_grids(*tables, store.open, Models(bundle).clip)
    measured = {"saliency": SPECTRAL_RESIDUAL, "similarity": clip}
    inputs = MetricInputs(NEAREST_TARGET, clip, bundle.name, **measured)

    def image(name: str) -> Image:
        return store.open(name) if name in store.places else open_image(name)

    return Comparison(systems, None, inputs, {}, image=image)


def real_images(texts: Sequence[str]) -> dict[str, list[Path]]:
    """Data set -> its real images; "" for those of all.

    Args:
        texts: folders of images, each maybe with "DATASET=" before it.

    Raises:
        DataError: a folder has fewer than four images.
    """
    parts = (text.rpartition("=") for text in texts)
    return {dataset: image_files(Path(folder)) for dataset, _, folder in parts}


def from_scores(results: Sequence[str] | None, method: str, grids: Path | None) -> Comparison:
    """Grids with scores, of batch runs or of a table.

    Args:
        results: files of batch runs; "NAME=" before one says what its system is to be called.
        method: whose calibrated chance is the relevance of results.

    Raises:
        DataError: neither is given, or a file is missing.
    """
    if results:
        systems, judged, inputs = read_results(dict(map(_named_file, results)), method)
        known = {"judged": {name: asdict(each) for name, each in judged.items()}}
        return Comparison(systems, None, inputs, known, "generated")
    if grids:
        return Comparison(read_grids(read_table(grids)), None, MetricInputs("given"), {})
    raise DataError("give --results, --grids or --ratings")


def _named_file(text: str) -> tuple[Path, str]:
    """A file, and what its system is to be called.

    >>> _named_file("plain=runs/first/results.jsonl")
    (PosixPath('runs/first/results.jsonl'), 'plain')
    """
    name, _, file = text.rpartition("=")
    return (Path(text), "") if Path(text).is_file() else (Path(file), name)


def with_preferences(compared: Comparison, files: Sequence[Path]) -> Comparison:
    """The same with the preferences of files, if there are any; their sides in one order."""
    if not files:
        return compared
    table = read_preferences(*files)
    raters = {pair: asdict(each) for pair, each in raters_by_pair(table).items()}
    known = {**compared.known, "raters": raters}
    if absent := without_grids(table, compared.systems):
        known["without_grids"] = absent
    return replace(compared, preferences=table, known=known)


UNSAID: Mapping[str, Any] = {"attention": 1.0, "seed": 0, "grid": "", "dataset": ""}
"""What columns hold that a table does not have."""


def read_grids(table: pd.DataFrame) -> Systems:
    """The grids of a table with one row for each image, over the prompts that all systems have.

    Args:
        table: the columns of `--grids` and, if known, grid (an id; preferences name a grid by it
            or by its seed) and dataset (of the prompt).

    Raises:
        DataError: a column is missing, a value is out of range, or no prompt is shared.
    """
    check_columns("grids", ("prompt", "system", "place", "relevance"), table.columns)
    if not table["relevance"].between(0, 1).all():
        raise DataError("grids: every relevance must be a number in [0, 1]")
    missing = {name: value for name, value in UNSAID.items() if name not in table}
    table = table.assign(**missing)
    systems: dict[str, dict[str, tuple[ScoredGrid, ...]]] = {}
    for (system, prompt, *said), rows in table.sort_values("place").groupby(
        ["system", "prompt", "dataset", "seed", "grid"]
    ):
        dataset, *names = map(str, said)
        grid = replace(_grid(rows), names=tuple(filter(None, names)), dataset=dataset)
        grids = systems.setdefault(str(system), {})
        grids[str(prompt)] = (*grids.get(str(prompt), ()), grid)
    return shared(systems)


def _grid(rows: pd.DataFrame) -> ScoredGrid:
    similarity = None
    if "similarity" in rows:
        similarity = tuple(tuple(map(float, str(line).split())) for line in rows["similarity"])
        if any(len(line) != len(rows) for line in similarity):
            prompt = rows["prompt"].iloc[0]
            raise DataError(f"grids: {len(rows)} places of {prompt!r} need as many similarities")
    return ScoredGrid(tuple(rows["relevance"]), tuple(rows["attention"]), similarity)


def score_image_grids(
    table: pd.DataFrame,
    targets: pd.DataFrame,
    image: Callable[[str], Image],
    embedder: OpenClip,
) -> Systems:
    """The grids of a table of images, over the prompts that all systems have.

    Args:
        table: prompt, system, place (from 0, row by row), image and, if known, columns (of the
            grid; as square as can be where there is no such column) and seed.
        targets: prompt and image, one or more for each prompt.
        image: opens one by its name.
        embedder: gives the embeddings of both.

    Raises:
        DataError: a column is missing, a prompt has no target, or no prompt is shared.
    """
    check_columns("grids", ("prompt", "system", "place", "image"), table.columns)
    check_columns("targets", ("prompt", "image"), targets.columns)
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
    for (system, prompt, seed), rows in watched(groups, "grids scored"):
        images = [image(name) for name in rows["image"]]
        grid = _scored_grid(images, _columns(rows), embedded[prompt], embedder)
        grid = replace(grid, names=(str(seed),), images=tuple(rows["image"]))
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
    targets: Floats,
    embedder: OpenClip,
) -> ScoredGrid:
    rows = -(-len(images) // columns)
    attention = grid_attention(images, rows, columns)[: len(images)]
    embeddings = embedder.encode(images).numpy()
    similarity = (embeddings @ embeddings.T).clip(0, 1)
    return ScoredGrid(
        tuple(relevance_to_targets(embeddings, targets).tolist()),
        attention,
        tuple(map(tuple, similarity.tolist())),
    )
