"""A model that could think first is asked not to; one that cannot be stopped is refused.

Qwen3.5, small, with random weights and the words of Qwen3-VL's twin: three of four of its layers
keep a state in the place of keys and values.
"""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from PIL.Image import Image

from alignment.errors import UnsuitableModelError
from alignment.models.adapters import adapter_of
from alignment.models.image_models import CHAT_TEMPLATES
from alignment.models.token_rows import in_chat
from alignment.models.vlm import ImageQuestion, VisionLanguageModel
from tests.alignment.models.conftest import Twins

START = (
    "{% for message in messages %}<|im_start|>user\n{% for part in message['content'] %}"
    "{% if part['type'] == 'image' %}<|vision_start|><|image_pad|><|vision_end|>"
    "{% else %}{{ part['text'] }}{% endif %}{% endfor %}{% endfor %}<|im_end|>\n"
    "<|im_start|>assistant\n"
)
MAY_THINK = START + (
    "{% if enable_thinking is defined and enable_thinking is false %}<think>\n\n</think>\n\n"
    "{% else %}<think>\n{% endif %}"
)
"""As Qwen3.5 has it."""
QUESTIONS = ("what color is the apple ?", "what is green ?", "red ?")


@pytest.fixture
def processor(twins: Twins) -> Any:
    from transformers import AutoProcessor

    return AutoProcessor.from_pretrained(twins.build("qwen3-vl-4b"))


@pytest.fixture
def network(twins: Twins) -> Any:
    import transformers

    folder: Path = twins.build("qwen3-vl-4b")
    known = transformers.AutoConfig.from_pretrained(folder).to_dict()
    marks = {name: known[name] for name in known if name.endswith("_token_id")}
    text = {
        "vocab_size": known["text_config"]["vocab_size"],
        "hidden_size": 32,
        "intermediate_size": 64,
        "num_hidden_layers": 4,
        "num_attention_heads": 4,
        "num_key_value_heads": 2,
        "head_dim": 16,
        "linear_key_head_dim": 8,
        "linear_value_head_dim": 8,
        "linear_num_key_heads": 2,
        "linear_num_value_heads": 4,
        "pad_token_id": known["text_config"]["pad_token_id"],
        "rope_parameters": {"rope_type": "default", "rope_theta": 1e4, "mrope_section": [1, 1, 0]},
    }
    vision = {**known["vision_config"], "deepstack_visual_indexes": []}
    vision.pop("model_type")
    config = transformers.Qwen3_5Config(text_config=text, vision_config=vision, **marks)
    torch.manual_seed(0)
    made = transformers.Qwen3_5ForConditionalGeneration(config).eval()
    for weights in made.parameters():
        weights.data *= 4 if weights.dim() > 1 else 1
    return made


def test_a_model_that_may_think_is_asked_not_to(
    network: Any, processor: Any, noises: list[Image]
) -> None:
    processor.chat_template = MAY_THINK
    model = VisionLanguageModel(adapter_of(network, processor), CHAT_TEMPLATES)
    asks = [ImageQuestion(image, text) for image in range(3) for text in QUESTIONS]
    found = [each.probability for each in model.p_yes(model.encode(noises), asks)]
    assert len({round(each, 5) for each in found}) > 3
    expected = []
    for image, question in asks:
        content = [{"type": "image"}, {"type": "text", "text": question}]
        text = processor.apply_chat_template(
            [{"role": "user", "content": content}],
            add_generation_prompt=True,
            enable_thinking=False,
        )
        assert text.endswith("</think>\n\n")
        inputs = processor(images=noises[image], text=text, return_tensors="pt")
        with torch.inference_mode():
            logits = network(**inputs).logits[0, -1]
        yes, no = (logits[model.counted[word]].logsumexp(0) for word in ("yes", "no"))
        expected.append(float((yes - no).sigmoid()))
    np.testing.assert_allclose(found, expected, atol=1e-5)


def test_a_model_that_always_thinks_first_is_refused(network: Any, processor: Any) -> None:
    processor.chat_template = START + "<think>\n"
    with pytest.raises(UnsuitableModelError, match="thinks before it answers, so that its first"):
        adapter_of(network, processor)


def test_a_template_that_knows_no_thought_is_not_told_of_one(
    processor: Any, caplog: pytest.LogCaptureFixture
) -> None:
    assert in_chat(processor, "red ?").count("red ?") == 1
    assert not caplog.records
