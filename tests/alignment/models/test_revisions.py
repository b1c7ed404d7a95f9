"""What signatures call a model."""

from __future__ import annotations

import pytest

from alignment.models import revisions
from alignment.models.catalogue import find_model
from alignment.models.revisions import identity, versioned


@pytest.mark.parametrize(
    ("name", "native", "ending"),
    [
        ("smolvlm2-500m", True, "(bfloat16)"),
        ("smolvlm2-500m", False, ""),
        ("icon-vlm", True, ""),
        ("clip-vit-b-32", True, ""),
        ("en_core_web_lg", True, ""),
    ],
)
def test_the_precision_is_named_where_it_is_not_single(
    name: str, native: bool, ending: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hub.best_device", lambda: "cpu")
    monkeypatch.setattr("hub.hardware.bfloat16_is_native", lambda _: native)
    monkeypatch.setattr(revisions, "ON_CPU", "fastest")
    spec = find_model(name)
    assert identity(spec) == versioned(spec) + ending
    assert identity(spec).startswith(f"{name}@")
