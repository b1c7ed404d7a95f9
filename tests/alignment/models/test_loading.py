"""A model is loaded once, from where its spec says, or the reason is told within three seconds."""

import os
import pickle
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from alignment.errors import MissingCheckpointError
from alignment.models import revisions
from alignment.models.catalogue import find_model
from alignment.models.loading import (
    WORKING_MEMORY,
    Models,
    load_clip,
    load_inference,
    load_matcher,
    load_parser,
    load_text,
    load_vision,
    memory_needed,
)
from alignment.models.spec import ScoringModel
from hub import BrokenCopyError, HubUnreachableError, MemoryShortError
from tests.alignment.tiny_evaluators import save_text_model

LOADERS = [load_parser, load_text, load_vision, load_clip, load_matcher, load_inference]


def test_a_model_is_loaded_once_for_all_who_share_its_spec(models: Models) -> None:
    assert models.answerer is models.entailment
    assert models.question_writer is models.reader
    assert models.clip is models.clip


@pytest.mark.parametrize("load", LOADERS)
def test_a_missing_folder_is_named_with_what_to_do(
    load: Callable[[ScoringModel], object], tmp_path: Path
) -> None:
    spec = ScoringModel("sticker-t5", tmp_path / "sticker-t5", "none")
    with pytest.raises(MissingCheckpointError, match=r"'sticker-t5' is not in .*recipes/"):
        load(spec)


def test_a_parser_that_is_not_installed_is_named_with_what_to_do() -> None:
    spec = replace(find_model("en_core_web_lg"), source="en_core_web_nowhere")
    with pytest.raises(MissingCheckpointError, match=r"pip install '.\[english-parser\]'"):
        load_parser(spec)


@pytest.mark.parametrize("load", LOADERS[1:])
def test_a_hub_out_of_reach_is_said_within_three_seconds(
    load: Callable[[ScoringModel], object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", False)
    monkeypatch.setattr("huggingface_hub.constants.ENDPOINT", "https://hub.invalid")
    start = time.perf_counter()
    with pytest.raises(HubUnreachableError, match="or choose an embedded model"):
        load(ScoringModel("far", "nobody/no-such-model", "none"))
    assert time.perf_counter() - start < 3


def test_half_a_stored_model_is_told_with_how_to_fetch_it_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = tmp_path / "models--nobody--half-a-model"
    (store / "refs").mkdir(parents=True)
    (store / "refs" / "main").write_text("0" * 40)
    (store / "snapshots" / ("0" * 40)).mkdir(parents=True)
    config = store / "snapshots" / ("0" * 40) / "config.json"
    config.write_text('{"model_type": "paligemma"}')
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path))
    with pytest.raises(BrokenCopyError, match="`hf cache rm model/nobody/half-a-model`"):
        load_vision(ScoringModel("half", "nobody/half-a-model", "none"))


@pytest.mark.parametrize("load", LOADERS[1:])
def test_a_model_that_does_not_fit_is_refused_before_it_is_fetched(
    load: Callable[[ScoringModel], object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hub.loaded._loaded", OrderedDict())  # the models of other tests stay
    spec = ScoringModel("huge", "nobody/huge", "none", memory_gb=1e6)
    with pytest.raises(MemoryShortError, match=r"huge needs [\d.]+ GB of memory on .*, and"):
        load(spec)


class Trap:
    """Makes a folder when it is unpickled."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __reduce__(self) -> tuple[Callable[[str], None], tuple[str]]:
        return os.mkdir, (str(self.folder),)


def test_a_checkpoint_that_would_run_code_is_refused_and_runs_none(tmp_path: Path) -> None:
    save_text_model(tmp_path / "model")
    (tmp_path / "model" / "model.safetensors").unlink()
    trap = pickle.dumps({"weights": Trap(tmp_path / "sprung")}, protocol=2)
    (tmp_path / "model" / "pytorch_model.bin").write_bytes(trap)
    with pytest.raises((pickle.UnpicklingError, OSError, ValueError)):
        load_text(ScoringModel("trap", tmp_path / "model", "none"))
    assert not (tmp_path / "sprung").exists()


def test_a_copy_of_an_embedded_model_makes_room_for_others(tmp_path: Path) -> None:
    assert memory_needed(find_model("prompt-parser")) == 0
    assert memory_needed(find_model(f"prompt-parser@{tmp_path}")) >= WORKING_MEMORY


@pytest.mark.parametrize(
    ("name", "native", "dtype"),
    [
        ("paligemma-3b-mix", True, "bfloat16"),
        ("paligemma-3b-mix", False, "float16"),
        ("gemma4-e4b", True, "bfloat16"),
        ("gemma4-e4b", False, "float32"),
        ("icon-vlm", True, "float32"),
    ],
)
def test_emulated_bfloat16_is_not_used_nor_float16_by_gemma_4(
    name: str, native: bool, dtype: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A T4 and a V100 say that they support bfloat16, and only emulate it."""

    def supported(*, including_emulation: bool = True) -> bool:
        return native or including_emulation

    monkeypatch.setattr("hub.best_device", lambda: "cuda")
    monkeypatch.setattr("torch.cuda.is_bf16_supported", supported)
    assert revisions.dtype(find_model(name)) == dtype


@pytest.mark.parametrize(
    ("name", "native", "dtype", "factor", "ending"),
    [
        ("smolvlm2-500m", True, "bfloat16", 1, "(bfloat16)"),
        ("smolvlm2-500m", False, "float32", 2, ""),
        ("clip-vit-b-32", True, "float32", 1, ""),
        ("icon-vlm", True, "float32", 0, ""),
        ("en_core_web_lg", True, "float32", 0, ""),
    ],
)
def test_a_cpu_that_computes_in_bfloat16_loads_hub_models_in_it_and_takes_half_the_memory(
    name: str, native: bool, dtype: str, factor: int, ending: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hub.best_device", lambda: "cpu")
    monkeypatch.setattr("hub.hardware.bfloat16_is_native", lambda _: native)
    monkeypatch.setattr(revisions, "ON_CPU", "fastest")
    spec = find_model(name)
    assert revisions.dtype(spec) == dtype
    weights = int(spec.memory_gb * factor * 1e9) + WORKING_MEMORY if factor else 0
    assert memory_needed(spec) == weights
    assert revisions.identity(spec) == revisions.versioned(spec) + ending
