"""What several benchmarks read and write: data sets as published, scores that are kept, numbers."""
