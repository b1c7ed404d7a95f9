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


def scoring_files(spec: ScoringModel, names: Sequence[str]) -> list[str]:
    """Of a repository: configuration, tokenizer and processor, and the weights of a model once.

    >>> from alignment.models.text_models import FLAN_T5
    >>> files = ["config.json", "model.safetensors", "pytorch_model.bin", "tf_model.h5"]
    >>> scoring_files(FLAN_T5, [*files, "onnx/model.onnx", "spiece.model"])
    ['config.json', 'spiece.model', 'model.safetensors']
    """
    near = [name for name in names if "/" not in name]
    return [name for name in near if name.endswith(hub.BESIDE_WEIGHTS)] + _weights(spec, near)


def _weights(spec: ScoringModel, names: Sequence[str]) -> list[str]:
    kinds = ((PICKLED,),) if spec.architecture else OPEN_CLIP if spec.open_clip else TRANSFORMERS
    for patterns in kinds:
        found = [name for name in names if any(fnmatchcase(name, each) for each in patterns)]
        if found:
            return found
    return []
