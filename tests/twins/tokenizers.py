"""Tokenizers in the hub's file formats: CLIP's own, and small ones of T5's and Qwen2's kind."""

import gzip
import io
import json
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tests.twins.scoring_tokenizers import write_gemma

SENTENCES = (
    "a black apple and a green backpack",
    "a red dog sits beside two blue cats on an old wooden table",
    "three yellow birds above a small house under the moon",
    "what color is the umbrella? is there a purple star to the left of the tree?",
)
CHAT_TEMPLATE = (
    "{% for message in messages %}<|im_start|>{{ message.role }}\n"
    "{{ message.content if message.content is string else message.content[0].text }}<|im_end|>\n"
    "{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n"
    "{% if enable_thinking is false %}<think>\n\n</think>\n\n{% endif %}{% endif %}"
)


def write_tokenizer(folder: Path, config: dict[str, Any], files: tuple[str, ...]) -> None:
    """Write the named files of a tokenizer of the class that `config` names, and the config."""
    folder.mkdir(parents=True)
    kind = config["tokenizer_class"].removesuffix("Fast")
    contents = {
        "CLIPTokenizer": clip_files,
        "GemmaTokenizer": gemma_files,
        "Qwen2Tokenizer": qwen_files,
        "T5Tokenizer": t5_files,
    }
    for name, content in contents[kind]().items():
        if name in files:
            (folder / name).write_bytes(content)
    if "chat_template.jinja" not in files and kind == "Qwen2Tokenizer":
        config = {**config, "chat_template": CHAT_TEMPLATE}
    (folder / "tokenizer_config.json").write_text(json.dumps(config, indent=2), "utf-8")


@cache
def clip_files() -> dict[str, bytes]:
    """The true vocabulary and merges of CLIP, from the copy that open_clip installs."""
    import open_clip.tokenizer

    source = Path(open_clip.tokenizer.__file__).with_name("bpe_simple_vocab_16e6.txt.gz")
    lines = gzip.decompress(source.read_bytes()).decode().split("\n")
    merges = lines[1 : 49152 - 256 - 2 + 1]
    bytes_ = list(open_clip.tokenizer.bytes_to_unicode().values())
    pieces = [*bytes_, *(f"{byte}</w>" for byte in bytes_), *("".join(m.split()) for m in merges)]
    pieces += ["<|startoftext|>", "<|endoftext|>"]
    vocabulary = {piece: index for index, piece in enumerate(pieces)}
    return {
        "vocab.json": _json(vocabulary),
        "merges.txt": "\n".join(["#version: 0.2", *merges, ""]).encode(),
    }


@cache
def t5_files() -> dict[str, bytes]:
    """A SentencePiece model of T5's kind: pad 0, end 1, unknown 2; the same for `tokenizers`."""
    import sentencepiece
    from transformers import T5Tokenizer

    written = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(SENTENCES),
        model_writer=written,
        vocab_size=120,
        hard_vocab_limit=False,
        pad_id=0,
        eos_id=1,
        unk_id=2,
        bos_id=-1,
        minloglevel=2,
    )
    model = sentencepiece.SentencePieceProcessor(model_proto=written.getvalue())
    pieces = [(model.id_to_piece(at), model.get_score(at)) for at in range(len(model))]
    fast = T5Tokenizer(vocab=pieces, extra_ids=100)
    return {
        "spiece.model": written.getvalue(),
        "tokenizer.json": fast.backend_tokenizer.to_str().encode(),
        "special_tokens_map.json": _json(
            {"eos_token": "</s>", "pad_token": "<pad>", "unk_token": "<unk>"}
        ),
    }


@cache
def qwen_files() -> dict[str, bytes]:
    """Byte-level BPE without merges, with the special tokens of Qwen3's chats."""
    import open_clip.tokenizer
    from transformers import Qwen2Tokenizer

    specials = ["<|endoftext|>", "<|im_start|>", "<|im_end|>", "<think>", "</think>"]
    pieces = [*open_clip.tokenizer.bytes_to_unicode().values(), *specials]
    vocabulary = {piece: index for index, piece in enumerate(pieces)}
    fast = Qwen2Tokenizer(vocab=vocabulary, merges=[])
    fast.add_special_tokens({"additional_special_tokens": specials[1:3]})
    return {
        "vocab.json": _json(vocabulary),
        "merges.txt": b"#version: 0.2\n",
        "tokenizer.json": fast.backend_tokenizer.to_str().encode(),
        "special_tokens_map.json": _json({"eos_token": "<|im_end|>", "pad_token": "<|endoftext|>"}),
        "added_tokens.json": _json({each: vocabulary[each] for each in specials}),
        "chat_template.jinja": CHAT_TEMPLATE.encode(),
    }


@cache
def gemma_files() -> dict[str, bytes]:
    """Gemma's BPE, as the scoring models have it."""
    with TemporaryDirectory() as folder:
        tokenizer = write_gemma(Path(folder), ["tokenizer.model"], [])
        sentencepiece = (Path(folder) / "tokenizer.model").read_bytes()
    marks = {f"{each}_token": f"<{each}>" for each in ("bos", "eos", "pad", "unk")}
    return {
        "tokenizer.json": tokenizer.backend_tokenizer.to_str().encode(),
        "tokenizer.model": sentencepiece,
        "special_tokens_map.json": _json(marks),
    }


def vocabulary_size(config: dict[str, Any]) -> int:
    """Token ids that a tokenizer of `write_tokenizer` may give out."""
    kind = config["tokenizer_class"].removesuffix("Fast")
    if kind == "CLIPTokenizer":
        return 49408
    if kind == "Qwen2Tokenizer":
        return len(json.loads(qwen_files()["vocab.json"]))
    if kind == "GemmaTokenizer":
        return len(json.loads(gemma_files()["tokenizer.json"])["model"]["vocab"])
    return len(json.loads(t5_files()["tokenizer.json"])["model"]["vocab"]) + 100


def _json(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode()
