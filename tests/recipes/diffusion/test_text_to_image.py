"""Two steps of the training that goes on from the checkpoint of icons."""

from dataclasses import replace
from pathlib import Path

import torch

from generation import GridRequest, find_model, load_pipeline, sample
from recipes.diffusion.pipeline import read_pipeline
from recipes.diffusion.text_to_image import FURTHER, train
from recipes.training import Schedule
from tests.recipes.art import needs_art

TWO = Schedule(steps=2, lr=1e-4, warmup=1, ema=0.5)


@needs_art
def test_the_text_to_image_model_of_icons_goes_on_from_what_ships(tmp_path: Path):
    few = replace(FURTHER, run=tmp_path, scenes=4, batch=2, reading=TWO, schedule=TWO)
    spec = replace(find_model("icons"), source=train(few))
    *_, last = sample(GridRequest("a red apple", 1, 1, model="icons"), load_pipeline(spec), spec)
    assert last.cells[0].image.size == (128, 128)
    before, after = (
        read_pipeline(folder).unet.conv_in.weight.float() for folder in (FURTHER.start, spec.source)
    )
    assert not torch.equal(before, after)
    torch.testing.assert_close(before, after, rtol=0.1, atol=0.01)
