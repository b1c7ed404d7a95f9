"""What a person asks comes in; what happens then goes out, as boards and changes of a page."""

from __future__ import annotations
