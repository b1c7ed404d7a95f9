"""Twins of the text-to-image models, in the layout of the hub's cache.

A twin has the files of the real repository and its configurations, with every width divided by 32
(and what has to agree with one), random weights, CLIP's true tokenizer, and small tokenizers of the
same formats where the true one is not at hand.
"""

import hashlib
import importlib
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

from tests.twins.facts import Component, Facts
from tests.twins.tokenizers import vocabulary_size, write_tokenizer
from tests.twins.weights import write_weights

FACTOR = 32
WIDTHS = {
    "addition_time_embed_dim",
    "base_dim",
    "block_out_channels",
    "cap_feat_dim",
    "caption_channels",
    "caption_projection_dim",
    "cross_attention_dim",
    "d_ff",
    "d_kv",
    "d_model",
    "decoder_block_out_channels",
    "encoder_block_out_channels",
    "head_dim",
    "hidden_size",
    "intermediate_size",
    "joint_attention_dim",
    "out_hidden_size",
    "pooled_projection_dim",
    "projection_class_embeddings_input_dim",
    "projection_dim",
}
AGREEING: dict[str, dict[str, Any]] = {
    "AutoencoderKL": {"norm_num_groups": 2},
    "AutoencoderDC": {"attention_head_dim": 4},
    "AutoencoderKLFlux2": {"norm_num_groups": 2},
    "CLIPTextModel": {"num_hidden_layers": 2},
    "CLIPTextModelWithProjection": {"num_hidden_layers": 2},
    "Flux2Transformer2DModel": {
        "attention_head_dim": 8,
        "axes_dims_rope": [2, 2, 2, 2],
        "num_attention_heads": 2,
        "num_layers": 2,
        "num_single_layers": 2,
    },
    "FluxTransformer2DModel": {"num_attention_heads": 1, "num_layers": 2, "num_single_layers": 2},
    "Gemma2Model": {"num_hidden_layers": 2},
    "Qwen3ForCausalLM": {"num_attention_heads": 4, "num_key_value_heads": 2},
    "QwenImageTransformer2DModel": {
        "attention_head_dim": 8,
        "axes_dims_rope": [2, 2, 4],
        "num_attention_heads": 2,
        "num_layers": 2,
    },
    "SD3Transformer2DModel": {"attention_head_dim": 2, "num_layers": 2},
    "T5EncoderModel": {"num_layers": 2},
    "SanaTransformer2DModel": {
        "attention_head_dim": 8,
        "cross_attention_dim": 16,
        "cross_attention_head_dim": 8,
        "num_attention_heads": 2,
        "num_cross_attention_heads": 2,
        "num_layers": 2,
    },
    "UNet2DConditionModel": {"norm_num_groups": 2},
    "ZImageTransformer2DModel": {
        "axes_dims": [4, 6, 6],
        "dim": 32,
        "n_heads": 2,
        "n_kv_heads": 2,
        "n_layers": 2,
    },
    "qwen2_5_vl_text": {
        "num_attention_heads": 4,
        "num_hidden_layers": 2,
        "num_key_value_heads": 2,
        "rope_scaling": {"mrope_section": [4, 5, 5], "rope_type": "default", "type": "default"},
    },
    "qwen2_5_vl": {"depth": 2, "num_heads": 2},
}
"""Values that follow from narrower widths: heads, groups of a norm, axes of a rotary embedding;
and of many equal layers two."""


def write_twin(facts: Facts, cache: Path, *, full_size: bool = False) -> Path:
    """Write a twin into a hub cache, from where it is loaded by the real model's id.

    Args:
        facts: of the real repository.
        cache: where the hub keeps what is downloaded.
        full_size: leave the widths as they are, with weights in half precision alone; this takes
            as much disk as the real model.

    Returns:
        The folder of its snapshot.
    """
    commit = hashlib.sha1(facts.id.encode()).hexdigest()
    repository = cache / f"models--{facts.id.replace('/', '--')}"
    snapshot = repository / "snapshots" / commit
    snapshot.mkdir(parents=True)
    (repository / "refs").mkdir()
    (repository / "refs" / "main").write_text(commit)
    (snapshot / "model_index.json").write_text(json.dumps(facts.pipeline, indent=2))
    for name in facts.components:
        _write_component(facts, name, snapshot / name, full_size)
    for name in facts.other_files:
        (snapshot / name).parent.mkdir(exist_ok=True)
        (snapshot / name).write_bytes(b"-")
    return snapshot


def _write_component(facts: Facts, name: str, folder: Path, full_size: bool) -> None:
    part = facts.components[name]
    if name.startswith("tokenizer"):
        write_tokenizer(folder, part.config, part.files)
        if part.special_tokens_map:
            path = folder / "special_tokens_map.json"
            path.write_text(json.dumps(part.special_tokens_map, indent=2))
        return
    folder.mkdir()
    config = part.config if full_size else narrowed(part.config) | _vocabulary(facts, name)
    if part.weights:
        halved = [file for file in part.weights if "fp16.safetensors" in file]
        files = halved if full_size and halved else list(part.weights)
        _write_network(
            config, replace(part, weights=dict.fromkeys(files)), facts.pipeline[name], folder
        )
    file = next((each for each in part.files if each.endswith("_config.json")), "config.json")
    (folder / ("config.json" if part.weights else file)).write_text(json.dumps(config, indent=2))


def _vocabulary(facts: Facts, name: str) -> dict[str, Any]:
    """A text encoder knows as many tokens as its tokenizer."""
    tokenizer = facts.components.get(name.replace("text_encoder", "tokenizer"))
    if name.startswith("text_encoder") and tokenizer and facts.components[name].weights:
        known = {"vocab_size": vocabulary_size(tokenizer.config)}
        inside = narrowed(facts.components[name].config).get("text_config")
        return {"text_config": inside | known} if inside else known
    return {}


def narrowed(config: dict[str, Any]) -> dict[str, Any]:
    """A configuration with every width divided by `FACTOR`, and what has to agree with it."""
    kinds = config.get("architectures", [config.get("model_type", "")])
    kind = config.get("_class_name", kinds[0])
    return {key: _narrow(key, value) for key, value in config.items()} | AGREEING.get(kind, {})


def _narrow(key: str, value: Any) -> Any:
    if isinstance(value, dict):
        return narrowed(value)
    if key not in WIDTHS or value is None:
        return value
    if isinstance(value, list):
        return [each // FACTOR for each in value]
    return value // FACTOR


def _write_network(
    config: dict[str, Any], part: Component, origin: list[str], folder: Path
) -> None:
    import torch

    torch.manual_seed(0)
    network = build(config, origin)
    write_weights(network, folder, part.weights, part.dtype)
    for name in part.files:
        if name == "generation_config.json":
            (folder / name).write_text("{}")


def build(config: dict[str, Any], origin: list[str]) -> Any:
    """The network of a configuration; `origin` is its library and class in `model_index.json`."""
    library, kind = origin
    if library == "diffusers":
        return getattr(importlib.import_module("diffusers"), kind).from_config(config)
    if library == "stable_diffusion":
        from diffusers.pipelines.stable_diffusion import safety_checker
        from transformers import CLIPConfig

        return safety_checker.StableDiffusionSafetyChecker(CLIPConfig(**config))
    transformers = importlib.import_module("transformers")
    saved_as = getattr(transformers, config.get("architectures", [kind])[0])
    return saved_as(saved_as.config_class(**config))
