"""One record of flags serves several commands."""

from dataclasses import dataclass
from inspect import signature
from typing import Annotated

import pytest
import typer
from typer.testing import CliRunner

from alignment.questions.settings import AS_PUBLISHED, RECOMMENDED
from app import program
from benchmarks.preference.command import main as preference
from cli import generate
from cli.batch import batch
from cli.flags import with_flags
from session.state import GridState

METRIC_FLAGS = ("order", "persistence", "novelty")


@dataclass(frozen=True)
class Size:
    """Flags of a test."""

    width: Annotated[int, typer.Option(min=1, help="Across.")] = 2
    height: int = 3


def test_a_command_gets_what_its_flags_make_in_the_place_of_one_parameter():
    got: list[object] = []

    @with_flags(Size, "size")
    def measure(times: int, *, size: Size, unit: str = "px") -> None:
        got.append((times * size.width * size.height, unit))

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


@pytest.fixture
def requested(monkeypatch: pytest.MonkeyPatch) -> list[GridState]:
    """What `generate` asks for; nothing is generated."""
    asked: list[GridState] = []

    def keep(state: GridState, _: object) -> GridState:
        asked.append(state)
        return state

    monkeypatch.setattr(generate, "write_report", keep)
    return asked


def test_every_setting_of_vq2_can_be_given(requested: list[GridState]):
    options = "--assessment B --spans simple --filter 0.3 --questions-per-span 2 "
    options += "--dependencies on --aggregation weakest --negation off --once off --quotes on"
    program(["a red apple", *options.split()], standalone_mode=False)
    (state,) = requested
    assert str(state.request.vq2.signature) == (
        "VQ2|assessment:B|spans:simple|filter:0.3|questions:2|decoding:beams|"
        "aggregation:weakest|dependencies:on|negation:off|existence:on|quotes:on"
    )


def test_what_is_not_given_is_as_the_bundle_has_it(requested: list[GridState]):
    for bundle in ("paper", "embedded"):
        program(["a red apple", "--bundle", bundle], standalone_mode=False)
    assert [state.request.vq2 for state in requested] == [AS_PUBLISHED, RECOMMENDED]
