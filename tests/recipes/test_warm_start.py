"""A larger world begins with the words and the weights of a smaller one."""

from typing import Any

from transformers import CLIPTokenizer

from generation.models import CHECKPOINTS
from recipes.diffusion.pipeline import read_pipeline
from recipes.diffusion.text_to_image import SETTINGS, TextToImage, begin_with_pipeline
from recipes.synonyms import take_up
from recipes.vlm.network import build, processor, read_vlm
from recipes.warm_start import begin_from
from recipes.world.things import LEARNED_LATER, READ_AS
from recipes.world.word_tokenizers import clip_tokenizer

WORDS = ("zebra", "umbrella", "a", "red")


def row(model: Any, tokenizer: Any, word: str) -> Any:
    return model.get_input_embeddings().weight[tokenizer.get_vocab()[word]]


def test_a_text_to_image_model_keeps_its_unet_and_every_shared_word_wherever_it_stands() -> None:
    folder = CHECKPOINTS / "sticker-diffusion"
    tokenizer = clip_tokenizer(WORDS, 32)
    model, old = TextToImage(SETTINGS["icons"], tokenizer), read_pipeline(folder)
    begin_with_pipeline(folder, model, tokenizer)
    known = CLIPTokenizer.from_pretrained(folder / "tokenizer")
    for word in ("umbrella", "red"):
        new = row(model.encoder.text, tokenizer, word)
        (token,) = known(word, add_special_tokens=False).input_ids
        assert new.equal(old.text_encoder.get_input_embeddings().weight[token])
    assert len(known.tokenize("zebra")) > 1
    assert all(
        value.equal(old.unet.state_dict()[name]) for name, value in model.unet.state_dict().items()
    )


def test_words_that_a_pipeline_does_not_know_begin_as_those_that_they_are_read_as() -> None:
    folder = CHECKPOINTS / "sticker-diffusion"
    tokenizer = clip_tokenizer(("a", "with", "four", "under"), 32)
    take_up(tokenizer, {**READ_AS, **LEARNED_LATER})
    model = TextToImage(SETTINGS["icons"], tokenizer)
    begin_with_pipeline(folder, model, tokenizer)
    text = model.encoder.text
    for word, other in (("with", "holding"), ("under", "beneath"), ("four", "five")):
        assert row(text, tokenizer, other).equal(row(text, tokenizer, word))


def test_a_vlm_keeps_its_eyes_and_every_shared_word_and_still_reads_out_what_it_reads() -> None:
    folder = CHECKPOINTS / "icon-vlm"
    tokenizer = processor((*WORDS, "volcano")).tokenizer
    model, old = build(192, 4, 4, tokenizer), read_vlm(folder)
    begin_from(*read_vlm(folder), model, tokenizer)
    assert row(model, tokenizer, "umbrella").equal(row(*old, "umbrella"))
    assert "volcano" not in old[1].get_vocab()
    assert model.lm_head.weight is model.get_input_embeddings().weight
    eyes = old[0].model.vision_tower.state_dict()
    assert all(
        value.equal(eyes[name]) for name, value in model.model.vision_tower.state_dict().items()
    )
