"""The state of one grid, from the request through its images to the evaluated report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from alignment import Stage, StoredReport
from alignment.answers import AnswerTable, answer_table
from alignment.judgements import METHOD, judgements, satisfied
from alignment.questions.records import QuestionAnswer
from alignment.questions.settings import Vq2Settings
from alignment.records import ContrastCheck, GridReport, ImageScore
from alignment.region import FaultRegion
from generation.records import SamplingProgress
from hub import Download
from request import Request, read_plain
from session.search_state import Found, SearchState

NOT_STARTED = Stage("", 0, 0)


@dataclass(frozen=True)
class GridImages:
    """The image files of a grid, and where they come from."""

    files: tuple[str | None, ...] = ()
    """The file of each cell, None while there is none; empty before generation starts."""
    previews: frozenset[int] = frozenset()
    """Cells whose image is still being generated."""
    filtered: frozenset[int] = frozenset()
    """Cells whose image a safety checker blacked out."""
    regenerated: Mapping[int, int] = field(default_factory=dict)
    """Cell -> seed, for images that were generated again."""
    found: Mapping[int, Found] = field(default_factory=dict)
    """Cell -> how a search from its seed made the image, which the seed alone does not."""
    given: Mapping[int, str] = field(default_factory=dict)
    """Cell -> what the model was given, where the file of an opened image says so."""
    names: tuple[str, ...] = ()
    """File names of uploaded images, by cell; empty for generated ones."""
    refused: tuple[str, ...] = ()
    """Why each uploaded file that is not among them could not be used."""

    def with_cell(self, cell: int, file: str, seed: int, found: Found | None) -> GridImages:
        """The same images with one of a search, which counts as a preview until it is scored."""
        others = {place: how for place, how in self.found.items() if place != cell}
        given = {place: text for place, text in self.given.items() if place != cell}
        return replace(
            self,
            files=(*self.files[:cell], file, *self.files[cell + 1 :]),
            previews=frozenset({cell}),
            filtered=self.filtered - {cell},
            regenerated={**self.regenerated, cell: seed},
            found={**others, cell: found} if found else others,
            given=given,
        )


@dataclass(frozen=True)
class Replaced:
    """A cell whose image was generated again, and the grid as it was before."""

    cell: int
    before: GridState
    """It remembers no earlier one."""


@dataclass(frozen=True)
class GridState:
    """Everything known about one grid so far; each stage of a job returns a new state."""

    request: Request
    """Its model is empty when the images were uploaded; the seed then has no meaning."""
    images: GridImages = GridImages()
    stage: Stage = NOT_STARTED
    """How far the job is, with the questions, the scores and, at the end, the report."""
    regions: Mapping[str, tuple[FaultRegion, ...]] = field(default_factory=dict)
    """Image file -> where its faults are, where that was asked for; no file keeps it."""
    contrast_check: ContrastCheck | None = None
    """The best image scored under contradictions of the prompt, where that was asked for."""
    truncated_words: tuple[str, ...] = ()
    """Words of the prompt beyond what the text-to-image model reads."""
    download: Download | None = None
    """The download that the job waits for."""
    made_by: str = ""
    """A text-to-image model that a file names and that is not to be used here."""
    tried: int = 0
    """The highest seed of an image that was made again and taken back."""
    opened: bool = False
    """Whether images and scores are the word of a file that somebody opened."""
    search: SearchState | None = None
    """The last search from this grid; a report lists its attempts, and none is opened from it."""
    replaced: Replaced | None = None
    """The image that was generated again last, as it was before; it can be taken back."""

    @classmethod
    def from_report(cls, stored: StoredReport, files: tuple[str | None, ...]) -> GridState:
        """The state that a stored report was made from."""
        report = stored.report
        called = stored.names or tuple(name or "" for name in stored.images)
        known = {
            "prompt": report.prompt,
            "rows": report.rows,
            "columns": report.columns,
            "seed": stored.seed or 0,
            "model": stored.model,
            "bundle": report.bundle,
            "rank_by": report.ranked_by,
            "vq2": _settings_of(report),
        }
        return cls(
            read_plain({**stored.asked, **known}),
            GridImages(
                files,
                filtered=frozenset(cell for cell, name in enumerate(stored.images) if name is None),
                names=() if stored.model else called,
                regenerated=stored.regenerated,
                found={cell: Found.read(how) for cell, how in stored.found.items()},
            ),
            Stage("metrics", 1, 1, report.questions, report.scores, report),
        )

    @property
    def model(self) -> str:
        """The text-to-image model that generated the images; empty when they were uploaded."""
        return self.request.model or self.made_by

    @property
    def evaluators(self) -> str:
        """The bundle whose models scored the images, or are to score them."""
        return self.report.bundle if self.report else self.request.bundle

    @property
    def prompt(self) -> str:
        return self.request.prompt

    @property
    def questions(self) -> tuple[QuestionAnswer, ...]:
        """The question-answer pairs of the prompt; empty before it is read."""
        return self.stage.questions

    @property
    def scores(self) -> Mapping[str, tuple[ImageScore, ...]]:
        """Method -> the scores of the first cells, as many as are known."""
        return self.stage.scores

    @property
    def report(self) -> GridReport | None:
        return self.stage.report

    @property
    def ranked_by(self) -> str:
        """The ranking method in force."""
        return self.report.ranked_by if self.report else self.request.rank_by

    @property
    def size(self) -> int:
        """Number of images, generated or still to come; uploads may leave places empty."""
        return len(self.images.names) or self.request.size

    @property
    def next_seed(self) -> int:
        """The first seed above those of all images, and of what a search has tried."""
        used = [self.request.seed + self.size - 1, *self.images.regenerated.values(), self.tried]
        searched = self.search.tried if self.search else ()
        return max([*used, *(each.plan.seed for each in searched)]) + 1

    def asked_again(self, request: Request) -> bool:
        """Whether every image of a request is here and scored, however it is ranked."""
        own = self.request
        same = (own.grid, own.bundle) == (request.grid, request.bundle)
        return same and self.report is not None and not self.missing

    def seed_of(self, cell: int) -> int:
        """The seed that the image of a cell is generated from."""
        return self.images.regenerated.get(cell, self.request.seed + cell)

    def file(self, cell: int) -> str | None:
        """The image file of a cell; None where there is none."""
        return self.images.files[cell] if cell < len(self.images.files) else None

    def at(self, name: str, done: int = 0, total: int = 0) -> GridState:
        """The same state at another stage of the job."""
        return replace(self, stage=replace(self.stage, name=name, done=done, total=total))

    @property
    def missing(self) -> tuple[int, ...]:
        """Cells whose image is not finished."""
        return tuple(
            cell
            for cell in range(self.size)
            if self.file(cell) is None or cell in self.images.previews
        )

    def with_sample(
        self, step: SamplingProgress, files: Mapping[int, str], seeds: Mapping[int, int]
    ) -> GridState:
        """The state after one more denoising step.

        Args:
            files: cell -> where its image was stored.
            seeds: cell -> seed, of those that are generated; once there is a report, they count as
                previews until they are scored.
        """
        images, own = self.images, self.request.seed
        again = {cell: seed for cell, seed in seeds.items() if seed != own + cell}
        known = {**dict(enumerate(images.files)), **{cell: files.get(cell) for cell in seeds}}
        shown = seeds if self.report else (cell.cell for cell in step.previews)
        images = replace(
            images,
            files=tuple(known.values()),
            previews=frozenset(shown),
            filtered=images.filtered.difference(seeds).union(
                cell.cell for cell in step.cells if cell.filtered
            ),
            regenerated={**images.regenerated, **again},
            found={cell: how for cell, how in images.found.items() if cell not in seeds},
        )
        name = "regenerating" if self.report else "generating"
        return replace(self, images=images).at(name, step.step, step.steps)

    def without_previews(self) -> GridState:
        """Only the finished images; a cell in preview has none."""
        known = [
            None if cell in self.images.previews else file
            for cell, file in enumerate(self.images.files)
        ]
        return replace(self, images=replace(self.images, files=tuple(known), previews=frozenset()))

    def with_report(self, report: GridReport) -> GridState:
        """The same images under another report, and nothing in preview."""
        stage = Stage("metrics", 1, 1, report.questions, report.scores, report)
        return replace(self, images=replace(self.images, previews=frozenset()), stage=stage)

    def timed(self, **seconds: float) -> GridState:
        """The same state with earlier stages put before the timings of its report."""
        if not self.report:
            return self
        report = replace(self.report, timings={**seconds, **self.report.timings})
        return replace(self, stage=replace(self.stage, report=report))

    def score(self, cell: int, method: str) -> ImageScore | None:
        """A method's score of the image now in a cell; None before it is scored."""
        known = self.scores.get(method, ())
        return known[cell] if cell < len(known) and cell not in self.images.previews else None

    def answers(self, cells: Sequence[int] | None = None) -> AnswerTable:
        """The answers to the claims of the prompt, as far as its images have been asked."""
        asked = range(self.size) if cells is None else cells
        scores = [self.score(cell, METHOD) for cell in asked]
        told = satisfied(self.report) if self.report and METHOD in self.report.scores else ()
        verdicts = [told[cell] for cell in asked] if told else []
        return answer_table(self.prompt, self.questions, scores, verdicts)

    def value(self, cell: int) -> float | None:
        """The number a cell is ranked by; None while its image is being generated."""
        if cell in self.images.previews:
            return None
        if self.report:
            return self.report.ranking.values[cell]
        score = self.score(cell, self.ranked_by)
        return score.value if score else None

    def rank(self, cell: int) -> int | None:
        """Place of a cell in the ranking, from 1; None before there is one, and without a value."""
        if not self.report or self.value(cell) is None:
            return None
        return self.report.ranking.rank(cell)

    def arranged(self, arrangement: str) -> tuple[int, ...]:
        """The cell at each place, row by row: "reranked" once there is a ranking, or generated."""
        if self.report and arrangement == "reranked":
            return self.report.ranking.order
        return tuple(range(self.size))

    @property
    def ranked(self) -> tuple[int, ...]:
        """Cells that have a value, best first; empty before there is a ranking."""
        order = self.report.ranking.order if self.report else ()
        return tuple(cell for cell in order if self.value(cell) is not None)

    @property
    def telling(self) -> int | None:
        """The cell that tells most: the best where all are judged right, else the worst.

        The first where none has a value, None before a ranking.
        """
        if self.report and self.ranked and all(judgements(self.report)):
            return self.ranked[0]
        return self.worst

    @property
    def worst(self) -> int | None:
        """The last ranked cell; the first cell when none has a value, None before a ranking."""
        if not self.report:
            return None
        return self.ranked[-1] if self.ranked else 0


def _settings_of(report: GridReport) -> Vq2Settings | None:
    """The settings that VQ2 scored a report with; None where it does not say them."""
    signatures = (score.signature for score in report.scores.get("vq2", ()))
    signature = next(filter(None, signatures), None)
    return Vq2Settings.parse(signature) if signature else None
