"""The whole page, before anybody opens it."""

from typing import Any

import pytest

import alignment
from app import build_page
from session.offer import Offer
from ui.components import bundle_choice, model_choice


@pytest.fixture(scope="module")
def config() -> Any:
    """What the page says of itself, where a bundle was named."""
    return build_page(Offer().starting_with("small")).get_config_file()


def test_every_tab_of_the_page_offers_the_named_bundle_first(config: Any):
    fields = [each["props"] for each in config["components"]]
    choices = [each for each in fields if each.get("label") == "evaluators"]
    others = [name for name in alignment.BUNDLES if name != "small"]
    assert [[each["value"], *dict(each["choices"])] for each in choices] == [
        ["small", "small", *others]
    ] * 3


def test_no_event_has_gradio_draw_its_own_progress_which_would_redraw_every_output_at_each_step(
    config: Any,
):
    events = config["dependencies"]
    drawn = [each for each in events if each["targets"] and each["outputs"] and each["backend_fn"]]
    assert len(drawn) > 50
    assert [each["api_name"] for each in drawn if each["show_progress_on"] != []] == []


def test_the_page_has_five_tabs_by_whose_names_links_open_them(config: Any):
    tabs = [each for each in config["components"] if each["type"] == "tabitem"]
    named = [each["props"]["label"].lower().replace(" ", "-") for each in tabs]
    assert named == ["playground", "compare", "commonsense", "your-images", "about"]


def test_a_field_lists_what_is_offered_and_nothing_else():
    offer = Offer(("stickers",), ("embedded",)).explained()
    fields = model_choice(offer), bundle_choice(offer)
    assert [[name for _, name in each.choices] for each in fields] == [["stickers"], ["embedded"]]
