"""The search: plan, generate, ask, until all that can be judged holds or the budget is spent."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, nullcontext
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import generation
from alignment import Models, Vq2Settings
from alignment.region import QUESTIONS
from generation import GridCell, GridRequest, InvalidRequestError, ModelSpec, Start
from search.budget import Budget, Cost
from search.evaluator import ImageEvaluator
from search.records import Attempt, Plan, Seeds, Strategy, Verdict, answers_of, best_of
from search.region import region_to_repair
from search.strategies import DEFAULT, STRATEGIES, check_strategy

if TYPE_CHECKING:
    from diffusers import DiffusionPipeline

    from alignment.questions.records import QuestionAnswer
    from generation.denoising import Region
    from generation.sampling import Turn

HOPELESS = 0.1
"""The chance under which a preview is given up."""
AGAIN = ("PNDMScheduler",)
"""Schedulers that make one step more than they are asked for."""


def search(
    request: GridRequest,
    pipeline: DiffusionPipeline,
    spec: ModelSpec,
    models: Models,
    budget: Budget,
    strategy: str = DEFAULT,
    *,
    settings: Vq2Settings | None = None,
    at_least: float = 0.0,
    turn: Turn = nullcontext,
    clock: Callable[[], float] = time.perf_counter,
    further: int | None = None,
    questions: tuple[QuestionAnswer, ...] = (),
) -> Iterator[Attempt]:
    """Look for an image that shows everything a prompt asks for.

    It ends when the calibrated chance says that all holds that can be judged, when the next
    attempt is more than what is left of the budget, or when the iterator is closed; the last
    attempt names the best so far.

    Args:
        request: prompt, wording and first seed; its grid is left aside.
        pipeline: of `spec`, from `load_pipeline`.
        spec: the text-to-image model of the request.
        models: those of a bundle, which judge.
        budget: what the search may cost.
        strategy: a name in `STRATEGIES`.
        settings: of VQ2; those of the bundle when None.
        at_least: the chance from which an image is right, where that is more than the threshold of
            the calibration; in [0, 1].
        turn: makes what is held open while models work.
        clock: seconds.
        further: the seed of the second attempt, with those of the others behind it; the one behind
            that of the request when None.
        questions: about the prompt, where they are written already, under the same settings.

    Raises:
        InvalidRequestError: see `validate_request`; there is no such strategy, nothing can be asked
            about the prompt, a chance is asked for where none is calibrated, or the budget is not
            even enough for one image.
    """
    request = replace(request, rows=1, columns=1)
    generation.validate_request(request, {spec.name: spec})
    check_strategy(strategy)
    start = clock()
    with turn():
        evaluator = ImageEvaluator.read(request.prompt, models, settings, at_least, questions)
    if not evaluator.asked:
        raise InvalidRequestError(
            f'VQ2 can ask nothing of an image about "{request.prompt}", so none can be found '
            "right; name things, colours or numbers, or choose other evaluators"
        )
    if at_least and not evaluator.calibration:
        raise InvalidRequestError(
            f"a chance of {at_least:g} cannot be checked: the models of {models.bundle.name} are "
            "not calibrated; see `calibrate`, or leave out --at-least"
        )
    asked = spec.asked(request.steps, request.guidance)
    work = _Work(request, pipeline, asked, evaluator, turn, clock)
    second = request.seed + 1 if further is None else further

    def seeds(number: int) -> int:
        return second + number - 1 if number else request.seed

    return _attempts(work, STRATEGIES[strategy], seeds, budget, Cost(judging=clock() - start))


def _attempts(
    work: _Work, chosen: Strategy, seeds: Seeds, budget: Budget, spent: Cost
) -> Iterator[Attempt]:
    attempts: list[Attempt] = []
    while True:
        plan = chosen.next_plan(seeds, attempts)
        longest = max((each.cost.seconds for each in attempts), default=0.0)
        most = replace(work.most(plan), judging=longest)
        if not budget.allows(spent + most):
            if not attempts:
                raise InvalidRequestError(
                    f"the budget is {budget}; one image of {work.spec.name} takes "
                    f"{most.evaluations} evaluations and {most.questions} questions"
                )
            return
        try:
            attempt = work.attempt(plan, attempts, spent)
        except InvalidRequestError:  # a seed beyond the last, or a wording beyond the longest
            if not attempts:
                raise
            return
        spent = attempt.spent
        attempts.append(attempt)
        yield attempt
        if chosen.stops and attempt.holds:
            return


@dataclass(frozen=True)
class _Work:
    """What stays the same through a search."""

    request: GridRequest
    pipeline: DiffusionPipeline
    spec: ModelSpec
    evaluator: ImageEvaluator
    turn: Turn
    clock: Callable[[], float]

    def most(self, plan: Plan) -> Cost:
        """What a plan costs at most, its seconds aside."""
        steps = self.spec.steps + (type(self.pipeline.scheduler).__name__ in AGAIN)
        questions = self.evaluator.asked * (1 + len(plan.previews))
        questions += QUESTIONS if plan.claim is not None else 0
        return Cost(steps * self.spec.passes, questions)

    def attempt(self, plan: Plan, attempts: Sequence[Attempt], spent: Cost) -> Attempt:
        """Make a plan's image and ask it."""
        parent = None if plan.parent is None else attempts[plan.parent]
        since = self.clock()
        region, asked = self.region(plan, parent)
        charged = Cost(questions=asked, judging=self.clock() - since)
        made = self.generate(plan, self.start(plan, parent, region), charged)
        return _attempt(attempts, plan, parent, made, region, spent)

    def region(self, plan: Plan, parent: Attempt | None) -> tuple[Region | None, int]:
        """Where what fails is decided, and how many questions that took."""
        if plan.claim is None or parent is None:
            return None, 0
        with self.turn():
            return region_to_repair(
                parent.image, parent.table, plan.claim, self.evaluator.models.answerer
            )

    def start(self, plan: Plan, parent: Attempt | None, region: Region | None) -> Start | None:
        """Where denoising begins; None with the noise of the plan's seed."""
        if parent is None or parent.denoised is None:
            return None
        if plan.near:
            own = math.sqrt(1 - plan.near**2)
            return Start(parent.denoised, ((parent.plan.seed, plan.near), (plan.seed, own)))
        return Start(parent.denoised, ((plan.seed, 1.0),), region=region)

    def generate(self, plan: Plan, start: Start | None, cost: Cost) -> _Made:
        """Generate the image and ask it; the end is a preview that is hopeless."""
        seed = plan.seed if plan.completed_by is None else plan.completed_by
        request = replace(self.request, seed=seed, wording=self.worded(plan))
        looks = frozenset(math.ceil(share * self.spec.steps) for share in plan.previews)
        steps = generation.sample(
            request, self.pipeline, self.spec, self.turn, start=start, estimates=looks
        )
        since = self.clock()
        with closing(steps):
            for progress in steps:
                if progress.previews and looks:
                    cost += Cost(generating=self.clock() - since)
                    verdict, asking = self.judged(progress.previews[0])
                    cost += asking
                    if verdict.chance is not None and verdict.chance < HOPELESS:
                        cost += Cost(progress.step * self.spec.passes)
                        return _Made(progress.previews[0], verdict, cost, given_up=True)
                    since = self.clock()
        (cell,) = progress.cells
        passes = cell.denoised.passes if cell.denoised else 0
        cost += Cost(passes, generating=self.clock() - since)
        verdict, asking = self.judged(cell)
        return _Made(cell, verdict, cost + asking)

    def worded(self, plan: Plan) -> str:
        """The wording of the request, with that of the plan in the place of its prompt."""
        return self.request.wording.replace(generation.records.PROMPT, plan.wording)

    def judged(self, cell: GridCell) -> tuple[Verdict, Cost]:
        """What an image answers, and what asking it cost."""
        since = self.clock()
        with self.turn():
            verdict = self.evaluator.judge(None if cell.filtered else cell.image)
        return verdict, Cost(questions=len(verdict.score.evidence), judging=self.clock() - since)


