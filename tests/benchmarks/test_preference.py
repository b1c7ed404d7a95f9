from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from alignment.set_metrics import RBP
from benchmarks.preference import agreement_with_people, main, read_grids

RATINGS = Path(__file__).parents[3] / "shared" / "reference" / "dsg"

GRIDS = """prompt,system,place,relevance,mass
owl,good,0,0.9,0.5
owl,good,1,0.7,0.5
owl,poor,0,0.2,0.5
owl,poor,1,0.4,0.5
fox,good,1,0.6,0.25
fox,good,0,0.8,0.75
fox,poor,0,0.1,0.75
fox,poor,1,0.9,0.25
elk,good,0,0.5,1
"""

PREFERENCES = """prompt,first,second,rater,preference
owl,good,poor,ann,2
owl,good,poor,bob,1
fox,good,poor,ann,-1
fox,good,poor,bob,0
"""


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    grids, preferences = tmp_path / "grids.csv", tmp_path / "preferences.csv"
    grids.write_text(GRIDS)
    preferences.write_text(PREFERENCES)
    return grids, preferences


def test_grids_are_read_by_place_over_the_prompts_that_all_systems_share(
    files: tuple[Path, Path],
) -> None:
    systems = read_grids(pd.read_csv(files[0]))
    assert {name: sorted(grids) for name, grids in systems.items()} == {
        "good": ["fox", "owl"],
        "poor": ["fox", "owl"],
    }
    assert systems["good"]["fox"].relevance == (0.8, 0.6)
    assert systems["good"]["fox"].masses == (0.75, 0.25)


def test_agreement_counts_each_judgement_of_a_person(files: tuple[Path, Path]) -> None:
    grids, preferences = map(pd.read_csv, files)
    agreement = agreement_with_people(
        RBP(), read_grids(grids), preferences, np.random.default_rng(7)
    )
    assert (agreement.n, agreement.ties) == (3, 1)
    assert agreement.rate == pytest.approx(2 / 3)


def test_the_last_line_holds_every_number(
    files: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    """Alpha: raters differ by 1 on each pair; any two of -1, 0, 1, 2 by sqrt(20/6) on average."""
    main(["--grids", str(files[0]), "--preferences", str(files[1]), "--metric", "RBP"])
    result = json.loads(capsys.readouterr().out.splitlines()[-1])
    measured = result[str(RBP())]
    assert measured["agreement"]["n"] == 3
    assert measured["differences"][0]["n"] == 2
    assert len(measured["persistence"]["good"]) == 7
    assert result["alpha"] == pytest.approx(1 - 1 / (20 / 6))


def test_a_missing_column_is_named() -> None:
    with pytest.raises(ValueError, match="grids: no column place, relevance; found prompt, system"):
        read_grids(pd.DataFrame({"prompt": ["owl"], "system": ["good"]}))


def test_without_files_the_command_says_what_to_give(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main([])
    assert "give --grids and --preferences, or --ratings" in capsys.readouterr().err


def test_published_answers_correlate_with_ratings_as_published(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """DSG reports 0.571 / 0.458, with the dependencies of questions; without them slightly less."""
    if not RATINGS.exists():
        pytest.skip("DSG's published ratings are not here")
    main(["--ratings", str(RATINGS), "--metric", "RBP"])
    result = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert result["correlation"]["spearman"] == pytest.approx(0.571, abs=0.01)
    assert result["correlation"]["kendall"] == pytest.approx(0.458, abs=0.01)
    assert result[str(RBP())]["agreement"]["rate"] == pytest.approx(0.368, abs=0.005)
