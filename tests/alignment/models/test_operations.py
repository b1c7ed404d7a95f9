"""What reading an image and answering about it takes, counted from the true configurations."""

import copy
from typing import Any

import pytest
import torch
import transformers

import alignment
from alignment.models.adapters import FAMILIES
from tests.twins.operations import tera
from tests.twins.scoring import facts

ANSWERERS = {each.answerer.name: each.answerer for each in alignment.BUNDLES.values()}
SIDE = 512
ASKED_TOKENS = 40
"""Of a question with all that stands around it, about."""


def built(name: str) -> Any:
    """The network of the true configuration, without memory."""
    known = facts(name)
    config = copy.deepcopy(known["config"])
    made = transformers.CONFIG_MAPPING[config.pop("model_type")](**config)
    with torch.device("meta"):
        return getattr(transformers, known["architecture"])(made).eval()


def seeing(network: Any) -> tuple[float, int]:
    """Operations of the vision tower, by its linear layers and its attention; image tokens."""
    config, inner = network.config, getattr(network, "model", network)
    vision = config.vision_config
    tower = next(
        getattr(inner, each)
        for each in ("visual", "vision_tower", "vision_model")
        if hasattr(inner, each)
    )
    merged = getattr(vision, "spatial_merge_size", 0) ** 2
    side = SIDE // vision.patch_size // 2 * 2 if merged else vision.image_size // vision.patch_size
    patches = side**2
    tokens = patches // merged if merged else patches // getattr(config, "scale_factor", 1) ** 2
    if hasattr(inner, "qformer"):
        tokens = config.num_query_tokens
    linear = (
        2 * layer.weight.numel() * (tokens if "merger" in at else patches)
        for at, layer in tower.named_modules()
        if isinstance(layer, torch.nn.Linear)
    )
    layers = getattr(vision, "depth", None) or vision.num_hidden_layers
    return (sum(linear) + 4 * patches**2 * vision.hidden_size * layers) / 1e12, tokens


def counted(name: str) -> tuple[float, float]:
    """Of an image once, and of each question about it."""
    network = built(name)
    text, inner = network.config.get_text_config(), getattr(network, "model", network)
    model = getattr(inner, "language_model", None) or inner.text_model
    tower, tokens = seeing(network)

    def reading(count: int) -> float:
        given = {"inputs_embeds": torch.zeros(1, count, text.hidden_size, device="meta")}
        if text.is_encoder_decoder:
            start = torch.zeros(1, 1, dtype=torch.long, device="meta")
            return tera(lambda: model(**given, decoder_input_ids=start))
        return tera(lambda: model(**given)) + 2 * text.hidden_size * text.vocab_size / 1e12

    if network.config.model_type in FAMILIES:  # each question reads the image's tokens again
        return tower, reading(tokens + ASKED_TOKENS)
    return tower + reading(tokens), reading(ASKED_TOKENS)


@pytest.mark.parametrize("name", [name for name, each in ANSWERERS.items() if not each.embedded])
def test_the_catalogue_counts_the_operations_of_an_image_and_of_a_question(name: str) -> None:
    spec = ANSWERERS[name]
    assert (spec.image_tera, spec.question_tera) == pytest.approx(counted(name), rel=0.02)
