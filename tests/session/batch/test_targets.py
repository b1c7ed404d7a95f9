"""Target images of a batch, from a folder or a table."""

from hashlib import sha256
from pathlib import Path

import pytest
from PIL import Image

from session.batch.units import read_targets
from session.errors import DataError, UnusableFileError

PROMPTS = ("an owl", "a fox")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two images, navy and white."""
    (tmp_path / "wanted").mkdir()
    for name, colour in (("1.png", "navy"), ("2.png", "white")):
        Image.new("RGB", (8, 8), colour).save(tmp_path / "wanted" / name)
    return tmp_path / "wanted"


def test_a_folder_has_one_image_for_each_prompt_by_name(folder: Path) -> None:
    found = read_targets(folder, PROMPTS)
    assert {prompt: [each.file.name for each in targets] for prompt, targets in found.items()} == {
        "an owl": ["1.png"],
        "a fox": ["2.png"],
    }
    (owl,) = found["an owl"]
    assert owl.sha256 == sha256((folder / "1.png").read_bytes()).hexdigest()
    assert owl.load().getpixel((0, 0)) == (0, 0, 128)


def test_a_table_may_name_several_for_a_prompt_and_some_for_no_prompt(folder: Path) -> None:
    table = folder.parent / "targets.csv"
    table.write_text(
        "prompt,image\na fox,wanted/1.png\nan owl,wanted/1.png\na fox,wanted/2.png\nan emu,no.png\n"
    )
    found = read_targets(table, PROMPTS)
    assert [each.file.name for each in found["a fox"]] == ["1.png", "2.png"]
    assert [*found] == [*PROMPTS]


def test_a_folder_with_too_few_images_is_refused(folder: Path) -> None:
    with pytest.raises(DataError, match="has 2 files for 3 prompts; give one image for each"):
        read_targets(folder, (*PROMPTS, "an emu"))


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("an owl,2.png", r": no target for 'a fox' \(1 prompts"),
        ("a fox", ", row 3 has no image; give prompt, image in every row"),
        ("a fox, ", ", row 3 has no image; give the path of a file"),
    ],
)
def test_what_a_table_leaves_out_is_named(folder: Path, row: str, message: str) -> None:
    table = folder / "targets.csv"
    table.write_text(f"prompt,image\nan owl,1.png\n{row}\n")
    with pytest.raises(DataError, match=f"targets.csv{message}"):
        read_targets(table, PROMPTS)


def test_what_is_no_image_is_refused_before_any_work(folder: Path) -> None:
    (folder / "2.png").write_text("no image")
    with pytest.raises(UnusableFileError, match='"2.png" is not a PNG'):
        read_targets(folder, PROMPTS)
