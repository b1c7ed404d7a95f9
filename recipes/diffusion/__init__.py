"""Sticker Diffusion: autoencoder, text encoder and UNet of a Stable Diffusion pipeline."""
