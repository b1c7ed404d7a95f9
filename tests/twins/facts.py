"""What is publicly known of a model's repository: one JSON file per model, with its sources."""

import json
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

FACTS = Path(__file__).parent.parent / "hub_facts"


@dataclass(frozen=True)
class Component:
    """One folder of a diffusers repository."""

    config: dict[str, Any]
    """Of a tokenizer, its `tokenizer_config.json`; else the component's own configuration."""
    weights: dict[str, int | None] = field(default_factory=dict)
    """Weight files, with their bytes where a listing said so."""
    files: tuple[str, ...] = ()
    """The other files."""
    dtype: str = "float32"
    """Of the weight files that have no fp16 or bf16 in their names."""
    special_tokens_map: dict[str, Any] | None = None


@dataclass(frozen=True)
class Facts:
    """A repository that diffusers loads a text-to-image pipeline from."""

    id: str
    licence: str
    gated: bool
    pipeline: dict[str, Any]
    """Its `model_index.json`."""
    components: dict[str, Component]
    other_files: tuple[str, ...]
    sources: tuple[str, ...]
    unconfirmed: tuple[str, ...]


TEXT_TO_IMAGE = tuple(sorted(path.stem for path in (FACTS / "text_to_image").glob("*.json")))


@cache
def text_to_image_facts(name: str) -> Facts:
    """The facts of a text-to-image model by its name in `generation.MODELS`."""
    stored = _stored(name)
    components = {each: _component(name, each) for each in stored["components"]}
    listed = {key: tuple(stored[key]) for key in ("other_files", "sources", "unconfirmed")}
    plain = {key: stored[key] for key in ("id", "licence", "gated", "pipeline")}
    return Facts(components=components, **plain, **listed)


@cache
def _stored(name: str) -> dict[str, Any]:
    path = FACTS / "text_to_image" / f"{name}.json"
    stored: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return stored


def _component(name: str, component: str) -> Component:
    """A component; one that is `like` another has that one's values except for its `changes`."""
    own = dict(_stored(name)["components"][component])
    changes = own.pop("changes", {})
    if "like" in own:
        model, _, other = own.pop("like").partition("/")
        inherited = vars(_component(model, other))
        own = {**inherited, **own, "config": {**inherited["config"], **changes}}
    return Component(**{**own, "files": tuple(own.get("files", ()))})


READ = {
    "CLIPTokenizer": 77,
    "GemmaTokenizerFast": 300,
    "T5TokenizerFast": 256,
    "Qwen2Tokenizer": 512,
    "Qwen2TokenizerFast": 512,
}
"""Tokens of a prompt that are read, those that a tokenizer adds among them."""


def tokenizers_of(name: str) -> set[str]:
    """The classes of a text-to-image model's tokenizers."""
    index = text_to_image_facts(name).pipeline
    return {origin[1] for part, origin in index.items() if part.startswith("tokenizer")}


def tokens_read(name: str) -> int:
    """Tokens of a prompt that the text encoder reading furthest takes."""
    return max(READ[kind] for kind in tokenizers_of(name))
