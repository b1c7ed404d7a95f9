"""Which files of a repository a scoring model needs."""

from __future__ import annotations

from collections.abc import Sequence
from fnmatch import fnmatchcase

import hub
from alignment.models.spec import ScoringModel

PICKLED = "open_clip_pytorch_model.bin"
OPEN_CLIP = (
    ("open_clip_model.safetensors", "open_clip_pytorch_model.safetensors"),
    (PICKLED,),
)
TRANSFORMERS = (("model.safetensors", "model-*.safetensors"), ("pytorch_model*.bin",))
"""Names of weight files, the ones to prefer first."""


def weights_of(spec: ScoringModel) -> tuple[tuple[str, ...], ...]:
    """Names of the weight files that a model is loaded from, the ones to prefer first."""
    if spec.architecture:
        return ((PICKLED,),)
    return OPEN_CLIP if spec.open_clip else TRANSFORMERS


def scoring_files(names: Sequence[str], weights: Sequence[Sequence[str]]) -> list[str]:
    """Of a repository: configuration, tokenizer and processor, and the weights once.

    >>> files = ["config.json", "model.safetensors", "pytorch_model.bin", "tf_model.h5"]
    >>> scoring_files([*files, "onnx/model.onnx", "spiece.model"], TRANSFORMERS)
    ['config.json', 'spiece.model', 'model.safetensors']
    """
    near = [name for name in names if "/" not in name]
    return [name for name in near if name.endswith(hub.BESIDE_WEIGHTS)] + _weights(near, weights)


def _weights(names: Sequence[str], kinds: Sequence[Sequence[str]]) -> list[str]:
    for patterns in kinds:
        found = [name for name in names if any(fnmatchcase(name, each) for each in patterns)]
        if found:
            return found
    return []
