"""The precision that scoring models run in on this machine."""

from __future__ import annotations

import hub
from alignment.models.spec import ScoringModel

ON_CPU = "fastest"
"""The dtype of hub models on a CPU, as `hub.precision` takes it."""
SINGLE = "float32"


def dtype(spec: ScoringModel) -> str:
    """The torch dtype of its weights, by name: half precision where the device computes in it.

    Embedded models are small and exact; open_clip's and spaCy's run in single precision.
    """
    if spec.embedded or spec.open_clip or spec.package:
        return SINGLE
    return hub.precision(hub.best_device(), on_cpu=ON_CPU, float16_is_safe=spec.float16_is_safe)
