"""What transformers itself says: one image, one question, no batches and no stored features."""

from functools import cache
from pathlib import Path
from typing import Any

import torch
from PIL.Image import Image

from alignment.models.spec import ScoringModel


@cache
def plain_model(folder: Path) -> tuple[Any, Any]:
    import transformers

    (name,) = transformers.AutoConfig.from_pretrained(folder).architectures
    network = getattr(transformers, name).from_pretrained(folder, dtype="float32").eval()
    return network, transformers.AutoProcessor.from_pretrained(folder)


def plain_answer(
    folder: Path, spec: ScoringModel, image: Image, question: str
) -> tuple[torch.Tensor, str]:
    """First-token logits and answer by the library alone: one image, one question."""
    network, processor = plain_model(folder)
    if spec.longest_edge:
        processor.image_processor.size = {"longest_edge": spec.longest_edge}
    text = spec.templates.question.format(question=question)
    if processor.chat_template:
        content = [{"type": "image"}, {"type": "text", "text": text}]
        text = processor.apply_chat_template(
            [{"role": "user", "content": content}], add_generation_prompt=True
        )
    inputs = processor(images=image, text=text, return_tensors="pt")
    inputs.pop("labels", None)
    output = network.generate(
        **inputs,
        max_new_tokens=12,
        do_sample=False,
        output_logits=True,
        return_dict_in_generate=True,
    )
    answer = output.sequences[0, -len(output.logits) :]
    return output.logits[0][0], processor.tokenizer.decode(answer, skip_special_tokens=True).strip()
