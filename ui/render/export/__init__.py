"""What a person takes away from a grid: files that need neither this page nor its models."""
