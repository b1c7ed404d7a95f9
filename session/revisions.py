"""Revisions of text-to-image models: whether a result was made by the files that are here."""

from __future__ import annotations

import generation
import hub


def revision_of(model: str) -> str:
    """Of the files of a model of that name; empty where there is none."""
    spec = generation.MODELS.get(model)
    return revision_of_spec(spec) if spec else ""


def revision_of_spec(spec: generation.ModelSpec) -> str:
    """Of a model's files on this machine, see `hub.revision`; empty where there are none."""
    return known_revision(hub.revision(spec.source))


def known_revision(revision: str) -> str:
    """A revision; empty where it is `hub.UNKNOWN`."""
    return "" if revision == hub.UNKNOWN else revision


def changed(model: str, revision: str) -> str:
    """A sentence where a model is not the one that made something; empty where that is not known.

    Args:
        model: its name.
        revision: of its files then.

    >>> changed("stickers", revision_of("stickers")), changed("stickers", "")
    ('', '')
    """
    here = revision_of(model)
    if not here or revision in ("", hub.UNKNOWN, here):
        return ""
    return (
        f"{model} has changed since this was made (revision {revision} then, {here} now): the same "
        "seeds give other images"
    )
