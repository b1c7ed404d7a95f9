"""Records of an evaluated grid; each score carries its evidence and its coverage."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from alignment.questions.dependencies import rests_on
from alignment.questions.records import QuestionAnswer
from alignment.signature import Signature

AS_LIKELY_AS_NOT = 0.5
"""The chance from which a claim is taken to hold, and an image to be right."""
ANSWERED_FROM = 0.5
"""p(yes) + p(no) from which a model counts as having answered yes or no."""


@dataclass(frozen=True)
class Evidence:
    """One question put to one image."""

    pair: QuestionAnswer
    probability: float
    """In [0, 1], over yes and no alone: P(yes) to the question whether the answer is true of the
    image, and P(no) where the pair is negated."""
    confidence: float = 1.0
    """p(yes) + p(no) in [0, 1]; under 0.5 the model did not answer yes or no."""
    seen: str = ""
    """The model's own free answer to the question; under assessment C only where the pair fails."""
    counted: bool = True
    """False when a pair that this one depends on fails: it then counts 0 in the score."""

    @property
    def value(self) -> float:
        """What it counts in a score."""
        return self.probability if self.counted else 0.0

    @property
    def answered(self) -> bool:
        """False when the model did not answer yes or no: less than half of its mass is on them."""
        return self.confidence >= ANSWERED_FROM

    @property
    def holds(self) -> bool:
        """True when the image more likely than not agrees with the prompt here."""
        return self.probability >= AS_LIKELY_AS_NOT


@dataclass(frozen=True)
class UnscoredPair:
    """A question that was not put to an image, because its reply would mean nothing."""

    pair: QuestionAnswer
    reason: str
    """Why: a word that the scoring model does not know, or a count it has never seen."""


@dataclass(frozen=True)
class UncoveredWord:
    """A word of the prompt, or what leads to a place, that a score says nothing about."""

    text: str
    start: int
    """Where it begins in the prompt."""
    reason: str

    @property
    def end(self) -> int:
        """Where it ends."""
        return self.start + len(self.text)


@dataclass(frozen=True)
class Coverage:
    """How much of its prompt a score speaks about.

    >>> Coverage(words=4, uncovered=(UncoveredWord("shiny", 2, "no question asks about it"),)).share
    0.75
    """

    words: int
    """Content words of the prompt: all but articles, conjunctions and the like."""
    uncovered: tuple[UncoveredWord, ...] = ()
    """Those that the score leaves aside, in prompt order."""
    scored: int = 0
    """Pairs that were put to the image; 0 for a method that asks about the whole prompt."""
    asked: int = 0
    """Pairs of the prompt."""

    @property
    def share(self) -> float:
        """The share of content words that the score speaks about, in [0, 1]."""
        return 1 - len(self.uncovered) / self.words if self.words else 1.0


@dataclass(frozen=True)
class ImageScore:
    """How well one image matches the prompt, by one method."""

    method: str
    """A name in `alignment.scorers.SCORERS`, or "targets"."""
    value: float | None
    """In [0, 1], higher is better; None when the method could not judge."""
    reason: str = ""
    """Why there is no value; empty when there is one."""
    evidence: tuple[Evidence, ...] = ()
    """One entry per pair that was put to the image, in prompt order."""
    note: str = ""
    """What limits the value, such as the part of a long prompt that was not read."""
    signature: Signature | None = None
    """The settings and models that the value depends on."""
    unscored: tuple[UnscoredPair, ...] = ()
    """The pairs that could not be judged, in prompt order."""
    coverage: Coverage | None = None
    """How much of the prompt the value speaks about; None where that was not determined."""

    @property
    def failing(self) -> tuple[Evidence, ...]:
        """The pairs that fail though everything they rest on holds, in prompt order.

        A thing comes before its colour, and both before the phrase that names them together: where
        there is no dog, "a red dog" and "red" fail for that reason alone.
        """
        rests = rests_on([entry.pair for entry in self.evidence])
        return tuple(
            entry
            for entry, below in zip(self.evidence, rests, strict=True)
            if not entry.holds and all(self.evidence[index].holds for index in below)
        )

    @property
    def weakest(self) -> Evidence | None:
        """The pair to highlight: the least likely of `failing`, or of all where none fails."""
        shown = self.failing or self.evidence
        return min(shown, key=lambda entry: entry.probability, default=None)


