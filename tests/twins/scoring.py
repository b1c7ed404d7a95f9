"""Twins of the scoring models: small folders with exactly the files of the real repositories.

A twin lies where the hub's cache would have the real one. Its file names, formats, tokenizer and
configuration are those of `tests/hub_facts/scoring/NAME.json`; its widths are small and its weights
random, seeded and loud enough that different inputs give different outputs.
"""

import json
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from tests.twins.scoring_configs import shrunk, shrunk_open_clip, tile
from tests.twins.scoring_tokenizers import (
    write_bert,
    write_byte_bpe,
    write_deberta,
    write_gemma,
    write_t5,
)
from tests.twins.tokenizers import clip_files
from tests.twins.weights import write, write_shards

FACTS = Path(__file__).parents[1] / "hub_facts" / "scoring"
REVISION = "0" * 40
NAMES = tuple(sorted(path.stem for path in FACTS.glob("*.json")))
"""Every scoring model of the hub that can be chosen."""

Facts = Mapping[str, Any]


def facts(name: str) -> Facts:
    """What is known of a repository: its files, formats and configuration, and from where."""
    found: Facts = json.loads((FACTS / f"{name}.json").read_text())
    return found


def build_twin(name: str, cache: Path) -> Path:
    """Write the twin of a model into a hub cache.

    Args:
        name: of the model, as in `alignment.models`.
        cache: what `HF_HUB_CACHE` will point at.

    Returns:
        The snapshot's folder.
    """
    known = facts(name)
    store = cache / f"models--{known['id'].replace('/', '--')}"
    folder = store / "snapshots" / REVISION
    folder.mkdir(parents=True)
    (store / "refs").mkdir()
    (store / "refs" / "main").write_text(REVISION)
    (_open_clip if known["architecture"] == "open_clip" else _transformers)(folder, known)
    _complete(folder, known)
    return folder


def register_architecture(name: str, folder: Path) -> str:
    """Make open_clip know the twin's configuration by name, as it knows the real one's.

    Args:
        name: of a model whose repository has no configuration.
        folder: where a file with the configuration may lie.

    Returns:
        The name.
    """
    import open_clip

    architecture = f"twin-of-{name}"
    config = shrunk_open_clip(facts(name)["config"])
    (folder / f"{architecture}.json").write_text(json.dumps(config))
    open_clip.add_model_config(folder / f"{architecture}.json")
    return architecture


def _transformers(folder: Path, known: Facts) -> None:
    import transformers

    tokenizer, config = PARTS[known["config"]["model_type"]](folder, known)
    kind = config.pop("model_type")
    made = transformers.CONFIG_MAPPING[kind](**config)
    transformers.set_seed(0)
    network = getattr(transformers, known["architecture"])(made)
    made.architectures = [known["architecture"]]
    made.dtype = known["stored"]
    made.save_pretrained(folder)
    if network.can_generate():
        network.generation_config.save_pretrained(folder)
    if tokenizer is not None:
        tokenizer.save_pretrained(folder)
    _write_weights(folder, _loud_state(network, known), known)


def _open_clip(folder: Path, known: Facts) -> None:
    import open_clip
    import torch

    model = shrunk_open_clip(known["config"])
    if "hf_tokenizer_name" in model["text_cfg"]:
        tokenizer = write_gemma(folder, known["files"], ())
        tokenizer.padding_side = "left"  # as Gemma's tokenizers say of themselves
        tokenizer.save_pretrained(folder)
        model["text_cfg"]["vocab_size"] = len(tokenizer)
    elif "vocab.json" in known["files"]:
        write_byte_bpe((), {}).save_pretrained(folder)
    described = {"model_cfg": model, "preprocess_cfg": known["preprocessor"]}
    (folder / "open_clip_config.json").write_text(json.dumps(described))
    torch.manual_seed(0)
    network = open_clip.create_model(f"local-dir:{folder}", load_weights=False)
    _write_weights(folder, _loud_state(network, known), known)


