"""Precision follows the device, and memory is the container's where it is in one."""

import platform
from pathlib import Path

import pytest
import torch

import hub
import hub.hardware
import hub.machine
from hub import precision


@pytest.mark.parametrize(
    ("device", "native", "options", "dtype"),
    [
        ("cpu", False, {}, "float32"),
        ("cpu", True, {"on_cpu": "bfloat16"}, "bfloat16"),
        ("cpu", True, {"on_cpu": "fastest"}, "bfloat16"),
        ("cpu", False, {"on_cpu": "fastest"}, "float32"),
        ("cuda", True, {}, "bfloat16"),
        ("cuda", False, {}, "float16"),  # T4, V100
        ("cuda", False, {"float16_is_safe": False}, "float32"),  # Gemma 2 on a T4
        ("cuda", True, {"trained_in": "float16"}, "float16"),
        ("mps", True, {}, "bfloat16"),
    ],
)
def test_models_run_in_the_half_precision_that_the_device_computes_in(
    device: str,
    native: bool,
    options: dict[str, str | bool],
    dtype: str,
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.setattr(hub.hardware, "bfloat16_is_native", lambda _: native)
    assert precision(device, **options) == dtype  # type: ignore[arg-type]


@pytest.mark.parametrize("native", [True, False])
def test_half_precision_is_faster_where_a_cpu_computes_in_it(
    native: bool, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(hub.machine, "bfloat16_is_native", lambda _: native)
    half, single = hub.machine.speeds("cpu")
    assert (half > single) == native


@pytest.mark.parametrize("native", [True, False])
def test_emulated_bfloat16_does_not_count(native: bool, monkeypatch: pytest.MonkeyPatch):
    """torch says True of a T4 unless it is asked about the hardware."""

    def is_bf16_supported(including_emulation: bool = True) -> bool:
        return native or including_emulation

    monkeypatch.setattr(torch.cuda, "is_bf16_supported", is_bf16_supported)
    assert hub.hardware.bfloat16_is_native("cuda") == native


@pytest.mark.parametrize("version", [1, 2])
def test_a_container_has_the_memory_that_it_is_given_and_copies_of_files_are_free(
    version: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(hub.hardware, "CGROUP", tmp_path)
    machine = hub.free_memory("cpu")
    limit, usage, parts, files = (tmp_path / name for name in hub.hardware.LIMITS[2 - version])
    limit.parent.mkdir(exist_ok=True)
    limit.write_text("1000\n")
    usage.write_text("900\n")
    parts.write_text(f"anon 300\n{files.name} 600\n")
    assert hub.free_memory("cpu") == 700
    limit.write_text("max\n" if version == 2 else "9223372036854771712\n")
    assert hub.free_memory("cpu") == pytest.approx(machine, rel=0.5)


def test_threads_share_their_heaps_where_the_c_library_can():
    assert hub.share_heaps() == (platform.libc_ver()[0] == "glibc")
