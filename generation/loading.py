"""From a `ModelSpec` to a diffusers pipeline that is ready to generate.

Embedded checkpoints and hub models take the same path; nothing else in the project loads one.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import hub
from generation.errors import CheckpointMissingError, ModelUnavailableError
from generation.memory import make_room, precision_on, quantization

if TYPE_CHECKING:
    from diffusers import DiffusionPipeline

    from generation.spec import ModelSpec


def fetch_pipeline(spec: ModelSpec, device: str | None = None) -> Path:
    """The folder of a text-to-image model's files, downloaded where they are not here yet.

    Before its weights are downloaded they are known to fit into memory and on the disk.

    Args:
        spec: which one.
        device: that it is to run on, as in `load_pipeline`.

    Raises:
        CheckpointMissingError, HubError, ModelUnavailableError: as in `load_pipeline`.
    """
    index = _index(spec)
    make_room(spec, *_device_and_dtype(spec, device))
    return _folder(spec, index)


def load_pipeline(
    spec: ModelSpec, device: str | None = None, folder: Path | None = None
) -> DiffusionPipeline:
    """Load a text-to-image model.

    Where a model is larger than an accelerator, its components take turns there.

    Args:
        spec: which one.
        device: "cpu", "cuda", ...; None takes the accelerator where there is one.
        folder: from `fetch_pipeline`; None fetches it now.

    Raises:
        CheckpointMissingError: an embedded checkpoint is not there.
        HubError: the hub does not give the model, or it does not fit; see `hub.errors`.
        ModelUnavailableError: a model that needs a safety checker came without it, or one in 4 bits
            finds no GPU or library for it.
    """
    folder = folder or fetch_pipeline(spec, device)
    device, dtype = _device_and_dtype(spec, device)
    whole = make_room(spec, device, dtype)
    pipeline = _read(spec, _read_index(spec, folder), folder, device, dtype, whole=whole)
    pipeline.set_progress_bar_config(disable=True)
    if spec.safety and pipeline.safety_checker is None:
        raise ModelUnavailableError(
            f"{spec.name} came without its safety checker and is not used without one"
        )
    return pipeline


def _device_and_dtype(spec: ModelSpec, device: str | None) -> tuple[str, str]:
    device = device or hub.best_device()
    return device, precision_on(spec, device)


def _index(spec: ModelSpec) -> dict[str, Any]:
    """What a pipeline consists of; small, and fetched before it is known that the rest fits."""
    if isinstance(spec.source, Path):
        return _read_index(spec, spec.source)
    return _read_index(spec, hub.fetch(spec.source, lambda names: ["model_index.json"]))


def _read_index(spec: ModelSpec, folder: Path) -> dict[str, Any]:
    try:
        index: dict[str, Any] = json.loads((folder / "model_index.json").read_text("utf-8"))
    except FileNotFoundError as error:
        if not spec.embedded:
            raise hub.broken_copy(str(spec.source), error) from error
        raise CheckpointMissingError(
            f"no checkpoint of {spec.name!r} in {folder}; it comes with the repository, "
            f"and `python -m {spec.recipe}` makes it again"
        ) from error
    return index


def _folder(spec: ModelSpec, index: dict[str, Any]) -> Path:
    """Where the files of a model are, fetched from the hub where they are not here yet."""
    if isinstance(spec.source, Path):
        return spec.source

    def needed(names: Sequence[str]) -> list[str]:
        return pipeline_files(names, index, spec.variant)

    return hub.fetch(spec.source, needed)


def _read(
    spec: ModelSpec,
    index: dict[str, Any],
    folder: Path,
    device: str,
    dtype: str,
    *,
    whole: bool,
) -> DiffusionPipeline:
    """The pipeline of a folder, of the one class that its index names.

    `AutoPipelineForText2Image` would import every pipeline there is, which takes seconds.
    """
    import diffusers
    import torch
    from safetensors import SafetensorError

    kind = getattr(diffusers, index["_class_name"])
    try:
        pipeline: DiffusionPipeline = kind.from_pretrained(
            folder,
            dtype=getattr(torch, dtype),
            variant=spec.variant,
            local_files_only=True,
            device_map=hub.straight_to(device) if whole else None,
            quantization_config=quantization(spec),
        )
    except (OSError, ValueError, KeyError, SafetensorError) as error:
        if spec.embedded:
            raise
        raise hub.broken_copy(str(spec.source), error) from error
    if not whole:
        pipeline.enable_model_cpu_offload(device=device)
    elif pipeline.hf_device_map is None:
        pipeline.to(device)
    if device == "cpu" and dtype != "float32":
        _channels_last(pipeline)
    return pipeline


def _channels_last(pipeline: DiffusionPipeline) -> None:
    """The layout in which a CPU's half precision convolves fastest.

    SD 1's decoder takes 5.1 s in place of 11.4 so, and the denoiser of BK-SDM-tiny 3.0 in place of
    3.6; in single precision it is 3 %.
    """
    import torch

    for part in (pipeline.vae, getattr(pipeline, "unet", None)):
        if part is not None and all(each.ndim < 5 for each in part.parameters()):
            part.to(memory_format=torch.channels_last)


WEIGHTS = re.compile(
    r"(?:diffusion_pytorch_model|model|pytorch_model)"
    r"(?:\.(?P<variant>\w+))?(?:-\d{5}-of-\d{5})?\.(?P<format>safetensors|bin)"
)


def pipeline_files(
    names: Sequence[str], index: Mapping[str, object], variant: str | None
) -> list[str]:
    """The files of every component: its configuration, and its weights once.

    Of the weights the variant is taken where a component has it, else the plain files; safetensors
    where there are any, else pickles.

    Args:
        names: every file of the repository.
        index: its `model_index.json`.
        variant: such as "fp16"; None for the plain files.

    >>> files = ["unet/config.json", *(f"unet/diffusion_pytorch_model.{each}" for each in
    ...     ("bin", "safetensors", "fp16.safetensors", "non_ema.safetensors"))]
    >>> pipeline_files(files, {"unet": ["diffusers", "UNet2DConditionModel"]}, "fp16")
    ['model_index.json', 'unet/config.json', 'unet/diffusion_pytorch_model.fp16.safetensors']
    """
    parts = [part for part, origin in index.items() if isinstance(origin, list) and origin[0]]
    chosen = ["model_index.json"]
    for part in parts:
        files = [name for name in names if name.startswith(f"{part}/") and name.count("/") == 1]
        chosen += [name for name in files if name.endswith(hub.BESIDE_WEIGHTS)]
        chosen += _weights(files, variant)
    return chosen


def _weights(files: Sequence[str], variant: str | None) -> list[str]:
    """The weight files of one component."""
    for wanted in dict.fromkeys((variant, None)):
        for suffix in ("safetensors", "bin"):
            found = [name for name in files if _is_weight(name, wanted, suffix)]
            if found:
                return found
    return []


def _is_weight(name: str, variant: str | None, suffix: str) -> bool:
    match = WEIGHTS.fullmatch(name.rpartition("/")[2])
    return match is not None and (match["variant"], match["format"]) == (variant, suffix)
