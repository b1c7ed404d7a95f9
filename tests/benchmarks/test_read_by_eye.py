"""What a person saw in generated images against what the scores say."""

import pytest

from benchmarks.read_by_eye import KINDS, READ, JudgedImage, ReadPrompt, read_prompts
from tests.benchmarks.command import numbers

PROMPT = ReadPrompt("hard", "a cat", 5, "rs")


@pytest.mark.parametrize("model", READ)
def test_every_prompt_was_read_in_each_of_its_images(model: str) -> None:
    prompts = read_prompts(model)
    assert all(len(each.read) == (1 if each.completed else 4) for each in prompts)
    assert all({*each.read} <= {*KINDS} for each in prompts)
    seeds = [each.seed for each in prompts]
    assert len({*seeds}) == len(seeds)


def test_a_right_image_is_condemned_and_a_smear_praised_at_one_half() -> None:
    right = JudgedImage(PROMPT, "right", {"vq2": 0.4, "vnli": 0.5}, {})
    assert (right.mistaken("vq2"), right.mistaken("vnli")) == (True, False)
    smear = JudgedImage(PROMPT, "smear", {"vq2": None, "vnli": 0.5}, {})
    assert (smear.mistaken("vq2"), smear.mistaken("vnli")) == (None, True)


def test_an_image_is_called_right_or_wrong_from_the_threshold_on() -> None:
    chances = {"vq2": 0.4, "vnli": 0.1}
    image = JudgedImage(PROMPT, "smear", chances, {"vq2": 0.8, "vnli": 0.8})
    assert (image.called("vq2"), image.called("vnli")) == (None, False)


def test_images_are_generated_again_and_judged(capsys: pytest.CaptureFixture[str]) -> None:
    found = numbers(capsys, "read_by_eye", "--limit", 1)
    assert found["right|part:held out|n:4"]["value"] == 1.0
    right = found["right condemned|part:held out|method:vnli|n:4"]
    assert (right["value"], right["units"]) == (0.0, 1)
    called = [name for name in found if name.startswith("called right|part:held out|")]
    assert called == ["called right|part:held out|method:vnli|n:4"]  # VQ2 leaves them in doubt
    assert found[called[0]]["value"] == 1.0
