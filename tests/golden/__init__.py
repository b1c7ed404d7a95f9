"""The questions and scores of sixty prompts about three images, as the version gives them."""
