from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import torch
from PIL import Image as PillowImage

from alignment.models.image_models import STICKER_CLIP
from alignment.models.loading import Models
from benchmarks.__main__ import main
from benchmarks.data.images import image_files
from benchmarks.distance import distance, inception_features
from session.errors import DataError
from session.systems.published import open_image


def features(count: int, width: int, seed: int = 0) -> torch.Tensor:
    return torch.from_numpy(np.random.default_rng(seed).normal(size=(count, width)))


def save_pictures(folder: Path, hue: int, count: int = 6) -> Path:
    """Flat pictures around one hue, of two sizes and two formats."""
    folder.mkdir()
    for index in range(count):
        picture = PillowImage.new("HSV", (24, 24 + index % 2 * 8), (hue + 3 * index, 255, 200))
        picture.convert("RGB").save(folder / f"{index}.{('png', 'jpg')[index % 2]}")
    return folder


def test_a_set_is_no_distance_from_itself() -> None:
    """KID counts no picture as its own twin in a set, but does across, so that it falls below 0."""
    same = features(60, 5)
    found = distance(same, same)
    assert found.fid == pytest.approx(0, abs=1e-6)
    assert found.kid < -found.kid_deviation
    assert (found.images, found.width) == ((60, 60), 5)


@pytest.mark.parametrize(("stretch", "shift"), [(1, 2), (3, 0), (0.5, -1)])
def test_fid_of_a_stretched_and_shifted_set_is_known(stretch: float, shift: float) -> None:
    """y = a x + b: |mean difference|^2 + (1 - a)^2 trace(C)."""
    first = features(200, 4)
    second = stretch * first + shift
    moved = (second.mean(0) - first.mean(0)).square().sum()
    expected = moved + (1 - stretch) ** 2 * torch.cov(first.T).trace()
    assert distance(first, second).fid == pytest.approx(float(expected), rel=1e-6)


def test_kid_is_the_unbiased_discrepancy_under_the_cubic_kernel() -> None:
    """All at 1 against all at 0.5, by hand: (1 + 1)^3 + (0.25 + 1)^3 - 2 (0.5 + 1)^3."""
    found = distance(torch.tensor([[1.0]] * 4), torch.tensor([[0.5]] * 4))
    assert found.kid == pytest.approx(8 + 1.953125 - 2 * 3.375)
    assert found.kid_deviation == pytest.approx(0, abs=1e-9)


def test_fid_falls_with_the_number_of_pictures_of_one_kind_and_kid_stays_near_0() -> None:
    few, many = (distance(features(n, 30), features(n, 30, seed=1)) for n in (40, 400))
    assert few.fid > 5 * many.fid > 0
    assert abs(few.kid) < 2 * few.kid_deviation
    assert abs(many.kid) < 2 * many.kid_deviation


def test_the_seed_chooses_the_subsets_and_leaves_the_global_generator_alone() -> None:
    first, second = features(20, 3), features(30, 3, seed=1)
    torch.manual_seed(0)
    expected = torch.rand(1)
    torch.manual_seed(0)
    one, again, other = (distance(first, second, seed) for seed in (1, 1, 2))
    assert torch.rand(1) == expected
    assert one == again
    assert one.kid != other.kid
    assert one.fid == other.fid


def test_pictures_of_a_folder_are_read_by_name_and_other_files_left(tmp_path: Path) -> None:
    folder = save_pictures(tmp_path / "reds", 0)
    (folder / "notes.txt").write_text("not a picture")
    assert [open_image(file).size for file in image_files(folder)] == [(24, 24), (24, 32)] * 3


def test_a_folder_with_too_few_pictures_is_named(tmp_path: Path) -> None:
    save_pictures(tmp_path / "reds", 0, count=3)
    with pytest.raises(DataError, match=r"reds has 3 images .*four at least"):
        image_files(tmp_path / "reds")


def test_the_embedding_of_a_bundle_sees_folders_of_other_pictures_apart(
    models: Models, tmp_path: Path
) -> None:
    folders = [save_pictures(tmp_path / name, hue) for name, hue in (("reds", 0), ("blues", 150))]
    reds, blues = (
        models.clip.encode([*map(open_image, image_files(folder))]) for folder in folders
    )
    assert distance(reds, blues).fid > distance(reds, reds).fid + 1e-6


def test_the_last_line_holds_every_number(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    if not Path(STICKER_CLIP.source).is_dir():
        pytest.skip("no trained sticker-clip")
    folders = [save_pictures(tmp_path / name, hue) for name, hue in (("reds", 0), ("blues", 150))]
    main(["distance", *map(str, folders)])
    *text, line = capsys.readouterr().out.splitlines()
    result = json.loads(line)
    assert result["features"] == "sticker-clip"
    assert result["images"] == [6, 6]
    assert result["fid"] > 0
    assert "FID too large; trust KID" in " ".join(text)


def test_inception_that_cannot_be_had_is_told_with_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="take --features clip"):
        inception_features(tmp_path / "no-weights.pth")
