import json
from dataclasses import replace
from pathlib import Path

import pytest
from PIL import Image as PillowImage
from PIL.Image import Image

from alignment.evaluation import read_prompt
from alignment.models.loading import Models
from alignment.models.vlm import EncodedImages
from alignment.questions.settings import Vq2Settings
from alignment.scorers import SCORERS
from alignment.scorers.scorer import ScoringInput
from benchmarks.data.scores import PairScorer, ScoreCache, by_text, scores_in
from tests.alignment.tiny_evaluators import TEXT

COLOURS = ("navy", "white", "green")
PAIRS = [*((colour, TEXT) for colour in COLOURS), ("navy", "??")]
METHODS = ("vnli", "vq2", "mean", "clip")


class Folder:
    """Images of one colour, and which of them were looked at."""

    def __init__(self) -> None:
        self.opened: list[str] = []

    def __call__(self, name: str) -> Image:
        self.opened.append(name)
        return PillowImage.new("RGB", (48, 48), name)


def test_each_pair_scores_what_the_scorers_say(models: Models) -> None:
    scored = [*PairScorer(models, Folder(), ScoreCache()).score(PAIRS, METHODS)]
    asked = ScoringInput(TEXT, read_prompt(TEXT, models))
    images = EncodedImages([Folder()(colour) for colour in COLOURS])
    for method in ("vq2", "vnli", "clip"):
        alone = [score.value for score in SCORERS[method].build(models).score(asked, images)]
        assert [each[method] for each in scored[:3]] == pytest.approx(alone)
    assert all(list(each) == [*METHODS] for each in scored)
    assert scored[0]["mean"] == pytest.approx((scored[0]["vq2"] + scored[0]["vnli"]) / 2)


def test_a_text_without_questions_has_no_score_by_vq2_nor_by_the_mean(models: Models) -> None:
    (scored,) = PairScorer(models, Folder(), ScoreCache()).score(PAIRS[3:], METHODS)
    assert (scored["vq2"], scored["mean"]) == (None, None)
    assert scored["vnli"] is not None


def test_what_is_known_is_not_scored_again(models: Models, tmp_path: Path) -> None:
    with scores_in(tmp_path) as cache:
        first = [*PairScorer(models, Folder(), cache).score(PAIRS, METHODS)]
    again = Folder()
    with scores_in(tmp_path) as cache:
        assert [*PairScorer(models, again, cache).score(PAIRS, METHODS)] == first
    assert again.opened == []


def test_a_run_that_stopped_goes_on_with_what_is_left(models: Models, tmp_path: Path) -> None:
    with scores_in(tmp_path) as cache:
        whole = [*PairScorer(models, Folder(), ScoreCache()).score(PAIRS, ["clip"])]
        next(PairScorer(models, Folder(), cache).score(PAIRS[:2], ["clip"]))
    rest = Folder()
    with scores_in(tmp_path) as cache:
        scored = [*PairScorer(models, rest, cache).score(PAIRS, ["clip"])]
    assert [each["clip"] for each in scored] == pytest.approx([each["clip"] for each in whole])
    assert rest.opened == ["green", "navy"]


def test_a_further_method_is_added_to_what_is_kept(models: Models, tmp_path: Path) -> None:
    with scores_in(tmp_path) as cache:
        [*PairScorer(models, Folder(), cache).score(PAIRS, ["clip"])]
        size = len(cache.values)
        [*PairScorer(models, Folder(), cache).score(PAIRS, ["clip", "vnli"])]
        assert len(cache.values) == 2 * size == 8


def test_an_image_is_opened_once_for_all_methods(models: Models) -> None:
    folder = Folder()
    [*PairScorer(models, folder, ScoreCache()).score(PAIRS[:3], METHODS)]
    assert folder.opened == [*COLOURS]


def test_images_of_one_text_are_read_together_up_to_a_limit() -> None:
    pairs = [("1", "owl"), ("2", "owl"), ("3", "owl"), ("4", "fox"), ("5", "owl")]
    assert [*by_text(pairs, at_once=2)] == [
        ("owl", ["1", "2"]),
        ("owl", ["3"]),
        ("fox", ["4"]),
        ("owl", ["5"]),
    ]


def test_scores_of_another_revision_of_a_model_of_the_hub_are_told_apart(
    models: Models, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A model that is not here yet has no revision, and one afterwards."""
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path))
    ref = tmp_path / "models--some--clip" / "refs" / "main"
    ref.parent.mkdir(parents=True)
    hub_clip = replace(
        models.bundle.clip, source="some/clip", name="clip-of-the-hub", quick_gelu=False
    )
    scorer = PairScorer(Models(replace(models.bundle, clip=hub_clip)), Folder(), ScoreCache())
    keys = [scorer.key("clip", "navy", TEXT)]
    for commit in ("0123456789", "fedcba9876"):
        ref.write_text(commit)
        keys.append(scorer.key("clip", "navy", TEXT))
    named = ["clip-of-the-hub@unknown", "clip-of-the-hub@01234567", "clip-of-the-hub@fedcba98"]
    assert [json.loads(key)[1] for key in keys] == named


def test_scores_of_another_model_or_other_settings_are_told_apart(models: Models) -> None:
    """A bundle of the same name with another CLIP must not read the scores of the first."""
    other = Models(replace(models.bundle, clip=replace(models.bundle.clip, name="another")))
    usual, changed = (PairScorer(each, Folder(), ScoreCache()) for each in (models, other))
    assert usual.key("clip", "navy", TEXT) != changed.key("clip", "navy", TEXT)
    assert usual.key("vnli", "navy", TEXT) == changed.key("vnli", "navy", TEXT)
    simple = replace(usual, settings=Vq2Settings(spans="simple"))
    assert usual.key("vq2", "navy", TEXT) != simple.key("vq2", "navy", TEXT)
    assert usual.key("clip", "navy", TEXT) == simple.key("clip", "navy", TEXT)


def test_another_training_of_an_embedded_checkpoint_has_scores_of_its_own(
    models: Models, tmp_path: Path
) -> None:
    keys = set()
    for date in ("may", "june"):
        folder = tmp_path / date
        folder.mkdir()
        (folder / "weights").write_text(date)
        retrained = replace(models.bundle.clip, source=folder)
        bundle = replace(models.bundle, clip=retrained)
        keys.add(PairScorer(Models(bundle), Folder(), ScoreCache()).key("clip", "navy", TEXT))
    assert len(keys) == 2


def test_a_method_without_questions_loads_no_model_that_writes_them(
    models: Models, tmp_path: Path
) -> None:
    nowhere = replace(models.bundle.reader, source=tmp_path / "nowhere")
    bundle = replace(models.bundle, question_writer=nowhere, reader=nowhere)
    scorer = PairScorer(Models(bundle), Folder(), ScoreCache())
    (scored,) = scorer.score(PAIRS[:1], ["clip"])
    assert scored["clip"] is not None
