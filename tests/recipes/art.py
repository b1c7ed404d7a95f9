"""What tests that draw images need: resvg_py, and the icon packages."""

from importlib.util import find_spec

import pytest

from recipes.world.drawings import PACKAGES

needs_art = pytest.mark.skipif(
    find_spec("resvg_py") is None or not PACKAGES.exists(),
    reason="no art: `pip install -r recipes/requirements.txt`, and `npm install` in recipes/",
)
