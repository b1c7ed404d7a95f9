"""Trains one layer for three steps in the process it runs in, and stores its weights by rank.

Before, it computes its share of three files, each of which says by which process it was made.
"""

import sys
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn

from recipes.training import Schedule, fit, process, stored


def main(folder: Path) -> None:
    torch.manual_seed(0)
    layer = nn.Linear(4, 1)
    rank = process().process_index
    files = [folder / f"shard-{number}.pt" for number in range(3)]
    made = stored({file: lambda: torch.tensor([rank]) for file in files})
    torch.save(made, folder / f"made-{rank}.pt")

    def losses(rng: np.random.Generator) -> dict[str, Tensor]:
        drawn = torch.from_numpy(rng.normal(size=(8, 4))).float()
        torch.save(drawn, folder / f"drawn-{rank}.pt")
        return {"loss": (layer(drawn) - drawn.sum(1, keepdim=True)).square().mean()}

    fit(layer, losses, Schedule(steps=3, lr=0.1, warmup=1), folder / "run")
    torch.save(layer.weight.detach(), folder / f"weight-{rank}.pt")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
