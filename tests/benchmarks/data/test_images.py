import zipfile
from pathlib import Path

import pytest
from PIL import Image as PillowImage

from benchmarks.data.images import ImageStore, fetch
from session.errors import DataError


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    home = tmp_path / "images"
    (home / "deep").mkdir(parents=True)
    PillowImage.new("RGBA", (4, 4), "red").save(home / "deep" / "a=one_o=cat.png")
    PillowImage.new("L", (4, 4), 255).save(home / "white.png")
    return home


def test_images_are_found_by_name_at_any_depth_and_come_in_colour(folder: Path) -> None:
    album = ImageStore(folder)
    assert album.open("a=one_o=cat.png").getpixel((0, 0)) == (255, 0, 0)
    assert album.open("white.png").mode == "RGB"


def test_an_archive_serves_like_a_folder(folder: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "images.zip", "w") as archive:
        archive.write(folder / "deep" / "a=one_o=cat.png", "images/a=one_o=cat.png")
    album = ImageStore(tmp_path / "images.zip")
    assert album.open("a=one_o=cat.png").getpixel((0, 0)) == (255, 0, 0)
    with pytest.raises(DataError, match="white.png is not among the images in .*images.zip"):
        album.open("white.png")


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no images at .*nowhere; give a folder or a .zip"):
        ImageStore(tmp_path / "nowhere")


def test_without_the_hub_the_other_way_is_said() -> None:
    with pytest.raises(DataError, match="cannot fetch a.csv of nobody/nothing from the hub"):
        fetch("nobody/nothing", "a.csv")


def test_several_folders_serve_as_one(folder: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    PillowImage.new("RGB", (4, 4), "navy").save(other / "blue.png")
    PillowImage.new("RGB", (4, 4), "navy").save(other / "white.png")
    store = ImageStore(folder, other)
    assert store.open("blue.png").getpixel((0, 0)) == (0, 0, 128)
    assert store.open("white.png").getpixel((0, 0)) == (255, 255, 255)
