"""The library as a wheel: what is in it, and a score where there is no checkout."""

import shutil
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path
from zipfile import ZipFile

import pytest

ROOT = Path(__file__).parent.parent
PARTS = [
    *["alignment", "generation", "hub", "assets"],
    *["pyproject.toml", "README.md", "LICENSE", "requirements.txt", "constraints.txt"],
]
PIP = [sys.executable, "-m", "pip"]
SCORE = """
import sys
from PIL import Image
import alignment, generation
from alignment import Models, find_bundle, score
with Image.open(sys.argv[1]) as image:
    ((value,),) = score([image], ["a red apple"], Models(find_bundle("embedded"))).values
print(alignment.__file__, generation.find_model("icons").source.is_dir(), value, sep="|")
"""

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built from a copy, as building writes beside the sources."""
    folder = tmp_path_factory.mktemp("wheel")
    for part in PARTS:
        source = ROOT / part
        (shutil.copytree if source.is_dir() else shutil.copy)(source, folder / part)
    command = [*PIP, "wheel", "--quiet", "--no-deps", "--no-build-isolation", "-w", "dist", "."]
    subprocess.run(command, cwd=folder, check=True)
    (built,) = (folder / "dist").glob("*.whl")
    return built


def test_it_holds_the_typed_packages_and_the_embedded_models(wheel: Path) -> None:
    names = set(ZipFile(wheel).namelist())
    packages = {"alignment", "generation", "hub"}
    assert {f"{package}/py.typed" for package in packages} <= names
    checkpoints = (ROOT / "assets" / "checkpoints").rglob("*")
    assert {str(each.relative_to(ROOT)) for each in checkpoints if each.is_file()} <= names
    tops = {name.split("/")[0] for name in names}
    assert {top for top in tops if not top.endswith(".dist-info")} == {*packages, "assets"}


def test_it_scores_an_image_in_an_environment_of_its_own(wheel: Path, tmp_path: Path) -> None:
    """Its requirements, some gigabytes, are those of this environment."""
    venv.create(tmp_path / "empty")
    python = tmp_path / "empty" / "bin" / "python"
    (packages,) = (tmp_path / "empty").glob("lib/python*/site-packages")
    (packages / "requirements.pth").write_text(sysconfig.get_path("purelib"))
    pip = [*PIP, "--python", python, "install", "--quiet", "--no-deps", "--no-index", wheel]
    subprocess.run(pip, check=True)
    image = next((ROOT / "assets" / "examples").rglob("*.png"))
    command = [python, "-W", "ignore", "-I", "-c", SCORE, image]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    place, checkpoint, value = done.stdout.strip().splitlines()[-1].split("|")
    assert Path(place).is_relative_to(packages)
    assert checkpoint == "True"
    assert 0 <= float(value) <= 1
