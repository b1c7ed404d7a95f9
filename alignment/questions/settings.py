"""Settings of VQ2 and its questions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias, cast, get_args

from alignment.errors import InvalidSettingsError
from alignment.signature import Signature

KEPT_FROM = 0.54
"""Token F1 of the round trip from which a pair is kept."""

Assessment: TypeAlias = Literal["A", "B", "C"]
Aggregation: TypeAlias = Literal["mean", "claims", "geometric", "weakest"]
AGGREGATIONS: tuple[Aggregation, ...] = get_args(Aggregation)


@dataclass(frozen=True)
class Vq2Settings:
    """How questions are written from a prompt, and how a picture's answers are assessed.

    Raises:
        InvalidSettingsError: a value is outside its range.

    Source: Yarom et al., "What You See is What You Read?", section 3; dependencies as in Cho et
    al., "Davidsonian Scene Graph".

    >>> Vq2Settings(assessment="A", seed=7).signature.by_name["decoding"]
    'sampled,seed 7'
    """

    assessment: Assessment = "C"
    """C: is the expected answer true of the picture? A: does the picture's own answer entail it?
    B: does the vision model call the two answers the same?"""
    multi_word: bool = True
    """Also ask about adjective groups ("black and white") and places ("in the air")."""
    kept_from: float = KEPT_FROM
    """Round-trip token F1 in [0, 1] from which a pair is kept; 0 keeps every pair."""
    questions_per_span: int = 1
    seed: int | None = None
    """None writes the most likely questions (by beam search when there are several for a span);
    a number samples them from a generator with that seed."""
    dependencies: bool = False
    """Whether a pair counts 0 where one that it depends on fails: no red dog without a dog."""
    aggregation: Aggregation = "mean"
    """How the pairs become one score: their mean, as published; "claims", a mean in which pairs
    that claim the same ("on the beach", "the beach", "beach") count once together; "geometric", the
    geometric mean of these claims; "weakest", the smallest pair."""

    negation: bool = False
    """Whether what the prompt rules out expects no, and what no plain question asks about is left
    unjudged, see `alignment.questions.negation`; as published, every span is asked plainly."""
    existence: bool = False
    """Whether every thing that the prompt names is asked for, also where the round trip keeps no
    question about it."""

    quotes: bool = False
    """Whether C puts answer and question in quotes, as its authors' code does; the example that the
    paper prints has none."""

    def __post_init__(self) -> None:
        if self.assessment not in ("A", "B", "C"):
            raise InvalidSettingsError(f"assessment {self.assessment!r}; choose A, B or C")
        if self.aggregation not in AGGREGATIONS:
            raise InvalidSettingsError(
                f"aggregation {self.aggregation!r}; choose {', '.join(AGGREGATIONS)}"
            )
        if not 0 <= self.kept_from <= 1:
            raise InvalidSettingsError(f"a filter of {self.kept_from}; choose from 0 to 1")
        if self.questions_per_span < 1:
            raise InvalidSettingsError(
                f"{self.questions_per_span} questions for each span; ask for at least one"
            )

    @classmethod
    def parse(cls, signature: Signature) -> Vq2Settings:
        """The settings of a signature; one that it does not name is as published.

        Raises:
            InvalidSettingsError: a value is none of its setting.

        >>> Vq2Settings.parse(RECOMMENDED.signature) == RECOMMENDED
        True
        """
        given = signature.by_name
        _, sampled, seed = given.get("decoding", "").partition("sampled,seed ")
        try:
            return cls(
                assessment=cast(Assessment, given.get("assessment", "C")),
                multi_word=given.get("spans") != "simple",
                kept_from=float(given.get("filter", KEPT_FROM)),
                questions_per_span=int(given.get("questions", 1)),
                seed=int(seed) if sampled else None,
                dependencies=given.get("dependencies") == "on",
                aggregation=cast(Aggregation, given.get("aggregation", "mean")),
                negation=given.get("negation") == "on",
                existence=given.get("existence") == "on",
                quotes=given.get("quotes") == "on",
            )
        except ValueError as error:
            raise InvalidSettingsError(f"{signature} is no signature of VQ2") from error

    @property
    def signature(self) -> Signature:
        """Every setting; quotes only where they are on."""
        spans = "multi-word" if self.multi_word else "simple"
        decoding = "greedy" if self.questions_per_span == 1 else "beams"
        if self.seed is not None:
            decoding = f"sampled,seed {self.seed}"
        return Signature("VQ2").having(
            assessment=self.assessment,
            spans=spans,
            filter=f"{self.kept_from:g}",
            questions=str(self.questions_per_span),
            decoding=decoding,
            aggregation=self.aggregation,
            dependencies="on" if self.dependencies else "off",
            negation="on" if self.negation else "off",
            existence="on" if self.existence else "off",
            quotes="on" if self.quotes else "",
        )


AS_PUBLISHED = Vq2Settings()
"""VQ2 as the paper describes it."""
RECOMMENDED = Vq2Settings(aggregation="geometric", negation=True, existence=True)
"""VQ2 that reads negation, asks for every thing, and takes the geometric mean over claims, in which
claims that hold do not outvote one that fails."""


def default_settings(bundle: str) -> Vq2Settings:
    """The settings that a bundle is scored with: as published for "paper", else `RECOMMENDED`.

    >>> default_settings("paper+clip=clip-rn50x64").aggregation
    'mean'
    >>> default_settings("embedded").aggregation
    'geometric'
    """
    return AS_PUBLISHED if bundle.partition("+")[0] == "paper" else RECOMMENDED
