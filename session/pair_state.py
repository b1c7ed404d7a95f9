"""A prompt pair and what becomes of it, stage by stage, in one record that the page draws."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from alignment.records import MatchMatrix, PromptPair
from generation.records import GridCell, SamplingProgress
from session.state import address
from session.wording import counted

Files = tuple[tuple[str | None, ...], tuple[str | None, ...]]


@dataclass(frozen=True)
class PairState:
    """All that is known of two prompts so far: more with every stage, up to the score."""

    pair: PromptPair
    generations: int
    """Pictures of each prompt."""
    seed: int
    """Generation k of either prompt is generated from `seed + k`."""
    model: str
    """What generates."""
    bundle: str
    """Whose models evaluate."""
    evaluator: str
    """A name in `alignment.prompt_pairs.description_match.EVALUATORS`."""
    revised: bool = False
    """Whether these are enriched prompts of a pair that is shown beside."""
    files: Files = ((), ())
    """Prompt -> the file of each picture; None while there is none, and where it was filtered."""
    matrix: MatchMatrix = MatchMatrix()
    score: float | None = None
    """In exact expectation, once every picture is judged."""
    prompts_alike: float | None = None
    """Cosine of the two prompts in the text-to-image model's text encoder, in [-1, 1]."""
    descriptions_alike: float | None = None
    """The same of the two descriptions: the text-to-image model's own measure of what differs
    visibly."""
    unknown: tuple[str, ...] = ()
    """Words of the prompts that an embedded text-to-image model never learned."""
    unread: tuple[tuple[str, ...], ...] = ()
    """Prompt -> its words beyond the text-to-image model's reach."""
    doing: str = ""
    """What the work is at, in words."""
    done: int = 0
    total: int = 0

    @property
    def blind(self) -> bool:
        """Whether pictures were judged and no reply of the evaluator could be read."""
        fits = [fit.fits for row in self.matrix.fits for fit in row]
        return bool(fits) and all(reply is None for fit in fits for reply in fit)

    def generated(
        self, prompt: int, step: SamplingProgress, keep: Callable[[GridCell], str]
    ) -> PairState:
        """What is known after one more step of generating one prompt."""
        cells = (*step.cells, *step.previews)
        kept = {cell.cell: keep(cell) for cell in cells if not cell.filtered}
        row = tuple(kept.get(cell) for cell in range(self.generations))
        return replace(
            self,
            files=(self.files[0], row) if prompt else (row, self.files[1]),
            doing=f"generating {counted(self.generations, 'picture')} of prompt {prompt + 1}",
            done=step.step,
            total=step.steps,
        )

    def judged(self, matrix: MatchMatrix) -> PairState:
        """What is known after one more picture was held against both descriptions."""
        return replace(
            self,
            matrix=matrix,
            doing="holding each picture against both descriptions",
            done=sum(map(len, matrix.fits)),
            total=2 * self.generations,
        )

    def address(self, prompt: int, generation: int) -> str | None:
        """Where the page fetches a picture."""
        row = self.files[prompt]
        file = row[generation] if generation < len(row) else None
        return address(file) if file else None
