"""The table of the bundles names every model with its size, memory and licence."""

from __future__ import annotations

import json

import pytest

from alignment.models.catalogue import BUNDLES
from cli.bundles import TITLES, bundles


def test_every_model_of_every_bundle_is_in_the_table(capsys: pytest.CaptureFixture[str]) -> None:
    bundles()
    *table, line = capsys.readouterr().out.splitlines()
    assert len(table) == 2 + sum(1 + len(bundle.models) for bundle in BUNDLES.values())
    assert {row.count("|") for row in table} == {len(TITLES) + 1}
    qwen = next(row for row in table if "Qwen/Qwen2.5-VL-7B-Instruct" in row)
    assert qwen == (
        "|  | answerer | `Qwen/Qwen2.5-VL-7B-Instruct` | 16.6 GB | 16.6 GB | Apache-2.0 |"
    )
    assert json.loads(line)["small"]["memory_gb"] == pytest.approx(BUNDLES["small"].memory_gb)
