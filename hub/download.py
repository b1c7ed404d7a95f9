"""The files of a repository on the hub: fetched once, with the bytes reported as they arrive."""

from __future__ import annotations

import hashlib
import json
import shutil
import sys
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from operator import attrgetter
from pathlib import Path
from typing import TypeVar

from hub.errors import (
    BrokenCopyError,
    ConsentNeededError,
    DiskFullError,
    HubError,
    HubUnreachableError,
    RepositoryMissingError,
)
from hub.hardware import readable_size
from hub.reach import hub_in_use
from hub.streaming import streamed
from hub.transfer import Download, Report, Transfer, transfer

Value = TypeVar("Value")
Choose = Callable[[Sequence[str]], Sequence[str]]
"""From the names of a repository's files to those that are needed."""

SPARE_DISK = 1_000_000_000
"""Bytes that a download leaves free."""
NETWORKS = ("config.json", "open_clip_config.json")
"""The configuration of a network, beside its weights."""
WEIGHTS = (".safetensors", ".bin")
BESIDE_WEIGHTS = (".json", ".txt", ".model", ".jinja")
"""Endings of configurations, vocabularies and templates."""
TIMEOUT = 10.0
"""Seconds for the hub to answer what a repository has."""


def _to_terminal(download: Download) -> None:
    end = "\n" if download.over else ""
    sys.stderr.write(f"\r{download}{end}")
    sys.stderr.flush()


_report: ContextVar[Report] = ContextVar("report", default=_to_terminal)
"""Who is told of the bytes that arrive."""


def downloading(work: Callable[[], Value]) -> Generator[Download, None, Value]:
    """Do a piece of work in a thread of its own, and yield the downloads on its way.

    A download is yielded twice a second while it goes on, the last time with `over`. The work goes
    on after it when the next item is asked for. Once this generator is closed, the work ends at the
    next report of a download; what has arrived is kept.

    Returns:
        What the work returns; whatever it raises is raised here.
    """

    def reported(report: Report) -> Value:
        _report.set(report)
        return work()

    return streamed(reported, "download", attrgetter("over"))


def fetch(repository: str, choose: Choose = list) -> Path:
    """The folder of a repository's files, downloaded where they are not here yet.

    The bytes that arrive are reported to whoever reads `downloading`, else on the terminal.

    A download that broke off goes on where it was; a file that is here is not fetched again. While
    the hub is out of reach, or says nothing, the copy on this machine is used as it is.

    Args:
        repository: a hub id, such as "stabilityai/sd-turbo".
        choose: which of the repository's files are needed; all of them by default.

    Raises:
        HubUnreachableError, RepositoryMissingError, ConsentNeededError, DiskFullError: see there.
    """
    if not hub_in_use():
        return _stored_copy(repository)
    report = _report.get()
    try:
        chosen = choose(transfer(_list, repository, (), report))
        return transfer(_download, repository, tuple(chosen), report)
    except DiskFullError:
        raise
    except HubError:
        if stored_here(repository):
            return _stored_copy(repository)
        raise


def stored_here(repository: str) -> bool:
    """Whether there is a whole copy of a repository's model on this machine.

    A copy is whole when no part of a pipeline is missing, no network is without weights, and no
    index of weights has only some of its files. An index with none of its files here is of weights
    that were not asked for.
    """
    try:
        folder = _stored_copy(repository)
    except HubUnreachableError:
        return False
    return all(folder.joinpath(name).exists() for name in _must_have(folder)) and all(
        any(file.suffix in WEIGHTS for file in config.parent.iterdir())
        for config in folder.rglob("*config.json")
        if config.name in NETWORKS
    )


def _must_have(folder: Path) -> Iterator[str]:
    """Files and folders that a stored copy says to consist of, from its own folder."""
    yield "."
    for pipeline in folder.glob("model_index.json"):
        parts = json.loads(pipeline.read_text("utf-8")).items()
        yield from (name for name, origin in parts if isinstance(origin, list) and origin[0])
    for index in folder.rglob("*.index.json"):
        shards = {*json.loads(index.read_text("utf-8"))["weight_map"].values()}
        if any(index.with_name(shard).exists() for shard in shards):
            yield from (str(index.parent.relative_to(folder) / shard) for shard in shards)


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


def _list(listing: Transfer) -> list[str]:
    """The names of a repository's files."""
    from huggingface_hub import HfApi

    with _told_apart(listing.repository):
        found = HfApi().model_info(listing.repository, timeout=TIMEOUT).siblings
        return [each.rfilename for each in found or ()]


def _download(files: Transfer) -> Path:
    """The folder of a repository, with the files that are transferred."""
    from huggingface_hub import snapshot_download

    name, chosen = files.repository, [*files.names]
    with _told_apart(name):
        plan = snapshot_download(name, allow_patterns=chosen, dry_run=True, tqdm_class=files.bar())
        files.total = sum(each.file_size or 0 for each in plan if each.will_download)
        if files.total:
            _check_disk(name, files.total)
        return Path(snapshot_download(name, allow_patterns=chosen, tqdm_class=files.bar()))


def _check_disk(repository: str, missing: int) -> None:
    from huggingface_hub import constants

    folder = Path(constants.HF_HUB_CACHE)
    folder.mkdir(parents=True, exist_ok=True)
    free = shutil.disk_usage(folder).free
    if missing + SPARE_DISK > free:
        raise DiskFullError(
            f"{repository} needs {readable_size(missing)} more in {folder}, and "
            f"{readable_size(max(free - SPARE_DISK, 0))} can be used there; delete models with "
            "`hf cache rm`, or point HF_HUB_CACHE at a larger disk"
        )


@contextmanager
def _told_apart(repository: str) -> Iterator[None]:
    """Whatever the hub's library raises, as the `HubError` that it means."""
    try:
        yield
    except HubError:
        raise
    except Exception as error:  # which errors of connections there are differs by its version
        raise _meaning(error, repository) from error


def _meaning(error: Exception, repository: str) -> HubError:
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


UNKNOWN = "unknown"
"""The revision of a model whose files are not on this machine."""


def revision(source: str | Path) -> str:
    """Eight characters that change when the files of a model change.

    Args:
        source: a folder, known by a hash of its files; or a hub id, known by the commit that is
            stored here.
    """
    if isinstance(source, str):
        return _of_hub(source)
    return _of_folder(source) if source.is_dir() else UNKNOWN


@lru_cache
def _of_folder(folder: Path) -> str:
    digest = hashlib.sha256()
    for file in sorted(each for each in folder.rglob("*") if each.is_file()):
        if file.name != "card.json":
            digest.update(str(file.relative_to(folder)).encode())
            digest.update(file.read_bytes())
    return digest.hexdigest()[:8]


def _of_hub(name: str) -> str:
    from huggingface_hub import constants

    folder = Path(constants.HF_HUB_CACHE) / f"models--{name.replace('/', '--')}"
    commit = folder / "refs" / "main"
    return commit.read_text(encoding="utf-8").strip()[:8] if commit.is_file() else UNKNOWN
