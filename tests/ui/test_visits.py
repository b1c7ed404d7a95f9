"""What a link to the page does: shows what is kept, makes what is cheap, asks before the rest."""

from dataclasses import replace

import gradio as gr
import pytest

from session.history import recent_runs
from session.limits import Runs
from session.link import Link, link_of, read_link
from session.offer import Offer
from session.png_text import revision_of
from session.state import GridState
from ui.components import Changes
from ui.tabs.playground import Playground


@pytest.fixture
def kept(state: GridState) -> GridState:
    """A run whose set metrics were not measured."""
    return state.with_report(replace(state.report, saliency={}))


@pytest.fixture
def page(kept: GridState) -> Playground:
    with gr.Blocks():
        return Playground(Offer(("icons", "sdxl"), ("embedded",)), [kept], Runs())


def said(page: Playground, changes: Changes) -> str:
    return str(changes[page.panel.controls.status])


def test_a_kept_run_is_shown_at_once_as_the_link_looks_at_it(page: Playground, kept: GridState):
    link = f"{link_of(kept, 1)}&rank=vq2&show=generated"
    changes = page.visits.on_visit(link)
    assert changes[page.panel.state].images == kept.images
    assert changes[page.panel.selected] == 1
    assert changes[page.panel.arrangement] == "generated"
    assert changes[page.fields.prompt] == kept.prompt
    assert page.visits.address.wanted not in changes
    assert "show=generated" in changes[page.visits.address.part]


@pytest.mark.parametrize(
    ("asked", "model"), [("grid=3x3&steps=150", "icons"), ("grid=3x3&model=sdxl", "sdxl")]
)
def test_a_link_that_asks_for_many_steps_or_for_a_model_of_the_hub_waits_for_the_button(
    page: Playground, asked: str, model: str
):
    changes = page.visits.on_visit(f"prompt=a+red+car&{asked}")
    assert page.visits.address.wanted not in changes
    assert changes[page.fields.model] == model
    assert f"9 images by {model}; press Generate" in said(page, changes)
    assert changes[page.visits.waiting].request.model == model


def test_a_link_to_embedded_models_is_made_at_once(page: Playground):
    changes = page.visits.on_visit("prompt=a+red+car&grid=1x2&seed=3&completion=yes")
    link, _ = read_link(changes[page.visits.address.wanted].query)
    assert link == Link(prompt="a red car", rows=1, columns=2, seed=3, completion=True)
    assert changes[page.panel.state] is None
    assert changes[page.panel.grid].count("<li") == 2
    again = page.visits.on_visit("prompt=a+red+car&grid=1x2&seed=3&completion=yes")
    assert again[page.visits.address.wanted] != changes[page.visits.address.wanted]


@pytest.mark.parametrize(
    ("query", "says"),
    [
        ("prompt=a+red+car&grid=9x9", "it can be rows x columns"),
        ("prompt=a+red+car&model=flux.1-schnell", "flux.1-schnell&quot; is not offered here"),
        ("prompt=a+red+car&bundle=small", "small&quot; is not offered here"),
    ],
)
def test_a_link_that_cannot_be_shown_as_it_is_says_so_and_starts_nothing(
    page: Playground, query: str, says: str
):
    changes = page.visits.on_visit(query)
    assert says in said(page, changes)
    assert page.visits.address.wanted not in changes
    assert page.visits.address.part not in changes
    assert changes[page.fields.prompt] == "a red car"


def test_a_link_says_that_its_model_has_changed_since(page: Playground, kept: GridState):
    changes = page.visits.on_visit(f"{link_of(kept)}&revision=0f0f0f0f")
    assert "icons has changed since this was made" in said(page, changes)


def test_a_kept_run_of_other_weights_says_so_whatever_the_link_says(
    page: Playground, kept: GridState
):
    old = replace(kept, request=replace(kept.request, revision="0f0f0f0f"))
    recent = recent_runs()
    recent.save(link_of(kept).run, old)
    visits = replace(page.visits, recent=recent)
    changes = visits.on_visit(f"{link_of(kept)}&revision={revision_of('icons')}")
    assert "icons has changed since this was made" in said(page, changes)


def test_a_link_to_a_model_that_is_off_says_why(page: Playground):
    offer = replace(page.visits.offer, off={"sdxl": "the hub is out of reach"})
    changes = replace(page.visits, offer=offer).on_visit("prompt=a+red+car&model=sdxl")
    assert "cannot be used here: the hub is out of reach" in said(page, changes)
