"""Sticker T5: question generation, answering from text, and contradictions."""
