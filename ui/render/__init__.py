"""Rendering: from a record to HTML, a figure or text; pure functions."""
