"""VNLI on a model of the hub: fine-tuned to say whether an image entails a text.

The model is asked its entailment question about labelled pairs, as many true as false in each step,
and learns the first token of its answer, yes or no in any spelling: just what VNLI reads. All that
is trained are LoRA matrices beside every linear layer, merged into the weights at the end (rank 0
trains all weights instead). The result is a folder like that of the model it comes from:
`--bundle small+entailment=paligemma-3b-mix@FOLDER`.

Source: M. Yarom et al., "What You See is What You Read?", 2023, appendix A.4, where PaLI and BLIP-2
are fine-tuned whole; E. Hu et al., "LoRA", 2022.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from PIL.Image import Image
from torch import Tensor, nn

from alignment.errors import UnsuitableModelError
from alignment.models.catalogue import find_model
from alignment.models.loading import model_folder
from alignment.models.spec import ScoringModel
from alignment.models.token_rows import token_row
from alignment.models.vision_towers import pixels
from alignment.models.vlm import word_tokens
from benchmarks.data.images import ImageStore
from benchmarks.data.seetrue import Labelled, read_labelled
from recipes.training import Schedule, device, fit, mixed_precision, process


@dataclass(frozen=True)
class VnliSettings:
    """What `train` needs to know."""

    table: Path
    """A CSV file in SeeTRUE's columns, or another table that `benchmarks seetrue` reads."""
    images: tuple[Path, ...]
    """Folders or .zip archives."""
    model: str = "paligemma-3b-mix"
    """A vision language model of the catalogue."""
    run: Path = Path("runs/vnli")
    rank: int = 16
    """Of the LoRA matrices; 0 trains all weights."""
    batch: int = 8
    """Pairs of a step, half of them true."""
    schedule: Schedule = Schedule(steps=2_000, lr=1e-4, warmup=100, weight_decay=0.0)


def train(settings: VnliSettings) -> Path:
    """Fine-tune the model, going on where a run was stopped.

    Returns:
        The folder of the model and its processor.

    Raises:
        ValueError: the table has no true or no false pairs.
        UnsuitableModelError: there is no such model, it is of another kind, or `peft` is missing.
    """
    torch.manual_seed(settings.schedule.seed)
    spec = find_model(settings.model)
    network, processor = _loaded(spec, settings.rank)
    tuned = _with_lora(network, settings.rank) if settings.rank else network
    pairs = read_labelled(settings.table)
    halves = [[each for each in pairs if each.holds == holds] for holds in (True, False)]
    if not all(halves):
        raise ValueError(f"{settings.table.name} needs true pairs and false ones; it has one kind")
    opened = ImageStore(*settings.images).open
    trained = nn.ParameterList([each for each in tuned.parameters() if each.requires_grad])

    def losses(rng: np.random.Generator) -> dict[str, Tensor]:
        drawn = [
            half[rng.integers(len(half))] for half in halves for _ in range(settings.batch // 2)
        ]
        with mixed_precision():
            each = [_loss(tuned, processor, spec, opened(pair.image), pair) for pair in drawn]
        return {"answer": torch.stack(each).mean()}

    fit(trained, losses, settings.schedule, settings.run)
    finished = settings.run / "finished"
    if process().is_main_process:
        merged = tuned.merge_and_unload() if settings.rank else network
        merged.save_pretrained(finished)
        processor.save_pretrained(finished)
    return finished


def _loaded(spec: ScoringModel, rank: int) -> tuple[Any, Any]:
    """The network, without dropout, and its processor.

    Weights that are trained are fp32: a step of AdamW is less than bf16 tells apart.
    """
    from transformers import AutoConfig, AutoModelForImageTextToText, AutoProcessor

    folder = model_folder(spec)
    if AutoConfig.from_pretrained(folder).model_type in {"blip", "clip"}:
        raise UnsuitableModelError(
            f"{spec.name} does not write its answers by a language model; "
            "choose a BLIP-2, PaliGemma or chat model"
        )
    dtype = torch.bfloat16 if rank and device().type != "cpu" else torch.float32
    network = AutoModelForImageTextToText.from_pretrained(folder, dtype=dtype).to(device()).eval()
    processor = AutoProcessor.from_pretrained(folder)
    if spec.longest_edge is not None:
        processor.image_processor.size = {"longest_edge": spec.longest_edge}
    return network, processor


def _with_lora(network: Any, rank: int) -> Any:
    """The network with matrices of that rank beside its linear layers; nothing else is trained."""
    try:
        from peft import LoraConfig, get_peft_model
    except ImportError as error:
        raise UnsuitableModelError(
            "LoRA wants peft: `pip install '.[lora]'`; or `--rank 0` trains all weights"
        ) from error
    config = LoraConfig(r=rank, lora_alpha=2 * rank, target_modules="all-linear")
    return get_peft_model(network, config).eval()


def _loss(network: Any, processor: Any, spec: ScoringModel, image: Image, pair: Labelled) -> Tensor:
    """-log of the probability that the answer begins with the right word."""
    logits = first_logits(network, processor, spec, image, pair.text)
    right = word_tokens(processor.tokenizer, "yes" if pair.holds else "no")
    return -logits.float().log_softmax(-1)[right].logsumexp(-1)


def first_logits(
    network: Any, processor: Any, spec: ScoringModel, image: Image, text: str
) -> Tensor:
    """Of the first token that answers the entailment question, shape (vocabulary,)."""
    asked = spec.templates.entailment.format(text=text)
    row = token_row(processor, spec.templates.question.format(question=asked), image.size)
    inputs = {name: torch.tensor([each], device=network.device) for name, each in row.items()}
    inputs |= pixels(processor, [image], network)
    config = network.config.get_text_config()
    if not config.is_encoder_decoder:
        return network(**inputs).logits[0, -1]
    start = torch.full((1, 1), config.decoder_start_token_id, device=network.device)
    return network(**inputs, decoder_input_ids=start).logits[0, 0]
