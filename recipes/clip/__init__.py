"""Sticker CLIP: a contrastive model of stickers and captions in open_clip's form."""
