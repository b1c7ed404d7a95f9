"""A grid request and what becomes of it, stage by stage, in one record that the page draws."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from urllib.parse import quote

from alignment.records import ContrastCheck, GridReport, ImageScore, QuestionAnswer
from generation.records import GridCell, SamplingProgress
from session.wording import counted

FILES = "gradio_api/file="
"""Where the server hands out files, relative to the page."""


def address(file: str) -> str:
    """Where the page fetches a file that the server may hand out."""
    return FILES + quote(file)


@dataclass(frozen=True)
class GridState:
    """All that is known of one grid so far: more with every stage, up to the report."""

    prompt: str
    rows: int
    columns: int
    seed: int
    """Of cell 0; cell k has `seed + k`. It plays no part when the pictures were brought."""
    model: str
    """What generates; empty when nothing does."""
    bundle: str
    """What judges."""
    ranked_by: str = "vq2"
    pictures: tuple[str | None, ...] = ()
    """The file of each cell's picture, by cell; None while there is none."""
    previews: frozenset[int] = frozenset()
    """Cells whose picture is still being generated."""
    filtered: frozenset[int] = frozenset()
    """Cells whose picture a safety checker blacked out."""
    regenerated: Mapping[int, int] = field(default_factory=dict)
    """Cell -> seed, of pictures that were generated again."""
    names: tuple[str, ...] = ()
    """What pictures that were brought are called, by cell; there may be fewer than places."""
    questions: tuple[QuestionAnswer, ...] = ()
    scores: Mapping[str, tuple[ImageScore, ...]] = field(default_factory=dict)
    """Method -> the scores of the first cells, as many as are known."""
    report: GridReport | None = None
    notice: ContrastCheck | None = None
    """How one picture scores under contradictions of the prompt, once that was asked."""
    unread: tuple[str, ...] = ()
    """Words of the prompt beyond what the text-to-image model reads."""
    doing: str = ""
    """What the work is at, in words."""
    done: int = 0
    total: int = 0

    @classmethod
    def finished(
        cls,
        report: GridReport,
        model: str,
        seed: int,
        pictures: tuple[str | None, ...],
        regenerated: Mapping[int, int] | None = None,
    ) -> GridState:
        """The board that a report was made from; a cell without a picture was filtered."""
        return cls(
            prompt=report.prompt,
            rows=report.rows,
            columns=report.columns,
            seed=seed,
            model=model,
            bundle=report.bundle,
            ranked_by=report.ranked_by,
            pictures=pictures,
            filtered=frozenset(cell for cell, file in enumerate(pictures) if file is None),
            regenerated=regenerated or {},
            questions=report.questions,
            scores=report.scores,
            report=report,
        )

    @property
    def size(self) -> int:
        """Number of cells that have, or will have, a picture."""
        return len(self.names) or self.rows * self.columns

    @property
    def next_seed(self) -> int:
        """The first seed that none of these pictures was generated from, nor any before it."""
        return max([self.seed + self.size - 1, *self.regenerated.values()]) + 1

    def seed_of(self, cell: int) -> int:
        """What the picture of a cell is generated from."""
        return self.regenerated.get(cell, self.seed + cell)

    def known_as(self, cell: int) -> str:
        """What a picture is called wherever it is: by its seed, or by its own name."""
        return self.names[cell] if self.names else f"seed {self.seed_of(cell)}"

    def file_name(self, cell: int) -> str:
        """What a picture's file is called beside the report."""
        return self.names[cell] if self.names else f"cell-{cell:02}.png"

    def generated(self, step: SamplingProgress, keep: Callable[[GridCell], str]) -> GridState:
        """What is known after one more step of generating; `keep` stores a picture as a file."""
        files = {cell.cell: keep(cell) for cell in (*step.cells, *step.previews)}
        return replace(
            self,
            pictures=tuple(files.get(cell) for cell in range(self.size)),
            previews=frozenset(cell.cell for cell in step.previews),
            filtered=frozenset(cell.cell for cell in step.cells if cell.filtered),
            doing=f"generating {counted(self.size, 'picture')}",
            done=step.step,
            total=step.steps,
        )

    def with_regenerated(
        self, cell: int, seed: int, step: SamplingProgress, keep: Callable[[GridCell], str]
    ) -> GridState:
        """What is known after one more step of generating one cell again, rough until judged."""
        (shown,) = (*step.cells, *step.previews) or (None,)
        file = keep(shown) if shown else None
        flags = {cell} if shown and shown.filtered else set()
        return replace(
            self,
            pictures=(*self.pictures[:cell], file, *self.pictures[cell + 1 :]),
            previews=frozenset({cell}),
            filtered=(self.filtered - {cell}) | flags,
            regenerated={**self.regenerated, cell: seed},
            notice=None,
            doing=f"generating seed {seed}",
            done=step.step,
            total=step.steps,
        )

    def judged(
        self,
        stage: str,
        done: int,
        total: int,
        scores: Mapping[str, tuple[ImageScore, ...]],
        report: GridReport | None,
    ) -> GridState:
        """What is known after one more step of judging."""
        pictures = counted(self.size, "picture")
        doing = {
            "vq2": f"asking {counted(len(self.questions), 'question')} of {pictures}",
            "vnli": f"comparing {pictures} with the prompt",
            "clip": f"measuring {pictures} against the prompt",
        }.get(stage, f"working out the {stage}")
        grown = replace(self, scores=scores, report=report)
        return replace(grown, doing=doing, done=done, total=total)

    def contradicted(self, notice: ContrastCheck) -> GridState:
        """What is known after one more contradiction of the prompt."""
        doing = "holding the best picture against contradictions"
        done = len(notice.contradictions)
        return replace(self, notice=notice, doing=doing, done=done, total=notice.total)

    def timed(self, **seconds: float) -> GridState:
        """The same, the report's timings with those of earlier stages before them."""
        if not self.report:
            return self
        timings = {**seconds, **self.report.timings}
        return replace(self, report=replace(self.report, timings=timings))

    def address(self, cell: int) -> str | None:
        """Where the page fetches a cell's picture."""
        file = self.pictures[cell] if cell < len(self.pictures) else None
        return address(file) if file else None

    def score(self, cell: int, method: str) -> ImageScore | None:
        """What a method says of a cell, once it has said it of the picture that is there."""
        known = self.scores.get(method, ())
        return known[cell] if cell < len(known) and cell not in self.previews else None

    def value(self, cell: int) -> float | None:
        """The number a cell is ranked by; none while its picture is being generated."""
        if cell in self.previews:
            return None
        if self.report:
            return self.report.ranking.values[cell]
        score = self.score(cell, self.ranked_by)
        return score.value if score else None

    def rank(self, cell: int) -> int | None:
        """Place of a cell in the ranking, from 1; None before there is one."""
        if cell in self.previews or not self.report:
            return None
        return self.report.ranking.rank(cell)

    def arranged(self, arrangement: str) -> tuple[int, ...]:
        """The cell at each place, row by row: "reranked" once there is a ranking, or generated."""
        if self.report and arrangement == "reranked":
            return self.report.ranking.order
        return tuple(range(self.size))

    @property
    def ranked(self) -> tuple[int, ...]:
        """The cells that have a value, best first; none before there is a ranking."""
        order = self.report.ranking.order if self.report else ()
        return tuple(cell for cell in order if self.value(cell) is not None)

    @property
    def worst(self) -> int | None:
        """The last of them; the first cell when none could be judged, None before a ranking."""
        if not self.report:
            return None
        return self.ranked[-1] if self.ranked else 0