@dataclass(frozen=True)
class _Made:
    """What came of a plan."""

    cell: GridCell
    verdict: Verdict
    cost: Cost
    given_up: bool = False


def _attempt(
    attempts: Sequence[Attempt],
    plan: Plan,
    parent: Attempt | None,
    made: _Made,
    region: Region | None,
    spent: Cost,
) -> Attempt:
    verdict = replace(made.verdict, holds=None) if made.given_up else made.verdict
    now = answers_of(verdict.table)
    before = answers_of(parent.table) if parent else {}
    return Attempt(
        number=len(attempts),
        plan=plan,
        image=made.cell.image,
        **vars(verdict),
        mended=tuple(claim for claim in now if now[claim] and not before.get(claim, True)),
        broken=tuple(claim for claim in now if not now[claim] and before.get(claim, False)),
        cost=made.cost,
        spent=spent + made.cost,
        best=_best(attempts, verdict, made.given_up),
        given_up=made.given_up,
        filtered=made.cell.filtered,
        region=region,
        denoised=made.cell.denoised,
        settings=made.cell.settings if parent is None else None,
    )


def _best(attempts: Sequence[Attempt], verdict: Verdict, given_up: bool) -> int:
    """The best so far, the next one among them: finished first, then right, then by score."""
    if not attempts:
        return 0
    so_far = best_of(attempts)
    better = _rank(verdict, given_up) > _rank(so_far, so_far.given_up)
    return len(attempts) if better else so_far.number


def _rank(verdict: Verdict, given_up: bool) -> tuple[bool, bool, bool, float]:
    value = verdict.score.value
    return not given_up, verdict.holds is True, value is not None, value or 0.0
