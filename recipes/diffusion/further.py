"""The student of a teacher that was trained further, without distilling again.

A student differs from its teacher by what distillation taught it. The same difference leads from
the teacher after further training to a student of it: Luo et al., "LCM-LoRA: A Universal
Stable-Diffusion Acceleration Module", add it to models that were fine-tuned from one base.
"""

from __future__ import annotations

from pathlib import Path

import torch

from recipes.diffusion.distillation import student_scheduler
from recipes.diffusion.pipeline import read_pipeline


def carry_over(student: Path, before: Path, after: Path, target: Path) -> Path:
    """Write the student of a teacher as it is after further training, in half precision.

    Args:
        student: folder of the pipeline that was distilled from `before`.
        before: of its teacher.
        after: of the same teacher, trained further; its text encoder and autoencoder are taken.
        target: folder to write the pipeline to.
    """
    pipeline = read_pipeline(after)
    old, distilled = (read_pipeline(folder).unet.state_dict() for folder in (before, student))
    pipeline.unet.load_state_dict(
        {
            name: weights + distilled[name] - old[name]
            for name, weights in pipeline.unet.state_dict().items()
        }
    )
    pipeline.scheduler = student_scheduler(pipeline.scheduler)
    pipeline.to(dtype=torch.float16).save_pretrained(target)
    return target
