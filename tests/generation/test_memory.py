"""How much memory and work the models take, counted from their true configurations."""

from typing import Any

import pytest
import torch

from generation import MODELS
from generation.memory import memory_needed, quantization
from tests.twins.facts import TEXT_TO_IMAGE, text_to_image_facts, tokens_read
from tests.twins.operations import tera
from tests.twins.text_to_image import build
from tests.twins.weights import dtype_of

BYTES = {"float32": 4, "float16": 2, "bfloat16": 2}
HIDDEN = 333
"""Tokens of SD 3's joint text: 77 of CLIP and 256 of T5."""
IN_4_BITS = [name for name, spec in MODELS.items() if spec.quantized]


@pytest.fixture(scope="module", params=TEXT_TO_IMAGE)
def name(request: pytest.FixtureRequest) -> str:
    found: str = request.param
    return found


@pytest.fixture(scope="module")
def networks(name: str) -> dict[str, Any]:
    """The components that have weights, of the true configuration, without memory."""
    facts = text_to_image_facts(name)
    with torch.device("meta"):
        return {
            part: build(component.config, facts.pipeline[part])
            for part, component in facts.components.items()
            if component.weights
        }


def parameters(networks: dict[str, Any]) -> dict[str, int]:
    """How many numbers the weights of each component hold; tied weights are stored once."""
    found = {}
    for part, network in networks.items():
        tensors = {id(each): each for each in network.state_dict(keep_vars=True).values()}
        found[part] = sum(each.numel() for each in tensors.values())
    return found


def test_weight_files_are_as_large_as_their_networks(name: str, networks: dict[str, Any]):
    """The parameters of the true configuration fill the listed bytes."""
    counted = parameters(networks)
    for part, component in text_to_image_facts(name).components.items():
        listed = {file for file, size in component.weights.items() if size is not None}
        for stem in {file.split("-0")[0] for file in listed}:
            sizes = [
                size for file, size in component.weights.items() if file.split("-0")[0] == stem
            ]
            if None not in sizes:
                numbers = counted[part] * BYTES[dtype_of(stem, component.dtype)]
                assert sum(sizes) == pytest.approx(numbers, rel=0.01), stem


def test_the_catalogue_counts_the_parameters_of_the_true_configuration(
    name: str, networks: dict[str, Any]
):
    spec, counted = MODELS[name], parameters(networks)
    assert spec.parameters == pytest.approx(sum(counted.values()) / 1e9, abs=0.02)
    assert spec.largest_component == pytest.approx(max(counted.values()) / 1e9, abs=0.02)


def test_the_catalogue_knows_how_much_is_downloaded(name: str, networks: dict[str, Any]):
    facts, spec = text_to_image_facts(name), MODELS[name]
    size = 0.0
    for part, count in parameters(networks).items():
        files = facts.components[part].weights
        mark = f".{spec.variant}" if any(f".{spec.variant}" in file for file in files) else ""
        size += count * BYTES[dtype_of(mark, facts.components[part].dtype)]
    assert spec.download == pytest.approx(size / 1e9, abs=0.06)


def once(network: Any, side: int, reads: int) -> Any:
    """A denoiser's forward pass for one image of `side` x `side` latents."""
    config, kind, time = network.config, type(network).__name__, torch.zeros(1)
    patches = (side // 2) ** 2
    if kind == "UNet2DConditionModel":
        sizes = {"text_embeds": torch.zeros(1, 1280), "time_ids": torch.zeros(1, 6)}
        more: dict[str, Any] = {"added_cond_kwargs": sizes} if config.addition_embed_type else {}
        if config.time_cond_proj_dim:
            more["timestep_cond"] = torch.zeros(1, config.time_cond_proj_dim)
        latents = torch.zeros(1, config.in_channels, side, side)
        return network(latents, time, torch.zeros(1, 77, config.cross_attention_dim), **more)
    if kind == "SD3Transformer2DModel":
        words = torch.zeros(1, HIDDEN, config.joint_attention_dim)
        latents = torch.zeros(1, config.in_channels, side, side)
        return network(latents, words, torch.zeros(1, config.pooled_projection_dim), time)
    if kind == "ZImageTransformer2DModel":
        words = torch.zeros(reads, config.cap_feat_dim)
        return network([torch.zeros(16, 1, side, side)], time, [words])
    if kind == "SanaTransformer2DModel":
        words = torch.zeros(1, reads, config.caption_channels)
        return network(torch.zeros(1, config.in_channels, side, side), words, time)
    words = torch.zeros(1, reads, config.joint_attention_dim)
    latents = torch.zeros(1, patches, config.in_channels)
    named = {"hidden_states": latents, "encoder_hidden_states": words, "timestep": time}
    if kind == "QwenImageTransformer2DModel":
        return network(**named, img_shapes=[[(1, side // 2, side // 2)]])
    if kind == "FluxTransformer2DModel":
        named["pooled_projections"] = torch.zeros(1, config.pooled_projection_dim)
        return network(**named, img_ids=torch.zeros(patches, 3), txt_ids=torch.zeros(reads, 3))
    places = {"img_ids": torch.zeros(1, patches, 4), "txt_ids": torch.zeros(1, reads, 4)}
    return network(**named, **places, guidance=None)


def latents_of(config: Any, size: int) -> tuple[int, tuple[int, ...]]:
    """The side of the latents of an image, and their shape; a decoder of videos has a frame."""
    levels = next(
        config[key]
        for key in ("block_out_channels", "decoder_block_out_channels", "dim_mult")
        if key in config
    )
    side = size // 2 ** (len(levels) - 1)
    frame = (1,) if "z_dim" in config else ()
    return side, (1, config.get("latent_channels") or config.z_dim, *frame, side, side)


def test_the_catalogue_counts_the_operations_of_the_true_configuration(
    name: str, networks: dict[str, Any]
):
    spec, decoder = MODELS[name], networks["vae"]
    denoiser = networks["unet" if "unet" in networks else "transformer"]
    with torch.device("meta"):
        side, shape = latents_of(decoder.config, spec.size)
        counted = tera(lambda: once(denoiser, side, tokens_read(name)))
        decoding = tera(lambda: decoder.decode(torch.zeros(shape)))
    assert (spec.step_tera, spec.decode_tera) == pytest.approx((counted, decoding), abs=0.002)


@pytest.mark.parametrize("name", IN_4_BITS)
def test_four_bits_take_much_less_than_half_precision(name: str):
    plain = MODELS[name.removesuffix("-4bit")]
    assert memory_needed(MODELS[name], "bfloat16") < memory_needed(plain, "bfloat16") * 0.7


@pytest.mark.parametrize("name", [name.removesuffix("-4bit") for name in IN_4_BITS], indirect=True)
def test_what_is_kept_in_4_bits_are_the_linear_layers_of_the_large_components(
    name: str, networks: dict[str, Any]
):
    """As bitsandbytes does it: all but the layer that gives the logits."""
    spec, weights = MODELS[f"{name}-4bit"], 0
    for part in spec.quantized:
        layers = networks[part].named_modules()
        linear = [
            each for at, each in layers if isinstance(each, torch.nn.Linear) and "head" not in at
        ]
        assert sum(each.weight.numel() for each in linear) > 1.9e9
        weights += sum(each.weight.numel() for each in linear)
    assert spec.quantized_parameters == pytest.approx(weights / 1e9, abs=0.02)


def test_a_model_in_full_precision_is_not_quantized():
    assert quantization(MODELS["sdxl"]) is None
    assert memory_needed(MODELS["stickers"], "float32") == 0
