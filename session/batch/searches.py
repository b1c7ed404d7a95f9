"""A batch of searches: of each prompt one image, the first that is right or else the best."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from shutil import rmtree
from typing import Any

from alignment import Models
from generation import GridCell, InvalidRequestError
from search import DEFAULT, Attempt, Budget, best_of, search
from search.strategies import check_strategy
from session.batch.ledger import Record, writing
from session.batch.pictures import pictures_of, save_pictures, stored_pictures
from session.batch.units import Unit
from session.batch.work import Generator
from session.search_jobs import ready


@dataclass(frozen=True)
class SearchUnit:
    """A search for one image of a unit's prompt, from the seed of the unit on."""

    unit: Unit
    budget: Budget
    strategy: str = DEFAULT

    def __post_init__(self) -> None:
        check_strategy(self.strategy)

    @property
    def id(self) -> str:
        """As that of a unit."""
        work = [self.unit.id, asdict(self.budget), self.strategy]
        return hashlib.sha256(json.dumps(work).encode()).hexdigest()[:16]


def search_each(units: Iterable[SearchUnit], folder: Path, process: str) -> Iterator[Record]:
    """The record of each search as soon as it has ended; its image is stored by then."""
    generator = Generator(folder, process)
    return (_searched(unit, generator) for unit in units)


def _searched(asked: SearchUnit, generator: Generator) -> Record:
    unit, request = asked.unit, asked.unit.request
    pipeline, models = generator.loaded(unit.pipeline), ready(Models(unit.bundle))
    order = (request.grid, pipeline, unit.pipeline, models, asked.budget, asked.strategy)
    try:
        attempts, why = [*search(*order, settings=request.vq2)], ""
    except InvalidRequestError as error:  # one prompt cannot be searched for; others go on
        attempts, why = [], str(error)
    best, home = best_of(attempts) if attempts else None, pictures_of(generator.folder, asked.id)
    cells = []
    if best and not best.given_up:
        seed, filtered = best.plan.seed, best.filtered
        cells = [GridCell(0, seed, best.image, filtered, settings=best.settings)]
    with writing(home):
        rmtree(home, ignore_errors=True)  # of a process that was killed before its record
        save_pictures(cells, home.with_name(f"{asked.id}.{generator.process}.draft"), home)
    return {
        "id": asked.id,
        "pictures": [each.model_dump() for each in stored_pictures(home) or ()],
        "prompt": request.prompt,
        "model": unit.pipeline.name,
        "bundle": unit.bundle.name,
        "seed": request.seed,
        "strategy": asked.strategy,
        "budget": asdict(asked.budget),
        "right": best.right if best else None,
        "best": best.number if best else None,
        "reason": why,
        "attempts": [_plain(each) for each in attempts],
    }


def _plain(attempt: Attempt) -> dict[str, Any]:
    plan, cost, claims = attempt.plan, attempt.cost, attempt.table.claims
    return {
        "step": plan.step,
        "seed": plan.seed,
        "wording": plan.wording,
        "parent": plan.parent,
        "aim": None if plan.claim is None else claims[plan.claim].span.text,
        "score": attempt.score.value,
        "chance": attempt.chance,
        "right": attempt.right,
        "failing": [claim.span.text for claim in attempt.failing],
        "mended": [claims[index].span.text for index in attempt.mended],
        "broken": [claims[index].span.text for index in attempt.broken],
        "given_up": attempt.given_up,
        "evaluations": cost.evaluations,
        "questions": cost.questions,
        "seconds": round(cost.seconds, 3),
        "judging": round(cost.judging, 3),
    }
