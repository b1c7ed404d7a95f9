"""The set metrics by name: the published variants, and the text that a metric prints as."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from alignment.set_metrics.expectation import Novelty
from alignment.set_metrics.metrics import ERR, RBP, SetMetric
from alignment.set_metrics.viewing_orders import ORDERS, Order

FAMILIES: Mapping[str, type[SetMetric]] = {"RBP": RBP, "ERR": ERR}
"""Each is computed for every grid."""

ORDERS_NAMED: Mapping[str, Order] = {"": "saliency", "^u": "uniform"}
NOVELTIES_NAMED: Mapping[str, Novelty] = {"": "none", "_eta": "max"}

NAMED: Mapping[str, SetMetric] = {
    f"{name}{u}{eta}": family(novelty=novelty, order=order)
    for u, order in ORDERS_NAMED.items()
    for eta, novelty in NOVELTIES_NAMED.items()
    for name, family in FAMILIES.items()
}
"""The published variants: eta stands for novelty, u for the uniform order; saliency without u."""


def parse_metric(text: str) -> SetMetric:
    """The metric that prints like this, or that has this name in `NAMED`.

    Raises:
        ValueError: the text is neither.

    >>> parse_metric('ERR(persistence=0.8, novelty="max", order="saliency")')
    ERR(persistence=0.8, novelty="max", order="saliency")
    >>> parse_metric("ERR^u_eta")
    ERR(persistence=0.8, novelty="max", order="uniform")
    """
    if text in NAMED:
        return NAMED[text]
    try:
        return _read_call(text)
    except (SyntaxError, ValueError, TypeError, KeyError) as error:
        raise ValueError(_not_a_metric(text, error)) from error


def _read_call(text: str) -> SetMetric:
    match ast.parse(text, mode="eval").body:
        case ast.Call(func=ast.Name(id=family), args=[], keywords=keywords):
            settings = {str(each.arg): ast.literal_eval(each.value) for each in keywords}
            return FAMILIES[family](**settings)
    raise ValueError("it is not a call")


def default_metrics(persistence: float = 0.8) -> tuple[SetMetric, ...]:
    """Each family without and with novelty, under each viewing order: twelve metrics of two."""
    novelties: tuple[Novelty, ...] = ("none", "max")
    return tuple(
        family(persistence, novelty, order)
        for family in FAMILIES.values()
        for novelty in novelties
        for order in ORDERS
    )


def _not_a_metric(text: str, error: Exception) -> str:
    example = 'ERR(persistence=0.8, novelty="max", order="saliency")'
    names = ", ".join(NAMED)
    return f"cannot read the metric {text!r} ({error}); write e.g. {example}, or a name: {names}"
