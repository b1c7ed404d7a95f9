import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image as PillowImage

from benchmarks.__main__ import main, names
from tests.benchmarks.command import refusal, words

ROOT = Path(__file__).parents[2]


def test_what_benchmarks_share_is_no_benchmark() -> None:
    assert {"published", "seetrue", "stickers"} <= {*names()}
    assert not {"data", "statistics", "charts", "options", "progress", "server"} & {*names()}


@pytest.mark.parametrize("name", names())
def test_every_benchmark_says_what_it_measures_and_shows_how_it_is_used(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    main([name, "--help"])
    told = words(capsys.readouterr().out)
    assert f"python -m benchmarks {name}" in told


def test_the_list_of_benchmarks_imports_none_of_them() -> None:
    code = (
        "import sys; from benchmarks.__main__ import main; main(['--help']); "
        "print('benchmarks.seetrue' in sys.modules, 'torch' in sys.modules)"
    )
    told = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert told.stdout.splitlines()[-1] == "False False"
    assert "Is the first of n generated images a right one" in words(told.stdout)


def test_an_unknown_benchmark_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["data"])
    assert "No such command 'data'" in words(capsys.readouterr().err)


def test_a_mistake_in_the_data_is_told_in_one_sentence(tmp_path: Path) -> None:
    table = tmp_path / "table.csv"
    table.write_text("image,text\n")
    said = refusal("seetrue", "--table", table, "--images", tmp_path)
    assert said == "table.csv has no label, dataset_source; it has image, text"


def test_a_model_out_of_reach_is_told_in_one_sentence(tmp_path: Path) -> None:
    table = tmp_path / "table.csv"
    table.write_text("image,text,label,dataset_source\n1.png,owl,1,x\n")
    PillowImage.new("RGB", (32, 32)).save(tmp_path / "1.png")
    said = refusal(
        "seetrue", "--table", table, "--images", tmp_path,
        "--bundle", "embedded+clip=clip-rn50x64", "--methods", "clip",
    )  # fmt: skip
    assert "hub" in said
    assert "Traceback" not in said
