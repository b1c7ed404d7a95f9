"""Stored calibrations as a table and a figure."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from alignment.abstention import RiskAtCoverage, SourceRisk
from alignment.calibration import Calibration, ReliabilityBin, save_calibration
from benchmarks.calibration import at_threshold
from tests.benchmarks.command import refusal, run
from tests.benchmarks.test_charts import texts

BEFORE = (ReliabilityBin(0.2, 0.5, 10), ReliabilityBin(0.9, 0.8, 30))
RISKS = (RiskAtCoverage(0.5, 1.0, 0.2), RiskAtCoverage(0.8, 0.6, 0.05))


def calibration(threshold: float) -> Calibration:
    return Calibration(
        *("vq2", "tiny", "m", "s", "isotonic", (0.0, 1.0), (0.1, 0.9), "pairs.csv", 40, 29),
        *("2026-01-02", 0.01, 0.15, BEFORE, BEFORE),
        threshold=threshold,
        risk_coverage=RISKS,
    )


def test_errors_and_risks_are_given_before_and_after(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Before: 5 of 10 below one half are right, 6 of 30 above are wrong: 11 of 40."""
    save_calibration(calibration(0.7), tmp_path)
    figure = tmp_path / "figure.svg"
    line = run(capsys, "calibration", "--bundle", "tiny", "--folder", tmp_path, "--figure", figure)
    found = {each["signature"].partition("|")[0]: each["value"] for each in line["numbers"]}
    assert found == {
        "ECE before": 0.15,
        "ECE": 0.01,
        "risk before": pytest.approx(11 / 40),
        "risk": 0.2,
        "risk at threshold": 0.05,
        "coverage at threshold": 0.6,
    }
    assert {"vq2", "before calibration", "chance given", "coverage: share judged"} <= texts(figure)


def test_risk_at_the_threshold_is_given_for_each_source(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sources = (SourceRisk("drawn/pairs.csv", 30, 0.9, 0.02), SourceRisk("b.csv", 10, 0.0, None))
    save_calibration(replace(calibration(0.7), by_source=sources), tmp_path)
    line = run(capsys, "calibration", "--bundle", "tiny", "--folder", tmp_path)
    found = {each["signature"]: each["value"] for each in line["numbers"]}
    about = "method:vq2|bundle:tiny|of:drawn/pairs.csv|n:30|date:2026-01-02"
    assert found[f"risk at threshold|{about}"] == 0.02
    assert found[f"coverage at threshold|{about}"] == 0.9


def test_a_threshold_that_is_never_reached_judges_nothing() -> None:
    assert at_threshold(calibration(2.0)) is None


def test_a_bundle_without_a_calibration_is_told_how_to_get_one(tmp_path: Path) -> None:
    said = refusal("calibration", "--bundle", "tiny", "--folder", tmp_path)
    assert said.endswith("`python app.py calibrate` fits one")
