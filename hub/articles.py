"""What has an article of its own is a noun, whatever a tagger takes it for: "an orange"."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from spacy.tokens import Doc


def nouns_by_article(doc: Doc) -> Doc:
    """The same doc, its adjectives that have an article of their own being nouns.

    >>> import spacy
    >>> from spacy.tokens import Doc
    >>> read = {"pos": ["DET", "ADJ"], "heads": [1, 1], "deps": ["det", "ROOT"]}
    >>> doc = Doc(spacy.blank("en").vocab, words=["an", "orange"], **read)
    >>> [token.pos_ for token in nouns_by_article(doc)]
    ['DET', 'NOUN']
    """
    for token in doc:
        if token.pos_ == "ADJ" and any(child.dep_ == "det" for child in token.lefts):
            token.pos_ = "NOUN"
    return doc
