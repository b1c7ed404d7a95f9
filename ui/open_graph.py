"""What other sites show of a link to the page: Open Graph and Twitter tags in place of Gradio's.

A link says what it shows, so its tags do too; title, image and address follow the host asked.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from starlette.datastructures import URL, Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from session.link import read_link
from session.tab_links import PairLink, UploadsLink, read_comparison, read_tab
from ui.render.words import counted, safe

CARD = "card.png"
"""The image, relative to the page; 1200 x 630."""
DESCRIPTION = (
    "A prompt is generated many times, every image is asked about every part of it, and the "
    "ranking says why."
)
LONGEST = 90
"""Characters of a prompt in a title."""
GRADIOS = re.compile(rb'<meta\s+(?:property="og:|name="twitter:)[^>]*>\s*')


def tags(title: str, url: URL) -> Mapping[str, str]:
    """The tags of a link, by name.

    >>> tags("Page", URL("http://a.example/?prompt=a+red+car&seed=3&x=<"))["og:title"]
    'Page: “a red car”'
    """
    shown = _shown(url.query)
    page = url.replace(query=shown.query, fragment="")
    title = f"{title}: “{_short(shown.prompt)}”" if shown.prompt else title
    image = str(url.replace(path=f"{url.path.rstrip('/')}/{CARD}", query="", fragment=""))
    description = f"{shown.sentence} {DESCRIPTION}".strip()
    return {
        "og:type": "website",
        "og:url": str(page),
        "og:title": title,
        "og:description": description,
        "og:image": image,
        "og:image:width": "1200",
        "og:image:height": "630",
        "twitter:card": "summary_large_image",
        "twitter:title": title,
        "twitter:description": description,
        "twitter:image": image,
    }


class _Shown(NamedTuple):
    """What a link shows: its query, the first prompt, and how many there are of what."""

    query: str = ""
    prompt: str = ""
    sentence: str = ""


def _shown(query: str) -> _Shown:
    """What a link shows; nothing of it where a value cannot be."""
    link, mistakes = read_link(query)
    of_tab = _of_tab(link.tab, query)
    if of_tab or mistakes or not link.prompt:
        return of_tab or _Shown()
    images = counted(link.request.size, "image")
    said = f"{images} by {link.model}, ranked by how well they match the prompt."
    return _Shown(str(link), link.prompt, said)


def _of_tab(tab: str, query: str) -> _Shown | None:
    """The same of a tab beside the playground; None where the link asks it for nothing."""
    comparison, wrong = read_comparison(query)
    if tab == "compare" and not wrong:
        asked = comparison.asked
        prompts, columns = counted(len(asked.prompts), "prompt"), len(asked.systems)
        said = f"{prompts}, compared in {columns} columns."
        return _Shown(f"tab={tab}&{comparison}", asked.prompts[0], said)
    pair, wrong = read_tab(PairLink, query)
    if tab == "commonsense" and pair.first and not wrong:
        said = f"Compared with “{_short(pair.second)}”."
        return _Shown(f"tab={tab}&{pair}", pair.first, said)
    uploads, wrong = read_tab(UploadsLink, query)
    if tab == "your-pictures" and uploads.prompt and not wrong:
        return _Shown(f"tab={tab}&{uploads}", uploads.prompt)
    return None


def _short(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def with_tags(body: bytes, found: Mapping[str, str]) -> bytes:
    """An HTML page with these tags in place of others of their kind."""
    own = "".join(
        f'<meta {"name" if name.startswith("twitter:") else "property"}="{name}" '
        f'content="{safe(value)}" />'
        for name, value in found.items()
    )
    written = own.encode(errors="replace")
    return re.sub(rb"<head>", lambda head: head.group() + written, GRADIOS.sub(b"", body), count=1)


class OpenGraph:
    """Puts the tags of the link into the page that it leads to."""

    def __init__(self, app: ASGIApp, title: str) -> None:
        self.app, self.title = app, title

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer as the app does; the page at the root is changed."""
        if scope["type"] != "http" or scope["method"] != "GET" or scope["path"] != "/":
            await self.app(scope, receive, send)
            return
        page = _Page(tags(self.title, URL(scope=scope)), send)
        await self.app(_uncompressed(scope), receive, page)


class _Page:
    """Collects a response, and sends it with the tags."""

    def __init__(self, found: Mapping[str, str], send: Send) -> None:
        self.tags, self.send = found, send
        self.start: Message = {}
        self.body = b""

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.start = message
            return
        self.body += message.get("body", b"")
        if message.get("more_body"):
            return
        if "text/html" in Headers(raw=self.start["headers"]).get("content-type", ""):
            self.body = with_tags(self.body, self.tags)
            MutableHeaders(raw=self.start["headers"])["content-length"] = str(len(self.body))
        await self.send(self.start)
        await self.send({"type": "http.response.body", "body": self.body})


def _uncompressed(scope: Scope) -> Scope:
    """The same request for an answer that can be read."""
    kept = [each for each in scope["headers"] if each[0] != b"accept-encoding"]
    return {**scope, "headers": kept}
