"""A folder, an archive or a data set of the hub comes in; its pictures go out by their names."""

from __future__ import annotations

import zipfile
from functools import cached_property
from pathlib import Path

from PIL import Image as PillowImage
from PIL.Image import Image

from benchmarks.data.errors import DataError
from generation import hub_answers


class Album:
    """Pictures in a folder or a `.zip`, at any depth, known by their names.

    Raises:
        DataError: there is no such folder or archive.
    """

    def __init__(self, home: Path) -> None:
        if not home.exists():
            raise DataError(f"no pictures at {home}; give a folder or a .zip of them")
        self.home = home

    @cached_property
    def places(self) -> dict[str, str]:
        """Name -> path inside the folder or archive."""
        if self.home.is_dir():
            inside = [str(path) for path in sorted(self.home.rglob("*")) if path.is_file()]
        else:
            with zipfile.ZipFile(self.home) as archive:
                inside = archive.namelist()
        return {Path(path).name: path for path in inside}

    def open(self, name: str) -> Image:
        """The picture of that name.

        Raises:
            DataError: there is none.
        """
        if name not in self.places:
            raise DataError(f"{name} is not among the pictures in {self.home}")
        if self.home.is_dir():
            return PillowImage.open(self.places[name]).convert("RGB")
        with zipfile.ZipFile(self.home) as archive, archive.open(self.places[name]) as file:
            return PillowImage.open(file).convert("RGB")


def fetch(repository: str, *names: str) -> list[Path]:
    """Files of a data set of the hub, downloaded at the first time.

    Raises:
        DataError: the hub is out of reach and they are not stored here.
    """
    from huggingface_hub import hf_hub_download
    from huggingface_hub.errors import HfHubHTTPError, LocalEntryNotFoundError

    offline = not hub_answers()
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
