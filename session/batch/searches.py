"""A batch of searches: of each prompt one image, the first that is right or else the best."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from generation import GridCell, InvalidRequestError
from search import DEFAULT, Attempt, Budget, best_of
from search.strategies import check_strategy
from session.batch.ledger import Record
from session.batch.pictures import Pictures, pictures_of, stored_pictures
from session.batch.units import Unit
from session.batch.work import UnitFolder
from session.search_jobs import find_right


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


def searched(asked: SearchUnit, folder: Path) -> Record:
    """Search; the record has every attempt, and the image is stored by then."""
    request = asked.unit.request
    try:
        attempts, why = [*find_right(request, asked.budget, asked.strategy)], ""
    except InvalidRequestError as error:  # one prompt cannot be searched for; others go on
        attempts, why = [], str(error)
    best, home = best_of(attempts) if attempts else None, pictures_of(folder, asked.id)
    pictures: Pictures = ()
    if best and not best.given_up:
        cell = GridCell(0, best.plan.seed, best.image, best.filtered, settings=best.settings)
        UnitFolder(home).save(cell)
        pictures = stored_pictures(home, 1, {0} if best.filtered else ())
    return {
        "id": asked.id,
        "pictures": [each.model_dump() for each in pictures],
        "prompt": request.prompt,
        "model": request.model,
        "bundle": request.bundle,
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
