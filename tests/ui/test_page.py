"""The whole page, before anybody opens it."""

from __future__ import annotations

import pytest

import alignment
from app import build_page
from session.offer import Offer
from ui.components import bundle_choice, model_choice


@pytest.mark.usefixtures("no_loops_left")
@pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning")
def test_every_tab_of_the_page_offers_the_named_bundle_first():
    components = build_page(Offer().starting_with("small")).get_config_file()["components"]
    fields = [each["props"] for each in components if each["props"].get("label") == "evaluators"]
    others = [name for name in alignment.BUNDLES if name != "small"]
    assert [[each["value"], *dict(each["choices"])] for each in fields] == [
        ["small", "small", *others]
    ] * 3


@pytest.mark.usefixtures("no_loops_left")
@pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning")
def test_no_event_has_gradio_draw_its_own_progress_which_would_redraw_every_output_at_each_step():
    events = build_page(Offer()).get_config_file()["dependencies"]
    drawn = [each for each in events if each["targets"] and each["outputs"] and each["backend_fn"]]
    assert len(drawn) > 50
    assert [each["api_name"] for each in drawn if each["show_progress_on"] != []] == []


def test_a_field_lists_what_is_offered_and_nothing_else():
    offer = Offer(("stickers",), ("embedded",)).explained()
    fields = model_choice(offer), bundle_choice(offer)
    assert [[name for _, name in each.choices] for each in fields] == [["stickers"], ["embedded"]]
