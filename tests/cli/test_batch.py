"""A batch run on the command line, alone and as one process of several."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer
from PIL import Image

from alignment.ranking import NEAREST_TARGET
from alignment.set_metrics.metrics import ERR, RBP
from alignment.set_metrics.named import NAMED
from app import program
from cli.flags import read_texts
from session.tables import rows
from tests.benchmarks.command import run as benchmark
from tests.tiny_models import PROMPT, tiny_models


@pytest.fixture(scope="module", autouse=True)
def _models(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with tiny_models(tmp_path_factory.mktemp("models"), slow_steps=2):
        yield


@pytest.fixture
def asked(tmp_path: Path) -> list[str]:
    prompts = tmp_path / "prompts.txt"
    prompts.write_text(f"{PROMPT}\n\n  two apples \n", encoding="utf-8")
    flags = f"--prompts {prompts} --models tiny,slow --bundle tiny --out {tmp_path}"
    return f"{flags} --rows 1 --columns 2".split()


def test_the_last_line_has_the_means_of_every_pipeline(
    asked: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    run(asked)
    said = json.loads(capsys.readouterr().out.splitlines()[-1])
    records = [json.loads(line) for line in Path(said["results"]).read_text().splitlines()]
    assert [(record["model"], record["prompt"]) for record in records] == [
        ("tiny", PROMPT),
        ("tiny", "two apples"),
        ("slow", PROMPT),
        ("slow", "two apples"),
    ]
    clip = [cell["scores"]["clip"] for record in records[2:] for cell in record["cells"]]
    assert said["means"]["slow"]["clip"] == pytest.approx(sum(clip) / 4)
    about, _, vq2 = said["signature"].partition("|VQ2|")
    assert about == "mean|over:pictures|bundle:tiny|images:2|seed:7|completion:off"
    assert "|aggregation:geometric|" in vq2


@pytest.fixture
def wanted(tmp_path: Path) -> list[str]:
    """Options of a comparison: target images, and two grids of each prompt."""
    (tmp_path / "wanted").mkdir()
    for name, colour in (("1.png", "navy"), ("2.png", "white")):
        Image.new("RGB", (32, 32), colour).save(tmp_path / "wanted" / name)
    return f"--targets {tmp_path / 'wanted'} --grids-per-prompt 2".split()


def test_a_batch_with_targets_ends_in_set_metrics_which_people_are_held_against(
    asked: list[str], wanted: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    """`benchmarks preference` reads what the batch has written, and has the same numbers."""
    run([*asked, *wanted])
    printed = capsys.readouterr().out.splitlines()
    said = json.loads(printed[-1])
    assert [*said["set_metrics"]] == [*map(str, NAMED.values()), "diversity"]
    assert any("RBP+novelty, saliency" in line for line in printed)
    assert "|seed:7+9|" in said["signature"]
    people = tmp_path / "people.csv"
    votes = f"{PROMPT},slow,tiny,ann,2\ntwo apples,tiny,slow,ann,1\n"
    people.write_text(f"prompt,first,second,rater,preference\n{votes}")
    reads = ("--results", said["results"], "--relevance", "targets", "--preferences", str(people))
    compared = benchmark(capsys, "preference", *reads)
    for name, each in said["set_metrics"].items():
        (difference,) = compared[name]["differences"]
        means = [each["means"][system] for system in (difference["first"], difference["second"])]
        assert difference["value"] == pytest.approx(means[0] - means[1])
        assert each["signature"] == compared[name]["signature"]
    agreements = compared["people"]["slow - tiny"]["agreements"]
    assert [*agreements] == [*said["set_metrics"]]
    assert agreements["diversity"]["n"] == 2
    signature = said["set_metrics"][str(NAMED["RBP"])]["signature"]
    assert f"|relevance:{NEAREST_TARGET}|" in signature
    assert "|models:tiny-clip@" in signature
    what_is_printed_is_changed_without_doing_any_work_again([*asked, *wanted], tmp_path, capsys)


def what_is_printed_is_changed_without_doing_any_work_again(
    options: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ledger = (tmp_path / "records-1-of-1.jsonl").read_bytes()
    viewed = "--relevance clip --order positional --persistence 0.5 --novelty product".split()
    run([*options, *viewed])
    assert (tmp_path / "records-1-of-1.jsonl").read_bytes() == ledger
    found = json.loads(capsys.readouterr().out.splitlines()[-1])["set_metrics"]
    metrics = [family(0.5, "product", "positional") for family in (RBP, ERR)]
    assert [*found] == [*map(str, metrics), "diversity"]
    assert all("|relevance:clip|" in found[str(each)]["signature"] for each in metrics)


def test_systems_of_one_model_have_names_and_new_names_cost_no_work(
    asked: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    """Without a name a system is called after what differs."""
    of_one = [each for each in asked if each not in ("--models", "tiny,slow")]
    named = ["--system", "few=tiny,steps=1", "--system", "more=tiny,steps=2"]
    run([*of_one, *named])
    assert [*json.loads(capsys.readouterr().out.splitlines()[-1])["means"]] == ["few", "more"]
    ledger = (tmp_path / "records-1-of-1.jsonl").read_bytes()
    run([*of_one, "--system", "tiny,steps=1", "--system", "tiny,steps=2"])
    said = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert [*said["means"]] == ["tiny, steps 1", "tiny, steps 2"]
    assert (tmp_path / "records-1-of-1.jsonl").read_bytes() == ledger


def test_a_method_that_is_not_calibrated_has_no_set_metrics_and_says_so(
    asked: list[str], capsys: pytest.CaptureFixture[str]
):
    run([*asked, "--aggregation", "weakest"])
    printed = capsys.readouterr().out
    assert "no set metrics: the scores by 'vq2' are not calibrated" in printed
    assert json.loads(printed.splitlines()[-1])["set_metrics"] == {}


def test_torchruns_processes_share_the_work_and_the_last_one_sums_up(
    asked: list[str],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.setenv("WORLD_SIZE", "2")
    run(asked)
    assert "shard 1-of-2 is done" in capsys.readouterr().out
    monkeypatch.setenv("RANK", "1")
    monkeypatch.setenv("LOCAL_RANK", "1")
    run(asked)
    assert json.loads(capsys.readouterr().out.splitlines()[-1])["means"]
    lines = [(tmp_path / f"records-{k}-of-2.jsonl").read_text().count("\n") for k in (1, 2)]
    assert lines == [2, 2]


@pytest.mark.parametrize(
    ("option", "complaint"),
    [
        (["--shard", "3/2"], "'3/2' is no shard; those of two are 1/2 and 2/2"),
        (["--shard", "0/2"], "'0/2' is no shard"),
        (["--system", "a=tiny,step=1"], "no setting 'step'; known: seed, completion, wording, st"),
        (["--system", "a=tiny,steps=1", "--system", "a=slow,steps=1"], "two systems are called a"),
        (["--prompts", "nowhere.txt"], "cannot read nowhere.txt: No such file"),
    ],
)
def test_options_that_make_no_sense_are_refused(
    asked: list[str], option: list[str], complaint: str
):
    with pytest.raises(typer.BadParameter) as refusal:
        run([*asked, *option])
    assert complaint in str(refusal.value)


@pytest.mark.parametrize("system", ["a=tiny", "a=tiny,steps=4"])
def test_one_system_has_no_two_names(
    asked: list[str], system: str, capsys: pytest.CaptureFixture[str]
):
    """Four steps are those of the model, whether they are said or not."""
    with pytest.raises(SystemExit, match="2"):
        run([*asked, "--system", system])
    assert "'' and 'a' are one system; change a setting" in capsys.readouterr().err


def test_prompts_in_another_encoding_are_refused_with_the_byte(asked: list[str], tmp_path: Path):
    latin = tmp_path / "latin.txt"
    latin.write_bytes("ein grüner Rucksack".encode("latin-1"))
    with pytest.raises(typer.BadParameter, match=r"is not UTF-8 \(byte 6 is 0xfc\)"):
        run([*asked, "--prompts", str(latin)])


def test_the_mark_that_spreadsheets_begin_a_file_with_is_no_part_of_its_text(tmp_path: Path):
    table, lines = tmp_path / "table.csv", tmp_path / "prompts.txt"
    table.write_text("prompt,image\na cat,cat.png\n", encoding="utf-8-sig")
    lines.write_text("a cat\n", encoding="utf-8-sig")
    assert rows(table, "prompt", "image") == [{"prompt": "a cat", "image": "cat.png"}]
    assert read_texts(str(lines)) == ["a cat"]


def test_an_unknown_model_is_refused_before_any_work(
    asked: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    with pytest.raises(SystemExit):
        run([*asked, "--models", "tiny,nobody"])
    assert "no model 'nobody'" in capsys.readouterr().err
    assert not (tmp_path / "images").exists()


def run(arguments: list[str]) -> None:
    program(["batch", *arguments], standalone_mode=False)


def test_one_right_image_of_each_prompt_is_searched_with_what_it_cost(
    asked: list[str], capsys: pytest.CaptureFixture[str]
):
    run([*asked, "--until-right", "8 evaluations"])
    said = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert [*said["searches"]] == ["tiny", "slow"]
    assert all(each["prompts"] == 2 for each in said["searches"].values())
    assert all(0 < each["evaluations"] <= 16 for each in said["searches"].values())


def test_a_budget_that_no_image_fits_is_said_with_the_prompts_it_left_out(
    asked: list[str], capsys: pytest.CaptureFixture[str]
):
    run([*asked, "--models", "tiny", "--until-right", "1 questions"])
    said = " ".join(capsys.readouterr().out.split())
    assert "Not searched for, 1 prompt: the budget is 1 questions; one image of" in said


def test_searches_of_systems_without_names_are_told_apart(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    prompts = tmp_path / "prompts.txt"
    prompts.write_text(PROMPT, encoding="utf-8")
    systems = ["--system", "tiny,steps=1", "--system", "tiny,steps=3,wording={prompt} [/x]"]
    asked = ["--prompts", str(prompts), "--out", str(tmp_path), "--bundle", "tiny"]
    run([*asked, *systems, "--until-right", "6 evaluations"])
    said = json.loads(capsys.readouterr().out.splitlines()[-1])
    names = ["tiny, wording as it is, steps 1", 'tiny, "{prompt} [/x]", steps 3']
    assert [*said["searches"]] == names


def test_a_search_has_no_further_grids(asked: list[str]):
    with pytest.raises(typer.BadParameter, match="--until-right makes one image of each prompt"):
        run([*asked, "--until-right", "60s", "--grids-per-prompt", "2"])
    with pytest.raises(typer.BadParameter, match="give --until-right BUDGET, too"):
        run([*asked, "--strategy", "repair"])
