"""Rows of tokens: what a processor makes of a question about an image, padded into tensors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from PIL import Image as PillowImage

if TYPE_CHECKING:
    from torch import Tensor

Row: TypeAlias = Mapping[str, list[int]]
"""The token columns of a question, such as `input_ids`, each as long as the question."""
Rows: TypeAlias = Sequence[Row]


def token_row(
    processor: Any, question: str, size: tuple[int, int] = (8, 8), *, reads: int | None = None
) -> dict[str, list[int]]:
    """The token columns of one question to one image.

    The processor only makes room for an image when it is given one, so it gets a blank one of the
    same size. A chat model is spoken to in its own chat template.

    Args:
        processor: of any family.
        question: as it is put to the model.
        size: width and height of the image.
        reads: the length from which the processor cuts the row; None where it never does.
    """
    if processor.chat_template is not None:
        question = in_chat(processor, question)
    cut = {} if reads is None else {"truncation": True, "max_length": reads}
    row = processor(images=[PillowImage.new("RGB", size)], text=[question], **cut)
    columns = [name for name in row if name.endswith(("input_ids", "_mask", "type_ids"))]
    return {name: row[name][0] for name in columns if name != "pixel_attention_mask"}


def in_chat(processor: Any, question: str) -> str:
    """A question about an image in the chat template, where the template can: without a thought."""
    content = [{"type": "image"}, {"type": "text", "text": question}]
    message = {"role": "user", "content": content}
    off = {"enable_thinking": False} if "enable_thinking" in str(processor.chat_template) else {}
    spoken: str = processor.apply_chat_template([message], add_generation_prompt=True, **off)
    return spoken


def opens_thought(spoken: str) -> bool:
    """Whether what a model continues is a thought and no answer.

    >>> opens_thought("<think>"), opens_thought("<think> </think>"), opens_thought("Answer:")
    (True, False, False)
    """
    return spoken.rfind("<think>") > spoken.rfind("</think>")


def padded(rows: Rows, pad_token: int, side: str, device: Any) -> dict[str, Tensor]:
    """Rows of different lengths as one tensor for each column.

    Args:
        rows: the token columns of each question.
        pad_token: what fills up `input_ids`; all other columns are filled with 0.
        side: "left" or "right", where the filling goes.
        device: where the tensors go.
    """
    from torch import tensor
    from torch.nn.utils.rnn import pad_sequence

    return {
        name: pad_sequence(
            [tensor(row[name]) for row in rows],
            batch_first=True,
            padding_value=pad_token if name == "input_ids" else 0,
            padding_side=side,
        ).to(device)
        for name in rows[0]
    }
