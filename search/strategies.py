"""The strategies of a search: what to try next, from the attempts so far."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from alignment.answers import AnswerTable
from generation import InvalidRequestError
from search.records import Attempt, Plan, Seeds, Strategy, best_of

NEAR = 0.9
"""The cosine between the noise of the best image and a neighbour's."""
FIRST = 2
"""Images of seeds of their own before neighbours are tried."""
AROUND = 3
"""Neighbours for each image of a seed of its own."""
LOOKS = (1 / 3, 1 / 2)
"""After which shares of the steps a hopeless image is given up."""
WORDINGS = ("{prompt}, {words}", "{words}, {prompt}", "{prompt}. {words}")
"""How words that fail are said: again, first, apart; in turn."""
TRIES = 2
"""Repairs of one claim of one image, after which another image is generated."""
SEEDS = 3
"""Images in a row in which a claim fails before it is taken for what no seed draws."""


def resample(seeds: Seeds, attempts: Sequence[Attempt]) -> Plan:
    """A new image from the next seed."""
    return Plan("resample", seeds(len(attempts)))


def prune(seeds: Seeds, attempts: Sequence[Attempt]) -> Plan:
    """A new image from the next seed, looked at early; given up, its steps go to further seeds."""
    return Plan("prune", seeds(len(attempts)), previews=LOOKS)


def neighbours(seeds: Seeds, attempts: Sequence[Attempt]) -> Plan:
    """Noise near that of the best image that began with a seed's own; first, such images.

    Of a prompt that seeds complete it is denoised under the words of the best image.

    Source: Ma et al., "Inference-Time Scaling for Diffusion Models beyond Scaling Denoising Steps",
    2025, zero-order search.
    """
    own = [each for each in attempts if each.plan.parent is None]
    if len(attempts) < FIRST or len(attempts) >= (1 + AROUND) * len(own):
        return resample(seeds, attempts)
    best = max(own, key=lambda each: (each.score.value or 0.0, -each.number))
    if best.denoised is None:
        return resample(seeds, attempts)
    return Plan(
        "neighbours",
        seeds(len(attempts)),
        parent=best.number,
        near=NEAR,
        completed_by=best.plan.seed,
    )


def restate(seeds: Seeds, attempts: Sequence[Attempt]) -> Plan:
    """The words that fail most said again; the prompt as it is while nothing is known to fail.

    What the prompt rules out is said as "without ...".
    """
    tables = (each.table for each in attempts)
    failed = Counter(table.claims[index] for table in tables for index in table.failing(0))
    if not failed:
        return resample(seeds, attempts)
    claim = failed.most_common(1)[0][0]
    words = attempts[-1].table.phrase(claim).text
    words = f"without {words}" if claim.negated else words
    turns = WORDINGS[:1] if claim.negated else WORDINGS
    wording = turns[(len(attempts) - 1) % len(turns)]
    return Plan("restate", seeds(len(attempts)), wording.replace("{words}", words))


def repair(
    seeds: Seeds, attempts: Sequence[Attempt], repairable: Sequence[int] | None = None
) -> Plan:
    """What fails in the best image is denoised again where it is, the rest is held.

    The model is given the failing phrase alone, as for inpainting: with the whole prompt, the
    embedded model denoises the same content from any noise. It begins with noise alone: where a
    quarter of four steps is left out, the embedded model keeps what it is to change.

    Args:
        seeds: of the search.
        attempts: so far.
        repairable: claims of the best image, of which the first that was not tried too often is
            repaired; all that fail when None. Without one, or where it is something that the prompt
            rules out, a new image is generated.
    """
    if not attempts:
        return resample(seeds, attempts)
    best = best_of(attempts)
    tried = [each.plan.claim for each in attempts if each.plan.parent == best.number]
    failing = best.table.failing(0) if repairable is None else repairable
    claims = best.table.claims
    left = [each for each in failing if tried.count(each) < TRIES and not claims[each].negated]
    if not left or best.denoised is None:
        return resample(seeds, attempts)
    return Plan(
        "repair",
        seeds(len(attempts)),
        best.table.phrase(best.table.claims[left[0]]).text,
        parent=best.number,
        claim=left[0],
        completed_by=best.plan.seed if best.plan.completed_by is None else best.plan.completed_by,
    )


def route(seeds: Seeds, attempts: Sequence[Attempt]) -> Plan:
    """A repair where every claim that fails in the best image can be repaired, else the next seed.

    What no seed has drawn so far is repaired, too: further seeds seldom have it.

    Source: "EPIC", 2026 (arXiv 2605.11722), whose failed predicates choose between the two.
    """
    if not attempts:
        return resample(seeds, attempts)
    table, never = best_of(attempts).table, _never_drawn(attempts)
    failing = table.failing(0)
    every = all(is_repairable(table, claim) or claim in never for claim in failing)
    return repair(seeds, attempts, failing if every else ())


def _never_drawn(attempts: Sequence[Attempt]) -> set[int]:
    """The claims that fail in every image that was generated from a seed, of `SEEDS` or more."""
    drawn = [{*each.table.failing(0)} for each in attempts if each.plan.parent is None]
    return set.intersection(*drawn) if len(drawn) >= SEEDS else set()


def is_repairable(table: AnswerTable, claim: int) -> bool:
    """Whether a claim is about how one thing looks or where it is, and the thing is there.

    Where all of it takes place rests on no thing, and has no region of its own.
    """
    told = table.claims[claim]
    kinds = {pair.kind for pair in told.pairs}
    return "count" not in kinds and bool(told.rests_on or "attribute" in kinds)


STRATEGIES: Mapping[str, Strategy] = MappingProxyType(
    {
        "route": Strategy(route, "next seeds where a thing or a number fails, else repairs"),
        "repair": Strategy(repair, "what fails is denoised again where it is"),
        "restate": Strategy(restate, "the words that fail are restated"),
        "neighbours": Strategy(neighbours, "noise near that of the best image"),
        "prune": Strategy(prune, "next seeds; hopeless ones are given up half-way"),
        "resample": Strategy(resample, "next seeds"),
        "best-of-n": Strategy(resample, "next seeds for the whole budget", stops=False),
    }
)
DEFAULT = "resample"


def check_strategy(name: str) -> None:
    """Refuse a name that is no strategy."""
    if name not in STRATEGIES:
        raise InvalidRequestError(f"no strategy {name!r}; known: {', '.join(STRATEGIES)}")
