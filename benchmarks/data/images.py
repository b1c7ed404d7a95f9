"""Images by their file names, in a folder, an archive or a data set of the hub."""

from __future__ import annotations

import zipfile
from functools import cached_property
from pathlib import Path
from typing import IO

from PIL import Image as PillowImage
from PIL.Image import Image

from hub import hub_in_use
from session.errors import DataError

SUFFIXES = (".png", ".jpg", ".jpeg", ".webp")


def image_files(folder: Path) -> list[Path]:
    """Every image file of a folder, by name.

    Raises:
        DataError: there are fewer than four.
    """
    files = sorted(file for file in folder.glob("*") if file.suffix.lower() in SUFFIXES)
    if len(files) < 4:
        kinds = ", ".join(SUFFIXES)
        raise DataError(f"{folder} has {len(files)} images ({kinds}); four at least are needed")
    return files


def open_image(file: str | Path | IO[bytes]) -> Image:
    """An image file in RGB."""
    return PillowImage.open(file).convert("RGB")


class ImageStore:
    """Images in folders or `.zip` archives, at any depth, known by their names.

    Raises:
        DataError: there is no such folder or archive.
    """

    def __init__(self, *homes: Path) -> None:
        for home in homes:
            if not home.exists():
                raise DataError(f"no images at {home}; give a folder or a .zip of them")
        self.homes = homes

    @cached_property
    def places(self) -> dict[str, tuple[Path, str]]:
        """Name -> folder or archive, and path inside it; the first of several counts."""
        found: dict[str, tuple[Path, str]] = {}
        for home in self.homes:
            for path in _inside(home):
                found.setdefault(Path(path).name, (home, path))
        return found

    def open(self, name: str) -> Image:
        """The image of that name.

        Raises:
            DataError: there is none.
        """
        if name not in self.places:
            homes = ", ".join(map(str, self.homes))
            raise DataError(f"{name} is not among the images in {homes}")
        home, path = self.places[name]
        if home.is_dir():
            return open_image(path)
        with zipfile.ZipFile(home) as archive, archive.open(path) as file:
            return open_image(file)


def _inside(home: Path) -> list[str]:
    if home.is_dir():
        return [str(path) for path in sorted(home.rglob("*")) if path.is_file()]
    with zipfile.ZipFile(home) as archive:
        return archive.namelist()


def fetch(repository: str, *names: str) -> list[Path]:
    """Files of a data set of the hub, downloaded at the first time.

    Raises:
        DataError: the hub is out of reach and they are not stored here.
    """
    from huggingface_hub import hf_hub_download
    from huggingface_hub.errors import HfHubHTTPError, LocalEntryNotFoundError

    offline = not hub_in_use()
    try:
        return [
            Path(hf_hub_download(repository, name, repo_type="dataset", local_files_only=offline))
            for name in names
        ]
    except (HfHubHTTPError, LocalEntryNotFoundError) as error:
        raise DataError(
            f"cannot fetch {', '.join(names)} of {repository} from the hub; with a network, accept "
            "its terms and run `hf auth login`, or give the files by the other options"
        ) from error
