"""How many seconds does each stage of a grid take, and how much faster are questions answered here?

    python -m benchmarks speed [--bundle embedded] [--rows 3] [--columns 3]

Everything is warm: each stage has run once before it is timed. While the text-to-image model's
checkpoint is
missing, pictures of the sticker test set take the place of generated ones.

Then ten yes/no questions are put to each picture in two ways by a BLIP-2 of base size with random
weights: here, where a picture is encoded once and its questions go together; and the way published
code does it, one `generate` for each question with the picture encoded each time. The two take
turns picture by picture, so that whatever else the machine does slows both; their answers are held
side by side. Last, how the seconds grow with the number of pictures, and the peak of memory.
"""

from __future__ import annotations

from benchmarks.speed.command import main

__all__ = ["main"]
