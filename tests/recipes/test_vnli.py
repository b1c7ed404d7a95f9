"""Twenty steps of VNLI on twins of three families; the result takes the role of the entailment."""

import csv
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from PIL import Image as PillowImage

from alignment.models.catalogue import find_bundle
from alignment.models.loading import load_vision
from alignment.models.vlm import ImageQuestion
from recipes.training import Schedule
from recipes.vnli import VnliSettings, _loaded, first_logits, train
from tests.alignment.models.plain_library import plain_answer
from tests.twins.scoring import build_twin

pytestmark = [
    pytest.mark.filterwarnings("ignore:__array__ implementation:DeprecationWarning:transformers.*"),
    pytest.mark.filterwarnings("ignore:.is_gradient_checkpointing. is deprecated:FutureWarning"),
]

PAIRS = (("red", "a red apple", 1), ("green", "two green backpacks", 0))
"""Colour of an image, a text, and whether it is true: random weights learn no more in 20 steps."""
TWENTY = Schedule(steps=20, lr=3e-3, warmup=2, weight_decay=0.0)


@pytest.fixture
def table(tmp_path: Path) -> Path:
    folder = tmp_path / "images"
    folder.mkdir()
    for colour, *_ in PAIRS:
        PillowImage.new("RGB", (48, 48), colour).save(folder / f"{colour}.png")
    rows = [[f"{colour}.png", text, holds, "own"] for colour, text, holds in PAIRS]
    with (tmp_path / "pairs.csv").open("w", newline="") as file:
        csv.writer(file).writerows([["image", "text", "label", "dataset_source"], *rows])
    return tmp_path / "pairs.csv"


def settings(table: Path, model: str, **others: object) -> VnliSettings:
    given = {"rank": 0, "batch": 4, "schedule": TWENTY, "run": table.parent / "run", **others}
    return VnliSettings(table, (table.parent / "images",), model, **given)


@pytest.mark.parametrize("rank", [0, 4])
@pytest.mark.parametrize("name", ["paligemma-3b-mix", "blip2-flan-t5-xl", "qwen3-vl-4b"])
def test_twenty_steps_tell_true_from_false_and_the_result_is_an_entailment_model(
    name: str, rank: int, table: Path
) -> None:
    if rank:
        pytest.importorskip("peft", reason="LoRA: pip install '.[lora]'")
    twin = build_twin(name, table.parent / "hub")
    finished = train(settings(table, f"{name}@{twin}", rank=rank))
    spec = find_bundle(f"small+entailment={name}@{finished}").entailment
    assert spec.fine_tuned
    before, after = (
        apart(replace(spec, source=folder, name=f"{name}{folder}", memory_gb=0.01), table)
        for folder in (twin, finished)
    )
    assert after > before + 0.05


def apart(spec, table: Path) -> float:
    """By how much the true pair is likelier a yes than the false one."""
    model = load_vision(spec)
    images = [PillowImage.open(table.parent / "images" / f"{each}.png") for each, *_ in PAIRS]
    asks = [
        ImageQuestion(at, model.templates.entailment.format(text=text))
        for at, (_, text, _) in enumerate(PAIRS)
    ]
    true, false = (each.probability for each in model.p_yes(model.encode(images), asks))
    return true - false


@pytest.mark.parametrize("name", ["paligemma-3b-mix", "blip2-flan-t5-xl", "qwen3-vl-4b"])
def test_what_is_trained_is_what_the_library_answers_with(name: str, table: Path) -> None:
    twin = build_twin(name, table.parent / "hub")
    spec = replace(find_bundle(f"small+entailment={name}@{twin}").entailment)
    network, processor = _loaded(spec, rank=0)
    image = PillowImage.open(table.parent / "images" / "red.png")
    with torch.no_grad():
        ours = first_logits(network, processor, spec, image, "a red apple")
    asked = spec.templates.entailment.format(text="a red apple")
    theirs, _ = plain_answer(twin, spec, image, asked)
    assert torch.allclose(ours, theirs, atol=1e-4)


def test_a_run_that_was_stopped_goes_on_where_it_was(table: Path) -> None:
    from safetensors.torch import load_file

    twin = build_twin("paligemma-3b-mix", table.parent / "hub")
    model = f"paligemma-3b-mix@{twin}"
    half = replace(TWENTY, steps=4, floor=1.0)
    whole = replace(half, steps=8)
    at_once = train(settings(table, model, schedule=whole, run=table.parent / "whole"))
    for schedule in (half, whole):
        resumed = train(settings(table, model, schedule=schedule, run=table.parent / "parts"))
    one, other = (load_file(folder / "model.safetensors") for folder in (at_once, resumed))
    assert all(torch.allclose(one[name], other[name], atol=1e-6) for name in one)


def test_a_table_of_one_kind_is_refused(table: Path) -> None:
    lines = table.read_text().splitlines()
    table.write_text("\n".join([lines[0], lines[1]]))
    twin = build_twin("paligemma-3b-mix", table.parent / "hub")
    with pytest.raises(ValueError, match="needs true pairs and false ones"):
        train(settings(table, f"paligemma-3b-mix@{twin}"))
