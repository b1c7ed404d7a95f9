"""Real configurations of scoring models at small widths: every kind of layer stays, few of each."""

from typing import Any

WIDTHS: dict[str, Any] = {
    "hidden_size": 32,
    "intermediate_size": 64,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "encoder_hidden_size": 32,
    "projection_dim": 32,
    "pooler_hidden_size": 32,
    "head_dim": 8,
    "d_model": 64,
    "d_kv": 8,
    "d_ff": 128,
    "num_layers": 2,
    "num_decoder_layers": 2,
    "num_heads": 4,
    "num_query_tokens": 3,
    "image_text_hidden_size": 16,
    "depth": 2,
    "out_hidden_size": 32,
    "max_position_embeddings": 40,
}
"""What a number of the real configuration becomes, whichever part it stands in."""
QWEN3 = {"depth": 4, "deepstack_visual_indexes": [1, 2, 3]}
LONG = 2048
"""Positions of a language model that reads image tokens."""
CLIP_TOWER = {"width": 32, "layers": 1, "head_width": 8}
CLIP_TEXT = {"width": 32, "heads": 4, "layers": 1}


def shrunk(config: dict[str, Any]) -> dict[str, Any]:
    """A real configuration of transformers with small widths, its parts too."""
    small = {
        name: shrunk(value) if name.endswith("_config") else WIDTHS.get(name, value)
        for name, value in config.items()
    }
    for adjust in (_positions, _key_value_heads, _tower, _rotary, _gemma4, _deepstack):
        small |= adjust(config)
    return small


def shrunk_open_clip(config: dict[str, Any]) -> dict[str, Any]:
    """A real `model_cfg` of open_clip with small widths; vocabulary and pooling stay."""
    vision = config["vision_cfg"]
    if "timm_model_name" in vision:
        vision = {"image_size": 32, "patch_size": 16, **CLIP_TOWER}
    elif isinstance(vision["layers"], list):
        vision = {**vision, "image_size": 32, "layers": [1, 1, 1, 1], "width": 8}
    else:
        patch = vision["patch_size"]
        vision = {**vision, **CLIP_TOWER, "image_size": 2 * patch}
        vision |= {"attn_pooler_heads": 4} if "attn_pooler_heads" in vision else {}
    small = {**config, "embed_dim": 32, "vision_cfg": vision}
    small["text_cfg"] = {**config["text_cfg"], **CLIP_TEXT}
    if "multimodal_cfg" in config:
        small["multimodal_cfg"] = config["multimodal_cfg"] | CLIP_TEXT | {"attn_pooler_heads": 4}
    return small


def tile(config: dict[str, Any]) -> int:
    """Pixels on a side of what the small vision tower sees at once."""
    vision = config["vision_config"]
    patch: int = vision["patch_size"]
    return patch * 2 * int(config.get("scale_factor", 1))


def _positions(config: dict[str, Any]) -> dict[str, Any]:
    """Only BERT's kind and CLIP learn their positions; all others keep room for image tokens."""
    learned = ("blip_text_model", "blip_2_qformer", "clip_text_model")
    if "max_position_embeddings" not in config or config["model_type"] in learned:
        return {}
    return {"max_position_embeddings": LONG}


def _key_value_heads(config: dict[str, Any]) -> dict[str, Any]:
    heads = config.get("num_key_value_heads")
    if heads is None:
        return {}
    return {"num_key_value_heads": {1: 1, config["num_attention_heads"]: 4}.get(heads, 2)}


def _tower(config: dict[str, Any]) -> dict[str, Any]:
    """An image of two by two patches (after those that Idefics puts together)."""
    if "vision_config" not in config or "image_size" not in config["vision_config"]:
        return {}
    vision = shrunk(config["vision_config"]) | {"image_size": tile(config)}
    vision |= {"num_image_tokens": 4} if "num_image_tokens" in vision else {}
    vision |= {"initializer_range": 0.02} if "blip" in vision["model_type"] else {}
    text = shrunk(config["text_config"])
    text |= {"num_image_tokens": 4} if "num_image_tokens" in text else {}
    return {"vision_config": vision, "text_config": text}


def _rotary(config: dict[str, Any]) -> dict[str, Any]:
    """Sections of the rotary embedding, in the order of the real ones, for heads of 8."""
    rope = config.get("rope_parameters", {})
    if "mrope_section" not in rope:
        return {}
    sections = [2, 1, 1] if rope.get("mrope_interleaved") else [1, 1, 2]
    return {"rope_parameters": {**rope, "mrope_section": sections}}


def _gemma4(config: dict[str, Any]) -> dict[str, Any]:
    """Both kinds of layers, the last ones without keys and values of their own."""
    if config.get("model_type") == "gemma4_text":
        kinds = ["sliding_attention", "full_attention"] * 2
        layers = {"num_hidden_layers": 4, "num_kv_shared_layers": 2, "layer_types": kinds}
        return {**layers, "hidden_size_per_layer_input": 8, "global_head_dim": 16}
    if config.get("model_type") == "gemma4_audio":
        return {"output_proj_dims": 32}
    return {}


def _deepstack(config: dict[str, Any]) -> dict[str, Any]:
    if "deepstack_visual_indexes" in config:
        return QWEN3
    return {"num_hidden_layers": 4} if config.get("model_type") == "qwen3_vl_text" else {}
