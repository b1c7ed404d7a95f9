from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.__main__ import main


def test_benchmarks_are_known_by_name_and_what_they_share_is_none_of_them() -> None:
    with pytest.raises(SystemExit, match=r"the names are .*published, rerank, seetrue") as stopped:
        main(["data"])
    assert " data" not in str(stopped.value)


def test_a_mistake_in_the_data_is_told_in_one_sentence(tmp_path: Path) -> None:
    table = tmp_path / "table.csv"
    table.write_text("image,text\n")
    with pytest.raises(SystemExit, match="table.csv has no label, dataset_source; it has image"):
        main(["seetrue", "--table", str(table), "--images", str(tmp_path)])