def _loud_state(network: Any, known: Facts) -> dict[str, Any]:
    """The weights, enlarged, as the repository stores them: tied tensors twice where it does."""
    import torch

    gain = 1.5 if "t5" in str(known["config"]) else 4  # a T5 is loud by itself
    state = {
        name: (tensor * gain if tensor.dim() > 1 and tensor.is_floating_point() else tensor)
        for name, tensor in network.state_dict().items()
    }
    for name in state.keys() & {"shared.weight", "language_model.shared.weight"}:
        state[name] = state[name] * 0.05  # else a T5 repeats its first token, whatever it reads
    tied = getattr(network, "all_tied_weights_keys", {})
    state = {name: tensor for name, tensor in state.items() if name not in tied}
    for name in known.get("stored_twice", ()):
        state[name] = state[tied[name]].clone()
    for name in known.get("untied", ()):
        state[name] = torch.randn_like(state[tied[name]]) * 0.2
    kind = getattr(torch, known["stored"])
    return {
        name: (tensor.to(kind) if tensor.is_floating_point() else tensor).contiguous()
        for name, tensor in state.items()
    }


def _write_weights(folder: Path, state: dict[str, Any], known: Facts) -> None:
    """In as many shards as the repository has, with their index."""
    files = list(known["weights"])
    if len(files) == 1:
        write(state, folder / files[0])
    else:
        write_shards(state, folder, "model", files)


def _complete(folder: Path, known: Facts) -> None:
    """Exactly the real listing: what is not there is left out, what nobody reads is empty."""
    listed = {*known["weights"], *known["other_weights"], *known["files"]}
    there = {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}
    for name in there - listed:
        (folder / name).unlink()
    for name in listed - there:
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text("{}" if name.endswith(".json") else "")


def _dump(folder: Path, name: str, values: Mapping[str, Any]) -> None:
    (folder / name).parent.mkdir(exist_ok=True)
    (folder / name).write_text(json.dumps(values))


def _t5(folder: Path, known: Facts) -> tuple[Any, dict[str, Any]]:
    tokenizer = write_t5(folder, known["files"], known.get("added_tokens", {}))
    _dump(folder, "added_tokens.json", _added(tokenizer, known))
    config = shrunk(known["config"]) | {"vocab_size": _rows(known["config"], tokenizer)}
    return (tokenizer if "tokenizer.json" in known["files"] else None), config


def _added(tokenizer: Any, known: Facts) -> dict[str, int]:
    names = known.get("added_tokens", {})
    return dict(zip(names, tokenizer.convert_tokens_to_ids(list(names)), strict=True))


def _rows(config: Mapping[str, Any], tokenizer: Any) -> int:
    """T5's real vocabulary has more rows than its tokenizer has tokens."""
    return max(len(tokenizer), config.get("vocab_size", 0))


def _paligemma(folder: Path, known: Facts) -> tuple[Any, dict[str, Any]]:
    tokenizer = write_gemma(folder, known["files"], ["<image>"])
    image = tokenizer.convert_tokens_to_ids("<image>")
    _dump(folder, "added_tokens.json", {"<image>": image})
    side = tile(known["config"])
    size = {"size": {"height": side, "width": side}, "image_seq_length": 4}
    kind = {"image_processor_type": "SiglipImageProcessor", "processor_class": "PaliGemmaProcessor"}
    _dump(folder, "preprocessor_config.json", {**known["preprocessor"], **size, **kind})
    config = shrunk(known["config"]) | {"image_token_index": image}
    config["text_config"]["vocab_size"] = len(tokenizer)
    return tokenizer, config


def _blip(folder: Path, known: Facts) -> tuple[Any, dict[str, Any]]:
    tokenizer = write_bert(folder, known["files"], known.get("added_tokens", {}))
    config = shrunk(known["config"])
    _blip_images(folder, known, "BlipProcessor")
    config["text_config"] |= {
        "vocab_size": len(tokenizer) + 2,
        "bos_token_id": len(tokenizer),
        "sep_token_id": tokenizer.sep_token_id,
        "initializer_range": 0.02,
    }
    return tokenizer, config


def _blip_images(folder: Path, known: Facts, processor: str) -> None:
    side = tile(known["config"])
    size = {"size": {"height": side, "width": side}, "processor_class": processor}
    kind = {"image_processor_type": "BlipImageProcessor"}
    _dump(folder, "preprocessor_config.json", {**known["preprocessor"], **size, **kind})


