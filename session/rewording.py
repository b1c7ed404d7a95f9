"""The same images scored against another prompt; answers to unchanged questions are used again."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import dataclass, replace
from functools import partial

import alignment
import generation
import hub
from alignment import Models, Stage
from alignment.records import GridReport, QuestionAnswer
from alignment.scorers.scorer import known_answers, question_key
from session.jobs import evaluated, gpu_seconds
from session.loading import with_downloads
from session.run import Turn
from session.state import GridState
from session.storage import load_images


@dataclass(frozen=True)
class QuestionChanges:
    """The questions of two prompts."""

    new: tuple[QuestionAnswer, ...]
    """Asked of the second prompt alone."""
    kept: tuple[QuestionAnswer, ...]
    """Asked of both: question and expected answer are the same."""
    gone: tuple[QuestionAnswer, ...]
    """Asked of the first prompt alone."""


@hub.on_gpu(gpu_seconds)
def reword(
    state: GridState, report: GridReport, prompt: str, turn: Turn = nullcontext
) -> Iterator[GridState]:
    """Score the images of a grid against another prompt.

    VQ2 asks only the questions that are new, of the same images; VNLI and CLIP ask about the whole
    prompt, and are asked again.

    Args:
        state: finished.
        report: of that state.
        prompt: the new one. The images stay those of the old prompt, so that the states have no
            text-to-image model.
        turn: makes what is held open while models work.

    Raises:
        InvalidRequestError: the prompt cannot be scored.
        AlignmentError: a model cannot be loaded.
    """
    generation.validate_request(replace(state.request, prompt=prompt))
    models = Models(alignment.find_bundle(state.request.bundle))
    request = replace(state.request, prompt=prompt, model="", rank_by=state.ranked_by)
    new = replace(state, request=request, stage=Stage("reading", 0, 1))
    yield new
    read = partial(alignment.read_prompt, prompt, models, request.vq2)
    questions = yield from with_downloads(new, read, turn)
    new = replace(new, stage=Stage("questions", 1, 1, questions))
    known = [known_answers(score.evidence) for score in report.scores["vq2"]]
    images = load_images(state)
    yield from evaluated(new, images, models, state.ranked_by, known, turn)


def question_changes(before: GridState, after: GridState) -> QuestionChanges:
    """Which questions of two states of the same images are new, kept and gone."""
    first = {question_key(pair) for pair in before.questions}
    second = {question_key(pair) for pair in after.questions}
    return QuestionChanges(
        new=tuple(pair for pair in after.questions if question_key(pair) not in first),
        kept=tuple(pair for pair in after.questions if question_key(pair) in first),
        gone=tuple(pair for pair in before.questions if question_key(pair) not in second),
    )
