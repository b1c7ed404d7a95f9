"""Systems: what their grids are worth to viewers, and whether people prefer the same ones."""
