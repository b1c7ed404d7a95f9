"""What a visitor may choose from."""

from __future__ import annotations

import pytest

import alignment
import generation
import hub
from alignment.errors import UnknownBundleError
from alignment.models.loading import bundle_memory
from alignment.set_metrics.saliency import SPECTRAL_RESIDUAL
from generation import InvalidRequestError, UnknownModelError
from generation.memory import fitting, four_bits_work
from session.offer import Offer, offered

GB = 10**9


def test_by_default_everything_is_offered():
    offer = offered("", "", "")
    assert offer == Offer()
    assert offer.models == tuple(generation.MODELS)


def test_an_owner_names_what_is_offered():
    offer = offered("sdxl,stickers", "paper", "spaces")
    assert (offer.models, offer.bundles) == (("sdxl", "stickers"), ("paper",))


def test_an_unknown_name_is_an_error_of_the_owner():
    with pytest.raises(UnknownModelError, match="no model 'sdxxl'"):
        offered("sdxxl", "", "")
    with pytest.raises(UnknownBundleError, match="no bundle 'huge'"):
        offered("", "huge", "")


def test_a_bundle_comes_first_though_it_was_not_named():
    assert offered("", "paper", "").starting_with("embedded").bundles == ("embedded", "paper")


@pytest.mark.parametrize("memory", [2 * GB, 16 * GB, 48 * GB])
def test_a_space_offers_what_fits_its_memory(memory: int, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(hub, "free_memory", lambda _: memory)
    offer = offered("", "", "spaces")
    assert offer.models[0] == "stickers"
    assert offer.bundles[0] == "embedded"
    device = hub.best_device()
    reserved = max(bundle_memory(alignment.BUNDLES[name]) for name in offer.bundles)
    assert reserved <= memory / 2
    for name in offer.models[1:]:
        assert generation.memory_on(generation.MODELS[name], device) + reserved <= memory


def test_a_processor_takes_the_weights_of_a_bundle_in_single_precision(
    monkeypatch: pytest.MonkeyPatch,
):
    bundle = alignment.BUNDLES["light"]
    monkeypatch.setattr(hub, "best_device", lambda: "cpu")
    alone = sum(each.memory_gb for each in bundle.models if each.open_clip)
    weights = bundle_memory(bundle) - 0.5 * GB
    assert weights == pytest.approx((2 * (bundle.memory_gb - alone) + alone) * GB, rel=0.02)


def test_all_models_of_an_offer_fit_the_disk_together():
    specs = generation.MODELS.values()
    names = fitting(specs, "cuda", 100 * GB, 50 * GB, token=True)
    sources = {generation.MODELS[name].source: generation.MODELS[name].download for name in names}
    assert 20 < sum(sources.values()) <= 50


def test_gated_models_need_a_token():
    for token in (True, False):
        names = fitting(generation.MODELS.values(), "cuda", 99 * GB, 999 * GB, token=token)
        assert ("flux.1-schnell" in names) == token


@pytest.mark.parametrize(
    ("device", "installed", "lent", "works"),
    [
        ("cuda", True, False, True),
        ("cuda", False, False, False),
        ("cpu", True, False, False),
        ("cuda", True, True, False),  # ZeroGPU
    ],
)
def test_models_in_4_bits_are_offered_where_bitsandbytes_keeps_them_on_a_gpu(
    device: str, installed: bool, lent: bool, works: bool, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("importlib.util.find_spec", lambda package: installed or None)
    monkeypatch.setattr(hub, "zero_gpu", lambda: lent)
    assert four_bits_work(device) == works
    models = generation.MODELS.values()
    names = fitting(models, device, 99 * GB, 999 * GB, token=True, four_bits=works)
    assert ("flux.2-klein-4bit" in names) == works


def test_what_cannot_be_used_is_off_with_its_reason():
    offer = offered("stickers,sd-turbo", "embedded", "").explained(lambda: False)
    assert offer.off["sd-turbo"] == "the hub is out of reach"
    assert offer.off["flux.1-schnell"] == offer.off["small"] == "not offered here"
    assert "stickers" not in offer.off
    assert "embedded" not in offer.off
    assert "small" in offer.other_bundles
    assert "sd-turbo" not in offer.other_models


def test_what_is_within_reach_is_on():
    assert not Offer().explained(lambda: True).off


@pytest.mark.parametrize(
    ("model", "bundle"), [("sdxl", "embedded"), ("stickers", "small"), (None, "embedded+clip=x")]
)
def test_what_is_not_offered_is_refused(model: str | None, bundle: str):
    with pytest.raises(InvalidRequestError, match="is not offered here; choose one of"):
        offered("stickers", "embedded", "").require(model, bundle, SPECTRAL_RESIDUAL)


def test_a_model_of_attention_is_used_only_where_the_owner_offers_it():
    Offer().looking_by("mit1003").require("stickers", "embedded", "mit1003")
    with pytest.raises(InvalidRequestError, match="choose one of spectral-residual"):
        Offer().require("stickers", "embedded", "/etc")


@pytest.mark.parametrize(
    "bundle",
    [
        "small+clip=clip-vit-l-14",
        "embedded+parser=prompt-parser@/etc",
        "small+clip=clip-vit-l-14@a/b",
    ],
)
def test_an_offer_of_everything_that_has_a_name_offers_no_other_roles(bundle: str):
    with pytest.raises(InvalidRequestError, match="is not offered here; choose one of embedded"):
        Offer().require("sdxl", bundle, SPECTRAL_RESIDUAL)


def test_an_owner_offers_a_bundle_with_another_model_by_naming_it():
    bundle = "small+clip=clip-vit-l-14"
    offered("", f"embedded,{bundle}", "").require("sdxl", bundle, SPECTRAL_RESIDUAL)
