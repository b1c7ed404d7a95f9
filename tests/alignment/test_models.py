"""Bundles are data: one model per role, known by name."""

from __future__ import annotations

import subprocess
import sys

import pytest

from alignment.errors import AlignmentError, UnknownBundleError
from alignment.models import BUNDLES, CHECKPOINTS, Templates, find_bundle

ROLES = ("parser", "question_writer", "reader", "answerer", "entailment", "clip")
SPECS = [getattr(bundle, role) for bundle in BUNDLES.values() for role in ROLES]


def test_the_bundles_are_known_by_name() -> None:
    assert list(BUNDLES) == ["embedded", "small", "paper", "modern"]
    assert all(find_bundle(name).name == name for name in BUNDLES)


def test_an_unknown_bundle_is_refused_with_those_there_are() -> None:
    with pytest.raises(UnknownBundleError, match="no bundle 'tiny'; known: embedded, small"):
        find_bundle("tiny")
    assert issubclass(UnknownBundleError, AlignmentError)


@pytest.mark.parametrize("role", ROLES)
def test_the_embedded_bundle_needs_no_network(role: str) -> None:
    assert getattr(BUNDLES["embedded"], role).source.parent == CHECKPOINTS


@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: spec.name)
def test_every_model_states_its_licence_and_notes(spec: object) -> None:
    assert spec.licence  # type: ignore[attr-defined]
    assert spec.notes  # type: ignore[attr-defined]


def test_the_templates_of_the_method_are_those_of_the_paper() -> None:
    spoken = Templates().predicate.format(answer="green", question="what color is the backpack?")
    assert spoken == "is green true for what color is the backpack? in this image?"
    entailed = Templates().entailment.format(text="a pink cake")
    assert entailed == "Does this image entail the description: a pink cake?"


def test_importing_the_package_loads_no_heavy_library() -> None:
    code = (
        "import sys, alignment.evaluation, alignment.report;"
        "print(sorted({'torch', 'transformers', 'open_clip', 'spacy'} & set(sys.modules)))"
    )
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert result.stdout.strip() == "[]"