def _clip(folder: Path, known: Facts) -> tuple[Any, dict[str, Any]]:
    from transformers import CLIPTokenizer

    for name, content in clip_files().items():
        (folder / name).write_bytes(content)
    side = tile(known["config"])
    size = {"size": {"shortest_edge": side}, "crop_size": {"height": side, "width": side}}
    kind = {"image_processor_type": "CLIPImageProcessor", "processor_class": "CLIPProcessor"}
    _dump(folder, "preprocessor_config.json", {**known["preprocessor"], **size, **kind})
    config = shrunk(known["config"])
    config["text_config"]["max_position_embeddings"] = 77
    return CLIPTokenizer.from_pretrained(folder, model_max_length=77), config


def _blip2(folder: Path, known: Facts) -> tuple[Any, dict[str, Any]]:
    config = shrunk(known["config"])
    _blip_images(folder, known, "Blip2Processor")
    config["qformer_config"] |= {"cross_attention_frequency": 2, "initializer_range": 0.02}
    if known["config"]["image_token_index"] is None:
        tokenizer = write_bert(folder, known["files"], known["added_tokens"])
        _dump(folder, "added_tokens.json", _added(tokenizer, known))
        config["qformer_config"]["vocab_size"] = len(tokenizer)
        config["text_config"] = {"model_type": "opt", "hidden_size": 32, "num_hidden_layers": 1}
        return tokenizer, config
    tokenizer, _ = _t5(folder, {**known, "config": known["config"]["text_config"]})
    _dump(folder, "processor_config.json", {"processor_class": "Blip2Processor", **_queries()})
    return tokenizer, config | _t5_inside(config, known, tokenizer)


def _queries() -> dict[str, int]:
    return {"num_query_tokens": 3}


def _t5_inside(config: dict[str, Any], known: Facts, tokenizer: Any) -> dict[str, Any]:
    rows = _rows(known["config"]["text_config"], tokenizer)
    image = tokenizer.convert_tokens_to_ids("<image>")
    text = {**config["text_config"], "vocab_size": rows}
    return {"text_config": text, "image_token_index": image}


def _idefics(folder: Path, known: Facts, end: str, kind: str) -> tuple[Any, dict[str, Any]]:
    rows = [f"<row_{row}_col_{column}>" for row in range(1, 5) for column in range(1, 5)]
    start = known["chat"].split(">")[0] + ">"
    tokens = ["<image>", "<fake_token_around_image>", "<global-img>", "<end_of_utterance>", *rows]
    named = {"bos_token": start, "eos_token": "<end_of_utterance>", "pad_token": end}
    tokenizer = write_byte_bpe(tokens, {**named, "unk_token": end})
    config = shrunk(known["config"])
    if "processor_config.json" not in known["files"]:  # the processor's own number of tokens
        config["vision_config"]["image_size"] = known["config"]["vision_config"]["image_size"]
    side = config["vision_config"]["image_size"]
    size = {"size": {"longest_edge": 2 * side}, "max_image_size": {"longest_edge": side}}
    extra = {"image_processor_type": f"{kind}ImageProcessor", "processor_class": f"{kind}Processor"}
    _dump(folder, "preprocessor_config.json", {**known["preprocessor"], **size, **extra})
    _dump(
        folder, "processor_config.json", {"processor_class": f"{kind}Processor", "image_seq_len": 4}
    )
    _chat(folder, known)
    image = tokenizer.convert_tokens_to_ids("<image>")
    ids = {"image_token_id": image, "pad_token_id": tokenizer.pad_token_id}
    return tokenizer, _with_text(config, tokenizer) | ids


def _with_text(config: dict[str, Any], tokenizer: Any) -> dict[str, Any]:
    """The vocabulary and its marks inside the language model."""
    marks = {name: getattr(tokenizer, name) for name in ("bos_token_id", "eos_token_id")}
    text = {"vocab_size": len(tokenizer), "pad_token_id": tokenizer.pad_token_id, **marks}
    return config | {"text_config": config["text_config"] | text}


