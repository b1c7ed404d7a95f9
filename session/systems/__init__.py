"""Systems: what their grids are worth to viewers."""
