"""Records outlive whoever writes them."""

from pathlib import Path

from session.batch.ledger import Record, open_ledger, recorded


def note(folder: Path, notes: list[Record], name: str = "1-of-1") -> bytes:
    """Write records as a worker of that name; the file as it then is."""
    with open_ledger(folder, name) as write:
        for each in notes:
            write(each)
    return (folder / f"records-{name}.jsonl").read_bytes()


def test_bad_lines_of_another_worker_who_may_still_be_writing_are_left_alone(tmp_path: Path):
    torn = b'not json\n{"id": "b", "pro'
    (tmp_path / "records-2-of-2.jsonl").write_bytes(torn)
    note(tmp_path, [{"id": "a"}], "1-of-2")
    assert list(recorded(tmp_path)) == ["a"]
    assert (tmp_path / "records-2-of-2.jsonl").read_bytes() == torn
