"""What images of prompt pairs say of a text-to-image model, and people beside it, in numbers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from math import nan
from pathlib import Path
from statistics import fmean

import numpy as np

from alignment.prompt_pairs.description_match import Evaluator, fit_matrices
from alignment.prompt_pairs.score import expected_score, generation_scores
from alignment.records import MatchMatrix, PromptPair
from alignment.statistics.intervals import measured_mean
from benchmarks.commonsense.images import Generations
from benchmarks.data.numbers import Number
from benchmarks.data.printed import COMMONSENSE_PAIRS, commonsense_people
from benchmarks.progress import watched
from benchmarks.statistics.correlation import rank_correlation
from session.errors import DataError
from session.tables import rows

Labels = Mapping[str, Mapping[int, Mapping[int, float]]]
"""Text-to-image model -> pair, from 1 -> generation, from 1 -> the part of people who call it
right."""
Scores = tuple[float | None, ...]
"""One for each pair or generation; None where an evaluator's reply could not be read."""

REVISED, OUTRIGHT = " revised", " outright"
"""End the name of a text-to-image model that was given enriched prompts, or the descriptions."""
CHANCE = 0.25
"""Of a generation whose two images each show one of the two descriptions at random."""
FAILED = 0.5
"""A score that is lower counts as an error."""
ALL = "all"


@dataclass(frozen=True)
class GeneratedPairs:
    """The images that one text-to-image model generated of some pairs."""

    model: str
    pairs: tuple[PromptPair, ...]
    images: Iterable[Generations]
    similarities: tuple[float, ...]
    """Of each pair's prompts: cosines in a text encoder."""


@dataclass(frozen=True)
class PairResult:
    """What one evaluator makes of the images of one text-to-image model."""

    generated: GeneratedPairs
    evaluator: str
    matrices: tuple[MatchMatrix, ...]
    """Of each pair."""

    @property
    def model(self) -> str:
        """The text-to-image model."""
        return self.generated.model

    @property
    def about(self) -> dict[str, object]:
        """For signatures."""
        return {"model": self.model, "evaluator": self.evaluator}

    @cached_property
    def scores(self) -> Scores:
        """Of each pair, in exact expectation over the coins."""
        return tuple(map(expected_score, self.matrices))

    @cached_property
    def generations(self) -> tuple[Scores, ...]:
        """Of each pair."""
        return tuple(map(generation_scores, self.matrices))

    @property
    def expected(self) -> list[str]:
        """What the images of each pair must show, whichever comes first: what intervals draw."""
        return [" / ".join(sorted(pair.descriptions)) for pair in self.generated.pairs]


def match(generated: GeneratedPairs, evaluators: Mapping[str, Evaluator]) -> list[PairResult]:
    """One result for each evaluator, from one look at the images."""
    matrices: dict[str, list[MatchMatrix]] = {name: [] for name in evaluators}
    passing = watched(generated.images, f"pairs, {generated.model}", len(generated.pairs))
    for pair, images in zip(generated.pairs, passing, strict=True):
        for name, evaluator in evaluators.items():
            *_, full = fit_matrices(pair, images, evaluator)
            matrices[name].append(full)
    return [PairResult(generated, name, tuple(found)) for name, found in matrices.items()]


def accuracies(result: PairResult, generator: np.random.Generator) -> Iterator[Number]:
    """The mean score of all pairs, then of each category, of the generations that were judged."""
    judged = [score is not None for row in result.generations for score in row]
    known = [
        (score, unit, pair.category)
        for score, unit, pair in zip(
            result.scores, result.expected, result.generated.pairs, strict=True
        )
        if score is not None
    ]
    for category in (ALL, *sorted({category for *_, category in known})):
        own = [(score, unit) for score, unit, its in known if category in (ALL, its)]
        about = {**result.about, "category": category, "n": len(own)}
        if category == ALL:
            about["judged"] = f"{sum(judged)}/{len(judged)}"
        if own:
            values, units = zip(*own, strict=True)
            mean = measured_mean(values, generator, units)
            yield Number.of("accuracy", about, mean, chance=CHANCE)
        else:
            yield Number("accuracy", about, nan, chance=CHANCE)


def beside(result: PairResult) -> Iterator[Number]:
    """Accuracy by likelihood; unread replies; images that fit both; rank correlation of scores
    with the similarity of prompts, below 0 where alike prompts fail.
    """
    known = [
        (score, pair.likelihood, alike)
        for score, pair, alike in zip(
            result.scores, result.generated.pairs, result.generated.similarities, strict=True
        )
        if score is not None
    ]
    fits = [fit.fits for matrix in result.matrices for row in matrix.fits for fit in row]
    scores, likely, alike = np.array(known, dtype=float).reshape(-1, 3).T
    rho, tau = rank_correlation(alike, scores) if known else (nan, nan)
    unread, both = sum(fit.count(None) for fit in fits), fits.count((True, True))
    for name, value, n in (
        ("by likelihood", float(np.average(scores, weights=likely)) if known else nan, len(known)),
        ("unreadable", unread / (2 * len(fits)), 2 * len(fits)),
        ("fits both", both / len(fits), len(fits)),
        ("Spearman", rho, len(known)),
        ("Kendall", tau, len(known)),
    ):
        yield Number(name, {**result.about, "n": n}, value)


