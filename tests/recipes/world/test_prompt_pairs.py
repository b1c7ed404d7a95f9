"""The sticker pairs: what they may say, and that no recipe can have said it before."""

import ast
import json
import re
from collections import Counter
from pathlib import Path

from alignment.prompt_pairs.pairs import read_pairs
from alignment.prompt_pairs.records import PromptPair
from recipes.world.plural import pluralise

ROOT = Path(__file__).parents[3]
PAIRS = read_pairs(ROOT / "assets" / "benchmarks" / "commonsense" / "pairs.json")
VOCABULARY = json.loads((ROOT / "assets" / "vocabulary.json").read_text("utf-8"))
NAMES = {*VOCABULARY["classes"], *(kind["plural"] for kind in VOCABULARY["classes"].values())}

CATEGORIES = {
    "animal behaviors",
    "biological laws",
    "daily items",
    "human practices",
    "physical laws",
}
"""Of the published data set."""


def words(text: str) -> set[str]:
    return set(re.findall(r"[a-z]+", text.lower()))


def recipe_words() -> set[str]:
    """Every word in the strings of the recipes, docstrings aside, and its plural."""
    said: set[str] = set()
    for module in (ROOT / "recipes").rglob("*.py"):
        tree = ast.parse(module.read_text("utf-8"))
        loose = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                said |= words(node.value) if id(node) not in loose else set()
    return said | {pluralise(word) for word in said if len(word) > 2}


def test_there_are_at_least_sixty_over_the_five_published_categories() -> None:
    counts = Counter(pair.category for pair in PAIRS)
    assert sum(counts.values()) >= 60
    assert set(counts) == CATEGORIES
    assert min(counts.values()) >= 10


def test_no_prompt_is_said_twice() -> None:
    prompts = [prompt for pair in PAIRS for prompt in pair.prompts]
    assert len(set(prompts)) == len(prompts)


def test_no_prompt_names_what_its_images_must_show() -> None:
    """The words in which two descriptions differ are in neither prompt."""
    telling = {
        prompt: both
        for pair in PAIRS
        for prompt in pair.prompts
        if (both := words(prompt) & telling_words(pair))
    }
    assert not telling


def telling_words(pair: PromptPair) -> set[str]:
    """The things themselves must be named, in one number or the other."""
    first, second = map(words, pair.descriptions)
    return (first ^ second) - {"a", "an", "on", "at", "the"} - NAMES


def test_descriptions_speak_the_words_of_the_stickers() -> None:
    known = set(VOCABULARY["words"])
    assert {word for pair in PAIRS for d in pair.descriptions for word in words(d)} <= known


def test_every_prompt_is_about_a_thing_of_the_stickers() -> None:
    astray = [pair for pair in PAIRS if not all(words(text) & NAMES for text in pair.descriptions)]
    assert not astray


def test_no_recipe_can_write_a_prompt() -> None:
    """Each has a word that is in no grammar, so that only random letters could spell it."""
    written = recipe_words()
    assert {"umbrella", "umbrellas", "wearing", "rain"} <= written
    known = {p for pair in PAIRS for p in pair.prompts if words(p) <= written}
    assert not known
