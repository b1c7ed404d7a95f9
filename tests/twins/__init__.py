"""Twins of models on the hub: every file of the real repository, small, with random weights."""
