"""The detector that reads generated pictures, an evaluator for the benchmarks."""
