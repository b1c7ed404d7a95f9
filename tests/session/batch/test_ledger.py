"""Records outlive whoever writes them."""

from __future__ import annotations

import json
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from session.batch import SharedLedgerError, finalise
from session.batch.ledger import RESULTS, Record, open_ledger, recorded

texts = st.text(max_size=12)
records = st.lists(texts, max_size=6).map(
    lambda said: [{"id": str(number), "prompt": text} for number, text in enumerate(said)]
)


def note(folder: Path, notes: list[Record], name: str = "1-of-1") -> bytes:
    """Write records as a worker of that name; the file as it then is."""
    with open_ledger(folder, name) as write:
        for each in notes:
            write(each)
    return (folder / f"records-{name}.jsonl").read_bytes()


@given(records, st.data())
def test_a_ledger_torn_at_any_byte_becomes_whole_again(notes: list[Record], data: st.DataObject):
    with TemporaryDirectory() as name:
        folder = Path(name)
        whole = note(folder, notes)
        kept = data.draw(st.integers(0, len(whole)))
        (folder / "records-1-of-1.jsonl").write_bytes(whole[:kept])
        known = recorded(folder)
        assert list(known) == [each["id"] for each in notes][: whole[:kept].count(b"\n")]
        assert note(folder, [each for each in notes if each["id"] not in known]) == whole


def test_a_record_is_on_disk_as_soon_as_it_is_written(tmp_path: Path):
    with open_ledger(tmp_path, "1-of-1") as write:
        write({"id": "a", "prompt": "café"})
        assert json.loads(recorded(tmp_path)["a"]) == {"id": "a", "prompt": "café"}


def test_the_torn_line_of_a_worker_still_writing_is_left_alone(tmp_path: Path):
    torn = b'{"id": "b", "pro'
    (tmp_path / "records-2-of-2.jsonl").write_bytes(torn)
    note(tmp_path, [{"id": "a"}], "1-of-2")
    assert list(recorded(tmp_path)) == ["a"]
    assert (tmp_path / "records-2-of-2.jsonl").read_bytes() == torn


def test_two_workers_never_write_the_same_file(tmp_path: Path):
    note(tmp_path, [{"id": "a"}])
    with (
        open_ledger(tmp_path, "1-of-1"),
        pytest.raises(SharedLedgerError, match="--shard of its own"),
        open_ledger(tmp_path, "1-of-1"),
    ):
        pass
    assert list(recorded(tmp_path)) == ["a"]


def test_results_come_once_everything_is_recorded_in_the_order_asked_for(tmp_path: Path):
    note(tmp_path, [{"id": "c"}, {"id": "a"}], "1-of-2")
    assert not finalise(tmp_path, ["a", "b", "c"])
    assert not (tmp_path / RESULTS).exists()
    note(tmp_path, [{"id": "b"}], "2-of-2")
    assert finalise(tmp_path, ["a", "b", "c"])
    lines = (tmp_path / RESULTS).read_text().splitlines()
    assert [json.loads(line)["id"] for line in lines] == ["a", "b", "c"]
