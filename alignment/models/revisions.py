"""Which model gave a score: its name, its revision, and the precision that it runs in here."""

from __future__ import annotations

import hub
from alignment.models.spec import ScoringModel

ON_CPU = "fastest"
"""The dtype of hub models on a CPU, as `hub.precision` takes it."""
SINGLE = "float32"


def identity(spec: ScoringModel) -> str:
    """How signatures and kept scores name a model: two that score alike have the same identity.

    The precision is named where it is not single: "smolvlm2-500m@4a1f27ce(bfloat16)".
    """
    precision = dtype(spec)
    return versioned(spec) + (f"({precision})" if precision != SINGLE else "")


def versioned(spec: ScoringModel) -> str:
    """Its name and revision, whatever precision it runs in."""
    return f"{spec.name}@{revision(spec)}"


def revision(spec: ScoringModel) -> str:
    """A few characters that change when a model changes; a package is known by its version."""
    return _of_package(str(spec.source)) if spec.package else hub.revision(spec.source)


def _of_package(name: str) -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(name)
    except PackageNotFoundError:
        return hub.UNKNOWN


def dtype(spec: ScoringModel, device: str = "", bfloat16: bool | None = None) -> str:
    """The torch dtype of its weights, by name: half precision where the device computes in it.

    Embedded models are small and exact; open_clip's and spaCy's run in single precision.

    Args:
        device: where it runs; empty for the best that is here.
        bfloat16: whether the device computes in it; None asks the one that is here.
    """
    if spec.embedded or spec.open_clip or spec.package:
        return SINGLE
    return hub.precision(
        device or hub.best_device(),
        on_cpu=ON_CPU,
        float16_is_safe=spec.float16_is_safe,
        bfloat16=bfloat16,
    )