def gains(results: Iterable[PairResult], generator: np.random.Generator) -> Iterator[Number]:
    """How much better a text-to-image model is with other prompts, by the same evaluator."""
    by_name = {(each.model, each.evaluator): each for each in results}
    for (model, evaluator), plain in by_name.items():
        for ending in (REVISED, OUTRIGHT):
            if not (other := by_name.get((model + ending, evaluator))):
                continue
            known = [
                (after - before, unit)
                for before, after, unit in zip(
                    plain.scores, other.scores, plain.expected, strict=True
                )
                if before is not None and after is not None
            ]
            about = {**other.about, "over": model, "n": len(known)}
            if known:
                values, units = zip(*known, strict=True)
                gained = measured_mean(values, generator, units, bounds=(-1.0, 1.0))
                yield Number.of("gain", about, gained, chance=0.0)


def shared_errors(results: Sequence[PairResult]) -> Iterator[Number]:
    """Of the pairs that one of two text-to-image models fails, the share that both do.

    By chance: were their errors independent. Pairs that were not judged twice are left out.
    """
    for one, other in combinations(results, 2):
        if one.evaluator != other.evaluator:
            continue
        scores = np.array([one.scores, other.scores], dtype=float)
        failed = scores[:, ~np.isnan(scores).any(axis=0)] < FAILED
        if not (either := int(failed.any(axis=0).sum())):
            continue
        chance = float(failed.mean(axis=1).prod()) * failed.shape[1] / either
        about = {"first": one.model, "second": other.model, "evaluator": one.evaluator}
        share = float(failed.all(axis=0).sum()) / either
        yield Number("both fail", {**about, "n": either}, share, chance=chance)


def read_labels(file: Path) -> Labels:
    """What people say of generations, from a CSV file.

    Raises:
        DataError: there is no such file, a column is missing, or a judgement is neither 0 nor 1.
    """
    labels: dict[str, dict[int, dict[int, list[int]]]] = {}
    for row in rows(file, "model", "pair", "generation", "right"):
        if row["right"] not in ("0", "1"):
            raise DataError(f"right is {row['right']!r} for pair {row['pair']}; give 0 or 1")
        generations = labels.setdefault(row["model"], {}).setdefault(int(row["pair"]), {})
        generations.setdefault(int(row["generation"]), []).append(int(row["right"]))
    return {
        name: {
            pair: {generation: fmean(right) for generation, right in said.items()}
            for pair, said in pairs.items()
        }
        for name, pairs in labels.items()
    }


def people(results: Sequence[PairResult], labels: Labels) -> list[Number]:
    """The accuracy by people, the evaluator's minus theirs, and agreement on single generations.

    Without labels, the accuracies that are printed for the published pairs, where one is.

    Args:
        results: of any evaluators.
        labels: people's own; the comparison is over the pairs that both judged.

    Raises:
        DataError: there are labels, but no pair of these text-to-image models that both judged.
    """
    found = [
        number
        for each in results
        for number in (_labelled(each, labels.get(each.model, {})) if labels else _printed(each))
    ]
    if labels and not found:
        raise DataError(
            f"people judged {', '.join(labels)}, none of these pairs and text-to-image models"
        )
    return found


def _printed(result: PairResult) -> Iterator[Number]:
    """Beside the accuracy of all published pairs, what is printed of people."""
    theirs = commonsense_people(result.model)
    known = [score for score in result.scores if score is not None]
    if known and theirs is not None and len(result.scores) == COMMONSENSE_PAIRS:
        yield from _two(result, fmean(known), theirs, len(known))


def _labelled(result: PairResult, labels: Mapping[int, Mapping[int, float]]) -> Iterator[Number]:
    from sklearn.metrics import cohen_kappa_score

    judged = [
        (score, fmean(said.values()))
        for pair, said in labels.items()
        if 1 <= pair <= len(result.scores) and (score := result.scores[pair - 1]) is not None
    ]
    if not judged:
        return
    ours, theirs = map(fmean, zip(*judged, strict=True))
    yield from _two(result, ours, theirs, len(judged))
    both = [
        (result.generations[pair - 1][generation - 1], right)
        for pair, said in labels.items()
        for generation, right in said.items()
        if 1 <= pair <= len(result.generations)
        and 1 <= generation <= len(result.generations[pair - 1])
        and right != FAILED  # people are divided
    ]
    same = [(one >= FAILED, other >= FAILED) for one, other in both if one is not None]
    about = {**result.about, "n": len(same), "unjudged": len(both) - len(same)}
    if same:
        share = fmean(one == other for one, other in same)
        yield Number("same generations", about, share)
    if len({answer for each in same for answer in each}) > 1:
        yield Number("kappa", about, float(cohen_kappa_score(*zip(*same, strict=True))), chance=0.0)


def _two(result: PairResult, ours: float, theirs: float, n: int) -> Iterator[Number]:
    about = {**result.about, "n": n}
    yield Number("people", about, theirs)
    yield Number("minus people", about, ours - theirs)