def _qwen(folder: Path, known: Facts) -> tuple[Any, dict[str, Any]]:
    names = ["<|vision_start|>", "<|vision_end|>", "<|image_pad|>", "<|video_pad|>", "<|im_start|>"]
    named = {"eos_token": "<|im_end|>", "pad_token": "<|endoftext|>"}
    tokenizer = write_byte_bpe(names, named)
    start, end, image, video, _ = tokenizer.convert_tokens_to_ids(names)
    pixels = known["preprocessor"]
    block = (pixels["patch_size"] * pixels["merge_size"]) ** 2
    pixels = {**pixels, "size": {"shortest_edge": 2 * block, "longest_edge": 9 * block}}
    extra = {"processor_class": "Qwen3VLProcessor"}
    images = {"image_processor_type": "Qwen2VLImageProcessorFast"}
    _dump(folder, "preprocessor_config.json", {**pixels, **extra, **images})
    video_kind = {"video_processor_type": "Qwen3VLVideoProcessor"}
    _dump(folder, "video_preprocessor_config.json", {**pixels, **extra, **video_kind})
    _chat(folder, known)
    ids = {"image_token_id": image, "video_token_id": video, "vision_start_token_id": start}
    return tokenizer, _with_text(shrunk(known["config"]), tokenizer) | ids | {
        "vision_end_token_id": end
    }


def _gemma4(folder: Path, known: Facts) -> tuple[Any, dict[str, Any]]:
    from transformers import (
        Gemma4AudioFeatureExtractor,
        Gemma4ImageProcessor,
        Gemma4Processor,
        Gemma4VideoProcessor,
    )

    names = {"image": "<|image|>", "audio": "<|audio|>", "video": "<|video|>", "boi": "<|image>"}
    names |= {"eoi": "<image|>", "boa": "<|audio>", "eoa": "<audio|>"}
    marks = {f"{name}_token": token for name, token in names.items()}
    tokenizer = write_gemma(
        folder, known["files"], ["<|turn>"], eos_token="<turn|>", extra_special_tokens=marks
    )
    processor = Gemma4Processor(
        Gemma4AudioFeatureExtractor(),
        Gemma4ImageProcessor(patch_size=16, pooling_kernel_size=3, max_soft_tokens=70),
        tokenizer,
        Gemma4VideoProcessor(patch_size=16, pooling_kernel_size=3, max_soft_tokens=70),
        chat_template=_template(known),
    )
    processor.save_pretrained(folder)
    ids = {f"{name}_token_id": tokenizer.convert_tokens_to_ids(names[name]) for name in names}
    config = _with_text(shrunk(known["config"]), tokenizer) | ids
    config["text_config"] |= {"vocab_size_per_layer_input": len(tokenizer)}
    return None, config


def _deberta(folder: Path, known: Facts) -> tuple[Any, dict[str, Any]]:
    tokenizer = write_deberta(folder, known["files"])
    _dump(folder, "added_tokens.json", {"[MASK]": tokenizer.mask_token_id})
    config = shrunk(known["config"]) | {"vocab_size": len(tokenizer) + 100}
    config["id2label"] = {int(key): label for key, label in config["id2label"].items()}
    return (tokenizer if "tokenizer.json" in known["files"] else None), config


def _template(known: Facts) -> str:
    """A chat template that gives what the real one gives for one image and one question."""
    before, after = known["chat"].split("QUESTION")
    start, image, _ = _cut(before)
    return (
        "{% for message in messages %}" + start + "{% for part in message['content'] %}"
        "{% if part['type'] == 'image' %}" + image + "{% else %}{{ part['text'] }}{% endif %}"
        "{% endfor %}{% endfor %}" + after
    )


def _cut(before: str) -> tuple[str, str, str]:
    """What stands before the image, and the image with its own marks."""
    for image in ("<|vision_start|><|image_pad|><|vision_end|>", "<|image|>", "<image>"):
        if image in before:
            start, rest = before.split(image)
            return start, image, rest
    raise ValueError(f"no image in {before!r}")


def _chat(folder: Path, known: Facts) -> None:
    _dump(folder, "chat_template.json", {"chat_template": _template(known)})


PARTS: Mapping[str, Callable[[Path, Facts], tuple[Any, dict[str, Any]]]] = {
    "t5": _t5,
    "paligemma": _paligemma,
    "blip": _blip,
    "clip": _clip,
    "blip-2": _blip2,
    "smolvlm": partial(_idefics, end="<|im_end|>", kind="SmolVLM"),
    "idefics3": partial(_idefics, end="<|end_of_text|>", kind="Idefics3"),
    "qwen3_vl": _qwen,
    "gemma4": _gemma4,
    "deberta-v2": _deberta,
}
"""`model_type` -> what writes the tokenizer and the processor and shrinks the configuration."""
