"""The text of the last tab: what the numbers mean, and where papers, code and models are."""

from __future__ import annotations

from alignment import BUNDLES
from alignment.models.spec import CHECKPOINTS, Bundle, ScoringModel
from session.offer import Offer
from ui.components import ASSETS

HUB = "https://huggingface.co"
NO_ADDRESS = (
    "The code is in the folder that this page was started from, with a README; whoever runs the "
    "page can have it linked here (`SOURCE_URL`)."
)


def about(offer: Offer, source: str = "") -> str:
    """The text, in Markdown.

    Args:
        offer: says which bundles are off, and why.
        source: the address of the code; empty where it is not known.
    """
    text = (ASSETS / "about.md").read_text(encoding="utf-8")
    code = f"The code of this page: [{source}]({source})." if source else NO_ADDRESS
    bundles = "\n".join(
        f"- **{bundle.name}**: {bundle.notes}{_off(offer, bundle)} {_models(bundle, source)}"
        for bundle in BUNDLES.values()
    )
    return text.replace("CODE", code).replace("BUNDLES", bundles)


def _off(offer: Offer, bundle: Bundle) -> str:
    return f" Off: {offer.off[bundle.name]}." if bundle.name in offer.off else ""


def _models(bundle: Bundle, source: str) -> str:
    return f"{', '.join(_linked(model, source) for model in bundle.models)}."


def _linked(model: ScoringModel, source: str) -> str:
    """The name of a model, with a link to its page on the hub, or to its card beside the code."""
    if isinstance(model.source, str) and "/" in model.source:
        return f"[{model.name}]({HUB}/{model.source})"
    if model.embedded and (card := card_of(model.name, source)):
        return f"[{model.name}]({card})"
    return model.name


def card_of(checkpoint: str, source: str) -> str:
    """The address of the card of an embedded model; empty where files have no addresses.

    >>> card_of("sticker-vlm", "https://huggingface.co/spaces/a/b/tree/main")
    'https://huggingface.co/spaces/a/b/blob/main/assets/checkpoints/sticker-vlm/card.json'
    >>> card_of("sticker-vlm", "https://example.org/code.zip")
    ''
    """
    repository, tree, branch = source.partition("/tree/")
    place = f"{'/'.join(CHECKPOINTS.parts[-2:])}/{checkpoint}/card.json"
    return f"{repository}/blob/{branch.rstrip('/')}/{place}" if tree else ""
