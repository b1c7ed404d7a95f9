"""What those who work on it at a public forge rely on: its CI, its hooks and its forms."""

import re
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).parent.parent
FORGE = ROOT / ".github"


def read(path: Path) -> Any:
    return yaml.safe_load(path.read_text("utf-8"))


def test_ci_runs_the_command_of_the_readme_with_the_first_and_the_last_python() -> None:
    (job,) = read(FORGE / "workflows" / "tests.yml")["jobs"].values()
    assert job["steps"][-1]["run"].startswith("make test ")
    project = (ROOT / "pyproject.toml").read_text("utf-8")
    allowed = re.search(r'requires-python = ">=3\.(\d+),<3\.(\d+)"', project)
    assert allowed
    first, beyond = map(int, allowed.groups())
    assert job["strategy"]["matrix"]["python"] == [f"3.{first}", f"3.{beyond - 1}"]


def test_the_version_has_its_notes() -> None:
    project = (ROOT / "pyproject.toml").read_text("utf-8")
    version = re.search(r'^version = "(.+)"', project, re.MULTILINE)
    latest = re.search(r"^## (\d\S*)", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    assert version
    assert latest
    assert version[1] == latest[1]


def test_hooks_run_what_make_check_runs() -> None:
    recipe = (ROOT / "Makefile").read_text("utf-8").partition("\ncheck:")[2].partition("\n\n")[0]
    (repository,) = read(ROOT / ".pre-commit-config.yaml")["repos"]
    hooked = {each["entry"].removesuffix(" --fix") for each in repository["hooks"]}
    checked = {line.strip().removesuffix(" --check") for line in recipe.splitlines()[1:]}
    assert hooked == checked


def test_updates_are_sought_wherever_a_list_of_dependencies_lies() -> None:
    lists = {"pip": "requirements.txt", "npm": "package.json", "docker": "Dockerfile"}
    for update in read(FORGE / "dependabot.yml")["updates"]:
        place = ROOT / update["directory"].strip("/")
        assert (place / lists.get(update["package-ecosystem"], ".github")).exists()


def test_every_form_asks_something() -> None:
    for path in (FORGE / "ISSUE_TEMPLATE").glob("*.yml"):
        form = read(path)
        assert form["name"]
        assert form["description"]
        assert all(field["attributes"]["label"] for field in form["body"])


def test_whoever_reports_a_wrong_result_gives_its_signature_and_its_report() -> None:
    fields = read(FORGE / "ISSUE_TEMPLATE" / "wrong-result.yml")["body"]
    required = {each["id"] for each in fields if each.get("validations", {}).get("required")}
    assert {"signature", "report"} <= required
