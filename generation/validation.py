"""Whether a request can be generated, and how much of its prompt the model reads."""

from __future__ import annotations

import copy
import inspect
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from generation.errors import InvalidRequestError
from generation.models import MODELS, find_model

if TYPE_CHECKING:
    from diffusers import DiffusionPipeline

    from generation.records import GridRequest
    from generation.spec import ModelSpec

LONGEST_PROMPT = 1000
"""Characters; text encoders read 77 tokens, some 512, so nothing a model reads is lost."""
LARGEST_SIDE = 6
"""Rows and columns, so that a person still takes in the grid at a glance."""
LARGEST_SEED = 2**32 - 1
"""Of any cell."""
MOST_STEPS = 150
MOST_GUIDANCE = 30.0


def validate_request(request: GridRequest, models: Mapping[str, ModelSpec] = MODELS) -> None:
    """Say what keeps a request from being generated.

    Raises:
        InvalidRequestError: see `validate_grid`; or the model takes no guidance.
        UnknownModelError: the model is not among `models`.

    >>> from generation.records import GridRequest
    >>> validate_request(GridRequest("a red apple"))
    >>> validate_request(GridRequest("a red apple", rows=0, columns=9))
    Traceback (most recent call last):
    generation.errors.InvalidRequestError: the grid is 0 x 9; it can be 1 x 1 to 6 x 6
    """
    validate_grid(request)
    find_model(request.model, models).asked(request.steps, request.guidance)


def validate_grid(request: GridRequest) -> None:
    """Say what is wrong with a request, whatever its model.

    Raises:
        InvalidRequestError: the prompt has no words or is over `LONGEST_PROMPT` characters, the
            grid is not between 1 x 1 and 6 x 6, or a seed of it is not in 0 .. `LARGEST_SEED`.
    """
    _validate_prompt(request.prompt)
    _validate_prompt(request.worded)
    validate_sides(request.rows, request.columns)
    validate_seed(request.seed, request.size)


def validate_sides(rows: int, columns: int) -> None:
    """Say what keeps a grid from being generated.

    Raises:
        InvalidRequestError: it is not between 1 x 1 and 6 x 6.
    """
    if not all(1 <= side <= LARGEST_SIDE for side in (rows, columns)):
        raise InvalidRequestError(
            f"the grid is {rows} x {columns}; it can be 1 x 1 to {LARGEST_SIDE} x {LARGEST_SIDE}"
        )


def validate_seed(seed: int, size: int) -> None:
    """Say what keeps a grid of this size from beginning with this seed.

    Raises:
        InvalidRequestError: the seed of a cell is not in 0 .. `LARGEST_SEED`.
    """
    largest = LARGEST_SEED + 1 - size
    if not 0 <= seed <= largest:
        images = f" for {size} images" if size > 1 else ""
        raise InvalidRequestError(f"the seed is {seed}; it can be 0 to {largest}{images}")


def _validate_prompt(prompt: str) -> None:
    if not prompt.strip():
        raise InvalidRequestError("the prompt is empty; write what the images should show")
    if not any(character.isalnum() for character in prompt):
        raise InvalidRequestError("the prompt has no words; write what the images should show")
    if len(prompt) > LONGEST_PROMPT:
        raise InvalidRequestError(
            f"the prompt has {len(prompt)} characters; it can have {LONGEST_PROMPT}"
        )


def truncated_words(
    prompt: str, pipeline: DiffusionPipeline, call: Mapping[str, object] = MappingProxyType({})
) -> tuple[str, ...]:
    """The words of a prompt that lie beyond what the model's text encoders read.

    Of several encoders the one that reads furthest counts; a word read in part is not read.

    Args:
        prompt: as typed.
        pipeline: from `load_pipeline`.
        call: further arguments of its call, as in `ModelSpec.call`.

    Returns:
        The words in prompt order, without punctuation; empty when all of them are read.
    """
    tokenizers = (part for name, part in pipeline.components.items() if "tokenizer" in name)
    limit = longest_sequence(pipeline, call)
    reach = max(_reach(prompt, each, limit) for each in tokenizers if each is not None)
    return tuple(word.group() for word in _words(prompt) if word.end() > reach)


def words_cut(prompt: str, spec: ModelSpec) -> tuple[str, ...]:
    """The same before a model is loaded, for one that is stored with the project.

    Models of the hub are asked once they are loaded.
    """
    folder = Path(spec.source) / "tokenizer"
    if not spec.embedded or not folder.is_dir():
        return ()
    tokenizer = _tokenizer(folder)
    if len(prompt.encode()) + 2 <= tokenizer.model_max_length:  # no token is shorter than a byte
        return ()
    reach = _reach(prompt[:LONGEST_PROMPT], tokenizer, LONGEST_PROMPT)  # else it takes seconds
    return tuple(word.group() for word in _words(prompt) if word.end() > reach)


@cache
def _tokenizer(folder: Path) -> Any:
    from transformers import AutoTokenizer

    return AutoTokenizer.from_pretrained(folder)


def _words(prompt: str) -> Iterator[re.Match[str]]:
    return re.finditer(r"\w+(?:['’-]\w+)*", prompt)


def longest_sequence(
    pipeline: DiffusionPipeline, call: Mapping[str, object] = MappingProxyType({})
) -> int:
    """Tokens that a pipeline reads of a prompt at most, however many its tokenizers could.

    SD 3, FLUX and their like cut what T5 or Qwen3 reads at `max_sequence_length`; CLIP's own limit
    of 77 tokens is below it.
    """
    defaults = inspect.signature(type(pipeline).__call__).parameters
    if "max_sequence_length" not in defaults:
        return LONGEST_PROMPT
    return int(str(call.get("max_sequence_length", defaults["max_sequence_length"].default)))


def _reach(prompt: str, tokenizer: Any, limit: int) -> int:
    """Where in the prompt the last token ends that fits."""
    at_rest = copy.deepcopy(tokenizer)  # the original may be in use just now
    longest = min(limit, at_rest.model_max_length)
    encoding = at_rest(
        prompt, truncation=True, max_length=longest, return_offsets_mapping=True, verbose=False
    )
    return max(int(end) for _, end in encoding.offset_mapping)
