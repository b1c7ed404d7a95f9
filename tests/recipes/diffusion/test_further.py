"""What a teacher learns further is added to its student, which keeps what sets it apart."""

from pathlib import Path

import torch

from generation import ModelSpec
from recipes.diffusion.further import carry_over
from recipes.diffusion.pipeline import read_pipeline


def shifted(source: Path, by: float, folder: Path) -> Path:
    """A pipeline all of whose weights are moved."""
    pipeline = read_pipeline(source)
    pipeline.unet.load_state_dict({k: v + by for k, v in pipeline.unet.state_dict().items()})
    pipeline.save_pretrained(folder)
    return folder


def test_a_student_takes_over_by_how_much_its_teacher_has_changed(
    tiny_pipeline: ModelSpec, tmp_path: Path
) -> None:
    before = Path(tiny_pipeline.source)
    student, after = shifted(before, 0.25, tmp_path / "s"), shifted(before, 0.5, tmp_path / "a")
    weights = read_pipeline(before).unet.state_dict()
    made = read_pipeline(carry_over(student, before, after, tmp_path / "made"))
    for name, value in made.unet.state_dict().items():
        torch.testing.assert_close(value, weights[name] + 0.75, rtol=1e-3, atol=1e-3)
    assert made.scheduler.config.solver_order == 1
