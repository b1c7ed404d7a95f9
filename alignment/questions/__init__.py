"""Questions about a prompt: answer spans, generation and filter, dependencies, contradictions."""
