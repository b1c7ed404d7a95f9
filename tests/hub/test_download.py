"""Files of the hub arrive once, whole, with their bytes reported, or a sentence says why not."""

import json
import shutil
from pathlib import Path

import pytest
from huggingface_hub import constants

import hub
from tests.hub.conftest import FILES, REPOSITORY
from tests.twins.hub_server import HubServer

TOTAL = sum(map(len, FILES.values()))


def test_every_file_arrives_whole(hub_server: HubServer):
    folder = hub.fetch(REPOSITORY)
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == FILES


def test_only_the_chosen_files_are_downloaded(hub_server: HubServer):
    folder = hub.fetch(REPOSITORY, lambda names: [name for name in names if name.endswith("json")])
    assert [path.name for path in folder.iterdir()] == ["config.json"]
    assert hub_server.downloads() == ["config.json"]


def test_what_is_here_is_not_downloaded_again(hub_server: HubServer):
    hub.fetch(REPOSITORY, lambda names: ["model.safetensors"])
    hub_server.requests.clear()
    hub.fetch(REPOSITORY)
    assert sorted(hub_server.downloads()) == ["README.md", "config.json"]


def test_a_download_that_breaks_off_goes_on_where_it_was(
    hub_server: HubServer, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(constants, "DOWNLOAD_CHUNK_SIZE", 50_000)  # 10 MB as it comes
    hub_server.cut_once["model.safetensors"] = 100_000
    folder = hub.fetch(REPOSITORY)
    assert (folder / "model.safetensors").read_bytes() == FILES["model.safetensors"]
    resumed = [each for each in hub_server.requests if "bytes=" in each]
    assert [each.rpartition(" ")[2] for each in resumed] == ["bytes=100000-"]


def test_the_bytes_that_arrive_are_reported_with_their_total(hub_server: HubServer):
    seen = list(hub.downloading(lambda: hub.fetch(REPOSITORY)))
    assert seen
    assert {(each.repository, each.total) for each in seen} == {(REPOSITORY, TOTAL)}
    assert seen[-1].done == TOTAL
    assert [each.done for each in seen] == sorted(each.done for each in seen)


def test_they_are_reported_although_progress_bars_are_switched_off(
    hub_server: HubServer, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("TQDM_DISABLE", "1")
    assert list(hub.downloading(lambda: hub.fetch(REPOSITORY)))


def test_without_anybody_to_tell_they_are_shown_on_the_terminal(
    hub_server: HubServer, capsys: pytest.CaptureFixture[str]
):
    hub.fetch(REPOSITORY)
    shown = capsys.readouterr().err
    assert f"{REPOSITORY}: 0 MB of 0 MB" in shown
    assert shown.endswith("MB/s\n")


def test_what_the_work_returns_and_raises_comes_through(hub_server: HubServer):
    def work() -> int:
        return 7

    progress = hub.downloading(work)
    with pytest.raises(StopIteration) as stopped:
        next(progress)
    assert stopped.value.value == 7
    with pytest.raises(ZeroDivisionError):
        list(hub.downloading(lambda: 1 / 0))


def test_a_download_larger_than_the_free_disk_is_refused_with_both_numbers(
    hub_server: HubServer, monkeypatch: pytest.MonkeyPatch
):
    usage = shutil.disk_usage("/")._replace(free=1_000_200_000)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage)
    with pytest.raises(hub.DiskFullError, match=r"needs 0 MB more in .*, and 0 MB can be"):
        hub.fetch(REPOSITORY)
    assert not hub_server.downloads()


def test_a_gated_repository_asks_for_consent(hub_server: HubServer):
    hub_server.gated.add(REPOSITORY)
    with pytest.raises(hub.ConsentNeededError, match="accept its licence on .*hf auth login"):
        hub.fetch(REPOSITORY)


def test_a_token_opens_a_gated_repository(hub_server: HubServer, monkeypatch: pytest.MonkeyPatch):
    hub_server.gated.add(REPOSITORY)
    monkeypatch.setenv("HF_TOKEN", "hf_of_somebody")
    assert (hub.fetch(REPOSITORY) / "config.json").is_file()


def test_a_repository_that_is_not_there_is_not_called_gated(hub_server: HubServer):
    with pytest.raises(hub.RepositoryMissingError, match="has no repository somebody/else"):
        hub.fetch("somebody/else")


@pytest.mark.parametrize("is_lost", [True, False])
def test_where_the_hub_is_switched_off_or_has_lost_a_repository_the_copy_here_is_used(
    is_lost: bool, hub_server: HubServer, repository: Path, monkeypatch: pytest.MonkeyPatch
):
    folder = hub.fetch(REPOSITORY)
    if is_lost:
        shutil.rmtree(repository)
    else:
        monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    assert hub.fetch(REPOSITORY) == folder


def test_without_the_hub_and_a_copy_the_sentence_says_so(
    hub_server: HubServer, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    with pytest.raises(hub.HubUnreachableError, match="no copy of it on this machine"):
        hub.fetch(REPOSITORY)


@pytest.mark.parametrize(
    ("lacking", "whole"),
    [
        (None, True),
        ("unet/diffusion_pytorch_model-00002-of-00002.safetensors", False),
        ("vae/diffusion_pytorch_model.safetensors", False),
        ("scheduler", False),
    ],
)
def test_a_copy_is_here_when_nothing_of_it_is_missing(
    lacking: str | None, whole: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    shards = [f"diffusion_pytorch_model-0000{n}-of-00002.safetensors" for n in (1, 2)]
    files = {
        "model_index.json": {
            "_class_name": "A",
            "unet": ["diffusers", "B"],
            "vae": ["diffusers", "C"],
            "scheduler": ["diffusers", "D"],
            "safety_checker": [None, None],
        },
        "unet/config.json": {},
        "unet/diffusion_pytorch_model.safetensors.index.json": {
            "weight_map": dict(zip("ab", shards, strict=True))
        },
        **{f"unet/{shard}": {} for shard in shards},
        "vae/config.json": {},
        "vae/diffusion_pytorch_model.safetensors": {},
        "vae/diffusion_pytorch_model.bin.index.json": {"weight_map": {"a": "not-chosen.bin"}},
        "scheduler/scheduler_config.json": {},
    }
    for name, value in files.items():
        if lacking is None or not name.startswith(lacking):
            (tmp_path / name).parent.mkdir(exist_ok=True)
            (tmp_path / name).write_text(json.dumps(value))
    monkeypatch.setattr("hub.download._stored_copy", lambda _: tmp_path)
    assert hub.stored_here("a/b") == whole
