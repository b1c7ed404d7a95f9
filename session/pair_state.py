"""The state of one prompt pair, from the request through its images to the score, and on disk.

FOLDER/pair.json      the states of a pair: prompts as they are and written out, what images fit
FOLDER/0-1-2.webp     state 0, prompt 1, generation 2
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

import pydantic.dataclasses
from PIL import Image
from pydantic import TypeAdapter

from alignment.prompt_pairs.description_match import EVALUATORS
from alignment.prompt_pairs.records import MatchMatrix, PromptPair
from generation.records import GridRequest, ModelName, Prompt, SamplingProgress, Seed, Side
from hub import Download
from request.record import NO_OTHERS, BundleName, Explained
from session.storage import load_image

Files = tuple[tuple[str | None, ...], tuple[str | None, ...]]


@pydantic.dataclasses.dataclass(frozen=True, config=NO_OTHERS)
class AskedPair(Explained):
    """Two prompts, what their images should show, and how these are made; also names in links."""

    first: Prompt = ""
    second: Prompt = ""
    first_shows: Prompt = ""
    second_shows: Prompt = ""
    pictures: Side = 4
    """Of each prompt."""
    seed: Seed = 7
    """Image k of either prompt is generated from `seed + k`."""
    judge: Literal[tuple(EVALUATORS)] = "vnli"  # type: ignore[valid-type]
    model: ModelName = GridRequest.model
    bundle: BundleName = "embedded"
    made: bool = True
    """Whether its images are shown, or the fields alone."""

    @property
    def pair(self) -> PromptPair:
        return PromptPair((self.first, self.second), (self.first_shows, self.second_shows))


@dataclass(frozen=True)
class PairState:
    """Everything known about a prompt pair so far; each stage of a job returns a new state."""

    request: AskedPair
    revised: bool = False
    """Whether these prompts say what those of another pair imply: the tour has one of each."""
    files: Files = ((), ())
    """Prompt -> the file of each image; None while there is none, and where it was filtered."""
    matrix: MatchMatrix = MatchMatrix()
    score: float | None = None
    """Exact expectation, once every image is evaluated; None too where none could be judged."""
    prompts_alike: float | None = None
    """Cosine of the two prompts in the model's text encoder, in [-1, 1]."""
    descriptions_alike: float | None = None
    """Cosine of the two descriptions in the same text encoder."""
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
    def pair(self) -> PromptPair:
        """Its prompts, and what each should show."""
        return self.request.pair

    @property
    def unreadable(self) -> bool:
        """Whether images were evaluated and none could be judged."""
        fits = [fit.fits for row in self.matrix.fits for fit in row]
        return bool(fits) and all(reply is None for fit in fits for reply in fit)

    def with_sample(
        self, prompt: int, step: SamplingProgress, files: Mapping[int, str]
    ) -> PairState:
        """The state after one more denoising step of one prompt; filtered images have no file."""
        row = tuple(files.get(cell) for cell in range(self.request.pictures))
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
        done, total = sum(map(len, matrix.fits)), 2 * self.request.pictures
        return replace(self, matrix=matrix, stage="evaluating", done=done, total=total)

    def file(self, prompt: int, generation: int) -> str | None:
        """The file of an image; None where there is none."""
        row = self.files[prompt]
        return row[generation] if generation < len(row) else None


STATES = TypeAdapter(tuple[PairState, ...])
"""As JSON."""


def load_pair_example(folder: Path, store: Callable[[Image.Image], str]) -> tuple[PairState, ...]:
    states = STATES.validate_json((folder / "pair.json").read_bytes())
    return tuple(replace(state, files=_stored(state, folder, store)) for state in states)


def _stored(state: PairState, folder: Path, store: Callable[[Image.Image], str]) -> Files:
    first, second = (
        tuple(store(load_image(str(folder / str(name)))) for name in row) for row in state.files
    )
    return first, second
