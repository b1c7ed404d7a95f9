"""Who waits at the gate for a place."""

from __future__ import annotations

import asyncio
from typing import Any

import gradio as gr
import pytest

from session.limits import Limits, Runs
from session.run import BusyError
from tests.patience import PATIENCE
from ui.places import Places


class Asked:
    """A request that waits, as much of it as is read."""

    def __init__(self, number: int) -> None:
        self.scope: dict[str, Any] = {"client": (f"10.0.0.{number}", 80)}

    async def is_disconnected(self) -> bool:
        return False


@pytest.mark.usefixtures("no_loops_left")
@pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning")
def test_who_came_first_is_let_in_first_and_who_may_not_wait_is_told_at_once():
    places = Places(gr.Blocks(), Runs(Limits(runs=1, at_the_door=PATIENCE)), frozenset())
    let_in: list[int] = []

    async def visit(number: int) -> None:
        asked: Any = Asked(number)
        await places.wait(f"page {number}", asked)
        let_in.append(number)
        await asyncio.sleep(0)
        places.leave(asked.scope)

    async def crowd() -> None:
        holder: Any = Asked(0)
        await places.wait("page 0", holder)
        visits = []
        for number in range(1, 6):
            visits.append(asyncio.create_task(visit(number)))
            await asyncio.sleep(0.01)
        program: Any = Asked(9)
        with pytest.raises(BusyError):
            await places.wait("program", program, patient=False)
        places.leave(holder.scope)
        await asyncio.gather(*visits)

    asyncio.run(crowd())
    assert let_in == [1, 2, 3, 4, 5]
    assert not places.waiting
