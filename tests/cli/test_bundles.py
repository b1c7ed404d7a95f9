"""The table of the bundles names every model with its size, memory and licence."""

import json

import pytest

from alignment.models.catalogue import ALONE, BUNDLES, MODELS
from cli.bundles import TITLES, bundles


def test_every_model_is_in_the_table_by_its_name(capsys: pytest.CaptureFixture[str]) -> None:
    bundles()
    *table, line = capsys.readouterr().out.splitlines()
    alone = sum(map(len, ALONE.values()))
    assert len(table) == 2 + sum(1 + len(each.models) for each in BUNDLES.values()) + 1 + alone
    assert all(any(f"`{name}`" in row for row in table) for name in MODELS)
    assert {row.count("|") for row in table} == {len(TITLES) + 1}
    qwen = next(row for row in table if "Qwen/Qwen3-VL-4B-Instruct" in row)
    assert qwen == (
        "|  | answerer, entailment | `qwen3-vl-4b`, Qwen/Qwen3-VL-4B-Instruct | 8.9 GB | 8.9 GB "
        "| Apache-2.0 |"
    )
    assert json.loads(line)["small"]["memory_gb"] == pytest.approx(BUNDLES["small"].memory_gb)
