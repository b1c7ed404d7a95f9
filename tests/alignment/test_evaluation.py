"""The stages come in order, stream what is known, and end in a report that keeps its evidence."""

import json
import re
from collections import Counter
from dataclasses import replace
from itertools import count
from pathlib import Path

import pytest
from PIL.Image import Image
from spacy.language import Language
from spacy.tokens import Doc

from alignment.changes import REPLACED, rerank, rescore, with_targets
from alignment.errors import MissingCheckpointError, UnknownMethodError
from alignment.evaluation import NO_IMAGE, Stage, evaluate, measured, read_prompt
from alignment.models.catalogue import BUNDLES
from alignment.models.loading import Models
from alignment.ranking import METHODS
from alignment.records import GridReport
from alignment.report import StoredReport, load_report, report_json, save_report
from alignment.scorers import GRID_METHODS
from alignment.set_metrics.named import default_metrics
from alignment.signature import VERSION
from tests.alignment.calibrations import IDENTITY
from tests.alignment.tiny_evaluators import QUESTIONS, TEXT


def stages_of(
    images: tuple[Image | None, ...], models: Models, ranked_by: str = "vq2"
) -> list[Stage]:
    ticks = count()
    return list(
        evaluate(
            TEXT,
            images,
            2,
            2,
            models,
            ranked_by=ranked_by,
            questions=QUESTIONS,
            calibrations=IDENTITY,
            clock=lambda: float(next(ticks)),
        )
    )


@pytest.fixture(scope="module")
def stages(images: tuple[Image, ...], models: Models) -> list[Stage]:
    return stages_of(images, models)


@pytest.fixture(scope="module")
def report(stages: list[Stage]) -> GridReport:
    finished = stages[-1].report
    assert finished is not None
    return finished


@pytest.fixture(scope="module")
def partial(images: tuple[Image, ...], models: Models) -> GridReport:
    """Of a grid whose second image was filtered."""
    finished = stages_of((images[0], None, *images[2:]), models)[-1].report
    assert finished is not None
    return finished


def test_the_stages_come_in_order(stages: list[Stage]) -> None:
    names = list(dict.fromkeys(stage.name for stage in stages))
    assert names == ["questions", *GRID_METHODS, "saliency", "metrics"]
    assert [stage.report for stage in stages[:-1]] == [None] * (len(stages) - 1)


def test_every_image_is_told_as_soon_as_it_is_judged(stages: list[Stage]) -> None:
    judging = [stage for stage in stages if stage.name == "vq2"]
    assert [(stage.done, stage.total) for stage in judging] == [(done, 4) for done in range(5)]
    assert [len(stage.scores.get("vq2", ())) for stage in judging] == [0, 1, 2, 3, 4]
    assert all(stage.questions == QUESTIONS for stage in judging)


def test_the_report_holds_every_method_for_every_cell(report: GridReport) -> None:
    assert list(report.scores) == list(GRID_METHODS)
    assert list(report.rankings) == list(METHODS)
    assert all(len(scores) == 4 for scores in report.scores.values())
    assert report.bundle == "tiny"


def test_both_arrangements_are_measured(report: GridReport) -> None:
    assert {score.arrangement for score in report.set_scores} == {"generated", "reranked"}
    assert {score.order for score in report.set_scores} == {"saliency", "positional", "uniform"}
    for attention in report.saliency.values():
        assert sum(attention) == pytest.approx(1)
    signatures = {score.signature for score in report.set_scores}
    assert len(signatures) == len(report.set_scores) == 2 * len(default_metrics())
    saliency = next(each.by_name for each in signatures if "saliency" in each.by_name["order"])
    assert saliency["order"] == "saliency(spectral-residual)"
    assert saliency["n"] == "4/4"
    assert saliency["calibrated"] == IDENTITY["vq2"].name
    assert report.thresholds == dict.fromkeys(METHODS, 0.5)
    assert "tiny-paligemma@" in saliency["models"]
    novel = next(each.by_name for each in signatures if each.by_name["novelty"] != "none")
    assert re.fullmatch(r"max-cosine\(tiny-clip@[0-9a-f]{8}\)", novel["novelty"])


def value(report: GridReport, metric: str, order: str, arrangement: str) -> float:
    wanted = (metric, order, arrangement)
    return next(
        score.value
        for score in report.set_scores
        if (score.metric, score.order, score.arrangement) == wanted
    )


@pytest.mark.parametrize("method", METHODS)
def test_reranking_a_report_is_evaluating_by_that_method(
    method: str, report: GridReport, images: tuple[Image, ...], models: Models
) -> None:
    evaluated = stages_of(images, models, ranked_by=method)[-1].report
    assert rerank(report, method, images) == evaluated


def test_a_deeper_look_changes_the_set_scores_alone(report: GridReport) -> None:
    deeper = measured(report, persistence=0.9)
    assert value(deeper, "RBP", "uniform", "generated") > value(
        report, "RBP", "uniform", "generated"
    )
    assert replace(deeper, set_scores=report.set_scores) == report


def test_an_unknown_ranking_is_refused_before_any_work(
    report: GridReport, images: tuple[Image, ...], models: Models
) -> None:
    with pytest.raises(UnknownMethodError, match="'blip'; known: vq2, vnli, clip"):
        evaluate(TEXT, images, 2, 2, models, ranked_by="blip")
    with pytest.raises(UnknownMethodError):
        rerank(report, "blip", images)


def test_a_filtered_image_is_ranked_last_and_left_out(
    report: GridReport, partial: GridReport
) -> None:
    for method, scores in partial.scores.items():
        assert (scores[1].value, scores[1].reason) == (None, NO_IMAGE)
        assert partial.rankings[method].order[-1] == 1
        for cell in (0, 2, 3):
            expected = report.scores[method][cell].value
            assert scores[cell].value == pytest.approx(expected, abs=1e-5)
    assert partial.similarity[1] == (0.0, 1.0, 0.0, 0.0)
    assert partial.similarity[2][3] == pytest.approx(report.similarity[2][3], abs=1e-5)


