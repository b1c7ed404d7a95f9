"""Do our statistics give the numbers that others published, from the data that they published?

    python -m benchmarks published --reference FOLDER
    python -m benchmarks published --answers FILE --ratings FILE

Recomputed from a folder of published files (`dsg/*.csv` of github.com/j-min/DSG, and
`seetrue/SeeTRUE.csv`), ours beside theirs: how answers to written questions correlate with people's
ratings, how hard DSG's sets of prompts are for Stable Diffusion 2.1, the size and positive rates of
SeeTRUE, the prompts that can be reranked and how often a random choice among their pictures is
right, and what Winoground gives to scores that know nothing.
With --answers and --ratings, the correlations of other files of DSG's formats.
"""

from __future__ import annotations

import json
import math
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import fmean
from types import MappingProxyType

import numpy as np
from rich.console import Console
from rich.table import Table

from benchmarks.data.dsg import (
    Answer,
    Painted,
    correlation,
    picture_scores,
    read_answers,
    read_ratings,
)
from benchmarks.data.judged import Judged
from benchmarks.data.numbers import blank_table, signature
from benchmarks.data.seetrue import Labelled, read_labelled
from benchmarks.rerank import RANDOM, choices, right_choices
from benchmarks.statistics.caption_pairs import PairScores, chance_pair_scores, pair_scores

RATINGS = "tifa160-likert-anns.csv"
CORRELATIONS = MappingProxyType(
    {
        ("mplug_vq2a", False): (0.212, 0.164),
        ("pali17b_vq2a", False): (0.207, 0.157),
        ("mplug_dsg", False): (0.464, 0.378),
        ("mplug_dsg", True): (0.463, 0.380),
        ("pali17b_dsg", False): (0.570, 0.457),
        ("pali17b_dsg", True): (0.571, 0.458),
    }
)
"""File of answers, and whether dependencies count -> Spearman, Kendall over 800 pictures: J. Cho et
al., "Davidsonian Scene Graph", 2024, and the output given with its code."""
DIFFICULTY = MappingProxyType(
    {
        ("tifa160",): 88.1,
        ("stanford_paragraph", "localized_narratives"): 85.1,
        ("vrd",): 34.4,
        ("countbench",): 70.4,
        ("diffusiondb", "midjourney"): 89.7,
        ("posescript",): 89.6,
        ("whoops",): 84.4,
        ("drawtext",): 83.7,
    }
)
"""Sets of prompts -> mean score of SD 2.1's pictures by PaLI-17B, percent; in the same output."""
SEETRUE_PAIRS = 6_930
POSITIVE = MappingProxyType({"drawbench": 37.2, "editbench": 55.7, "coco_t2i": None})
"""Percent: M. Yarom et al., "What You See is What You Read?", 2023, whose Table 1 has the two the
other way round."""
RERANK = MappingProxyType(
    {
        "coco_t2i, SD 1.4": (169, 67.3),
        "coco_t2i, SD 2.1": (181, 71.5),
        "drawbench, SD 1.4": (93, 61.3),
        "drawbench, SD 2.1": (100, 65.0),
    }
)
"""Prompts with a right picture, and percent of random choices that are right."""
WINOGROUND = PairScores(25.0, 25.0, 16.67)
"""Percent: T. Thrush et al., "Winoground", 2022."""
SIMULATED = 400_000


@dataclass(frozen=True)
class Recomputed:
    """One number, ours and theirs."""

    signature: str
    ours: float
    theirs: float | None
    """None where there is none to compare with."""
    digits: int
    """After the point, as published."""
    error: float = 0.0
    """Of ours, where it is drawn at random: four standard errors."""

    @property
    def agrees(self) -> bool | None:
        """Whether ours rounds to theirs, within the error of ours; None without theirs."""
        if self.theirs is None:
            return None
        return abs(self.ours - self.theirs) <= 0.5 / 10.0**self.digits + self.error + 1e-9


def main(arguments: Sequence[str]) -> None:
    """Print the table, then one JSON line."""
    parser = ArgumentParser(prog="python -m benchmarks published", description=__doc__)
    parser.add_argument("--reference", type=Path, help="folder of the published files")
    parser.add_argument("--answers", type=Path, help="another file of answers, in DSG's format")
    parser.add_argument("--ratings", type=Path, help="its ratings, in DSG's format")
    parser.add_argument("--seed", type=int, default=7, help="of the simulation")
    options = parser.parse_args(arguments)
    if bool(options.answers) != bool(options.ratings):
        parser.error("give --answers and --ratings together")
    if options.answers:
        show([*correlations(options.answers, options.ratings, {})])
    elif options.reference is None:
        parser.error("give --reference, or --answers and --ratings")
    elif options.reference.is_dir():
        show([*recompute(options.reference, np.random.default_rng(options.seed))])
    else:
        parser.error(f"no folder {options.reference}; give --reference, or --answers and --ratings")


