"""Statistics of people and prompts: intervals, ties, agreement with preferences."""
