"""The tabs of the page."""
