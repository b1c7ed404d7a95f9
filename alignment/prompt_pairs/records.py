"""Records of prompt pairs, and of images held against what each of their prompts implies."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class PromptPair:
    """Two prompts that differ little, and what common sense expects each of them to show."""

    prompts: tuple[str, str]
    descriptions: tuple[str, str]
    """What an image of each prompt must fit, and an image of the other one must not."""
    category: str = ""
    """The kind of common sense it takes, e.g. "physical laws"."""


@dataclass(frozen=True)
class DescriptionMatch:
    """One image held against both descriptions of its pair."""

    fits: tuple[bool | None, bool | None]
    """Whether it fits each; None when the evaluator's reply could not be read, or it was not asked.
    """
    replies: tuple[str, str] = ("", "")
    """What the evaluator said of each, word for word."""
    reason: str = ""
    """Why it was not asked; empty where it was."""


@dataclass(frozen=True)
class MatchMatrix:
    """Every image of a pair held against both descriptions."""

    fits: tuple[tuple[DescriptionMatch, ...], tuple[DescriptionMatch, ...]] = ((), ())
    """Prompt -> its images, in the order of their generation, as many as are judged."""
