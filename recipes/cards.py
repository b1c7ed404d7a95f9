"""`card.json`: how a checkpoint was made, what it weighs, how good it is."""

from __future__ import annotations

import hashlib
import json
import os
import platform
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path


def write_card(
    folder: Path,
    *,
    command: str,
    seed: int,
    data: str,
    licence: str,
    quality: Mapping[str, float],
    limits: Sequence[str],
    wall_time_s: float,
) -> Path:
    """Write `folder/card.json`: how the checkpoint was made, what it weighs, how good it is.

    Args:
        folder: the checkpoint; every file in it is measured, `card.json` itself left out.
        command: the command line that makes it again.
        seed: of every random generator of the run.
        data: what it was trained on, with the licences and the attribution they ask for.
        licence: of the weights.
        quality: measured figures by name.
        limits: what it is known not to do, a sentence each.
        wall_time_s: seconds of training.
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
        "name": folder.name,
        "command": command,
        "seed": seed,
        "data": data,
        "licence": licence,
        "hardware": hardware(),
        "wall_time_s": round(wall_time_s),
        "quality": dict(quality),
        "limits": list(limits),
        "bytes": sum(path.stat().st_size for path in files if path.name != "card.json"),
        "files": weights,
    }
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
