import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from alignment.evaluation import NO_IMAGE, metric_inputs
from alignment.models.image_models import ICON_CLIP
from alignment.models.revisions import identity
from alignment.report import load_report, report_json
from alignment.set_metrics.metrics import ERR, RBP
from alignment.signature import Signature
from benchmarks.preference.inputs import read_grids
from benchmarks.preference.people import canonical, judgements
from benchmarks.preference.published import differences, published_table
from benchmarks.preference.tables import report_sentence
from benchmarks.statistics.comparison import SystemDifference
from benchmarks.statistics.reliability import raters_by_pair
from session.errors import DataError
from session.systems.grids import JudgedImages, ScoredGrid, read_lines, read_results
from session.systems.measures import grid_diversities, metrics_for
from tests.benchmarks.command import refusal, run

STICKERS = Path(__file__).parents[2] / "assets" / "benchmarks" / "stickers"
EXAMPLES = Path(__file__).parents[2] / "assets" / "examples"

GRIDS = """prompt,system,place,relevance,attention
owl,good,0,0.9,0.5
owl,good,1,0.7,0.5
owl,poor,0,0.2,0.5
owl,poor,1,0.4,0.5
fox,good,1,0.6,0.25
fox,good,0,0.8,0.75
fox,poor,0,0.1,0.75
fox,poor,1,0.9,0.25
elk,good,0,0.5,1
"""

PREFERENCES = """prompt,first,second,rater,preference
owl,good,poor,ann,2
owl,good,poor,bob,1
fox,good,poor,ann,-1
fox,good,poor,bob,0
"""


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    grids, preferences = tmp_path / "grids.csv", tmp_path / "preferences.csv"
    grids.write_text(GRIDS)
    preferences.write_text(PREFERENCES)
    return grids, preferences


def test_grids_are_read_by_place_over_the_prompts_that_all_systems_share(
    files: tuple[Path, Path],
) -> None:
    systems = read_grids(pd.read_csv(files[0]))
    assert {name: sorted(grids) for name, grids in systems.items()} == {
        "good": ["fox", "owl"],
        "poor": ["fox", "owl"],
    }
    assert systems["good"]["fox"][0].relevance == (0.8, 0.6)
    assert systems["good"]["fox"][0].attention == (0.75, 0.25)


def test_preferences_about_nothing_that_is_known_are_refused(files: tuple[Path, Path]) -> None:
    grids, preferences = map(pd.read_csv, files)
    strange = preferences.assign(prompt="emu")
    with pytest.raises(DataError, match="about two systems and a prompt that are known"):
        judgements(read_grids(grids), strange)


