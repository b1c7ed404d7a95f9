"""spaCy pipelines, which read a prompt before images are generated and before they are scored."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from hub.articles import nouns_by_article
from hub.loaded import cached_loader

if TYPE_CHECKING:
    from spacy import Language


@cached_loader
def load_parser(source: Path | str) -> Language:
    """A pipeline from a folder, or an installed package of that name, loaded once; what has an
    article of its own is a noun to it.

    Raises:
        OSError: there is none.
    """
    import spacy

    name = nouns_by_article.__name__
    spacy.Language.component(name, func=nouns_by_article)
    parser = spacy.load(source)
    parser.add_pipe(name)
    return parser
