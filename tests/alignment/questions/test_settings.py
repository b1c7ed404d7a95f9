"""Every setting of VQ2 is in its signature, and none may leave its range."""

from dataclasses import fields, replace
from typing import Any

import pytest

from alignment.errors import AlignmentError, InvalidSettingsError
from alignment.questions.settings import AS_PUBLISHED, Vq2Settings, default_settings
from alignment.signature import Signature

OTHERS: dict[str, Any] = {
    "assessment": "A",
    "spans": "simple",
    "filter": 0.0,
    "questions_per_span": 3,
    "dependencies": True,
    "aggregation": "weakest",
    "negation": True,
    "existence": True,
    "once": True,
    "quotes": True,
}


def test_the_defaults_are_those_of_the_paper() -> None:
    assert str(AS_PUBLISHED.signature) == (
        "VQ2|assessment:C|spans:multi-word|filter:0.54|questions:1|decoding:greedy"
        "|aggregation:mean|dependencies:off|negation:off|existence:off"
    )
    assert default_settings("paper") == AS_PUBLISHED


def test_the_mean_over_claims_of_earlier_versions_is_read_as_the_mean() -> None:
    earlier = AS_PUBLISHED.signature.having(aggregation="claims")
    assert Vq2Settings.parse(earlier) == AS_PUBLISHED


def test_a_signature_gives_every_setting_back() -> None:
    assert [each.name for each in fields(Vq2Settings)] == list(OTHERS)
    for name, value in OTHERS.items():
        settings = replace(AS_PUBLISHED, **{name: value})
        assert Vq2Settings.parse(settings.signature.having(models="t5@1,vlm@2")) == settings


@pytest.mark.parametrize(
    "text",
    ["VQ2|assessment:D", "VQ2|filter:most", "VQ2|questions:0"],
)
def test_a_signature_that_nobody_wrote_is_refused(text: str) -> None:
    with pytest.raises(InvalidSettingsError):
        Vq2Settings.parse(Signature.parse(text))


def test_several_questions_come_from_beams() -> None:
    assert "|questions:3|decoding:beams|" in str(Vq2Settings(questions_per_span=3).signature)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"assessment": "D"}, "assessment is 'D'; it should be 'A', 'B' or 'C'"),
        ({"filter": 1.1}, "filter is 1.1; it should be less than or equal to 1"),
        ({"filter": float("nan")}, "filter is nan"),
        (
            {"aggregation": "median"},
            "aggregation is 'median'; it should be 'mean', 'geometric' or 'weakest'",
        ),
        ({"questions_per_span": 0}, "it should be greater than or equal to 1"),
    ],
)
def test_a_setting_outside_its_range_is_refused(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidSettingsError, match=message):
        Vq2Settings(**changes)
    assert issubclass(InvalidSettingsError, AlignmentError)
