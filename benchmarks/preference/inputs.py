"""What a comparison of systems is given: grids, preferences, and what is known of the people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import pandas as pd

from alignment.models.loading import Models
from alignment.models.revisions import identity
from alignment.models.spec import Bundle
from alignment.ranking import NEAREST_TARGET
from alignment.set_metrics.deep_saliency import find_saliency
from alignment.set_metrics.grid import MetricInputs
from benchmarks.data.grids import read_grids
from benchmarks.data.image_grids import score_image_grids
from benchmarks.data.images import ImageStore
from benchmarks.preference.people import raters_agreement, read_ratings
from benchmarks.statistics.correlation import rank_correlation
from session.errors import DataError
from session.systems.grids import Systems, read_results
from session.systems.people import read_preferences
from session.tables import read_table


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


def from_ratings(folder: Path) -> Comparison:
    """Single images with the ratings that are published with DSG."""
    grids, preferences, ratings = read_ratings(folder)
    raters = raters_agreement(
        ratings.rename(columns={"worker_id": "rater"}), ["item_id", "t2i_model"], "answer"
    )
    rho, tau = rank_correlation(grids["relevance"], grids["rating"])
    known = {
        "raters": asdict(raters),
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
    saliency: str,
) -> Comparison:
    """Images that exist, scored against target images.

    Raises:
        DataError: a file is missing.
    """
    if not (grids and images):
        raise DataError("--targets wants --grids with a column image, and --images")
    clip = identity(bundle.clip)
    systems = score_image_grids(
        read_table(grids),
        read_table(targets),
        ImageStore(*images).open,
        Models(bundle).clip,
        find_saliency(saliency),
    )
    inputs = MetricInputs(NEAREST_TARGET, clip, bundle.name, saliency=saliency, similarity=clip)
    return Comparison(systems, None, inputs, {})


def from_scores(results: Sequence[Path] | None, method: str, grids: Path | None) -> Comparison:
    """Grids with scores, of batch runs or of a table.

    Raises:
        DataError: neither is given, or a file is missing.
    """
    if results:
        systems, judged, inputs = read_results(results, method)
        known = {"judged": {name: asdict(each) for name, each in judged.items()}}
        return Comparison(systems, None, inputs, known, "generated")
    if grids:
        return Comparison(read_grids(read_table(grids)), None, MetricInputs("given"), {})
    raise DataError("give --results, --grids or --ratings")


def with_preferences(compared: Comparison, file: Path | None) -> Comparison:
    """The same with the preferences of a file, if there is one; their sides in one order."""
    if file is None:
        return compared
    table = read_preferences(file)
    raters = raters_agreement(table, ["prompt", "first", "second"], "preference")
    known = {**compared.known, "raters": asdict(raters)}
    if absent := without_grids(table, compared.systems):
        known["without_grids"] = absent
    return replace(compared, preferences=table, known=known)


def without_grids(preferences: pd.DataFrame, systems: Systems) -> dict[str, Any]:
    """What of some preferences has no grids: how many, which systems and prompts; or nothing.

    Args:
        preferences: with columns prompt, first and second.
        systems: which all have the same prompts.
    """
    prompts = {prompt for grids in systems.values() for prompt in grids}
    asked = preferences[["prompt", "first", "second"]].astype(str)
    known = asked["prompt"].isin(prompts)
    for side in ("first", "second"):
        known &= asked[side].isin(systems)
    if known.all():
        return {}
    named = {*asked["first"], *asked["second"]}
    return {
        "preferences": int((~known).sum()),
        "of": len(asked),
        "systems": sorted(named - {*systems}),
        "prompts": sorted({*asked["prompt"]} - prompts),
    }
