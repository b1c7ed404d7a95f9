"""From many images to the right one: what fails says what is tried next, within a budget.

    for attempt in search(request, pipeline, spec, models, Budget.parse("128 evaluations")):
        print(attempt.plan.step, attempt.plain["failing"])
    best = best_of(attempts)

Importing this is instant.
"""

from __future__ import annotations

from search.budget import Budget, Cost
from search.loop import search
from search.records import Attempt, Plan, Strategy, best_of
from search.strategies import DEFAULT, STRATEGIES

__all__ = [
    "DEFAULT",
    "STRATEGIES",
    "Attempt",
    "Budget",
    "Cost",
    "Plan",
    "Strategy",
    "best_of",
    "search",
]
