"""Tokenizers of scoring models in the formats that their repositories have.

Each is trained here on a few sentences; T5's has as many pieces as the real one besides.
"""

import io
import json
from collections.abc import Sequence
from itertools import islice, product
from pathlib import Path
from string import ascii_lowercase
from typing import Any

T5_PIECES = 32_000
SENTENCES = [
    *["yes no Yes No", "Yes yes No no", "yes", "no", "Yes", "No", " yes", " no", " Yes", " No"]
    * 20,
    *["a black apple and a green backpack", "is black true for what color is the apple?"] * 5,
    *["Does this image entail the description: a red apple on two books?"] * 5,
    *["question: what color is the backpack? context: a pink umbrella", "answer en true"] * 5,
    *["Answer yes or no. Answer in a word or two. Short answer: 0 1 figure show please"] * 5,
    "the quick brown fox jumps over the lazy dog",
    "THE QUICK BROWN FOX JUMPS OVER THE LAZY DOG 0123456789",
]


def write_sentencepiece(path: Path, kind: str, marks: Sequence[str] = (), **ids: int) -> None:
    """Train a sentencepiece model on `SENTENCES` and write it as T5, Gemma and DeBERTa have it.

    Args:
        path: of the new file.
        kind: "unigram" or "bpe".
        marks: control symbols after the numbered ones.
        ids: `pad_id`, `eos_id`, `unk_id` and `bos_id`, -1 for one that is not there.
    """
    import sentencepiece

    written = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(SENTENCES),
        model_writer=written,
        model_type=kind,
        vocab_size=220,
        hard_vocab_limit=False,
        character_coverage=1.0,
        control_symbols=list(marks),
        minloglevel=2,
        **ids,
    )
    path.write_bytes(written.getvalue())


def write_t5(folder: Path, files: Sequence[str], added: dict[str, int]) -> Any:
    """`spiece.model`, and the other files of the listing that belong to it."""
    from transformers import T5Tokenizer

    vocabulary = folder / "spiece.model"
    write_sentencepiece(vocabulary, "unigram", pad_id=0, eos_id=1, unk_id=2, bos_id=-1)
    _fill_up(vocabulary, T5_PIECES)
    if "tokenizer.json" not in files:
        _write(folder, "tokenizer_config.json", {"model_max_length": 512})
    tokenizer = T5Tokenizer.from_pretrained(folder)
    tokenizer.add_tokens(list(added), special_tokens=True)
    return tokenizer


def _fill_up(path: Path, pieces: int) -> None:
    """Give a sentencepiece model as many pieces as the real one has.

    Of a few hundred tokens half would be T5's special ones, and random weights would write nothing
    else. The new ones, of three letters, are so unlikely that no text is split into them.
    """
    from sentencepiece import sentencepiece_model_pb2

    model = sentencepiece_model_pb2.ModelProto.FromString(path.read_bytes())
    known = {each.piece for each in model.pieces}
    letters = ("".join(three) for three in product(ascii_lowercase, repeat=3))
    new = (piece for word in letters for piece in (f"▁{word}", word) if piece not in known)
    for piece in islice(new, pieces - len(model.pieces)):
        model.pieces.add(piece=piece, score=-100.0)
    path.write_bytes(model.SerializeToString())


def write_bert(folder: Path, files: Sequence[str], added: dict[str, int]) -> Any:
    """`vocab.txt` of an uncased BERT, with the tokenizer's own file where the listing has one."""
    from transformers import BertTokenizer

    words = sorted(
        {word for line in SENTENCES for word in line.lower().replace("?", " ? ").split()}
    )
    marks = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    letters = [*"abcdefghijklmnopqrstuvwxyz0123456789?:,.\"'"]
    pieces = list(dict.fromkeys([*marks, *words, *letters, *(f"##{each}" for each in letters)]))
    (folder / "vocab.txt").write_text("\n".join(pieces) + "\n")
    vocabulary = {piece: index for index, piece in enumerate(pieces)}
    tokenizer = BertTokenizer(vocab=vocabulary, do_lower_case=True, model_max_length=512)
    tokenizer.add_special_tokens({"additional_special_tokens": list(added)} if added else {})
    return tokenizer


def write_byte_bpe(marks: Sequence[str], named: dict[str, str]) -> Any:
    """A byte-level BPE, the kind of Llama 3, SmolLM and Qwen, with the real names of its marks."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import PreTrainedTokenizerFast

    core = Tokenizer(models.BPE())
    core.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    core.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(vocab_size=700, initial_alphabet=alphabet, show_progress=False)
    core.train_from_iterator(SENTENCES, trainer)
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=core, **named)
    tokenizer.add_special_tokens({"additional_special_tokens": list(marks)})
    return tokenizer


def write_gemma(folder: Path, files: Sequence[str], marks: Sequence[str], **named: Any) -> Any:
    """Gemma's BPE with byte fallback; `tokenizer.model` beside it where the listing has one."""
    from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, trainers
    from transformers import GemmaTokenizer

    if "tokenizer.model" in files:
        write_sentencepiece(
            folder / "tokenizer.model", "bpe", pad_id=0, eos_id=1, bos_id=2, unk_id=3
        )
    special = ["<pad>", "<eos>", "<bos>", "<unk>", *(f"<0x{byte:02X}>" for byte in range(256))]
    core = Tokenizer(models.BPE(unk_token="<unk>", byte_fallback=True))
    core.normalizer = normalizers.Replace(" ", "▁")
    core.pre_tokenizer = pre_tokenizers.Split("▁", "merged_with_next")
    core.decoder = decoders.Sequence([decoders.Replace("▁", " "), decoders.ByteFallback()])
    trainer = trainers.BpeTrainer(vocab_size=900, special_tokens=special, show_progress=False)
    core.train_from_iterator(SENTENCES, trainer)
    found = json.loads(core.to_str())["model"]
    merges = [tuple(pair) for pair in found["merges"]]
    tokenizer = GemmaTokenizer(vocab=found["vocab"], merges=merges, **named)
    tokenizer.add_special_tokens({"additional_special_tokens": list(marks)} if marks else {})
    return tokenizer


def write_deberta(folder: Path, files: Sequence[str]) -> Any:
    """`spm.model` with the marks of DeBERTa v3."""
    from transformers import DebertaV2Tokenizer

    write_sentencepiece(
        folder / "spm.model",
        "unigram",
        pad_id=0,
        bos_id=1,
        eos_id=2,
        unk_id=3,
        **{f"{name}_piece": f"[{mark}]" for name, mark in MARKS_OF_DEBERTA.items()},  # type: ignore[arg-type]
    )
    _write(folder, "tokenizer_config.json", {"do_lower_case": False, "model_max_length": 512})
    return DebertaV2Tokenizer.from_pretrained(folder)


MARKS_OF_DEBERTA = {"pad": "PAD", "bos": "CLS", "eos": "SEP", "unk": "UNK"}


def _write(folder: Path, name: str, values: dict[str, Any]) -> None:
    (folder / name).write_text(json.dumps(values))
