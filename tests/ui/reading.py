"""HTML as a test reads it: elements with their attributes and text."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser

VOID = {"img", "br", "input"}


@dataclass
class Element:
    tag: str
    attributes: dict[str, str | None]
    text: str = ""
    inside: list[Element] = field(default_factory=list)

    def all(self, tag: str, name: str = "") -> list[Element]:
        """Every element of a tag, and of a class where one is named, in document order."""
        found = []
        for each in self.inside:
            classes = (each.attributes.get("class") or "").split()
            if each.tag == tag and (not name or name in classes):
                found.append(each)
            found += each.all(tag, name)
        return found

    def one(self, tag: str, name: str = "") -> Element:
        (found,) = self.all(tag, name)
        return found

    def __getitem__(self, attribute: str) -> str | None:
        return self.attributes[attribute]


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open = [Element("document", {})]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element = Element(tag, dict(attrs))
        self.open[-1].inside.append(element)
        if tag not in VOID:
            self.open.append(element)

    def handle_endtag(self, tag: str) -> None:
        closed = self.open.pop()
        assert closed.tag == tag, f"<{closed.tag}> is closed by </{tag}>"

    def handle_data(self, data: str) -> None:
        for element in self.open:
            element.text += data


def read(html: str) -> Element:
    """The document; an element that is not closed in order is an error."""
    reader = _Reader()
    reader.feed(html)
    reader.close()
    (document,) = reader.open
    return document
