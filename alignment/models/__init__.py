"""The models that score images, and how each is loaded: catalogue, loading, adapters."""