@dataclass(frozen=True)
class Ranking:
    """The images of a grid from best to worst."""

    order: tuple[int, ...]
    """Cells, best first; ties keep the original order; cells without a value come last."""
    values: tuple[float | None, ...]
    """The score of each cell, by cell (not by rank), in [0, 1]."""

    def rank(self, cell: int) -> int | None:
        """Place of a cell in the ranking, from 1; None for a cell without a score."""
        return None if self.values[cell] is None else self.order.index(cell) + 1


@dataclass(frozen=True)
class Arrangement:
    """Images at their places, with the attention that each place draws."""

    cells: tuple[int, ...]
    """The cell shown at each place, row by row: `range(k)` as generated, the order of the ranking
    when reranked."""
    attention: tuple[float, ...]
    """Of each place with these images, each >= 0."""


@dataclass(frozen=True)
class SetScore:
    """One number for the whole grid."""

    metric: str
    """As printed by the metric, e.g. "RBP" or "ERR+novelty"."""
    order: str
    """Viewing order: "saliency", "positional" or "uniform"."""
    arrangement: str
    """"generated", "reranked", or "best" where that layout was looked for."""
    value: float
    """The expectation itself, >= 0."""
    normalised: float
    """`value` over the best any grid of this size can reach under the same viewing model."""
    signature: Signature
    """Everything needed to compute it again, e.g. "RBP|p:0.8|order:saliency(spectral-residual)|...
    |relevance:vq2|n:9/9|v:2"."""


@dataclass(frozen=True)
class GridReport:
    """Everything that is known about one evaluated grid."""

    prompt: str
    rows: int
    columns: int
    bundle: str
    questions: tuple[QuestionAnswer, ...]
    scores: Mapping[str, tuple[ImageScore, ...]]
    """Method -> one score per cell, in cell order."""
    rankings: Mapping[str, Ranking]
    """Method (and "mean") -> ranking."""
    ranked_by: str
    """The method whose ranking the set metrics use."""
    saliency: Mapping[str, tuple[float, ...]]
    """Arrangement -> attention mass of each place, row by row; sums to 1."""
    set_scores: tuple[SetScore, ...]
    similarity: tuple[tuple[float, ...], ...] | None = None
    """By cell, max(0, cosine) of embeddings, for novelty; None where nobody stored it."""
    timings: Mapping[str, float] = field(default_factory=dict)
    """Stage -> seconds."""
    relevance: Mapping[str, tuple[float | None, ...]] = field(default_factory=dict)
    """Ranking -> by cell, the chance in [0, 1] that the image is right: its score, calibrated; for
    "targets" the similarity itself. A ranking that is missing here has no set metrics."""
    calibrated: Mapping[str, str] = field(default_factory=dict)
    """Method -> the name of its calibration: the date, and a hash of its content."""
    thresholds: Mapping[str, float] = field(default_factory=dict)
    """Method -> how clear a chance must be to say right or wrong, see `alignment.judgements`."""
    saliency_model: str = "spectral-residual"
    """What says where people look in the grid."""
    similarity_model: str = ""
    """Whose embeddings `similarity` compares, with its revision."""

    @property
    def ranking(self) -> Ranking:
        """The ranking in force."""
        return self.rankings[self.ranked_by]

    def row_by_row(self, metric: str) -> dict[str, float]:
        """Arrangement -> a set metric for a viewer who looks row by row."""
        return {
            score.arrangement: score.value
            for score in self.set_scores
            if (score.metric, score.order) == (metric, "positional")
        }

    @property
    def arrangements(self) -> dict[str, Arrangement]:
        """As generated and as reranked, where the attention of the places is known."""
        order = self.ranking.order
        cells = {"generated": tuple(range(len(order))), "reranked": order}
        return {name: Arrangement(cells[name], each) for name, each in self.saliency.items()}


@dataclass(frozen=True)
class ScoredCaption:
    """A text held against one image."""

    text: str
    scores: Mapping[str, ImageScore]
    """Method -> what it says of the image under this text."""


@dataclass(frozen=True)
class ContrastCheck:
    """One image held against its prompt and against texts that contradict the prompt."""

    cell: int
    prompt: ScoredCaption
    contradictions: tuple[ScoredCaption, ...] = ()
    """As many as are judged."""
    total: int = 0
    """How many there will be."""

    def noticed(self, method: str) -> tuple[bool | None, ...]:
        """Whether each contradiction scores lower than the prompt; None where one has no score."""
        said = self.prompt.scores[method].value
        others = (held.scores[method].value for held in self.contradictions)
        return tuple(None if said is None or each is None else each < said for each in others)
