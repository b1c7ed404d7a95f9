"""A calibration makes chances of scores, and belongs to its models."""

import csv
import re
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from PIL.Image import Image

import hub
from alignment.calibration import (
    Calibration,
    asks_questions,
    calibrations_of,
    save_calibration,
)
from alignment.calibration_fit import (
    calibrate,
    expected_calibration_error,
    fit_calibration,
    reliability,
    wholly_judged,
)
from alignment.labelled_pairs import read_labelled_pairs
from alignment.models import revisions
from alignment.models.catalogue import BUNDLES
from alignment.models.loading import Models
from alignment.models.text_models import PROMPT_PARSER
from alignment.questions.settings import AS_PUBLISHED, RECOMMENDED
from alignment.ranking import METHODS
from alignment.scorers import SCORERS, models_of
from tests.alignment.calibrations import identity
from tests.alignment.tiny_evaluators import TEXT

VOCABULARY = Path(__file__).parents[2] / "assets" / "vocabulary.json"


fit = partial(fit_calibration, settings=AS_PUBLISHED, data="drawn", date="2026-11-22")


def drawn(count: int, seed: int) -> pd.DataFrame:
    """Scores, and labels whose chance is the square of the score."""
    generator = np.random.default_rng(seed)
    scores = generator.uniform(size=count)
    right = generator.uniform(size=count) < scores**2
    units = range(count)
    found = {"score": scores, "questions": 0, "right": right, "source": "drawn", "unit": units}
    return pd.DataFrame(found)


def fitted(models: Models, count: int = 4000, method: str = "clip") -> Calibration:
    return fit(drawn(count, seed=1), method=method, models=models)


def test_no_chance_is_nearer_to_certainty_than_half_a_pair_of_those_it_was_fitted_on() -> None:
    found = replace(identity("vq2"), pairs=9)
    assert [found.chance(score) for score in (0.0, 0.5, 1.0)] == [0.05, 0.5, 0.95]


def test_the_chance_is_how_often_such_a_score_is_right(models: Models) -> None:
    found = fitted(models, 20_000)
    for score in (0.2, 0.5, 0.8):
        assert found.chance(score) == pytest.approx(score**2, abs=0.06)
    pairs = drawn(4000, seed=2)
    before, after = (
        expected_calibration_error(reliability(each, pairs["right"]))
        for each in (pairs["score"], [*map(found.chance, pairs["score"])])
    )
    assert after < 0.04 < 0.1 < before
    assert found.error < 0.04 < 0.1 < found.error_before


def test_a_larger_score_never_has_a_smaller_chance(models: Models) -> None:
    found = fitted(models)
    chances = [found.chance(score) for score in np.linspace(0, 1, 101)]
    assert chances == sorted(chances)


def test_an_isotonic_fit_rises_between_the_centres_of_its_blocks(models: Models) -> None:
    pairs = drawn(4000, seed=3)
    chances = np.where(pairs["score"] < 0.5, 0.1 + 0.2 * pairs["score"], 0.8)  # no logistic curve
    right = np.random.default_rng(4).uniform(size=4000) < chances
    found = fit(pairs.assign(right=right), method="clip", models=models)
    assert found.kind == "isotonic"
    assert np.all(np.diff([found.chance(score) for score in np.linspace(0.3, 0.7, 9)]) > 0)


def test_of_two_equal_scores_that_of_fewer_questions_is_right_more_often(models: Models) -> None:
    """Every answer of an image holds with the chance that its score, the mean of them, names."""
    generator = np.random.default_rng(5)
    questions = generator.integers(1, 9, size=8000)
    pairs = drawn(8000, seed=6).assign(questions=questions)
    right = generator.uniform(size=8000) < pairs["score"] ** questions
    found = fit(pairs.assign(right=right), method="vq2", models=models)
    assert found.per_question < 0
    for count in (1, 2, 4):
        assert found.chance(0.95, count) == pytest.approx(0.95**count, abs=0.12)
    chances = [found.chance(0.95, count) for count in range(1, 9)]
    assert chances == sorted(chances, reverse=True)
    same = fit(pairs.assign(right=right, questions=0), method="vq2", models=models)
    assert found.error < same.error + 0.01
    assert same.per_question == 0
    wrong = [each.by_source[0].wrong_if_all.value for each in (found, same)]
    assert wrong == sorted(wrong)
    assert found.by_source[0].coverage > same.by_source[0].coverage


def test_too_few_pairs_of_a_kind_are_refused(models: Models) -> None:
    with pytest.raises(ValueError, match="give at least 50 of each"):
        fitted(models, count=60)


def test_pairs_of_too_few_images_and_texts_are_refused(models: Models) -> None:
    """Sixty pairs of either kind, but only nineteen groups of them."""
    with pytest.raises(ValueError, match="drawn has 19 groups of pairs .* give at least 20"):
        fit(
            pd.DataFrame({"score": [0.2, 0.8] * 60, "right": [False, True] * 60}).assign(
                source="drawn", unit=np.arange(120) % 19, questions=0
            ),
            method="clip",
            models=models,
        )


