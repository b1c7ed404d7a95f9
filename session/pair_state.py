"""The state of one prompt pair, from the request through its images to the score."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from alignment.records import MatchMatrix, PromptPair
from generation.records import SamplingProgress
from hub import Download

Files = tuple[tuple[str | None, ...], tuple[str | None, ...]]


@dataclass(frozen=True)
class PairState:
    """Everything known about a prompt pair so far; each stage of a job returns a new state."""

    pair: PromptPair
    generations: int
    """Images of each prompt."""
    seed: int
    """Generation k of either prompt is generated from `seed + k`."""
    model: str
    """The text-to-image model."""
    bundle: str
    """The bundle whose models evaluate the images."""
    evaluator: str
    """A name in `alignment.prompt_pairs.description_match.EVALUATORS`."""
    revised: bool = False
    """Whether these are the enriched prompts of a pair shown beside them."""
    files: Files = ((), ())
    """Prompt -> the file of each image; None while there is none, and where it was filtered."""
    matrix: MatchMatrix = MatchMatrix()
    score: float | None = None
    """Exact expectation, once every image is evaluated; None too where none could be judged."""
    prompts_alike: float | None = None
    """Cosine of the two prompts in the model's text encoder, in [-1, 1]."""
    descriptions_alike: float | None = None
    """Cosine of the two descriptions in the same text encoder."""
    unknown: tuple[str, ...] = ()
    """Words of the prompts outside the vocabulary of an embedded text-to-image model."""
    truncated_words: tuple[tuple[str, ...], ...] = ()
    """Prompt -> its words beyond what the text-to-image model reads."""
    stage: str = ""
    """"loading", "reading", "generating", "evaluating" or "done"."""
    prompt_in_work: int = 0
    """Which prompt is being generated, 0 or 1."""
    done: int = 0
    total: int = 0
    download: Download | None = None
    """The download that the job waits for."""

    @property
    def unreadable(self) -> bool:
        """Whether images were evaluated and no reply of the evaluator could be read."""
        fits = [fit.fits for row in self.matrix.fits for fit in row]
        return bool(fits) and all(reply is None for fit in fits for reply in fit)

    def with_sample(
        self, prompt: int, step: SamplingProgress, files: Mapping[int, str]
    ) -> PairState:
        """The state after one more denoising step of one prompt; filtered images have no file."""
        row = tuple(files.get(cell) for cell in range(self.generations))
        return replace(
            self,
            files=(self.files[0], row) if prompt else (row, self.files[1]),
            stage="generating",
            prompt_in_work=prompt,
            done=step.step,
            total=step.steps,
        )

    def with_matrix(self, matrix: MatchMatrix) -> PairState:
        """The state after one more image was compared with both descriptions."""
        done, total = sum(map(len, matrix.fits)), 2 * self.generations
        return replace(self, matrix=matrix, stage="evaluating", done=done, total=total)

    def file(self, prompt: int, generation: int) -> str | None:
        """The file of an image; None where there is none."""
        row = self.files[prompt]
        return row[generation] if generation < len(row) else None
