"""How much memory the models take, counted from their true configurations."""

from __future__ import annotations

import pytest

from generation import MODELS
from generation.memory import memory_needed, quantization
from tests.generation.test_hub_facts import BYTES, stored_numbers
from tests.twins.facts import TEXT_TO_IMAGE, Facts, text_to_image_facts

IN_4_BITS = [name for name, spec in MODELS.items() if spec.quantized]


def parameters(facts: Facts) -> dict[str, int]:
    return {
        part: stored_numbers(component, facts.pipeline[part])
        for part, component in facts.components.items()
        if component.weights
    }


@pytest.mark.parametrize("name", TEXT_TO_IMAGE)
def test_the_catalogue_counts_the_parameters_of_the_true_configuration(name: str):
    spec, counted = MODELS[name], parameters(text_to_image_facts(name))
    assert spec.parameters == pytest.approx(sum(counted.values()) / 1e9, abs=0.02)
    assert spec.largest_component == pytest.approx(max(counted.values()) / 1e9, abs=0.02)


@pytest.mark.parametrize("name", TEXT_TO_IMAGE)
def test_the_catalogue_knows_how_much_is_downloaded(name: str):
    facts, spec = text_to_image_facts(name), MODELS[name]
    size = 0.0
    for part, count in parameters(facts).items():
        files = facts.components[part].weights
        halved = spec.variant and any(spec.variant in file for file in files)
        size += count * (2 if halved else BYTES[facts.components[part].dtype])
    assert spec.download == pytest.approx(size / 1e9, abs=0.06)


@pytest.mark.parametrize("name", IN_4_BITS)
def test_four_bits_take_much_less_than_half_precision(name: str):
    plain = MODELS[name.removesuffix("-4bit")]
    assert memory_needed(MODELS[name], "bfloat16") < memory_needed(plain, "bfloat16") * 0.7


@pytest.mark.parametrize("name", IN_4_BITS)
def test_what_is_kept_in_4_bits_are_the_large_components(name: str):
    facts = text_to_image_facts(name.removesuffix("-4bit"))
    counted = parameters(facts)
    kept = sum(counted[part] for part in MODELS[name].quantized) / 1e9
    assert MODELS[name].quantized_parameters == pytest.approx(kept, abs=0.4)
    assert min(counted[part] for part in MODELS[name].quantized) > 2e9


def test_a_model_in_full_precision_is_not_quantized():
    assert quantization(MODELS["sdxl"]) is None
    assert memory_needed(MODELS["stickers"], "float32") == 0
