"""A ledger through any sequence of writes, kills, full disks and garbage."""

import json
import shutil
import tempfile
from contextlib import ExitStack
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from session.batch.ledger import BatchError, open_ledger, recorded
from tests.session.batch.conftest import file_size_limit

NAME = "1-of-1"
texts = st.text(max_size=20)


def line_of(record: dict[str, str]) -> bytes:
    return json.dumps(record, ensure_ascii=False).encode() + b"\n"


class Ledger(RuleBasedStateMachine):
    """What was acknowledged is there, whole and once; nothing else ever is."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp())
        self.file = self.folder / f"records-{NAME}.jsonl"
        self.known: list[dict[str, str]] = []
        self.count = 0
        self.open()

    def open(self) -> None:
        self.stack = ExitStack()
        self.write = self.stack.enter_context(open_ledger(self.folder, NAME))

    def reopen(self) -> None:
        self.stack.close()
        self.open()

    def next_record(self, text: str) -> dict[str, str]:
        self.count += 1
        return {"id": str(self.count), "prompt": text}

    @rule(text=texts)
    def append(self, text: str) -> None:
        record = self.next_record(text)
        self.write(record)
        self.known.append(record)

    @rule(text=texts, share=st.floats(0, 1))
    def killed_at_a_byte_of_a_write(self, text: str, share: float) -> None:
        line = line_of(self.next_record(text))
        self.stack.close()
        with self.file.open("ab") as file:
            file.write(line[: int(share * (len(line) - 1))])
        self.open()

    @rule(text=texts, share=st.floats(0, 1, exclude_max=True))
    def disk_full_at_a_byte_of_a_write(self, text: str, share: float) -> None:
        record = self.next_record(text)
        room = self.file.stat().st_size + int(share * len(line_of(record)))
        with file_size_limit(room), pytest.raises(BatchError, match="cannot write"):
            self.write(record)

    @rule(garbage=st.binary(max_size=20).map(lambda raw: b"\xff" + raw.replace(b"\n", b"")))
    def garbage_line(self, garbage: bytes) -> None:
        with self.file.open("ab") as file:
            file.write(garbage + b"\n")
        self.reopen()

    @rule()
    def stopped_and_started(self) -> None:
        self.reopen()

    @precondition(lambda self: self.known)
    @rule()
    def second_process(self) -> None:
        said = pytest.raises(BatchError, match="--shard of its own")
        with said, open_ledger(self.folder, NAME):
            pass

    @invariant()
    def all_that_was_acknowledged_is_there_and_nothing_else(self) -> None:
        assert self.file.read_bytes() == b"".join(map(line_of, self.known))
        assert [*recorded(self.folder)] == [record["id"] for record in self.known]

    def teardown(self) -> None:
        self.stack.close()
        shutil.rmtree(self.folder)


TestLedger = Ledger.TestCase
TestLedger.settings = settings(max_examples=25, stateful_step_count=20)