def test_the_last_line_holds_every_number(
    files: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    """Alpha: raters differ by 1 on each pair; any two of -1, 0, 1, 2 by sqrt(20/6) on average."""
    given = ("--grids", files[0], "--preferences", files[1])
    result = run(capsys, "preference", *given, "--metric", "RBP")
    measured = result[str(RBP())]
    assert result["people"]["good - poor"]["agreements"][str(RBP())]["n"] == 3
    assert result["people"]["good - poor"]["answers"] == {"2": 1, "1": 1, "0": 1, "-1": 1}
    assert measured["differences"][0]["n"] == 2
    assert len(measured["persistence"]["good"]) == 7
    assert result["raters"]["good - poor"]["alpha"] == pytest.approx(1 - 1 / (20 / 6))


def test_preferences_without_grids_are_left_out_and_named(
    files: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    """Two of six: no grid of the system "best", and none of the prompt "elk" that all have."""
    grids, preferences = files
    preferences.write_text(f"{PREFERENCES}owl,best,poor,ann,1\nelk,good,poor,ann,1\n")
    given = ("--grids", grids, "--preferences", preferences, "--metric", "RBP")
    result = run(capsys, "preference", *given)
    absent = {"preferences": 2, "of": 6, "systems": ["best"], "prompts": ["elk"]}
    absent["known"] = ["good", "poor"]
    assert result["without_grids"] == absent
    assert result["people"]["good - poor"]["agreements"][str(RBP())]["n"] == 3


TWO_GRIDS = """prompt,system,seed,grid,dataset,place,relevance
owl,good,7,g7,birds,0,0.9
owl,good,8,g8,birds,0,0.1
owl,poor,7,p7,birds,0,0.3
owl,poor,8,p8,birds,0,0.9
"""


@pytest.mark.parametrize("named", [("7", "8"), ("g7 p7", "g8 p8")], ids=["by seed", "by ids"])
def test_a_judgement_is_about_the_grid_that_it_names(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], named: tuple[str, str]
) -> None:
    """On each grid people agree with the metric; over both grids the poor system has more."""
    grids, votes = tmp_path / "grids.csv", tmp_path / "votes.csv"
    grids.write_text(TWO_GRIDS)
    rows = [f"owl,good,poor,r{n},1,{named[0]}\nowl,good,poor,r{n},-1,{named[1]}" for n in range(9)]
    votes.write_text("\n".join(["prompt,first,second,rater,preference,grid", *rows]))
    given = ("--grids", grids, "--preferences", votes, "--metric", "RBP")
    result = run(capsys, "preference", *given)
    people = result["people"]
    agreement = people["birds: good - poor"]["agreements"][str(RBP())]
    assert (agreement["n"], agreement["rate"]["value"]) == (18, 1)
    raters = result["raters"]["good - poor"]
    assert (raters["alpha"], raters["units"]) == (1, 2), "nine agree on each of two grids"


@pytest.mark.parametrize(
    ("grid", "dataset", "said"),
    [("9", "", "good has no grid 9 of 'owl'; known: 7 g7 birds; 8 g8 birds"),
     ("7", "fish", "good has no grid 7 of fish of 'owl'; known: 7 g7 birds")],
)  # fmt: skip
def test_a_grid_or_data_set_that_is_not_there_is_refused_with_those_that_are(
    tmp_path: Path, grid: str, dataset: str, said: str
) -> None:
    grids, votes = tmp_path / "grids.csv", tmp_path / "votes.csv"
    grids.write_text(TWO_GRIDS)
    header = "prompt,first,second,rater,preference,grid,dataset"
    votes.write_text(f"{header}\nowl,good,poor,ann,1,{grid},{dataset}\n")
    assert said in refusal("preference", "--grids", grids, "--preferences", votes)


JUDGED = st.lists(
    st.tuples(
        st.sampled_from("abc"), st.sampled_from("def"), st.sampled_from(["ab", "bc", "ca"]),
        st.integers(-2, 2),
    ),
    min_size=1, max_size=24, unique_by=lambda each: each[:3],
)  # fmt: skip


@settings(max_examples=25)
@given(JUDGED, st.permutations("abc"))
def test_what_the_systems_are_called_changes_no_figure_of_people_or_metrics(
    judged: list[tuple[str, str, str, int]], names: list[str]
) -> None:
    """Alpha of each pair, the agreement rates, their intervals and Spearman's rho."""
    called = dict(zip("abc", names, strict=True))
    worth = dict(zip("abc", (0.9, 0.4, 0.4), strict=True))
    found = []
    for name in (str, called.__getitem__):
        rows = [(p, name(pair[0]), name(pair[1]), r, said) for r, p, pair, said in judged]
        table = canonical(
            pd.DataFrame(rows, columns=["prompt", "first", "second", "rater", "preference"])
        )
        grids = {
            name(each): {
                p: (ScoredGrid((worth[each] * ("def".index(p) - 1),), (1.0,)),) for p in "def"
            }
            for each in "abc"
        }
        raters = {
            frozenset(pair.split(" - ")): figures for pair, figures in raters_by_pair(table).items()
        }
        agreed = {}
        if table["preference"].any():
            judged_here = judgements(grids, table)
            values = differences(lambda of: np.array([g.relevance[0] for g in of]), judged_here)
            columns = published_table(judged_here, {"metric": values}, 7)
            agreed = {frozenset(name.split(" - ")): c.agreements for name, c in columns.items()}
        found.append((raters, agreed))
    (raters, agreed), (again, agreed_again) = found

    def renamed(pair: frozenset[str]) -> frozenset[str]:
        return frozenset(called.get(each, each) for each in pair)

    assert {renamed(pair): each for pair, each in agreed.items()} == agreed_again
    for pair, figures in raters.items():
        other = again[renamed(pair)]
        assert (figures.units, figures.raters) == (other.units, other.raters)
        assert figures.alpha == pytest.approx(other.alpha)


def test_one_person_s_preferences_are_enough(
    files: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    """As the page exports them: nobody else judged the same grids."""
    table = pd.read_csv(files[1])
    table[table["rater"] == "ann"].to_csv(files[1], index=False)
    result = run(
        capsys, "preference", "--grids", files[0], "--preferences", files[1], "--metric", "RBP"
    )
    assert result["people"]["good - poor"]["agreements"][str(RBP())]["n"] == 2
    assert result["raters"]["good - poor"]["alpha"] is None


@pytest.fixture
def results(tmp_path: Path) -> Path:
    """Two text-to-image models on the same prompts: one shows the worked examples, the other their
    reverse."""
    lines = []
    for file in sorted(EXAMPLES.glob("*/report.json"))[:4]:
        plain = report_json(load_report(file))
        turned = [{**each, "cell": cell} for cell, each in enumerate(plain["cells"][::-1])]
        lines += [plain, {**plain, "model": "backwards", "cells": turned}]
    if not lines:
        pytest.skip("no worked examples here")
    path = tmp_path / "results.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


def test_grids_of_a_batch_are_measured_with_novelty_and_diversity(
    results: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    result = run(capsys, "preference", "--results", results)
    judged = result.pop("judged")
    assert len(result) == 9
    assert all(each["judged"] == each["images"] for each in judged.values())
    assert all(measured["differences"][0]["n"] == 4 for measured in result.values())
    assert result["diversity"]["differences"][0]["value"] == 0
    signature = Signature.parse(result[str(ERR(novelty="max"))]["signature"]).by_name
    stored = load_report(next(EXAMPLES.glob("*/report.json"))).report
    assert signature["novelty"] == f"max-cosine({stored.similarity_model})"
    assert signature["relevance"] == "vq2"
    assert signature["calibrated"] == stored.calibrated["vq2"]
    assert signature["models"] == metric_inputs(stored).models
    assert (signature["bundle"], signature["arrangement"]) == ("embedded", "generated")
    by_saliency = Signature.parse(result[str(RBP())]["signature"]).by_name
    assert by_saliency["order"] == "saliency(spectral-residual)"


def with_unjudged(report: dict[str, Any], cells: list[int], reason: str) -> dict[str, Any]:
    """The report, some of its images without a score by VQ2."""
    changed = [
        {
            **cell,
            "scores": {**cell["scores"], "vq2": None},
            "relevance": {**cell["relevance"], "vq2": None},
            "reasons": {"vq2": reason},
        }
        if cell["cell"] in cells
        else cell
        for cell in report["cells"]
    ]
    return {**report, "cells": changed}


def test_images_that_are_not_judged_count_as_nothing_and_are_counted(tmp_path: Path) -> None:
    """A system does not win by having its bad images filtered; a grid of which nothing could be
    judged is left out."""
    first, second = (
        report_json(load_report(file)) for file in sorted(EXAMPLES.glob("*/report.json"))[:2]
    )
    every = list(range(len(first["cells"])))
    lines = [
        *(first, second),
        with_unjudged({**first, "model": "shy"}, every[1:], NO_IMAGE),
        with_unjudged({**second, "model": "shy"}, every, NO_IMAGE),
        with_unjudged({**first, "model": "shy"}, every, "the scoring model does not know it"),
    ]
    path = tmp_path / "results.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    systems, judged, _ = read_results({path: ""}, "vq2")
    (filtered,) = systems["shy"][first["prompt"]]
    assert filtered.relevance[1:] == (0.0,) * (len(every) - 1)
    assert filtered.unjudged == tuple(every[1:])
    assert systems["shy"][second["prompt"]][0].relevance == (0.0,) * len(second["cells"])
    size = len(first["cells"]) + len(second["cells"])
    assert judged == {
        first["model"]: JudgedImages(size, size, 0),
        "shy": JudgedImages(size, 1, 1),
    }


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('{"prompt": "an owl", "model": "a"}', "results.jsonl, line 2 has no cells"),
        ('{"prompt": "an owl", ', "results.jsonl, line 2 is no JSON"),
        ("[]", "results.jsonl, line 2 is no JSON object"),
        (
            '{"prompt": "an owl", "model": "a", "cells": []}',
            "results.jsonl, line 2: this is no report: bundle",
        ),
    ],
)
def test_a_record_that_is_no_report_is_named_by_file_and_line(
    tmp_path: Path, line: str, said: str
) -> None:
    good = json.dumps(report_json(load_report(min(EXAMPLES.glob("*/report.json")))))
    path = tmp_path / "results.jsonl"
    path.write_text(f"{good}\n{line}\n", encoding="utf-8")
    for read in (lambda: read_results({path: ""}, "vq2"), lambda: read_lines({path: ""})):
        with pytest.raises(DataError) as refused:
            read()
        assert said in str(refused.value)


def test_only_line_feeds_part_the_records_of_a_batch(tmp_path: Path) -> None:
    record = report_json(load_report(min(EXAMPLES.glob("*/report.json"))))
    line = json.dumps(record | {"model": "at\u2028night"}, ensure_ascii=False)
    path = tmp_path / "results.jsonl"
    path.write_text(f"{line}\n", encoding="utf-8")
    assert len(read_lines({path: ""})) == 1


def test_a_signature_names_what_was_compared_and_not_what_was_left_out(
    results: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One model has a fifth prompt, scored with other models of attention and similarity."""
    first = json.loads(results.read_text(encoding="utf-8").splitlines()[0])
    alone = {**first, "prompt": "an emu", "saliency_model": "other", "similarity_model": "clip@1"}
    with results.open("a", encoding="utf-8") as file:
        file.write(json.dumps(alone) + "\n")
    result = run(capsys, "preference", "--results", results)
    assert "|order:saliency(spectral-residual)|" in result[str(RBP())]["signature"]
    novel = result[str(RBP(novelty="max"))]["signature"]
    assert f"|novelty:max-cosine({first['similarity_model']})|" in novel


def test_a_grid_of_filtered_images_has_no_diversity_and_leaves_novelty_measurable(
    tmp_path: Path,
) -> None:
    first = report_json(load_report(min(EXAMPLES.glob("*/report.json"))))
    every = list(range(len(first["cells"])))
    filtered = {**with_unjudged(first, every, NO_IMAGE), "similarity": [], "model": "shy"}
    path = tmp_path / "results.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in (first, filtered)))
    systems, _, _ = read_results({path: ""}, "vq2")
    assert len(metrics_for(systems)) == 8
    assert grid_diversities(systems["shy"][first["prompt"]]).tolist() == [0]


def two_runs(tmp_path: Path, **second: object) -> tuple[Path, Path]:
    """Results of two runs, both in a folder called `run`; the second with other settings."""
    plain = report_json(load_report(min(EXAMPLES.glob("*/report.json"))))
    files = tmp_path / "one" / "run" / "results.jsonl", tmp_path / "two" / "run" / "results.jsonl"
    for file, more in zip(files, ({}, second), strict=True):
        file.parent.mkdir(parents=True)
        file.write_text(json.dumps({**plain, "completion": False, **more}) + "\n")
    return files


def test_systems_of_runs_in_folders_of_one_name_are_told_apart_by_what_differs(
    tmp_path: Path,
) -> None:
    files = two_runs(tmp_path, completion=True)
    systems, _, _ = read_results(dict.fromkeys(files, ""), "vq2")
    assert [*systems] == ["icons, prompt as it is", "icons, completed"]
    systems, _, _ = read_results(dict(zip(files, ("plain", "completed"), strict=True)), "vq2")
    assert [*systems] == ["plain", "completed"]


def test_runs_that_differ_in_nothing_are_not_one_system_and_their_names_are_asked_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first, second = two_runs(tmp_path)
    said = refusal("preference", "--results", first, "--results", second)
    assert "both have a grid of icons on" in said
    assert "name the systems: --results NAME=FILE" in said
    named = ("--results", f"a={first}", "--results", f"b={second}", "--metric", "RBP")
    assert [*run(capsys, "preference", *named)["judged"]] == ["a", "b"]


def test_a_method_that_is_not_calibrated_is_refused(results: Path) -> None:
    lines = [json.loads(line) for line in results.read_text(encoding="utf-8").splitlines()]
    for line in lines:
        for cell in line["cells"]:
            del cell["relevance"]["clip"]
    results.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    said = refusal("preference", "--results", results, "--relevance", "clip")
    assert "the scores by 'clip' are not calibrated, so they are not chances" in said


def test_on_single_images_all_metrics_are_alike_and_one_is_shown() -> None:
    assert metrics_for({"a": {"owl": (ScoredGrid((0.5,), (1.0,)),)}}) == (RBP(),)


def test_one_image_has_no_diversity_and_strangers_have_all() -> None:
    one, two = ScoredGrid((0.5,), (1.0,), ((1.0,),)), ((1.0, 0.0), (0.0, 1.0))
    assert grid_diversities([one, ScoredGrid((0.5,) * 2, (1.0,) * 2, two)]).tolist() == [0, 1]


def test_the_sentence_to_report_names_the_better_of_the_two_that_differ_most_surely() -> None:
    unsure = SystemDifference(0.2, -0.1, 0.5, 40, "a", "b", 0.3, 0.3)
    sure = SystemDifference(-0.15, -0.2, -0.1, 40, "a", "c", 0.001, 0.002)
    said = report_sentence("ERR", [unsure, sure], 24)
    assert said.startswith("Over 40 prompts, c earns 0.150 more ERR than a (95 % bootstrap")
    assert "0.100 to 0.200; Wilcoxon signed-rank test, p = 0.002 after Holm" in said
    assert said.endswith("over 24 comparisons).")


def test_a_missing_column_is_named() -> None:
    with pytest.raises(DataError, match="grids has no place, relevance; it has prompt, system"):
        read_grids(pd.DataFrame({"prompt": ["owl"], "system": ["good"]}))


def test_published_answers_agree_with_ratings_as_published_and_intervals_draw_prompts(
    reference: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """DSG reports 0.571 / 0.458, with the dependencies of questions; without them slightly less.
    Drawing the 1,334 preferences one by one would give 34.3 .. 39.4 % over 157 prompts."""
    found = run(capsys, "preference", "--ratings", reference / "dsg", "--metric", "RBP")
    assert found["correlation"]["spearman"] == pytest.approx(0.571, abs=0.01)
    assert found["correlation"]["kendall"] == pytest.approx(0.458, abs=0.01)
    agreement = found["people"]["all"]["agreements"][str(RBP())]
    rate = agreement["rate"]
    assert rate["n"] == 157
    assert rate["value"] == pytest.approx(0.368, abs=0.005)
    assert (rate["low"], rate["high"]) == pytest.approx((0.323, 0.411), abs=0.006)
    assert agreement["p_value"] < 0.001


def test_p_values_are_corrected_over_all_metrics_together(
    files: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    both = run(capsys, "preference", "--grids", files[0], "--metric", "RBP", "--metric", "ERR")
    pairs = [each["differences"][0] for each in both.values()]
    smallest = min(pairs, key=lambda pair: pair["p_value"])
    assert smallest["corrected"] == pytest.approx(min(1, 2 * smallest["p_value"]))


def test_several_seeds_of_a_prompt_are_one_prompt(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """0.9 and 0.5 of the good system are 0.7 for the owl."""
    rows = [("owl", "good", 1, 0.9), ("owl", "good", 2, 0.5), ("owl", "poor", 1, 0.2)]
    lines = [f"{prompt},{system},{seed},0,{value}" for prompt, system, seed, value in rows]
    (tmp_path / "grids.csv").write_text("\n".join(["prompt,system,seed,place,relevance", *lines]))
    (measured,) = run(capsys, "preference", "--grids", tmp_path / "grids.csv").values()
    (difference,) = measured["differences"]
    assert (difference["value"], difference["n"]) == (pytest.approx(0.5), 1)


def test_a_table_may_carry_similarity(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Both of the good system are one image: with novelty the second earns nothing."""
    rows = ["owl,good,0,1,1 1", "owl,good,1,1,1 1", "owl,poor,0,1,1 0", "owl,poor,1,1,0 1"]
    table = tmp_path / "grids.csv"
    table.write_text("\n".join(["prompt,system,place,relevance,similarity", *rows]))
    result = run(capsys, "preference", "--grids", table, "--metric", "RBP_eta")
    (difference,) = result[str(RBP(novelty="max"))]["differences"]
    assert difference["value"] == pytest.approx(1.0 - 1.8)
    assert result["diversity"]["differences"][0]["value"] == pytest.approx(-1.0)


def test_order_persistence_and_novelty_can_be_set_for_all_metrics(
    files: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    said = ("--order", "positional", "--persistence", 0.5)
    result = run(capsys, "preference", "--grids", files[0], *said)
    assert [*result] == [str(RBP(0.5, order="positional")), str(ERR(0.5, order="positional"))]


def test_images_are_scored_by_how_close_they_come_to_targets(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The table of the publication in one command: the good system shows the target itself."""
    if not Path(ICON_CLIP.source).is_dir():
        pytest.skip("no trained icon-clip")
    for number in (0, 1, 2, 3):
        shutil.copy(STICKERS / f"{number:03}.png", tmp_path)
    grids = [
        "owl,good,0,000.png",
        "owl,good,1,001.png",
        "owl,poor,0,002.png",
        "owl,poor,1,003.png",
    ]
    (tmp_path / "grids.csv").write_text("\n".join(["prompt,system,place,image", *grids]))
    (tmp_path / "targets.csv").write_text("prompt,image\nowl,000.png\n")
    (tmp_path / "people.csv").write_text(
        "prompt,first,second,rater,preference\nowl,poor,good,ann,-2\nowl,good,poor,bob,1\n"
    )
    result = run(
        capsys, "preference", "--grids", tmp_path / "grids.csv", "--images", tmp_path,
        "--targets", tmp_path / "targets.csv", "--preferences", tmp_path / "people.csv",
        "--real", tmp_path,
    )  # fmt: skip
    agreements = result["people"]["good - poor"]["agreements"]
    assert len(agreements) == 10, "RBP and ERR, two orders, each with and without novelty; the rest"
    assert agreements[str(RBP())]["rate"]["value"] == 1
    good, poor = result["FID"]["distances"]["good - poor"]
    assert agreements["FID"]["rate"]["value"] == (good < poor)
    signature = result[str(RBP())]["signature"]
    assert "|order:saliency(spectral-residual)|" in signature
    assert f"|models:{identity(ICON_CLIP)}|bundle:embedded|" in signature


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ((), "give --results, --grids or --ratings"),
        (
            ("--grids", "grids.csv", "--metric", "ERR_eta"),
            "needs the images' similarity; --results and --targets have it",
        ),
        (
            ("--grids", "shown.csv", "--images", ".", "--targets", "targets.csv"),
            "targets: no image for 'owl' (1 prompts lack one)",
        ),
        (("--results", "results.jsonl", "--relevance", "dsg"), "no score by 'dsg'; known: vq2"),
    ],
)
def test_what_cannot_be_compared_is_said(
    files: tuple[Path, Path],
    results: Path,
    monkeypatch: pytest.MonkeyPatch,
    given: tuple[str, ...],
    said: str,
) -> None:
    monkeypatch.chdir(results.parent)
    Path("shown.csv").write_text("prompt,system,place,image\nowl,good,0,1.png\n")
    Path("targets.csv").write_text("prompt,image\nfox,1.png\n")
    assert said in refusal("preference", *given)
