"""How far apart are the pictures of two folders, as a whole?

    python -m benchmarks distance FOLDER FOLDER [--features clip] [--bundle embedded]
    python -m benchmarks distance FOLDER FOLDER --features inception [--weights FILE]

FID and KID, the measures that generators are usually compared by; they look at no prompt. Features
are the image embeddings of the bundle's CLIP, or, as published, of Inception v3, whose weights
`torch-fidelity` fetches from the network or reads from a file. Distances compare only where the
features and, for FID, the numbers of pictures are the same. Printed: both distances; one JSON line
at the end.
"""

from __future__ import annotations

import json
import warnings
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import torch
from PIL import Image as PillowImage
from PIL.Image import Image
from rich.console import Console
from rich.table import Table
from torch import Tensor, nn
from torchmetrics.image.fid import FrechetInceptionDistance
from torchmetrics.image.kid import KernelInceptionDistance

from alignment.models.catalogue import find_bundle
from alignment.models.loading import Models

Features: TypeAlias = Callable[[Sequence[Image]], Tensor]
"""From pictures to their features, shape (pictures, width)."""

SUFFIXES = (".png", ".jpg", ".jpeg", ".webp")
SUBSETS = 100
LARGEST_SUBSET = 1000
INCEPTION_WIDTH = 2048


@dataclass(frozen=True)
class Distance:
    """Two sets of pictures, held against each other."""

    fid: float
    """Frechet distance of two normal distributions, >= 0; large for few pictures."""
    kid: float
    """Squared maximum mean discrepancy; 0 on average for pictures of one kind, however few, and
    below 0 where both sets hold the same pictures."""
    kid_deviation: float
    """Standard deviation of KID from subset to subset."""
    pictures: tuple[int, int]
    width: int
    """Of the features."""


def read_folder(folder: Path) -> list[Image]:
    """Every picture of a folder, by name.

    Raises:
        ValueError: there are fewer than four.
    """
    files = sorted(file for file in folder.glob("*") if file.suffix.lower() in SUFFIXES)
    if len(files) < 4:
        kinds = ", ".join(SUFFIXES)
        raise ValueError(f"{folder} has {len(files)} pictures ({kinds}); four at least are needed")
    return [PillowImage.open(file).convert("RGB") for file in files]


def inception_features(weights: Path | None = None) -> Features:
    """The last pooling layer of Inception v3, width 2048, in the form that FID was published with.

    Args:
        weights: a file of torch-fidelity's; fetched from the network when None.

    Raises:
        RuntimeError: torch-fidelity is not installed, or the weights cannot be had.
    """
    try:
        metric = FrechetInceptionDistance(
            INCEPTION_WIDTH, feature_extractor_weights_path=str(weights) if weights else None
        )
    except (ModuleNotFoundError, OSError) as error:
        raise RuntimeError(
            f"Inception cannot be had: {error}; `pip install torch-fidelity`, and give --weights "
            "FILE where its download is out of reach, or take --features clip"
        ) from error
    return lambda images: torch.cat([metric.inception(_bytes(image)) for image in images])


def _bytes(image: Image) -> Tensor:
    """Shape (1, 3, height, width), 0 to 255."""
    return torch.from_numpy(np.array(image)).permute(2, 0, 1)[None]


def distance(first: Tensor, second: Tensor, seed: int = 7) -> Distance:
    """FID and KID between two sets of features.

    FID = |m1 - m2|^2 + trace(C1 + C2 - 2 (C1 C2)^(1/2)), of means and covariances.
    KID = the unbiased squared maximum mean discrepancy under the kernel (x.y / width + 1)^3, mean
    over 100 random subsets of half the smaller set each, at most 1000.

    Args:
        first: shape (pictures, width), at least four pictures.
        second: the same of the other set.
        seed: of the subsets.

    Source: M. Heusel et al., "GANs Trained by a Two Time-Scale Update Rule", 2017; M. Binkowski et
    al., "Demystifying MMD GANs", 2018.
    """
    width = first.shape[1]
    subset = min(len(first) // 2, len(second) // 2, LARGEST_SUBSET)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Metric `Kernel Inception Distance` will save")
        kid = KernelInceptionDistance(_as_they_are(width), SUBSETS, subset)
    fid = FrechetInceptionDistance(_as_they_are(width))
    for metric in (fid, kid):
        metric.update(first.double(), real=True)
        metric.update(second.double(), real=False)
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        mean, deviation = kid.compute()
    pictures = (len(first), len(second))
    return Distance(float(fid.compute()), float(mean), float(deviation), pictures, width)


def _as_they_are(width: int) -> nn.Module:
    """A network that hands features on."""
    network = nn.Identity()
    network.num_features = width
    return network


def main(arguments: Sequence[str]) -> None:
    """Print the table, then one JSON line."""
    options = _options(arguments)
    name, features = _features(options)
    with torch.inference_mode():
        first, second = (features(read_folder(folder)) for folder in options.folders)
    found = distance(first, second, options.seed)
    console = Console()
    console.print(_table(found, name), *_caution(found))
    print(json.dumps({"features": name, "seed": options.seed, **asdict(found)}))


def _features(options: Namespace) -> tuple[str, Features]:
    if options.features == "inception":
        return "inception-v3", inception_features(options.weights)
    models = Models(find_bundle(options.bundle))
    return models.bundle.clip.name, models.clip.encode


def _table(found: Distance, name: str) -> Table:
    first, second = found.pictures
    table = Table(title=f"{first} pictures against {second}, {name}, {found.width} features")
    table.add_column("distance")
    table.add_column("value", justify="right")
    table.add_row("FID", f"{found.fid:.4g}")
    table.add_row("KID", f"{found.kid:.4g} +- {found.kid_deviation:.2g}")
    return table


def _caution(found: Distance) -> Iterable[str]:
    if min(found.pictures) <= found.width:
        yield (
            f"A folder has no more pictures than there are features ({found.width}): its "
            "covariance is degenerate and FID too large; trust KID."
        )


def _options(arguments: Sequence[str]) -> Any:
    parser = ArgumentParser(prog="python -m benchmarks distance", description=__doc__)
    parser.add_argument("folders", type=Path, nargs=2, metavar="FOLDER")
    parser.add_argument("--features", choices=("clip", "inception"), default="clip")
    parser.add_argument("--bundle", default="embedded", help="name of a bundle")
    parser.add_argument("--weights", type=Path, help="Inception's; a pickle, so one you trust")
    parser.add_argument("--seed", type=int, default=7, help="of KID's subsets")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    import sys

    main(sys.argv[1:])
