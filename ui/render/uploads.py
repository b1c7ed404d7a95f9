"""HTML of the files that a visitor has picked: each as a thumbnail, or with the reason why not."""

from __future__ import annotations

from collections.abc import Sequence

from session.uploads import Uploads
from ui.render.words import safe, shortened, url


def picked(uploads: Uploads, files: Sequence[str], what: str) -> str:
    """Thumbnails of what can be used, then a sentence for each file that cannot.

    Args:
        uploads: what was read.
        files: where each of its images is stored.
        what: they are, e.g. "pictures".
    """
    shown = "".join(
        f'<li><img src="{safe(url(file) or "")}" alt=""><span title="{safe(name)}">'
        f"{safe(shortened(name))}</span></li>"
        for name, file in zip(uploads.names, files, strict=True)
    )
    return (
        f'<ul class="picked" aria-label="{safe(what)}">{shown}</ul>' if shown else ""
    ) + refusals(tuple(map(str, uploads.refused)))


def refusals(reasons: Sequence[str]) -> str:
    """Files that are left out, each with its reason."""
    sign = '<span class="sign">✗</span>'
    rows = "".join(f"<li>{sign} {safe(reason)}</li>" for reason in reasons)
    return f'<div role="status"><ul class="left-out">{rows}</ul></div>' if rows else ""
