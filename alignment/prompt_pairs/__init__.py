"""Commonsense-T2I: prompt pairs, description match, score and analysis."""
