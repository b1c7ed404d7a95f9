"""Reports written before this version still open, or say in one sentence why not."""

import json
from pathlib import Path
from typing import Any

import pytest

from alignment.errors import UnreadableReportError
from alignment.report import load_report, report_json, stored_report

EXAMPLES = sorted((Path(__file__).parents[2] / "assets" / "examples").glob("*/report.json"))


def as_format_1(plain: dict[str, Any]) -> dict[str, Any]:
    """The same report in the words of the first format."""
    old = json.loads(json.dumps(plain))
    for name in ("format", "coverage", "unscored", "saliency_model", "similarity_model"):
        old.pop(name, None)
    for name in ("calibrated", "thresholds"):
        old.pop(name, None)
    for cell in old["cells"]:
        cell["passports"] = cell.pop("signatures")
        cell.pop("relevance", None)
    for each in old["saliency"]:
        each["masses"] = each.pop("attention")
    for each in old["set_metrics"]:
        each["passport"] = each.pop("signature")
    return old


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.parent.name)
def test_a_stored_example_opens_in_either_format(path: Path) -> None:
    now = load_report(path)
    old = stored_report(as_format_1(report_json(now)))
    assert old.report.rankings == now.report.rankings
    assert old.report.saliency == now.report.saliency
    assert old.report.set_scores == now.report.set_scores
    assert old.report.relevance == {}
    assert [each.signature for each in old.report.scores["vq2"]] == [
        each.signature for each in now.report.scores["vq2"]
    ]


def test_a_report_of_a_later_format_says_so() -> None:
    plain = report_json(load_report(EXAMPLES[0]))
    with pytest.raises(UnreadableReportError, match="format 99, and this version reads up to 3"):
        stored_report({**plain, "format": 99})


def test_a_damaged_report_says_where(tmp_path: Path) -> None:
    plain = report_json(load_report(EXAMPLES[0]))
    with pytest.raises(UnreadableReportError, match="this is no report: rows: "):
        stored_report({**plain, "rows": "many"})
    (tmp_path / "report.json").write_text("{")
    with pytest.raises(UnreadableReportError, match=r"report\.json is no JSON"):
        load_report(tmp_path / "report.json")
