"""A checkpoint is taken from history as it was, once."""

import subprocess
from pathlib import Path

import pytest

from recipes.history import shipped_at


def git(*arguments: str) -> str:
    names = ("-c", "user.name=a", "-c", "user.email=a@example.org")
    done = subprocess.run(("git", *names, *arguments), check=True, capture_output=True, text=True)
    return done.stdout.strip()


def test_a_checkpoint_is_what_it_was_at_a_commit_not_what_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    weights = Path("assets/checkpoints/icon-diffusion/unet/weights")
    weights.parent.mkdir(parents=True)
    git("init", "--quiet")
    commits = []
    for content in ("before", "after"):
        weights.write_text(content)
        git("add", ".")
        git("commit", "--quiet", "--message", content)
        commits.append(git("rev-parse", "HEAD"))
    for commit, content in zip(commits, ("before", "after"), strict=True):
        folder = shipped_at(commit, "icon-diffusion")
        assert (folder / "unet" / "weights").read_text() == content
        assert shipped_at(commit, "icon-diffusion") == folder


def test_a_clone_without_the_history_says_how_to_take_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    git("init", "--quiet")
    with pytest.raises(RuntimeError, match=r"of commit 1234567 is not in this .* --unshallow"):
        shipped_at("1234567", "icon-diffusion")
