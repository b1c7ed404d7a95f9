from __future__ import annotations

import pytest

from benchmarks.roofline import BANDWIDTH, Work, of_grid, rows
from generation import MODELS
from tests.benchmarks.command import numbers, refusal


def test_no_gpu_is_faster_than_its_operations_or_its_memory() -> None:
    """65 x 10^12 operations a second and 320 GB/s on a T4, by its data sheet."""
    assert Work("computing", 130.0, 1, 0.1).bound("T4", "float16") == pytest.approx(2.0)
    assert Work("reading", 0.1, 10, 16.0).bound("T4", "float16") == pytest.approx(1.0)
    assert Work("in single precision", 8.1, 1, 0.1).bound("T4", "float32") == pytest.approx(1.0)


def test_the_weights_of_a_denoiser_are_read_once_a_step_and_batch() -> None:
    assert of_grid(MODELS["sd-1.5"]).passes == 50
    assert of_grid(MODELS["z-image"]).passes == 50 * 9


def test_a_newer_gpu_is_never_slower() -> None:
    for _, seconds in rows():
        assert [*seconds.values()] == sorted(seconds.values(), reverse=True)
        assert seconds.keys() == BANDWIDTH.keys()


def test_the_last_line_has_every_model_and_measuring_needs_a_gpu(
    capsys: pytest.CaptureFixture[str],
) -> None:
    found = numbers(capsys, "roofline")
    assert {f"T4|model:{each}" for each in ("sd-turbo", "qwen-image", "qwen3-vl-4b")} <= {*found}
    assert "needs a GPU" in refusal("roofline", "--measure", "sd-turbo")
