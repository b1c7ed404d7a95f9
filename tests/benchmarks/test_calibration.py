"""Stored calibrations as a table and a figure."""

from dataclasses import replace
from pathlib import Path

import pytest

from alignment.abstention import Share, SourceRisk
from alignment.calibration import Calibration, ReliabilityBin, save_calibration
from tests.benchmarks.command import refusal, run
from tests.benchmarks.test_charts import texts

BEFORE = (ReliabilityBin(0.2, 0.5, 10), ReliabilityBin(0.9, 0.8, 30))
AFTER = (ReliabilityBin(0.2, 0.2, 10), ReliabilityBin(0.9, 0.8, 30))


def calibration(threshold: float) -> Calibration:
    return Calibration(
        *("vq2", "tiny", "m", "s", "isotonic", (0.0, 1.0), (0.1, 0.9), "pairs.csv", 40, 29),
        *("2026-01-02", 0.01, 0.15, AFTER, BEFORE),
        threshold=threshold,
    )


def test_errors_and_risks_are_given_before_and_after(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Before: 5 of 10 below one half are right, 6 of 30 above are wrong: 11 of 40. By sampling
    alone the share of 10 differs from .2 by .101 in the mean and that of 30 from .9 by .044."""
    save_calibration(calibration(0.7), tmp_path)
    figure = tmp_path / "figure.svg"
    line = run(capsys, "calibration", "--bundle", "tiny", "--folder", tmp_path, "--figure", figure)
    found = {each["signature"].partition("|")[0]: each["value"] for each in line["numbers"]}
    assert found == {
        "ECE before": 0.15,
        "ECE": 0.01,
        "ECE of sampling": pytest.approx((0.101 * 10 + 0.0437 * 30) / 40, abs=1e-4),
        "risk before": pytest.approx(11 / 40),
        "risk": 0.2,
    }
    assert {"vq2", "before calibration", "chance given", "coverage: share judged"} <= texts(figure)


DRAWN = SourceRisk(
    *("drawn/pairs.csv", 30, 15, 0.4, 0.6, 0.9),
    *(Share(0.02, 0.01, 0.06), Share(0.1, 0.05, 0.2), 0.025),
)


def test_what_the_threshold_gives_is_told_of_each_source(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Always wrong of what is right in 40 % would miss these; 36 % where 90 % get a verdict."""
    save_calibration(replace(calibration(0.7), by_source=(DRAWN,)), tmp_path)
    line = run(capsys, "calibration", "--bundle", "tiny", "--folder", tmp_path)
    of_source = [each for each in line["numbers"] if "|of:drawn/pairs.csv|" in each["signature"]]
    found = {each["signature"].partition("|")[0]: each for each in of_source}
    assert found["judged"]["value"] == 0.9
    wrong = found["judged wrongly"]
    assert (wrong["value"], wrong["low"], wrong["high"], wrong["units"]) == (0.02, 0.01, 0.06, 15)
    assert wrong["chance"] == pytest.approx(0.36)
    assert found["judged wrongly, other halves"]["value"] == 0.025
    assert found["judged wrongly, all judged"]["chance"] == 0.4
    assert "|promised:0.05|threshold:0.7|n:30|" in found["judged"]["signature"]


def test_a_bundle_without_a_calibration_is_told_how_to_get_one(tmp_path: Path) -> None:
    said = refusal("calibration", "--bundle", "tiny", "--folder", tmp_path)
    assert said.endswith("`python app.py calibrate` fits one")
