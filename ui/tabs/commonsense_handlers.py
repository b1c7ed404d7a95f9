"""What a visitor asks of two prompts comes in; what changes on the tab goes out."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import alignment
import generation
from alignment import Models
from alignment.prompt_pairs.revision import revise
from alignment.records import PromptPair
from generation import InvalidRequestError
from session.errors import user_message
from session.pair_jobs import check, check_texts, generate_and_compare
from session.pair_state import PairState
from session.storage import store
from ui.grid_panel_handlers import usable
from ui.render import status
from ui.render.commonsense import comparison
from ui.render.vocabulary import unknown_words
from ui.tabs.playground_handlers import known_words

if TYPE_CHECKING:
    from ui.grid_panel import Changes
    from ui.tabs.commonsense import CommonsensePage


@dataclass(frozen=True)
class CommonsenseHandlers:
    """What the events of the tab do, as `ui.tabs.commonsense.CommonsenseHandlers` says."""

    page: CommonsensePage
    examples: tuple[PromptPair, ...]

    def compare(self, *request: Any) -> Iterator[Changes]:
        """Generate and judge the pair, then the enriched one where there is one."""
        page, start = self.page, time.perf_counter()
        try:
            finished: list[PairState] = []
            for asked in requested(*request):
                for state in generate_and_compare(asked, lambda cell: store(cell.image)):
                    yield {
                        page.stop: usable(True),
                        page.status: status.progress(state, time.perf_counter() - start),
                        page.result: comparison([*finished, state]),
                    }
                finished.append(state)
            end = status.note(f"done in {time.perf_counter() - start:.1f} s")
        except Exception as error:
            end = status.mistake(user_message(error))
        yield {page.stop: usable(False), page.status: end}

    def stopped(self) -> Changes:
        """The work is cancelled; what is there stays."""
        page = self.page
        return {page.stop: usable(False), page.status: status.note("stopped; what was done stays")}

    def enrich(self, first: str, second: str, bundle: str) -> Iterator[Changes]:
        """Both prompts, with what they imply written out by the bundle's language model."""
        page = self.page
        yield {page.status: status.note("the language model reads both prompts")}
        try:
            texts = enriched((first, second), bundle)
        except Exception as error:
            yield {page.status: status.mistake(user_message(error))}
        else:
            done = status.note("both prompts are enriched; change them as you like, then compare")
            yield {page.status: done, **dict(zip(page.revised, texts, strict=True))}

    def choose(self, number: int) -> Changes:
        """An example takes the place of what was under way."""
        return {self.page.stop: usable(False), **self.fill(number)}

    def fill(self, number: int) -> Changes:
        """The words of an example, and where its pictures will be; nothing is generated yet."""
        page, pair = self.page, self.examples[number]
        texts = (*pair.prompts, *pair.descriptions, "", "")
        settings = (page.generations, page.seed, page.model, page.bundle, page.evaluator)
        blank = PairState(pair, *(each.value for each in settings))
        return {
            **dict(zip(page.texts, texts, strict=True)),
            page.status: status.note(
                "nothing is generated yet; Compare generates and judges this pair"
            ),
            page.result: comparison([blank]),
        }


def enriched(prompts: tuple[str, str], bundle: str) -> list[str]:
    """Both prompts as the bundle's language model enriches them.

    Raises:
        InvalidRequestError: a prompt is empty, or the bundle has no language model.
        AlignmentError: the model cannot be had.
    """
    check_texts(prompts, "prompt")
    chosen = alignment.find_bundle(bundle)
    if chosen.language is None:
        able = ", ".join(name for name, each in alignment.BUNDLES.items() if each.language)
        raise InvalidRequestError(
            f"the judges {bundle!r} have no language model; choose others ({able}) or write the "
            "enriched prompts yourself"
        )
    language = Models(chosen).language
    return [revise(prompt, language) for prompt in prompts]


def requested(
    first: str,
    second: str,
    first_shows: str,
    second_shows: str,
    first_revised: str,
    second_revised: str,
    generations: float | None,
    seed: float | None,
    evaluator: str,
    model: str,
    bundle: str,
) -> Sequence[PairState]:
    """What the fields ask for: one board, or two where a prompt is enriched.

    An enriched prompt that is left empty stays as it is.

    Raises:
        InvalidRequestError: a text or a number is missing, or out of its range.
    """
    if seed is None or generations is None:
        raise InvalidRequestError("a number is missing; pictures each is 1 to 6, seed 0 or more")
    pairs = [PromptPair((first, second), (first_shows, second_shows))]
    if first_revised.strip() or second_revised.strip():
        enriched = (first_revised.strip() or first, second_revised.strip() or second)
        pairs.append(PromptPair(enriched, (first_shows, second_shows)))
    states = [
        PairState(
            pair=pair,
            generations=int(generations),
            seed=int(seed),
            model=model,
            bundle=bundle,
            evaluator=evaluator,
            revised=pair is not pairs[0],
            unknown=unlearned(pair, model),
        )
        for pair in pairs
    ]
    for state in states:
        check(state)
    return states


def unlearned(pair: PromptPair, model: str) -> tuple[str, ...]:
    """Words of the prompts that an embedded text-to-image model never learned."""
    if not generation.find_model(model).embedded:
        return ()
    return unknown_words(" ".join(pair.prompts), known_words(generated=True))
