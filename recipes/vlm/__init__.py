"""Sticker VLM: a PaliGemma of small width that answers questions about stickers."""
