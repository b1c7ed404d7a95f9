"""Revisions: which version of a model a score was computed with."""

from __future__ import annotations

from pathlib import Path

import hub
from alignment.models.spec import ScoringModel


def revision(spec: ScoringModel) -> str:
    """A few characters that change when a model changes; a package is known by its version."""
    if isinstance(spec.source, Path) or "/" in spec.source:
        return hub.revision(spec.source)
    return _of_package(spec.source)


def _of_package(name: str) -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(name)
    except PackageNotFoundError:
        return hub.UNKNOWN
