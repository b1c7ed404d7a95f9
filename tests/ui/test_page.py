"""The whole page, before anybody opens it."""

from __future__ import annotations

import pytest

import alignment
from app import build_page
from session.offer import Offer


@pytest.mark.usefixtures("no_loops_left")
@pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning")
def test_every_tab_of_the_page_offers_the_named_bundle_first():
    components = build_page(Offer().starting_with("small")).get_config_file()["components"]
    fields = [each["props"] for each in components if each["props"].get("label") == "evaluators"]
    others = [name for name in alignment.BUNDLES if name != "small"]
    assert [[each["value"], *dict(each["choices"])] for each in fields] == [
        ["small", "small", *others]
    ] * 3
