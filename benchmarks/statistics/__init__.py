"""Statistics of the benchmarks: intervals, correlation, agreement, comparison, classification."""
