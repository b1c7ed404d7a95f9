"""Models of true size are built from true configurations, with random weights."""

from __future__ import annotations

import pytest

from benchmarks.data.random_vlms import smolvlm_processor
from benchmarks.true_size import MODELS, SMOLVLM_500M, apart, noise
from tests.benchmarks.command import refusal
from tests.twins.scoring import facts


@pytest.mark.hub
def test_a_model_is_measured_in_a_process_of_its_own() -> None:
    found = apart("clip-vit-b-32", "float32", 1, 64)
    assert found["weights (M)"] == pytest.approx(151.3, abs=0.1)
    assert found["peak (GB)"] > found["before (GB)"] + 0.5
    assert found["s a picture"] > 0
    assert "s a question" not in found


def test_smolvlm_is_that_of_the_published_configuration() -> None:
    published = facts("smolvlm2-500m")["config"]
    for part in ("text_config", "vision_config"):
        for name, value in SMOLVLM_500M[part].items():
            assert published[part].get(name, value) == value


@pytest.mark.parametrize(("tiles", "pictures"), [(1, 1), (4, 17)])
def test_a_picture_is_read_as_64_tokens_a_tile(tiles: int, pictures: int) -> None:
    processor = smolvlm_processor(["a"], tiles)
    row = processor(images=[noise(512, 0)], text=["<image> a"])["input_ids"][0]
    image = processor.tokenizer.convert_tokens_to_ids("<image>")
    assert row.count(image) == 64 * pictures


def test_an_unknown_model_is_refused_with_those_there_are() -> None:
    assert refusal("true_size", "gpt").endswith(", ".join(MODELS))
