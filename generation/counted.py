"""What each text-to-image model of the hub takes, counted from its true configuration.

Tests build the networks without memory and count again.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

FIELDS = ("parameters", "largest_component", "download", "step_tera", "decode_tera")
"""What was counted of each model, as `ModelSpec` calls it."""

_SD_1 = (1.37, 0.86, 5.5, 0.803, 2.515)

COUNTED: Mapping[str, tuple[float, ...]] = MappingProxyType(
    {
        "bk-sdm-tiny": (0.83, 0.32, 1.7, 0.486, 2.515),
        "sd-turbo": (1.29, 0.87, 2.6, 0.804, 2.515),
        "sd-1.4": _SD_1,
        "sd-1.5": (1.37, 0.86, 2.7, 0.803, 2.515),
        "sd-2.1": (1.29, 0.87, 2.6, 2.149, 5.754),
        "sdxl": (3.47, 2.57, 6.9, 6.761, 10.470),
        "sdxl-turbo": (3.47, 2.57, 6.9, 1.589, 2.515),
        "playground-v2.5": (3.47, 2.57, 6.9, 6.761, 10.470),
        "openjourney-v4": _SD_1,
        "lcm-dreamshaper-v7": (1.37, 0.86, 5.5, 2.148, 5.754),
        "sd-3-medium": (7.75, 4.76, 15.5, 8.904, 10.472),
        "sd-3.5-medium": (8.13, 4.76, 16.3, 11.250, 10.472),
        "sd-3.5-large": (13.81, 8.15, 27.6, 31.121, 10.472),
        "sana": (4.53, 2.61, 9.1, 2.967, 8.369),
        "flux.1-schnell": (16.86, 11.89, 33.7, 69.467, 10.472),
        "flux.2-klein": (7.98, 4.02, 16.0, 34.820, 10.475),
        "z-image-turbo": (10.26, 6.16, 32.8, 62.506, 10.472),
        "z-image": (10.26, 6.16, 20.5, 62.506, 10.472),
        "qwen-image": (28.85, 20.43, 57.7, 140.991, 20.122),
    }
)

IN_4_BITS: Mapping[str, tuple[tuple[str, ...], float]] = MappingProxyType(
    {
        "sd-3-medium": (("transformer", "text_encoder_3"), 6.66),
        "sd-3.5-medium": (("transformer", "text_encoder_3"), 6.87),
        "sd-3.5-large": (("transformer", "text_encoder_3"), 12.68),
        "flux.1-schnell": (("transformer", "text_encoder_2"), 16.52),
        "flux.2-klein": (("transformer", "text_encoder"), 7.51),
        "z-image-turbo": (("transformer", "text_encoder"), 9.79),
        "z-image": (("transformer", "text_encoder"), 9.79),
        "qwen-image": (("transformer", "text_encoder"), 27.62),
    }
)
"""The components that a model of 4 bits stores so, and 10^9 weights of their linear layers; the
others and embeddings of tokens stay in half precision."""
