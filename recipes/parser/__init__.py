"""The prompt parser: a spaCy pipeline of Universal Dependencies and captions."""
