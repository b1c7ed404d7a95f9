"""What is known of a grid comes in as records; what a person sees of it goes out, as HTML."""

from __future__ import annotations
