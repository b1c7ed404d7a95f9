"""Statistics of the benchmarks: agreement, comparison of systems, classification."""
