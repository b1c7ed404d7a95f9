"""Runs a benchmark as a person would, and reads its last line."""

import json
import re
from typing import Any

import pytest

from benchmarks.__main__ import main


def run(capsys: pytest.CaptureFixture[str], name: str, *options: object) -> dict[str, Any]:
    """The line of JSON that a benchmark ends with."""
    main([name, *map(str, options)])
    line: dict[str, Any] = json.loads(capsys.readouterr().out.splitlines()[-1])
    return line


def numbers(
    capsys: pytest.CaptureFixture[str], name: str, *options: object
) -> dict[str, dict[str, Any]]:
    """Signature -> number."""
    return {each["signature"]: each for each in run(capsys, name, *options)["numbers"]}


def refusal(name: str, *options: object) -> str:
    """What a benchmark that cannot be run says."""
    with pytest.raises(SystemExit) as stopped:
        main([name, *map(str, options)])
    return str(stopped.value)


def words(text: str) -> str:
    """A text without the lines that the terminal draws round it, and without its line breaks."""
    return " ".join(re.sub(r"[\u2500-\u257f]", " ", text).split())
