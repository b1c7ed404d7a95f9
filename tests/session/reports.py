"""Reports of grids with numbers made by hand, and comparisons of them."""

from alignment.records import GridReport, Ranking
from request import Request
from session.comparison import ComparisonState
from session.state import GridState
from session.systems.system import System
from tests.ui.conftest import BACKPACK, PROBABILITIES, scored, set_scores

SYSTEMS = (System(), System(seed=9))


def report(*chances: float | None) -> GridReport:
    """Images with these calibrated chances, the first of them ranked first."""
    size = len(chances)
    return GridReport(
        prompt="a red car",
        rows=1,
        columns=size,
        bundle="embedded",
        questions=(BACKPACK,),
        scores={"vq2": tuple(scored(PROBABILITIES[k % 4]) for k in range(size))},
        rankings={"vq2": Ranking(tuple(range(size)), chances)},
        ranked_by="vq2",
        saliency={"generated": (1 / size,) * size, "reranked": (1 / size,) * size},
        set_scores=tuple(set_scores("positional", 0.5, 0.8)),
        timings={"generating": 2.0, "vq2": 1.0},
        relevance={"vq2": chances},
    )


def comparison(*rows: tuple[GridReport, ...]) -> ComparisonState:
    """A prompt for each row, with the report of each system."""
    prompts = tuple(f"prompt {k}" for k in range(len(rows)))
    grids = {
        (row, column): GridState(Request(prompts[row])).with_report(each)
        for row, reports in enumerate(rows)
        for column, each in enumerate(reports)
    }
    return ComparisonState(prompts, SYSTEMS, grids=grids)
