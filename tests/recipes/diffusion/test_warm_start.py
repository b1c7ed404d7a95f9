"""A larger world begins with the words and the UNet of a smaller one."""

from __future__ import annotations

from importlib.util import find_spec

import pytest

if find_spec("resvg_py") is None:
    pytest.skip("no resvg_py: pip install -r recipes/requirements.txt", allow_module_level=True)

from transformers import CLIPTokenizer

from generation.models import CHECKPOINTS
from recipes.diffusion.pipeline import read_pipeline
from recipes.diffusion.text_to_image import SETTINGS, TextToImage, begin_from
from recipes.world.word_tokenizers import clip_tokenizer

FOLDER = CHECKPOINTS / "sticker-diffusion"


def test_words_that_both_know_keep_their_meaning_wherever_they_stand() -> None:
    tokenizer = clip_tokenizer(("zebra", "umbrella", "a", "red"), 32)
    model, old = TextToImage(SETTINGS["icons"], tokenizer), read_pipeline(FOLDER)
    copied = begin_from(FOLDER, model.unet, model.encoder.text, tokenizer)
    known = CLIPTokenizer.from_pretrained(FOLDER / "tokenizer").get_vocab()
    own = tokenizer.get_vocab()
    assert copied == len({*known} & {*own})
    new, before = (
        text.get_input_embeddings().weight for text in (model.encoder.text, old.text_encoder)
    )
    assert new[own["umbrella</w>"]].equal(before[known["umbrella</w>"]])
    assert "zebra</w>" not in known
    assert all(
        value.equal(old.unet.state_dict()[name]) for name, value in model.unet.state_dict().items()
    )