def recompute(reference: Path, generator: np.random.Generator) -> Iterator[Recomputed]:
    """Everything that can be compared, table after table."""
    dsg = reference / "dsg"
    for file in dict.fromkeys(name for name, _ in CORRELATIONS):
        yield from correlations(dsg / f"{file}.csv", dsg / RATINGS, CORRELATIONS)
    yield from difficulty(read_answers(dsg / "pali17b_dsg.csv"), read_ratings(dsg / RATINGS))
    pairs = read_labelled(reference / "seetrue" / "SeeTRUE.csv")
    yield from counts(pairs)
    yield from random_choices(pairs)
    yield from winoground(generator)


def correlations(
    answers: Path, ratings: Path, published: Mapping[tuple[str, bool], tuple[float, float]]
) -> Iterator[Recomputed]:
    """Rank correlations with people, without dependencies and, where there are any, with them."""
    given, liked = read_answers(answers), read_ratings(ratings)
    for dependencies in (False, True) if any(each.parents for each in given) else (False,):
        found = correlation(picture_scores(given, dependencies=dependencies), liked)
        theirs = published.get((answers.stem, dependencies), (None, None))
        said = {"answers": answers.stem, "dependencies": dependencies, "n": found.n}
        yield Recomputed(signature("Spearman", **said), found.spearman, theirs[0], 3)
        yield Recomputed(signature("Kendall", **said), found.kendall, theirs[1], 3)


def difficulty(answers: Sequence[Answer], rated: Iterable[Painted]) -> Iterator[Recomputed]:
    """Mean scores of one text-to-image model by set of prompts; a rated picture without answers
    scores 0.
    """
    unanswered = {
        generated: ("tifa160", 0.0) for generated in rated if generated.system == "sd2dot1"
    }
    sets = {answer.generated: answer.prompt_set for answer in answers}
    scores = picture_scores(answers, dependencies=True)
    known = {
        each: (sets[each], value) for each, value in scores.items() if each.system == "sd2dot1"
    }
    for names, theirs in DIFFICULTY.items():
        values = [value for name, value in {**unanswered, **known}.values() if name in names]
        said = {
            "model": "sd2dot1",
            "prompts_of": "+".join(names),
            "n": len(values),
            "unit": "%",
        }
        yield Recomputed(
            signature("mean score", judge="pali17b_dsg", **said), 100 * fmean(values), theirs, 1
        )


def counts(pairs: Sequence[Labelled]) -> Iterator[Recomputed]:
    """How many pairs there are, and the percentage of positive ones."""
    yield Recomputed(signature("pairs", data="SeeTRUE"), len(pairs), SEETRUE_PAIRS, 0)
    sizes = Counter(pair.data_set for pair in pairs)
    positive = Counter(pair.data_set for pair in pairs if pair.holds)
    for name, theirs in POSITIVE.items():
        said = signature("positive", data=name, n=sizes[name], unit="%")
        yield Recomputed(said, 100 * positive[name] / sizes[name], theirs, 1)


def random_choices(pairs: Sequence[Labelled]) -> Iterator[Recomputed]:
    """Prompts that can be reranked, and the exact expectation of choosing at random."""
    for name, prompts in choices([Judged(pair, {}) for pair in pairs]):
        size, right = RERANK.get(name, (None, None))
        yield Recomputed(
            signature("prompts", data=name, having="a right picture"), len(prompts), size, 0
        )
        said = signature("P@1", data=name, method=RANDOM, expectation="exact", unit="%")
        yield Recomputed(said, 100 * fmean(right_choices(prompts, RANDOM)), right, 1)


def winoground(generator: np.random.Generator, examples: int = SIMULATED) -> Iterator[Recomputed]:
    """What random scores reach: exactly, and drawn."""
    exact, theirs = asdict(chance_pair_scores()), asdict(WINOGROUND)
    drawn = asdict(pair_scores(generator.random((examples, 2, 2))))
    for name, value in exact.items():
        said = signature(f"Winoground {name}", scores="random", expectation="exact", unit="%")
        yield Recomputed(said, 100 * value, theirs[name], 2)
        said = signature(
            f"Winoground {name}", scores="random", expectation=f"drawn({examples})", unit="%"
        )
        error = 400 * math.sqrt(value * (1 - value) / examples)
        yield Recomputed(said, 100 * drawn[name], theirs[name], 2, error)


def show(found: Sequence[Recomputed]) -> None:
    """Print the table, then the line."""
    compared = [each for each in found if each.agrees is not None]
    agreeing = sum(bool(each.agrees) for each in compared)
    Console().print(table_of(found))
    if compared:
        print(f"{agreeing} of {len(compared)} agree")
    numbers = [{**asdict(each), "agrees": each.agrees} for each in found]
    line = {"benchmark": "published", "agree": agreeing, "of": len(compared), "numbers": numbers}
    print(json.dumps(line))


def table_of(found: Sequence[Recomputed]) -> Table:
    """Ours beside theirs."""
    table = blank_table("Recomputed from published data", "number", "ours", "theirs", "")
    marks = {None: "", True: "agrees", False: "DIFFERS"}
    for each in found:
        theirs = "" if each.theirs is None else f"{each.theirs:.{each.digits}f}"
        table.add_row(each.signature, f"{each.ours:.{each.digits}f}", theirs, marks[each.agrees])
    return table


if __name__ == "__main__":
    import sys

    main(sys.argv[1:])
