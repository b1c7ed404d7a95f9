"""Weights in the files that a repository has: safetensors or pickles, fp16 copies, shards."""

from __future__ import annotations

import json
import re
import tempfile
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import torch

    Tensors = dict[str, torch.Tensor]

SHARD = re.compile(r"(?P<stem>.+)-(?P<number>\d{5})-of-(?P<total>\d{5})\.safetensors")

VARIANTS = {".fp16": "float16", ".bf16": "bfloat16"}


def write_weights(network: Any, folder: Path, names: Iterable[str], dtype: str) -> None:
    """Write a network's weights under each of the names, in the half precision that one names."""
    saved = _as_saved(network)
    shards: dict[str, list[str]] = defaultdict(list)
    for name in names:
        if shard := SHARD.fullmatch(name):
            shards[shard["stem"]].append(name)
        else:
            write(_cast(saved, name, dtype), folder / name)
    for stem, files in shards.items():
        write_shards(_cast(saved, stem, dtype), folder, stem, sorted(files))


def dtype_of(name: str, dtype: str) -> str:
    """The number format of a weight file: what its name says, else that of the repository."""
    named = (each for mark, each in VARIANTS.items() if mark in name)
    return next(named, dtype)


def _as_saved(network: Any) -> Tensors:
    """The tensors under the names that `save_pretrained` writes, which are those on the hub."""
    from safetensors.torch import load_file

    with tempfile.TemporaryDirectory() as folder:
        network.save_pretrained(folder)
        (file,) = Path(folder).glob("*.safetensors")
        return load_file(file)


def _cast(tensors: Tensors, name: str, dtype: str) -> Tensors:
    import torch

    wanted = getattr(torch, dtype_of(name, dtype))
    return {
        key: tensor.to(wanted) if tensor.is_floating_point() else tensor
        for key, tensor in tensors.items()
    }


def write(tensors: Tensors, path: Path) -> None:
    import torch
    from safetensors.torch import save_file

    if path.suffix in (".bin", ".pt"):
        torch.save(tensors, path)
    else:
        save_file(tensors, path, metadata={"format": "pt"})


def write_shards(tensors: Tensors, folder: Path, stem: str, files: list[str]) -> None:
    keys = sorted(tensors)
    index: dict[str, str] = {}
    for at, file in enumerate(files):
        part = keys[at :: len(files)]
        write({key: tensors[key] for key in part}, folder / file)
        index |= dict.fromkeys(part, file)
    size = sum(tensor.numel() * tensor.element_size() for tensor in tensors.values())
    base, _, variant = stem.partition(".")
    name = ".".join(filter(None, (base, "safetensors.index", variant, "json")))
    content = {"metadata": {"total_size": size}, "weight_map": index}
    (folder / name).write_text(json.dumps(content), "utf-8")
