"""What a visitor reads of an error."""

import logging
from pathlib import Path

import pytest

from alignment.errors import MissingCheckpointError
from generation import CheckpointMissingError
from ui.run_controls import BROKEN, FULL_DISK, NOT_HERE, user_message


@pytest.mark.parametrize("kind", [CheckpointMissingError, MissingCheckpointError])
def test_a_missing_checkpoint_shows_no_path_of_the_server(
    kind: type[Exception], caplog: pytest.LogCaptureFixture
):
    assert user_message(kind("no checkpoint of 'stickers' in /srv/app/assets")) == NOT_HERE
    assert "/srv/app/assets" in caplog.text


def test_a_full_disk_is_named_and_its_folder_is_not(caplog: pytest.LogCaptureFixture):
    with (
        pytest.raises(OSError, match="No space left") as full,
        Path("/dev/full").open("wb") as file,
    ):
        file.write(b"x" * 100_000)
    full.value.filename = "/srv/visitors/a.png"
    assert user_message(full.value) == FULL_DISK
    assert "/srv/visitors/a.png" in caplog.text


def test_what_nobody_foresaw_goes_to_the_log_with_its_trace(caplog: pytest.LogCaptureFixture):
    with caplog.at_level(logging.ERROR):
        assert user_message(KeyError("cells")) == BROKEN
    assert caplog.records[0].exc_info
