"""One record of flags serves several commands."""

from __future__ import annotations

from dataclasses import dataclass
from inspect import signature
from typing import Annotated

import typer
from typer.testing import CliRunner

from benchmarks.preference.command import main as preference
from cli.batch import batch
from cli.flags import with_flags

METRIC_FLAGS = ("order", "persistence", "novelty")


@dataclass(frozen=True)
class Size:
    """Flags of a test."""

    width: Annotated[int, typer.Option(min=1, help="Across.")] = 2
    height: int = 3


def test_a_command_gets_what_its_flags_make_in_the_place_of_one_parameter():
    got: list[object] = []

    @with_flags(Size, "area", lambda size, others: size.width * size.height * others["times"])
    def measure(times: int, *, area: int, unit: str = "px") -> None:
        got.append((area, unit))

    app = typer.Typer()
    app.command()(measure)
    assert CliRunner().invoke(app, ["5", "--width", "4"]).exit_code == 0
    assert got == [(60, "px")]
    assert CliRunner().invoke(app, ["5", "--width", "0"]).exit_code == 2
    assert [*signature(measure).parameters] == ["times", "width", "height", "unit"]


def test_batch_and_preference_have_the_same_flags_of_set_metrics():
    ours, theirs = (signature(command).parameters for command in (batch, preference))
    assert [ours[name] for name in METRIC_FLAGS] == [theirs[name] for name in METRIC_FLAGS]
    assert not {"vq2", "metric_settings"} & {*ours, *theirs}
