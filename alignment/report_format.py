"""The format of report files, checked by pydantic."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import AliasChoices, BaseModel, ConfigDict, Field, FiniteFloat, model_validator

from alignment.questions.records import AnswerSpan, QuestionAnswer
from alignment.records import Coverage, Evidence, SetScore, UnscoredPair
from alignment.signature import Signature

if TYPE_CHECKING:
    from typing_extensions import Self

FORMAT = 3
"""Of the files written now; it grows when an older version could not read them any more."""
QUESTION_METHOD = "vq2"
"""The method whose evidence is stored."""

ARRANGEMENTS: tuple[list[str], ...] = ([], ["generated", "reranked"])
"""Those whose attention is stored: none, or both."""

FOUND = r"(neighbours|route|repair)\.[1-9]\d?"
"""The strategy of a search and which of its attempts an image is, from 1."""
Proportion = Annotated[FiniteFloat, Field(ge=-1e-6, le=1 + 1e-6)]
"""A number in [0, 1], up to rounding."""
Key = tuple[str, int, int]
"""A question, and where its answer begins and ends."""


def shared(record: object, file: type[BaseModel]) -> dict[str, Any]:
    """The fields of a record that its file has under the same names."""
    return {name: getattr(record, name) for name in file.model_fields if hasattr(record, name)}


class PairFile(BaseModel):
    """A question and the place of its answer in the prompt, before what is said of the two."""

    question: str
    answer: str
    start: int
    end: int

    @classmethod
    def of(cls, record: QuestionAnswer | UnscoredPair | Evidence) -> Self:
        """A record as it is stored."""
        pair = record if isinstance(record, QuestionAnswer) else record.pair
        span = pair.answer
        place = {"start": span.start, "end": span.end, "phrase": span.phrase}
        return cls(**shared(record, cls) | place | {"question": pair.question, "answer": span.text})

    @property
    def key(self) -> Key:
        """What tells it from the other pairs of its prompt."""
        return self.question, self.start, self.end

    @property
    def said(self) -> dict[str, Any]:
        """All but the pair."""
        return self.model_dump(exclude={*PairFile.model_fields})


class QuestionFile(PairFile):
    """A pair with all that is known of it."""

    round_trip: float
    kind: str = ""
    negated: bool = False
    objection: str = ""
    phrase: tuple[int, int] = (0, 0)

    def pair(self) -> QuestionAnswer:
        """The record that was stored."""
        said = self.said
        told = {name: said.pop(name) for name in ("kind", "phrase")}
        answer = AnswerSpan(self.answer, self.start, self.end, **told)
        return QuestionAnswer(self.question, answer, **said)


class UnscoredFile(PairFile):
    """A pair that was not put to the images."""

    reason: str

    def unscored(self, questions: Mapping[Key, QuestionAnswer]) -> UnscoredPair:
        """The record that was stored."""
        return UnscoredPair(questions[self.key], self.reason)


class EvidenceFile(PairFile):
    """A pair and what an image says to it."""

    probability: Proportion
    confidence: Proportion = 1.0
    seen: str = ""
    counted: bool = True

    def evidence(self, questions: Mapping[Key, QuestionAnswer]) -> Evidence:
        """The record that was stored."""
        return Evidence(questions[self.key], **self.said)


class CellFile(BaseModel):
    """One cell of the grid."""

    cell: int
    seed: int | None
    found: Annotated[str, Field(pattern=f"^({FOUND})?$")] = ""
    """How a search that begins with the seed made the image; empty where the seed alone does."""
    image: str | None
    name: Annotated[str, Field(max_length=255)] = ""
    rank: int | None
    """None where the method of the ranking could not judge."""
    scores: dict[str, Proportion | None]
    relevance: dict[str, Proportion | None] = {}
    reasons: dict[str, str] = {}
    notes: dict[str, str] = {}
    signatures: dict[str, str] = Field(
        default={}, validation_alias=AliasChoices("signatures", "passports")
    )
    evidence: list[EvidenceFile] = []


class SaliencyFile(BaseModel):
    """The attention of each place of an arrangement."""

    arrangement: str
    attention: tuple[Proportion, ...] = Field(validation_alias=AliasChoices("attention", "masses"))


class SetScoreFile(BaseModel):
    """One number for the whole grid."""

    name: str
    order: str
    arrangement: str
    value: FiniteFloat
    normalised: FiniteFloat
    signature: str = Field(validation_alias=AliasChoices("signature", "passport"))

    @classmethod
    def of(cls, score: SetScore) -> SetScoreFile:
        """The record as it is stored."""
        signed = {"name": score.metric, "signature": str(score.signature)}
        return cls(**shared(score, cls) | signed)

    def set_score(self) -> SetScore:
        """The record that was stored."""
        said = self.model_dump(exclude={"name", "signature"})
        return SetScore(self.name, **said, signature=Signature.parse(self.signature))


class ReportFile(BaseModel):
    """A whole report; values of other names are those of `StoredReport.asked`."""

    model_config = ConfigDict(extra="allow")

    format: int = 1
    prompt: str
    bundle: str
    model: str
    rows: int
    columns: int
    seed: int | None
    ranked_by: str
    questions: list[QuestionFile]
    coverage: dict[str, Coverage] = {}
    unscored: list[UnscoredFile] = []
    cells: list[CellFile]
    saliency: list[SaliencyFile]
    saliency_model: str = "spectral-residual"
    similarity: tuple[tuple[Proportion, ...], ...] = ()
    similarity_model: str = ""
    set_metrics: list[SetScoreFile]
    calibrated: dict[str, str] = {}
    thresholds: dict[str, FiniteFloat] = {}
    timings: dict[str, float] = {}
    versions: dict[str, str] = {}

    @model_validator(mode="after")
    def _fits_together(self) -> ReportFile:
        """Every list has the length that the grid gives it, and every question is known."""
        size, known = self.rows * self.columns, {each.key for each in self.questions}
        named = [*self.unscored, *(entry for cell in self.cells for entry in cell.evidence)]
        wrong = {
            "cells": not 1 <= len(self.cells) <= size
            or (self.model and len(self.cells) != size)
            or [each.cell for each in self.cells] != [*range(len(self.cells))],
            "scores": len({tuple(each.scores) for each in self.cells}) > 1,
            "evidence": any(each.key not in known for each in named),
            "saliency": any(len(each.attention) != size for each in self.saliency)
            or any(sum(each.attention) <= 0 for each in self.saliency)
            or sorted(each.arrangement for each in self.saliency) not in ARRANGEMENTS,
            "similarity": any(len(row) != len(self.similarity) for row in self.similarity)
            or len(self.similarity) not in (0, len(self.cells)),
        }
        for name, is_wrong in wrong.items():
            if is_wrong:
                raise ValueError(f"{name} do not fit a grid of {self.rows} x {self.columns}")
        return self