def test_a_table_of_too_few_images_and_texts_is_named_whatever_the_others_have(
    models: Models, tmp_path: Path
) -> None:
    """Of two tables of one folder and file name, one has 15 groups of pairs; none is scored."""
    tables = []
    for folder, count in (("many", 100), ("few", 15)):
        tables.append(tmp_path / folder / "drawn" / "pairs.csv")
        tables[-1].parent.mkdir(parents=True)
        rows = [f"{number}.png,owl {number},{number % 2}" for number in range(count)]
        tables[-1].write_text("\n".join(["image,text,label", *rows]))
        for number in range(count):
            tables[-1].with_name(f"{number}.png").touch()
    started = partial(calibrate, models=models, settings=AS_PUBLISHED, date="", folder=tmp_path)
    with pytest.raises(ValueError, match=r"^few/drawn/pairs.csv has 15 groups .* in each table$"):
        next(started(tables))
    with pytest.raises(ValueError, match="pairs.csv is given twice; give each table once"):
        next(started([tables[0], tables[0]]))


def test_the_threshold_of_a_calibration_keeps_its_promise_on_each_source(models: Models) -> None:
    """Scores of the second source say nothing, those of the first nearly all: one in five of all
    verdicts would be wrong, ten in a hundred of the first source and thirty of the second."""
    generator = np.random.default_rng(3)
    right = generator.uniform(size=4000) < 0.5
    scores = generator.uniform(0.5, 1, size=4000)
    truthful = generator.uniform(size=4000) < np.where(np.arange(4000) < 2000, 0.9, 0.7)
    scores = np.where(right == truthful, scores, 1 - scores)
    pairs = pd.DataFrame({"score": scores, "questions": 0, "right": right, "unit": range(4000)})
    sources = ["first"] * 2000 + ["second"] * 2000
    found = fit(pairs.assign(source=sources), method="clip", models=models)
    first, second = found.by_source
    assert (first.source, second.source) == ("first", "second")
    assert first.wrong_if_all.value == pytest.approx(0.1, abs=0.02)
    assert second.wrong_if_all.value == pytest.approx(0.3, abs=0.02)
    assert first.threshold < second.threshold <= found.threshold < second.threshold + 1e-4
    for each in found.by_source:
        assert each.wrong.low <= each.wrong.value <= found.promise
        assert each.tried == pytest.approx(each.wrong.value, abs=0.01)


@pytest.mark.parametrize(("whole", "kept"), [(100, 200), (20, 400)])
def test_pairs_of_which_words_were_not_judged_are_left_out_where_others_are_enough(
    whole: int, kept: int
) -> None:
    numbers = np.arange(400)
    pairs = pd.DataFrame({"right": numbers % 2 == 0, "source": "drawn", "unit": numbers})
    assert len(wholly_judged(pairs.assign(whole=numbers < 2 * whole))) == kept


def test_no_source_loses_the_pairs_of_a_kind() -> None:
    numbers = np.arange(400)
    right, source = numbers % 2 == 0, np.where(numbers < 200, "drawn", "generated")
    pairs = pd.DataFrame({"right": right, "source": source, "unit": numbers})
    assert len(wholly_judged(pairs.assign(whole=right | (source == "drawn")))) == 400


def test_two_fits_of_one_day_have_different_names(models: Models) -> None:
    """The name is readable, tells content apart, and does not change with what is said about it."""
    first, second = fitted(models), fitted(models, count=3999)
    assert first.date == second.date
    assert first.name != second.name
    assert re.fullmatch(r"2026-11-22@[0-9a-f]{8}", first.name)
    assert fitted(models).name == first.name
    assert replace(first, unscored=("old/pairs.csv",)).name == first.name
    assert replace(first, threshold=0.51).name != first.name


def test_a_table_that_a_method_scores_no_pair_of_is_named_in_the_calibration(
    models: Models, images: tuple[Image, ...], tmp_path: Path
) -> None:
    """A CLIP of few words gives no score where it does not know one."""
    limited = replace(models.bundle.clip, knows=VOCABULARY)
    with_parser = Models(replace(models.bundle, parser=PROMPT_PARSER, clip=limited))
    tables = []
    for number in range(120):
        images[0].save(tmp_path / f"{number}.png")
    for name, word in (("known", "apple"), ("unknown", "zebra")):
        rows = [f"../{i}.png,a{' red' * (i + 1)} {word},{i % 2}" for i in range(120)]
        (tmp_path / name).mkdir()
        tables.append(tmp_path / name / "pairs.csv")
        tables[-1].write_text("\n".join(["image,text,label", *rows]))
    (found,) = calibrate(
        tables, with_parser, AS_PUBLISHED, methods=["clip"], date="", folder=tmp_path / "fitted"
    )
    assert found.unscored == ("unknown/pairs.csv",)
    assert [each.source for each in found.by_source] == ["known/pairs.csv"]
    assert calibrations_of(with_parser, AS_PUBLISHED, tmp_path / "fitted") == {"clip": found}


