"""Words that a trained model takes up begin as the word for which people say them."""

import json
from pathlib import Path
from typing import TypeAlias

import pytest
from transformers import CLIPTextConfig, CLIPTextModel, CLIPTokenizer

from recipes.synonyms import Said, in_pieces, teach, teach_clip
from recipes.world.things import JUDGED_LATER, LEARNED_LATER, READ_AS, SYNONYMS
from recipes.world.word_tokenizers import clip_tokenizer, world_words
from recipes.world.worlds import ICON_WORLD

ICON_CLIP = Path("assets/checkpoints/icon-clip")
Small: TypeAlias = tuple[CLIPTextModel, CLIPTokenizer]
SAID = {"with": ("wearing", "in a"), "large": ("big",)}


@pytest.fixture
def small() -> Small:
    tokenizer = clip_tokenizer(("a", "cat", "hat", "in", "large", "with"), 16)
    size = {"hidden_size": 8, "intermediate_size": 8, "num_attention_heads": 1}
    config = CLIPTextConfig(vocab_size=len(tokenizer), num_hidden_layers=1, **size)
    return CLIPTextModel(config), tokenizer


def test_a_word_that_is_taken_up_begins_as_the_word_for_which_it_is_said(small: Small):
    encoder, tokenizer = small
    teach(encoder, tokenizer, SAID)
    rows = encoder.get_input_embeddings().weight
    for word, others in SAID.items():
        known = tokenizer(word, add_special_tokens=False).input_ids
        for other in others:
            (new,) = tokenizer(other, add_special_tokens=False).input_ids
            assert new not in known
            assert rows[new].equal(rows[known[0]])


def test_only_what_is_in_pieces_is_new_to_an_evaluator(small: Small):
    _, tokenizer = small
    assert in_pieces(tokenizer, {"large": ("big", "cat")}) == {"large": ("big",)}


def test_words_are_taken_up_whole_in_any_case_and_only_once(small: Small):
    encoder, tokenizer = small
    teach(encoder, tokenizer, SAID)
    size = len(tokenizer)
    teach(encoder, tokenizer, SAID)
    assert len(tokenizer) == size
    assert tokenizer.tokenize("a cat Wearing a big hat")[2::2] == ["wearing", "big"]
    assert "big" not in tokenizer.tokenize("bigger")
    assert tokenizer.tokenize("a cat in a hat")[2] == "in a"


def test_a_clip_that_takes_up_words_scores_them_as_what_they_mean(tmp_path: Path):
    import open_clip
    import torch

    for file in ICON_CLIP.iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    teach_clip(tmp_path)
    text = json.loads((tmp_path / "open_clip_config.json").read_text())["model_cfg"]["text_cfg"]
    assert text["vocab_size"] == len(CLIPTokenizer.from_pretrained(tmp_path))
    model = open_clip.create_model(f"local-dir:{tmp_path}")
    words = open_clip.get_tokenizer(f"local-dir:{tmp_path}")
    with torch.no_grad():
        one, other = model.eval().encode_text(words(["a large dog", "a big dog"]))
    assert one.allclose(other, atol=1e-5)


@pytest.mark.parametrize(
    ("folder", "said"),
    [
        (Path("assets/checkpoints/icon-diffusion/tokenizer"), {**READ_AS, **LEARNED_LATER}),
        (ICON_CLIP, {**SYNONYMS, **JUDGED_LATER}),
    ],
)
def test_the_shipped_models_read_each_of_these_words_whole(folder: Path, said: Said):
    tokenizer = CLIPTokenizer.from_pretrained(folder)
    every = [each for word, others in said.items() for each in (word, *others)]
    tokens = [tokenizer(each, add_special_tokens=False).input_ids for each in every]
    assert all(len(each) == 1 for each in tokens)
    assert len({*map(tuple, tokens)}) == len(every)


def test_what_a_word_is_taken_for_is_a_word_of_the_world():
    known = {*world_words(ICON_WORLD)}
    assert {*SYNONYMS, *READ_AS} <= known
