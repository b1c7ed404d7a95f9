"""`card.json`: how a checkpoint was made, what it weighs, how good it is."""

from __future__ import annotations

import hashlib
import json
import os
import platform
import sys
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from alignment.statistics.intervals import Measured

CHECKPOINTS = Path("assets/checkpoints")


@dataclass(frozen=True)
class Figure(Measured):
    """A measured figure as a card has it."""

    unit: str
    """What they are: "pictures", "sentences"."""
    chance: float | None = None
    """What a model that knows nothing reaches, where that is known."""

    def rounded(self, digits: int) -> Figure:
        """The same with so many digits after the point."""
        return replace(
            self,
            value=round(self.value, digits),
            low=round(self.low, digits),
            high=round(self.high, digits),
            chance=None if self.chance is None else round(self.chance, digits),
        )

    def __str__(self) -> str:
        """In one line.

        >>> print(Figure(0.98, 0.93, 0.994, 100, "prompts"))
        0.98 (0.93 .. 0.994; 100 prompts)
        >>> print(Figure(94.9, 94.5, 95.2, 2001, "sentences", chance=17.0))
        94.9 (94.5 .. 95.2; 2001 sentences; chance 17.0)
        """
        chance = "" if self.chance is None else f"; chance {self.chance}"
        return f"{self.value} ({self.low} .. {self.high}; {self.n} {self.unit}{chance})"


def write_card(folder: Path, known: Mapping[str, object], seconds: float) -> Path:
    """Write `folder/card.json`: how the checkpoint was made, what it weighs; no figures yet.

    Args:
        folder: the checkpoint; every file in it is measured, `card.json` itself left out.
        known: what no file says: its name, the command line that makes it again, the seed of every
            random generator, the data with its licences, the licence of the weights, its limits.
        seconds: of training.
    """
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    weights = {
        path.relative_to(folder).as_posix(): {
            "bytes": path.stat().st_size,
            "sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
        }
        for path in files
        if path.name != "card.json"
    }
    card = {
        **known,
        "hardware": hardware(),
        "wall_time_s": round(seconds),
        "quality": {},
        "bytes": sum(path.stat().st_size for path in files if path.name != "card.json"),
        "files": weights,
    }
    return _write(folder, card)


def write_figures(folder: Path, quality: Mapping[str, Figure]) -> Path:
    """Put measured figures on the card of a checkpoint, in place of those of the same names."""
    card = json.loads((folder / "card.json").read_text(encoding="utf-8"))
    plain = {
        name: {key: value for key, value in asdict(figure).items() if value is not None}
        for name, figure in quality.items()
    }
    return _write(folder, {**card, "quality": {**card["quality"], **plain}})


def _write(folder: Path, card: Mapping[str, object]) -> Path:
    target = folder / "card.json"
    target.write_text(json.dumps(card, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    return target


def hardware() -> str:
    """The GPU where torch has been used on one, else the processor and its number of cores."""
    torch = sys.modules.get("torch")
    if torch is not None and torch.cuda.is_available():
        return str(torch.cuda.get_device_name())
    return f"{processor()}, {os.cpu_count()} cores"


def processor() -> str:
    """The processor's name as Linux tells it, elsewhere its architecture."""
    listing = Path("/proc/cpuinfo")
    lines = listing.read_text().splitlines() if listing.exists() else []
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, platform.machine())
