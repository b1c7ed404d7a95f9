"""The tree as CONTRIBUTING.md draws it: which package may import which, and what files exist."""

import ast
import re
import subprocess
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

MAY_IMPORT = {
    "app": {"cli", "ui", "session", "request", "generation", "alignment", "hub"},
    "cli": {"ui.render", "session", "request", "search", "generation", "alignment", "hub"},
    "ui": {"session", "request", "search", "generation", "alignment", "hub.streaming"},
    "session": {"request", "search", "generation", "alignment", "hub"},
    "request": {"generation", "alignment"},
    "benchmarks": {
        "cli.flags",
        "session",
        "request",
        "search",
        "generation",
        "alignment",
        "hub",
    },
    "recipes": {"generation", "alignment", "benchmarks"},
    "search": {"generation", "alignment"},
    "generation": {"hub"},
    "alignment": {"hub"},
    "hub": set(),
}

PACKAGES = {*MAY_IMPORT}

TOP_LEVEL = {
    *".ci .dockerignore .github .gitignore .pre-commit-config.yaml".split(),
    *"CHANGELOG.md CONTRIBUTING.md Dockerfile LICENSE Makefile README.md SECURITY.md".split(),
    *"alignment app.py assets benchmarks cli constraints.txt docs generation hub".split(),
    *"mkdocs.yml pyproject.toml recipes request".split(),
    *"requirements-docs.txt requirements-test.txt requirements.txt search session tests ui".split(),
}

IN_THE_CONTAINER = {
    *"LICENSE README.md alignment app.py assets cli constraints.txt generation hub".split(),
    *"pyproject.toml request requirements.txt search session ui".split(),
}
"""What the page is made of."""

CATCH_ALLS = {"common.py", "helpers.py", "misc.py", "tools.py", "util.py", "utils.py"}


def tracked_files() -> list[Path]:
    listing = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if listing.returncode:
        pytest.skip("not a git checkout")
    return [Path(line) for line in listing.stdout.splitlines()]


def modules(package: str) -> list[Path]:
    file = ROOT / f"{package}.py"
    return [file] if file.exists() else sorted((ROOT / package).rglob("*.py"))


def imports(module: Path) -> set[str]:
    """Every module that is imported, anywhere in the file, by its full name."""
    names = set()
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module}: write the full name of what is imported"
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
    return names


def is_within(name: str, allowed: set[str]) -> bool:
    return any(f"{name}.".startswith(f"{prefix}.") for prefix in allowed)


@pytest.mark.parametrize("package", sorted(MAY_IMPORT))
def test_a_package_imports_only_the_packages_below_it(package: str):
    allowed = MAY_IMPORT[package] | {package}
    astray = {
        f"{module.relative_to(ROOT)} imports {name}"
        for module in modules(package)
        if module.exists()
        for name in imports(module)
        if is_within(name, PACKAGES) and not is_within(name, allowed)
    }
    assert not astray


@pytest.mark.parametrize(
    "package", ["hub", "generation", "alignment", "search", "request", "session", "ui", "cli"]
)
def test_heavy_libraries_are_imported_inside_functions(package: str):
    heavy = {"torch", "torchvision", "transformers", "diffusers", "open_clip", "spacy", "sklearn"}
    early = {
        f"{module.relative_to(ROOT)} imports {name}"
        for module in modules(package)
        for name in names_imported_at_once(module)
        if is_within(name, heavy)
    }
    assert not early


def names_imported_at_once(module: Path) -> set[str]:
    """What importing a file imports: its top level without `if TYPE_CHECKING:`."""
    tree = ast.parse(module.read_text(encoding="utf-8"))
    names = set()
    for node in tree.body:
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names |= {str(node.module), *(f"{node.module}.{each.name}" for each in node.names)}
    return names


def test_imports_run_in_no_circle():
    files = [module for package in PACKAGES for module in modules(package) if module.exists()]
    known = {dotted(file): file for file in files}
    TopologicalSorter(
        {name: names_imported_at_once(file) & {*known} for name, file in known.items()}
    ).prepare()  # raises CycleError


def dotted(file: Path) -> str:
    """The name of a module."""
    return ".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def test_every_module_says_what_it_is():
    silent = {
        str(module.relative_to(ROOT))
        for package in PACKAGES
        for module in modules(package)
        if module.exists()
        and module.read_text(encoding="utf-8").strip()
        and not ast.get_docstring(ast.parse(module.read_text(encoding="utf-8")))
    }
    assert not silent


def test_the_walk_of_a_prompt_names_what_is_in_the_code():
    walk = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").split("## The flow")[1]
    steps = re.findall(r"([\w/]+\.py) +(\w+)", walk.split("```")[1])
    assert len(steps) > 10
    for file, name in steps:
        assert re.search(rf"^ *def {name}\(", (ROOT / file).read_text("utf-8"), re.MULTILINE), file


def test_no_file_is_a_catch_all():
    assert not [file for file in tracked_files() if file.name in CATCH_ALLS]


def test_no_tracked_link_leaves_the_tree():
    links = [file for file in tracked_files() if (ROOT / file).is_symlink()]
    targets = {str(file): (ROOT / file).resolve() for file in links}
    assert not [link for link, target in targets.items() if not target.is_relative_to(ROOT)]


def test_nothing_lies_at_the_top_that_the_design_does_not_name():
    assert {file.parts[0] for file in tracked_files()} <= TOP_LEVEL


def test_checkpoints_are_small():
    """Together at most 110 MB, no file over 45 MB."""
    sizes = [(ROOT / file).stat().st_size for file in checkpoint_files()]
    assert sum(sizes) <= 110e6
    assert max(sizes, default=0) <= 45e6


def test_no_checkpoint_runs_code_when_it_is_opened():
    pickles = ("*.pt", "*.pth", "*.pkl", "*.ckpt", "pytorch_model*.bin")
    assert not [file for file in checkpoint_files() if any(map(file.match, pickles))]


def checkpoint_files() -> list[Path]:
    folder = Path("assets/checkpoints")
    return [file for file in tracked_files() if file.is_relative_to(folder)]


def test_the_container_gets_what_the_page_is_made_of_and_nothing_else():
    ignored = {*(ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()}
    assert TOP_LEVEL - ignored == IN_THE_CONTAINER
    assert {".git", ".venv", "**/__pycache__", "**/.env*", "shared", "runs", "report"} <= ignored
