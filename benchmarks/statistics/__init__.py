"""Statistics of the benchmarks: correlation, raters, comparison of systems, classification."""
