"""Uploaded files: what is shown of them, and what is refused."""

import struct
import zlib
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from session import decode
from session.errors import UnusableFileError
from session.limits import Limits, Runs
from session.run import RunEnded
from session.uploads import SIDE, read_each, read_upload, read_uploads
from tests.hostile import scan_bomb


def saved(folder: Path, name: str, image: Image.Image, **options: object) -> Path:
    file = folder / name
    image.save(file, **options)
    return file


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An image that takes long to decode."""
    folder: Path = tmp_path_factory.mktemp("large")
    return saved(folder, "large.png", Image.new("RGBA", (4000, 4000)))


@pytest.mark.parametrize("name", ["a.png", "a.jpg", "a.webp", "a.gif"])
def test_an_image_comes_out_plain_and_small(name: str, tmp_path: Path):
    image = read_upload(saved(tmp_path, name, Image.new("RGB", (1400, 700), "tomato")))
    assert (image.mode, image.size) == ("RGB", (SIDE, SIDE // 2))
    assert image.getpixel((10, 10)) == pytest.approx((255, 99, 71), abs=3)


def test_sixteen_bits_of_grey_are_scaled_to_eight(tmp_path: Path):
    levels = np.linspace(0, 65535, 64).astype(np.uint16)
    Image.fromarray(np.repeat(levels[:, None], 64, 1)).save(tmp_path / "grey.png")
    grey = np.asarray(read_upload(tmp_path / "grey.png"))[:, 0, 0]
    assert np.abs(grey - levels / 257).max() <= 1


def test_what_is_transparent_becomes_white(tmp_path: Path):
    image = read_upload(saved(tmp_path, "a.png", Image.new("RGBA", (8, 8), (255, 0, 0, 0))))
    assert image.getpixel((0, 0)) == (255, 255, 255)


def test_a_photograph_taken_sideways_is_set_upright(tmp_path: Path):
    sideways = Image.new("RGB", (40, 20))
    exif = sideways.getexif()
    exif[0x0112] = 6
    assert read_upload(saved(tmp_path, "a.jpg", sideways, exif=exif)).size == (20, 40)


@pytest.mark.parametrize(
    ("name", "content"),
    [("notes.txt", b"no image"), ("page.png", b"<svg onload='x()'/>"), ("empty.jpg", b"")],
)
def test_what_is_no_image_is_refused_by_name(name: str, content: bytes, tmp_path: Path):
    file = tmp_path / name
    file.write_bytes(content)
    with pytest.raises(UnusableFileError, match=f'"{name}" is not a PNG, JPEG, WebP or GIF image'):
        read_upload(file)


def test_no_other_decoder_runs(tmp_path: Path):
    with pytest.raises(UnusableFileError, match="is not a PNG, JPEG, WebP or GIF"):
        read_upload(saved(tmp_path, "a.bmp", Image.new("P", (4, 4))))


def test_of_a_gif_the_first_frame_counts(tmp_path: Path):
    frames = [Image.new("RGB", (8, 8), colour) for colour in ("red", "blue")]
    file = saved(tmp_path, "a.gif", frames[0], save_all=True, append_images=frames[1:])
    assert read_upload(file).getpixel((4, 4)) == (255, 0, 0)


def test_of_a_telephones_jpeg_with_further_pictures_the_first_counts(tmp_path: Path):
    red, blue = (Image.new("RGB", (8, 8), colour) for colour in ("red", "blue"))
    file = tmp_path / "portrait.jpg"
    red.save(file, "MPO", save_all=True, append_images=[blue])
    assert read_upload(file).getpixel((0, 0))[0] > 250


def test_a_file_that_is_not_there_is_a_sentence(tmp_path: Path):
    with pytest.raises(UnusableFileError, match="there is no file"):
        read_upload(tmp_path / "a.png")


@pytest.mark.parametrize("name", ["a.png", "a.jpg"])
def test_a_file_cut_in_the_middle_is_called_broken(name: str, tmp_path: Path):
    file = saved(tmp_path, name, Image.effect_noise((64, 64), 50))
    file.write_bytes(file.read_bytes()[:700])
    with pytest.raises(UnusableFileError, match=f'"{name}" is broken'):
        read_upload(file)


@pytest.mark.parametrize(
    ("side", "says"), [(8_000, "8000 x 8000 pixels"), (40_000, "far too many pixels")]
)
def test_a_decompression_bomb_is_refused_before_it_is_decoded(side: int, says: str, tmp_path: Path):
    """A PNG of a few bytes that claims to be huge; there is nothing in it to decode."""
    file = tmp_path / "bomb.png"
    header = chunk(b"IHDR", struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0))
    file.write_bytes(b"\x89PNG\r\n\x1a\n" + header + chunk(b"IDAT", b""))
    with pytest.raises(UnusableFileError, match=says):
        read_upload(file)


@pytest.mark.parametrize(
    ("name", "side", "limit"), [("a.webp", 3100, 9), ("a.png", 4300, 16), ("a.jpg", 6400, 40)]
)
def test_the_limit_of_pixels_is_one_of_memory(name: str, side: int, limit: int, tmp_path: Path):
    """A WebP takes four times the memory of a JPEG of its size."""
    file = saved(tmp_path, name, Image.new("L", (side, side)))
    says = f"{side} x {side} pixels; an image of its kind can have {limit} million"
    with pytest.raises(UnusableFileError, match=says):
        read_upload(file)


def chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def test_a_grid_holds_only_so_many(tmp_path: Path):
    file = str(saved(tmp_path, "a.png", Image.new("RGB", (4, 4))))
    with pytest.raises(UnusableFileError, match="there are 37 target images; there can be 36"):
        read_uploads([file] * 37, "target images")


def test_good_files_are_read_and_every_other_one_is_named(tmp_path: Path):
    good = saved(tmp_path, "good.png", Image.new("RGB", (8, 8)))
    bad = [tmp_path / name for name in ("one.png", "two.jpg")]
    for file in bad:
        file.write_bytes(b"no image")
    read = read_uploads([str(bad[0]), str(good), str(bad[1])])
    assert (len(read.images), read.names) == (1, ("good.png",))
    read.require_some()
    with pytest.raises(UnusableFileError, match=r'"one.png" is not .*; "two.jpg" is not'):
        replace(read, images=()).require_some()


def test_many_files_that_cannot_be_used_are_counted(tmp_path: Path):
    files = [tmp_path / f"{number}.txt" for number in range(7)]
    for file in files:
        file.write_bytes(b"no image")
    with pytest.raises(UnusableFileError, match=r'"4.txt" is not .*; and 2 more$'):
        read_uploads(list(map(str, files))).require_some()


def test_files_are_decoded_apart_as_they_are_here(tmp_path: Path):
    files = [
        saved(tmp_path, name, Image.effect_noise((700, 500), 80)) for name in ("a.png", "b.jpg")
    ]
    for apart, file in zip(read_each([*map(str, files)]), files, strict=True):
        assert isinstance(apart, Image.Image)
        assert apart.tobytes() == read_upload(file).tobytes()


def test_a_jpeg_of_very_many_scans_is_refused_before_they_are_decoded(tmp_path: Path):
    file = tmp_path / "bomb.jpg"
    file.write_bytes(scan_bomb(64))
    with pytest.raises(UnusableFileError, match='"bomb.jpg" is a JPEG of over 100 scans'):
        read_upload(file)


def test_files_that_take_too_long_together_are_refused_and_those_before_them_kept(
    large: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(decode, "SECONDS", 1)
    small = saved(tmp_path, "small.png", Image.new("RGB", (8, 8)))
    first, *_, last = read_each([str(small), *[str(large)] * 35])
    assert isinstance(first, Image.Image)
    assert str(last).startswith('"large.png" was not decoded: all files together may take 1 s')


def test_nothing_is_decoded_any_more_once_nobody_listens(large: Path):
    runs = Runs(Limits(silence=0.3), listening=lambda session: False)
    with runs.admit("a", "1"), pytest.raises(RunEnded, match="nobody listens to this run any more"):
        read_each([str(large)] * 36)
    assert runs.reader.holder is None
