"""How many seconds does each stage of a grid take, and how much faster are questions answered here?

Everything is warm: each stage has run once before it is timed. While the text-to-image model's
checkpoint is missing, images of the sticker test set take the place of generated ones.

Then ten yes/no questions are put to each image in two ways by a BLIP-2 of base size with random
weights: here, where an image is encoded once and its questions go together; and the way published
code does it, one `generate` for each question with the image encoded each time. The two take turns
image by image, so that whatever else the machine does slows both; their answers are held side by
side. Last, how the seconds grow with the number of images, and the peak of memory in GB.

It takes about two minutes on a CPU.

For example:

    python -m benchmarks speed
    python -m benchmarks speed --rows 1 --columns 2 --width 256 --layers 2
"""

from __future__ import annotations

from benchmarks.speed.command import main

__all__ = ["main"]
