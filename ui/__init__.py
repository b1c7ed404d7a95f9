"""The page: tabs, the grid panel, and the rendering of records."""
