"""The facts about the scoring models' repositories agree with each other and with the catalogue."""

from typing import Any

import pytest
import torch

from alignment.models.catalogue import MODELS
from alignment.models.spec import ScoringModel
from tests.twins.scoring import NAMES, facts

OF_THE_HUB = {
    name: model
    for name, model in MODELS.items()
    if isinstance(model.source, str) and "/" in model.source
}
BYTES = {"float32": 4, "bfloat16": 2, "float16": 2}
SLACK = {"blip2-itm": 0.025}
"""Shares of a size; the weights of blip2-itm hold 0.1 GB that no layer of its class wants."""


def true_network(name: str) -> torch.nn.Module:
    """The network of the real configuration, without memory for its weights."""
    known = facts(name)
    with torch.device("meta"):
        return (_open_clip if known["architecture"] == "open_clip" else _transformers)(known)


def _transformers(known: Any) -> torch.nn.Module:
    import transformers

    config = dict(known["config"])
    made = transformers.CONFIG_MAPPING[config.pop("model_type")](**config)
    network: torch.nn.Module = getattr(transformers, known["architecture"])._from_config(made)
    return network


def _open_clip(known: Any) -> torch.nn.Module:
    import open_clip

    config = dict(known["config"])
    text = {name: value for name, value in config["text_cfg"].items() if "hf_" not in name}
    own = config.pop("custom_text", False)
    kinds = (open_clip.CLIP, open_clip.CustomTextCLIP)
    kind = open_clip.CoCa if "multimodal_cfg" in config else kinds[own]
    network: torch.nn.Module = kind(**config | {"text_cfg": text})
    return network


def stored_bytes(name: str) -> int:
    """What the weights take on the hub, tied ones counted as often as they are stored."""
    known, network = facts(name), true_network(name)
    tensors = dict(network.named_parameters())
    tied = getattr(network, "all_tied_weights_keys", {})
    again = [tied[each] for each in (*known.get("stored_twice", ()), *known.get("untied", ()))]
    count = sum(each.numel() for each in tensors.values())
    return (count + sum(tensors[each].numel() for each in again)) * BYTES[known["stored"]]


@pytest.mark.parametrize("name", NAMES)
def test_the_real_configuration_has_as_many_weights_as_the_files_hold(name: str) -> None:
    listed = sum(facts(name)["weights"].values())
    assert stored_bytes(name) == pytest.approx(listed, rel=SLACK.get(name, 0.006))


def test_every_scoring_model_of_the_hub_has_its_facts() -> None:
    assert set(OF_THE_HUB) == set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_the_catalogue_says_what_the_hub_does(name: str) -> None:
    model, known = MODELS[name], facts(name)
    assert model.source == known["id"]
    assert model.size_gb == pytest.approx(sum(known["weights"].values()) / 1e9, rel=0.02, abs=0.02)
    assert normalised(model.licence) == known["licence"]


def normalised(licence: str) -> str:
    """As the hub writes it."""
    return {"Gemma terms": "gemma"}.get(licence, licence.lower())


@pytest.mark.parametrize("name", [name for name in NAMES if facts(name)["gated"]])
def test_a_gated_model_is_known_as_one(name: str) -> None:
    model: ScoringModel = MODELS[name]
    assert model.gated


@pytest.mark.parametrize("name", NAMES)
def test_every_fact_has_its_source(name: str) -> None:
    known = facts(name)
    assert {"files", "config"} & known["sources"].keys()
    assert isinstance(known["unconfirmed"], list)
