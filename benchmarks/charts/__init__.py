"""Charts of the benchmarks."""
