"""What a visitor may choose from."""

import pytest

import alignment
import generation
import hub
from alignment.errors import UnknownBundleError
from alignment.models.loading import bundle_memory
from generation import InvalidRequestError, UnknownModelError
from session import loading
from session.offer import Offer, offered
from session.plan import MACHINES, plan

GB = 10**9


def test_by_default_everything_is_offered():
    offer = offered("", "", "")
    assert offer.models == tuple(generation.MODELS)
    assert offer.bundles == tuple(alignment.BUNDLES)


def test_elsewhere_the_page_opens_without_asking_what_the_machine_is(
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.delattr(hub, "this_machine")
    assert not offered("", "", "").slow


def test_an_owner_names_what_is_offered():
    offer = offered("sdxl,stickers", "paper", True)
    assert (offer.models, offer.bundles) == (("sdxl", "stickers"), ("paper",))


def test_an_unknown_name_is_an_error_of_the_owner():
    with pytest.raises(UnknownModelError, match="no model 'sdxxl'"):
        offered("sdxxl", "", "")
    with pytest.raises(UnknownBundleError, match="no bundle 'huge'"):
        offered("", "huge", "")


def test_a_bundle_comes_first_though_it_was_not_named():
    assert offered("", "paper", "").starting_with("embedded").bundles == ("embedded", "paper")


@pytest.mark.parametrize("name", MACHINES)
def test_a_space_offers_what_its_machine_can_run(name: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(hub, "this_machine", lambda: MACHINES[name])
    offer, found = offered("", "", True), plan(MACHINES[name])
    assert offer.models == tuple(each.name for each in found.models)
    assert offer.bundles == tuple(each.name for each in found.bundles)


def test_where_an_image_takes_long_the_choice_says_so(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(hub, "this_machine", lambda: MACHINES["CPU basic, 2 cores, 16 GB"])
    slow = offered("", "", True).slow
    assert slow["sd-1.5"] == "10 min"
    assert "stickers" not in slow


def test_a_processor_takes_the_weights_of_a_bundle_in_single_precision():
    bundle = alignment.BUNDLES["light"]
    alone = sum(each.memory_gb for each in bundle.models if each.open_clip)
    weights = bundle_memory(bundle, "cpu", bfloat16=False) - 0.5 * GB
    assert weights == pytest.approx((2 * (bundle.memory_gb - alone) + alone) * GB, rel=0.02)


def test_what_cannot_be_used_is_off_with_its_reason():
    offer = offered("stickers,sd-turbo", "embedded", "").explained(lambda: False)
    assert offer.off["sd-turbo"] == "the hub is out of reach"
    assert offer.off["flux.1-schnell"] == offer.off["small"] == "not offered here"
    assert "stickers" not in offer.off
    assert "embedded" not in offer.off


def test_what_is_within_reach_is_on():
    assert not Offer().explained(lambda: True).off


FEW = offered("stickers", "embedded", "")


@pytest.mark.parametrize(
    ("offer", "model", "bundle"),
    [
        (FEW, "sdxl", "embedded"),
        (FEW, "stickers", "small"),
        (FEW, None, "embedded+clip=x"),
        (Offer(), "sdxl", "small+clip=clip-vit-l-14"),
        (Offer(), "sdxl", "embedded+parser=prompt-parser@/etc"),
        (Offer(), "sdxl", "small+clip=clip-vit-l-14@a/b"),
    ],
)
def test_what_is_not_offered_by_name_is_refused(offer: Offer, model: str | None, bundle: str):
    with pytest.raises(InvalidRequestError, match="is not offered here; choose one of"):
        offer.require(model, bundle)


def test_an_owner_offers_a_bundle_with_another_model_by_naming_it():
    bundle = "small+clip=clip-vit-l-14"
    offer = offered("", f"embedded,{bundle}", "")
    offer.require("sdxl", bundle)
    assert bundle in offer.explained(lambda: False).off


def test_before_the_first_visitor_every_model_is_loaded(monkeypatch: pytest.MonkeyPatch):
    found: list[str] = []
    monkeypatch.setattr(loading, "load_text_to_image", found.append)
    loading.load_everything(offered("stickers,sdxl", "embedded", ""))
    assert found == ["stickers", "sdxl"]
