"""The files of a repository on the hub: fetched once, with the bytes reported as they arrive."""

from __future__ import annotations

import io
import shutil
import sys
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, TypeVar

from hub.errors import (
    BrokenCopyError,
    ConsentNeededError,
    DiskFullError,
    HubError,
    HubUnreachableError,
    RepositoryMissingError,
)
from hub.hardware import gigabytes
from hub.reach import hub_in_use

if TYPE_CHECKING:
    from tqdm.auto import tqdm

Value = TypeVar("Value")
Choose = Callable[[Sequence[str]], Sequence[str]]
"""From the names of a repository's files to those that are needed."""

SPARE_DISK = 1_000_000_000
"""Bytes that a download leaves free."""
EVERY = 0.5
"""Seconds between two reports."""


@dataclass(frozen=True)
class Download:
    """How far the download of a repository has come."""

    repository: str
    done: int
    """Bytes that have arrived."""
    total: int
    """Bytes in all, without the files that were here before."""
    seconds: float
    """Since it began."""

    def __str__(self) -> str:
        """>>> print(Download("stabilityai/sd-turbo", 1_300_000_000, 2_600_000_000, 20.0))
        stabilityai/sd-turbo: 1.3 of 2.6 GB, 65 MB/s
        """
        speed = self.done / self.seconds / 1e6 if self.seconds else 0.0
        done = self.done / 1e9
        return f"{self.repository}: {done:.1f} of {gigabytes(self.total)}, {speed:.0f} MB/s"


Report = Callable[[Download], None]


def _to_terminal(download: Download) -> None:
    end = "\n" if download.done >= download.total else ""
    sys.stderr.write(f"\r{download}{end}")
    sys.stderr.flush()


_report: ContextVar[Report] = ContextVar("report", default=_to_terminal)
"""Who is told of the bytes that arrive."""


def downloading(work: Callable[[], Value]) -> Generator[Download, None, Value]:
    """Do a piece of work in a thread of its own, and yield the downloads on its way.

    Returns:
        What the work returns; whatever it raises is raised here.
    """
    seen: SimpleQueue[Download | None] = SimpleQueue()

    def reported() -> Value:
        _report.set(seen.put)
        return work()

    threads = ThreadPoolExecutor(1, "download")
    try:
        done = threads.submit(reported)
        done.add_done_callback(lambda _: seen.put(None))
        yield from iter(seen.get, None)
        return done.result()
    finally:
        threads.shutdown(wait=False)  # who no longer looks does not wait; what arrives is kept


def fetch(repository: str, choose: Choose = list) -> Path:
    """The folder of a repository's files, downloaded where they are not here yet.

    The bytes that arrive are reported to whoever reads `downloading`, else on the terminal.

    A download that broke off goes on where it was; a file that is here is not fetched again. While
    the hub is out of reach the copy on this machine is used as it is.

    Args:
        repository: a hub id, such as "stabilityai/sd-turbo".
        choose: which of the repository's files are needed; all of them by default.

    Raises:
        HubUnreachableError, RepositoryMissingError, ConsentNeededError, DiskFullError: see there.
    """
    if not hub_in_use():
        return _stored_copy(repository)
    try:
        return _download(repository, choose)
    except (OSError, ValueError) as error:
        reason = _told_apart(error, repository)
        if isinstance(reason, DiskFullError):
            raise reason from error
        with _or_else(reason, error):
            return _stored_copy(repository)


@contextmanager
def _or_else(reason: HubError, error: Exception) -> Iterator[None]:
    """Where there is no copy here, the reason why the hub gave none counts."""
    try:
        yield
    except HubUnreachableError:
        raise reason from error


def stored_here(repository: str) -> bool:
    """Whether there is a copy of a repository on this machine."""
    try:
        return bool(_stored_copy(repository))
    except HubUnreachableError:
        return False


def _stored_copy(repository: str) -> Path:
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import LocalEntryNotFoundError

    try:
        return Path(snapshot_download(repository, local_files_only=True))
    except LocalEntryNotFoundError as error:
        raise HubUnreachableError(
            f"{repository} is on the Hugging Face hub, which does not answer from here, and there "
            "is no copy of it on this machine; connect to the hub, or choose an embedded model"
        ) from error


def _download(repository: str, choose: Choose) -> Path:
    from huggingface_hub import HfApi, snapshot_download

    files = [each.rfilename for each in HfApi().model_info(repository).siblings or ()]
    chosen = list(choose(files))
    quiet = _bar(repository, 0, _report.get())
    plan = snapshot_download(repository, allow_patterns=chosen, dry_run=True, tqdm_class=quiet)
    missing = sum(each.file_size or 0 for each in plan if each.will_download)
    if missing:
        _check_disk(repository, missing)
    bar = _bar(repository, missing, _report.get())
    return Path(snapshot_download(repository, allow_patterns=chosen, tqdm_class=bar))


def _check_disk(repository: str, missing: int) -> None:
    from huggingface_hub import constants

    folder = Path(constants.HF_HUB_CACHE)
    folder.mkdir(parents=True, exist_ok=True)
    free = shutil.disk_usage(folder).free
    if missing + SPARE_DISK > free:
        raise DiskFullError(
            f"{repository} needs {gigabytes(missing)} more in {folder}, and "
            f"{gigabytes(max(free - SPARE_DISK, 0))} can be used there; delete models with "
            "`hf cache rm`, or point HF_HUB_CACHE at a larger disk"
        )


def _bar(repository: str, total: int, report: Report) -> type[tqdm[Any]]:
    """A progress bar that shows nothing and reports the bytes of all files together."""
    from tqdm.auto import tqdm

    began = time.monotonic()
    told = began

    class Bytes(tqdm):
        def __init__(self, *args: Any, **options: Any) -> None:
            options |= {"disable": False, "file": io.StringIO()}
            options.pop("name", None)
            super().__init__(*args, **options)

        def update(self, n: float | None = 1) -> bool | None:
            shown: bool | None = super().update(n)
            nonlocal told
            now, done = time.monotonic(), min(int(self.n), total)
            if self.unit == "B" and done and (done == total or now - told > EVERY):
                told = now
                report(Download(repository, done, total, now - began))
            return shown

    return Bytes


def _told_apart(error: Exception, repository: str) -> HubError:
    """What a failure of the hub's library means."""
    from huggingface_hub.errors import GatedRepoError, RepositoryNotFoundError

    page = f"https://huggingface.co/{repository}"
    if isinstance(error, GatedRepoError):
        return ConsentNeededError(
            f"the Hugging Face hub asks for your consent before it gives {repository}; accept its "
            f"licence on {page}, then sign in with `hf auth login` or set HF_TOKEN"
        )
    if isinstance(error, RepositoryNotFoundError):
        return RepositoryMissingError(
            f"the Hugging Face hub has no repository {repository}, or hides it from your token; "
            f"see {page}"
        )
    if isinstance(error, OSError) and error.errno == 28:
        return DiskFullError(f"the disk filled up while {repository} was downloaded; free some")
    return HubUnreachableError(
        f"the Hugging Face hub broke off while {repository} was fetched ({type(error).__name__}); "
        "try again: what has arrived is kept"
    )


def broken_copy(repository: str, error: Exception) -> BrokenCopyError:
    """For a loader that cannot read what `fetch` gave it."""
    return BrokenCopyError(
        f"the copy of {repository} on this machine is incomplete or damaged ({error}); fetch it "
        f"again: `hf cache rm model/{repository}`, then repeat what you did"
    )
