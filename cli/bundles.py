"""`bundles`: the scoring models, with their bundles and roles."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import fields

from alignment.models.catalogue import ALONE, BUNDLES
from alignment.models.spec import Bundle, ScoringModel
from cli.tables import markdown
from hub import readable_size

TITLES = ("bundle", "role", "model", "size", "memory", "licence")
ALONE_NOTES = "Models for a role of any bundle: --bundle NAME+ROLE=MODEL"


def rows(bundle: Bundle) -> Iterator[tuple[str, ...]]:
    """One row for each model of a bundle, with all its roles; the first is the bundle itself."""
    size, needs = _size(bundle.size_gb), _size(bundle.memory_gb)
    yield f"**{bundle.name}**", bundle.notes, "", size, needs, ""
    for model in bundle.models:
        roles = ", ".join(_roles_of(model, bundle))
        yield _row(roles, model)


def other_rows() -> Iterator[tuple[str, ...]]:
    """One row for each model that no bundle has, with its kind."""
    yield "**none**", ALONE_NOTES, "", "", "", ""
    for kind, models in ALONE.items():
        for model in models:
            yield _row(kind, model)


def _row(roles: str, model: ScoringModel) -> tuple[str, ...]:
    said = f"`{model.name}`, {model.source}" if isinstance(model.source, str) else f"`{model.name}`"
    return "", roles, said, _size(model.size_gb), _size(model.memory_gb), model.licence


def _size(billions: float) -> str:
    return readable_size(billions * 1e9)


def _roles_of(model: ScoringModel, bundle: Bundle) -> list[str]:
    """What a model does in a bundle, in the order of the roles.

    >>> _roles_of(BUNDLES["embedded"].reader, BUNDLES["embedded"])
    ['question writer', 'reader', 'contradictor']
    """
    return [
        role.name.replace("_", " ")
        for role in fields(bundle)
        if getattr(bundle, role.name) == model
    ]


def bundles() -> None:
    """List every scoring model: its bundles and roles, its name, size, memory and licence.

    Prints a table in Markdown, then one JSON line. Nothing is loaded.
    """
    bundled = [row for bundle in BUNDLES.values() for row in rows(bundle)]
    print(markdown(TITLES, [*bundled, *other_rows()]))
    sizes = {
        name: {"size_gb": round(bundle.size_gb, 3), "memory_gb": round(bundle.memory_gb, 3)}
        for name, bundle in BUNDLES.items()
    }
    print(json.dumps(sizes))