def test_a_grid_of_filtered_images_has_no_set_scores(models: Models) -> None:
    empty = stages_of((None,) * 4, models)[-1].report
    assert (empty.set_scores, empty.saliency, empty.ranking.order) == ((), {}, (0, 1, 2, 3))


@pytest.mark.parametrize("count", [0, 2])
def test_there_is_an_image_and_none_without_a_cell(
    count: int, images: tuple[Image, ...], models: Models
) -> None:
    with pytest.raises(ValueError, match=f"{count} images for a grid of 1 x 1"):
        evaluate(TEXT, images[:count], 1, 1, models)


def test_the_last_places_may_stay_empty(images: tuple[Image, ...], models: Models) -> None:
    *_, stage = evaluate(TEXT, images[:3], 2, 2, models, questions=QUESTIONS, calibrations=IDENTITY)
    assert sorted(stage.report.ranking.order) == [0, 1, 2]
    assert {score.arrangement for score in stage.report.set_scores} == {"generated", "reranked"}


def test_an_image_that_is_a_target_comes_first_when_ranked_by_targets(
    report: GridReport, images: tuple[Image, ...], models: Models
) -> None:
    wanted = with_targets(report, images, [images[2]], models)
    assert wanted.ranked_by == report.ranked_by
    by_target = rerank(wanted, "targets", images)
    assert by_target.ranking.values[2] == pytest.approx(1, abs=1e-5)
    assert by_target.ranking.order[0] == 2
    relevance = by_target.set_scores[0].signature.by_name["relevance"]
    assert relevance == "max(0,cosine) to the nearest target"
    with pytest.raises(UnknownMethodError, match="'targets'; known: vq2, vnli, clip"):
        rerank(report, "targets", images)


def test_a_replaced_image_is_to_be_compared_with_the_targets_again(
    report: GridReport, images: tuple[Image, ...], models: Models
) -> None:
    wanted = with_targets(report, images, [images[2]], models)
    again = rescore(wanted, 1, [images[0], images[2], *images[2:]], models)
    old, new = wanted.scores["targets"], again.scores["targets"]
    assert (new[1].value, new[1].reason) == (None, REPLACED)
    assert new[:1] + new[2:] == old[:1] + old[2:]
    assert again.rankings["targets"].order[-1] == 1


def test_the_timings_count_only_the_time_inside(report: GridReport, stages: list[Stage]) -> None:
    # The clock ticks once when asked: one tick inside each step, one outside.
    assert sum(report.timings.values()) == len(stages)
    assert report.timings["vq2"] == 5


def test_a_missing_parser_is_told_when_the_prompt_is_read(
    images: tuple[Image, ...], models: Models
) -> None:
    stages = evaluate(TEXT, images, 2, 2, models)
    assert next(stages).name == "questions"
    with pytest.raises(MissingCheckpointError):
        next(stages)


def test_a_report_with_gaps_comes_back_from_its_file(partial: GridReport, tmp_path: Path) -> None:
    files = ("0.png", None, "2.png", "3.png")
    stored = StoredReport(partial, "stickers", 7, files, {"torch": "2"})
    save_report(stored, tmp_path / "report.json")
    assert load_report(tmp_path / "report.json") == stored


def test_the_report_file_has_the_promised_fields(report: GridReport) -> None:
    plain = json.loads(json.dumps(report_json(StoredReport(report, "stickers", 7, ("a.png",) * 4))))
    promised = "prompt bundle model rows columns seed questions cells saliency set_metrics timings"
    assert set(promised.split()) <= set(plain)
    cell = plain["cells"][2]
    assert {"cell", "seed", "image", "rank", "scores", "evidence"} <= set(cell)
    assert (cell["cell"], cell["seed"]) == (2, 9)
    assert set(cell["scores"]) == {*GRID_METHODS}
    entry = cell["evidence"][1]
    assert TEXT[entry["start"] : entry["end"]] == entry["answer"] == "a green backpack"
    assert {"name", "order", "arrangement", "value", "normalised", "signature"} == set(
        plain["set_metrics"][0]
    )


@pytest.mark.parametrize("prompt", [TEXT, "2 cats and no dogs on a red mat"])
def test_each_text_is_parsed_once_in_the_reading_of_a_prompt(
    prompt: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    parsed: Counter[str] = Counter()
    parse = Language.make_doc  # what both ways of calling a pipeline begin with

    def counted(parser: Language, text: str) -> Doc:
        parsed[text] += 1
        return parse(parser, text)

    monkeypatch.setattr(Language, "make_doc", counted)
    assert read_prompt(prompt, Models(BUNDLES["embedded"]))
    assert parsed[prompt] == 1
    assert {*parsed.values()} == {1}


def test_a_method_without_a_calibration_has_no_set_metrics(
    images: tuple[Image, ...], models: Models
) -> None:
    only_clip = {"clip": IDENTITY["clip"]}
    *_, stage = evaluate(TEXT, images, 2, 2, models, questions=QUESTIONS, calibrations=only_clip)
    assert stage.report.set_scores == ()
    assert rerank(stage.report, "clip", images).set_scores


def test_the_models_of_a_score_and_the_version_are_in_its_signature(report: GridReport) -> None:
    signatures = {method: scores[0].signature.by_name for method, scores in report.scores.items()}
    assert {each["v"] for each in signatures.values()} == {VERSION}
    assert "tiny-clip@" in signatures["clip"]["models"]
    assert "tiny-clip@" not in signatures["vq2"]["models"]
