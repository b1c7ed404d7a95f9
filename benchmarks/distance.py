"""How far apart are the images of two folders, as a whole?

FID and KID, the measures by which generators are usually compared; they look at no prompt. Features
are the image embeddings of the bundle's CLIP or, as published, of Inception v3, whose weights
`torch-fidelity` fetches from the network or reads from a file. Distances compare only where the
features and, for FID, the numbers of images are the same. KID is 0 on average for images of one
kind; its deviation is that from subset to subset.

A thousand images take about a minute with the embedded models.

For example:

    python -m benchmarks distance FOLDER FOLDER
    python -m benchmarks distance FOLDER FOLDER --set clip=clip-vit-l-14
    python -m benchmarks distance FOLDER FOLDER --features inception --weights FILE
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Literal, TypeAlias

import numpy as np
import torch
import typer
from PIL.Image import Image
from rich.console import Console
from rich.table import Table
from torch import Tensor, nn
from torchmetrics.image.fid import FrechetInceptionDistance
from torchmetrics.image.kid import KernelInceptionDistance

from alignment.models.loading import Models
from alignment.statistics.frechet import frechet_distance
from benchmarks import options as given
from benchmarks.data.images import image_files
from benchmarks.progress import watched
from session.errors import DataError
from session.systems.published import open_image

Features: TypeAlias = Callable[[Sequence[Image]], Tensor]
"""From images to their features, shape (images, width)."""

SUBSETS = 100
AT_ONCE = 32
"""Images in memory."""
LARGEST_SUBSET = 1000
INCEPTION_WIDTH = 2048


@dataclass(frozen=True)
class Distance:
    """Two sets of images, held against each other."""

    fid: float
    """Frechet distance of two normal distributions, >= 0; large for few images."""
    kid: float
    """Squared maximum mean discrepancy; 0 on average for images of one kind, however few, and
    below 0 where both sets hold the same images."""
    kid_deviation: float
    """Standard deviation of KID from subset to subset."""
    images: tuple[int, int]
    width: int
    """Of the features."""


def inception_features(weights: Path | None = None) -> Features:
    """The last pooling layer of Inception v3, width 2048, in the form that FID was published with.

    Args:
        weights: a file of torch-fidelity's; fetched from the network when None.

    Raises:
        DataError: torch-fidelity is not installed, or the weights cannot be had.
    """
    try:
        metric = FrechetInceptionDistance(
            INCEPTION_WIDTH, feature_extractor_weights_path=str(weights) if weights else None
        )
    except (ModuleNotFoundError, OSError) as error:
        raise DataError(
            f"Inception cannot be had: {error}; `pip install torch-fidelity`, and give --weights "
            "FILE where its download is out of reach, or take --features clip"
        ) from error
    return lambda images: torch.cat([metric.inception(_bytes(image)) for image in images])


def _bytes(image: Image) -> Tensor:
    """Shape (1, 3, height, width), 0 to 255."""
    return torch.from_numpy(np.array(image)).permute(2, 0, 1)[None]


def distance(first: Tensor, second: Tensor, seed: int = 7) -> Distance:
    """FID and KID between two sets of features.

    FID is the `frechet_distance` of the features.
    KID = the unbiased squared maximum mean discrepancy under the kernel (x.y / width + 1)^3, mean
    over 100 random subsets of half the smaller set each, at most 1000.

    Args:
        first: shape (images, width), at least four images.
        second: the same of the other set.
        seed: of the subsets.

    Source: M. Binkowski et al., "Demystifying MMD GANs", 2018.
    """
    width = first.shape[1]
    subset = min(len(first) // 2, len(second) // 2, LARGEST_SUBSET)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Metric `Kernel Inception Distance` will save")
        kid = KernelInceptionDistance(_as_they_are(width), SUBSETS, subset)
    kid.update(first.double(), real=True)
    kid.update(second.double(), real=False)
    fid = frechet_distance(first.numpy(), second.numpy())
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        mean, deviation = kid.compute()
    images = (len(first), len(second))
    return Distance(fid, float(mean), float(deviation), images, width)


def _as_they_are(width: int) -> nn.Module:
    """A network that hands features on."""
    network = nn.Identity()
    network.num_features = width
    return network


def main(
    first: Annotated[Path, typer.Argument(help="A folder of images, four at least.")],
    second: Annotated[Path, typer.Argument(help="Another folder of images.")],
    features: Annotated[
        Literal["clip", "inception"],
        typer.Option(help="What an image is described by; published figures use inception."),
    ] = "clip",
    bundle: given.BundleName = "embedded",
    role: given.RoleModels = None,
    weights: Annotated[
        Path | None,
        typer.Option(help="A file with Inception's weights; a pickle, so take one you trust."),
    ] = None,
    limit: Annotated[
        int | None,
        typer.Option(min=4, help="For a first look: so many images of each (4 or more)."),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Of KID's random subsets.")] = 7,
) -> None:
    """Print the table, then one JSON line."""
    if features == "inception":
        name, encode = "inception-v3", inception_features(weights)
    else:
        models = Models(given.bundle_with(bundle, role or ()))
        name, encode = models.bundle.clip.name, models.clip.encode
    with torch.inference_mode():
        one, other = (_encoded(image_files(each)[:limit], encode) for each in (first, second))
    found = distance(one, other, seed)
    Console().print(_table(found, name), *_caution(found))
    print(json.dumps({"features": name, "seed": seed, **asdict(found)}))


def _encoded(files: Sequence[Path], encode: Features) -> Tensor:
    batches = [files[start : start + AT_ONCE] for start in range(0, len(files), AT_ONCE)]
    images = (list(map(open_image, batch)) for batch in watched(batches, "batches of images"))
    return torch.cat([encode(batch) for batch in images])


def _table(found: Distance, name: str) -> Table:
    first, second = found.images
    table = Table(title=f"{first} images against {second}, {name}, {found.width} features")
    table.add_column("distance")
    table.add_column("value", justify="right")
    table.add_row("FID", f"{found.fid:.4g}")
    table.add_row("KID", f"{found.kid:.4g} +- {found.kid_deviation:.2g}")
    return table


def _caution(found: Distance) -> Iterable[str]:
    if min(found.images) <= found.width:
        yield (
            f"A folder has no more images than there are features ({found.width}): its "
            "covariance is degenerate and FID too large; trust KID."
        )