def test_a_calibration_serves_its_own_models_and_settings_alone(
    models: Models, tmp_path: Path
) -> None:
    stored = fitted(models)
    save_calibration(stored, tmp_path)
    assert calibrations_of(models, AS_PUBLISHED, tmp_path) == {"clip": stored}
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "note.txt").write_text("other weights under the same name")
    clip = replace(models.bundle.clip, source=tmp_path / "other")
    other = Models(replace(models.bundle, clip=clip))
    assert calibrations_of(other, AS_PUBLISHED, tmp_path) == {}


def test_a_calibration_serves_its_models_in_any_precision(
    models: Models, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Half precision moved a P(yes) by at most .017; signatures tell the two apart."""
    monkeypatch.setattr(revisions, "ON_CPU", "bfloat16")
    half = models_of("vnli", models)
    stored = fitted(models, method="vnli")
    monkeypatch.setattr(revisions, "ON_CPU", "float32")
    save_calibration(stored, tmp_path)
    assert calibrations_of(models, AS_PUBLISHED, tmp_path) == {"vnli": stored}
    assert hub.best_device() != "cpu" or half == f"{models_of('vnli', models)}(bfloat16)"
    asking = fitted(models, method="vq2")
    save_calibration(asking, tmp_path)
    assert "vq2" not in calibrations_of(models, RECOMMENDED, tmp_path)
    assert "vq2" in calibrations_of(models, AS_PUBLISHED, tmp_path)


def test_a_table_in_the_format_of_seetrue_becomes_a_calibration(
    models: Models, images: tuple[Image, ...], tmp_path: Path
) -> None:
    with_parser = Models(replace(models.bundle, parser=PROMPT_PARSER))
    with (tmp_path / "pairs.csv").open("w", newline="") as lines:
        table = csv.writer(lines)
        table.writerow(["image", "text", "label"])
        for number in range(60):
            text = f"a black apple and backpack number {number // 2}"
            for place, name in enumerate((f"a{number}.png", f"b{number}.png")):
                images[place].save(tmp_path / name)
                table.writerow([name, text, 1 - place])
    assert [*read_labelled_pairs(tmp_path / "pairs.csv")["right"]][:2] == [True, False]
    (found,) = calibrate(
        [tmp_path / "pairs.csv"],
        with_parser,
        AS_PUBLISHED,
        methods=["clip"],
        date="2026-11-22",
        folder=tmp_path / "calibration",
    )
    assert (found.pairs, found.right, found.bundle) == (120, 60, "tiny")
    (source,) = found.by_source
    assert (source.source, source.pairs, source.units) == (f"{tmp_path.name}/pairs.csv", 120, 30)
    assert source.right == 0.5
    assert calibrations_of(with_parser, AS_PUBLISHED, tmp_path / "calibration") == {"clip": found}


def test_the_mean_of_two_methods_is_fitted_on_their_scores_without_asking_again(
    models: Models, images: tuple[Image, ...], tmp_path: Path
) -> None:
    models = Models(replace(models.bundle, parser=PROMPT_PARSER))
    for number in range(100):
        images[number % len(images)].save(tmp_path / f"{number}.png")
    rows = [
        f"{number}.png,{TEXT.replace(' ', ' ' * (1 + number // 5))},{number % 2}"
        for number in range(100)
    ]
    table = tmp_path / "pairs.csv"
    table.write_text("\n".join(["image,text,label", *rows]))
    together, alone = (
        [*calibrate([table], models, AS_PUBLISHED, methods=it, date="2026-11-22", folder=tmp_path)]
        for it in (("vq2", "vnli", "mean"), ("mean",))
    )
    assert together[-1] == alone[-1]


def test_every_method_that_asks_questions_of_a_text_is_given_them() -> None:
    assert [name for name in SCORERS if asks_questions(name)] == ["vq2", "mean", "tifa"]


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ("image,text\na.png,cat\n", "has no label; give image, text, label"),
        ("image,text,label\na.png,cat,maybe\n", "has the label 'maybe'; give 0 or 1"),
        ("image,text,label\na.png,cat,1\n", "a.png, which is no file"),
    ],
)
def test_a_table_that_is_none_says_so(lines: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "pairs.csv").write_text(lines)
    with pytest.raises(ValueError, match=message):
        read_labelled_pairs(tmp_path / "pairs.csv")


def test_the_embedded_models_are_calibrated_as_they_are_now() -> None:
    """After a training, fit them anew: see `alignment.calibration_fit.calibrate`."""
    found = calibrations_of(Models(BUNDLES["embedded"]), RECOMMENDED)
    assert set(found) == set(METHODS)
    for each in found.values():
        assert each.error < each.error_before
        assert each.pairs >= 1000
        assert {source.source for source in each.by_source} == {*each.data.split(", ")}
        assert all(source.wrong.value <= each.promise for source in each.by_source)
