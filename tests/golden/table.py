"""The golden table: computed, compared with the stored one, and stored (`make golden`)."""

import json
import math
import os
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
FILE = HERE / "scores.json"
IMAGES = (
    HERE / "images" / "two-cats-robot.png",
    HERE / "images" / "elephant-cow-duck.png",
    HERE / "images" / "robots-fish.png",
)
SAME = 0.01
"""A share of a score; nearer ones are the same, as processors round differently."""
WHAT_TO_DO = (
    "raise VERSION in alignment/signature.py, since equal signatures must mean equal numbers, "
    "then run `make golden`"
)

Table = dict[str, dict[str, Any]]
"""Prompt -> its questions, and method -> the scores of the images."""


def prompts() -> list[str]:
    return (HERE / "prompts.txt").read_text("utf-8").splitlines()


def computed() -> Table:
    """By the embedded models, in single precision."""
    from PIL import Image

    from alignment import Models, evaluate, find_bundle

    models, table = Models(find_bundle("embedded")), {}
    images = [Image.open(file).convert("RGB") for file in IMAGES]
    for prompt in prompts():
        *_, last = evaluate(prompt, images, 1, len(images), models)
        table[prompt] = {"questions": [[p.question, p.answer.text] for p in last.questions]}
        for method, scores in sorted(last.scores.items()):
            values = [score.value for score in scores]
            table[prompt][method] = [each and float(f"{each:.5g}") for each in values]
    return table


def stored() -> dict[str, Any]:
    """`version`, and `prompts`, a table."""
    found: dict[str, Any] = json.loads(FILE.read_text("utf-8"))
    return found


def difference(stored: dict[str, Any], table: Table, version: str) -> str:
    """What is wrong with the stored table, and what to do; empty where all is well."""
    known = stored["prompts"]
    changed = [prompt for prompt in table if not _same(known.get(prompt), table[prompt])]
    if changed and stored["version"] == version:
        names = ", ".join(map(repr, changed[:5]))
        return f"{len(changed)} prompts have other questions or scores, {names}: {WHAT_TO_DO}"
    if changed or stored["version"] != version or known.keys() != table.keys():
        return f"the stored scores are those of version {stored['version']}: run `make golden`"
    return ""


def _same(one: dict[str, Any] | None, other: dict[str, Any]) -> bool:
    if one is None:
        return True  # a new prompt
    return one["questions"] == other["questions"] and all(
        _near(*pair)
        for method in other.keys() - {"questions"}
        for pair in zip(one[method], other[method], strict=True)
    )


def _near(one: float | None, other: float | None) -> bool:
    if one is None or other is None:
        return one is other
    return math.isclose(one, other, rel_tol=SAME)


def renew() -> str:
    """Store the table of this version, unless it is that of another; what was done or is to do."""
    from alignment.models import revisions
    from alignment.signature import VERSION

    revisions.ON_CPU = "float32"
    table = computed()
    if FILE.exists() and WHAT_TO_DO in (refusal := difference(stored(), table, VERSION)):
        return refusal
    lines = (f"{json.dumps(each)}: {json.dumps(table[each])}" for each in table)
    rows = ",\n".join(lines)
    FILE.write_text(f'{{"version": "{VERSION}", "prompts": {{\n{rows}\n}}}}\n', "utf-8")
    return f"{len(table)} prompts under version {VERSION}"


if __name__ == "__main__":
    os.environ["HF_HUB_OFFLINE"] = "1"
    said = renew()
    if WHAT_TO_DO in said:
        sys.exit(said)
    print(said)
