"""Saved files opened again: the same request, the same result, and no harm by any other file."""

import io
import json
import time
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from alignment.errors import UnreadableReportError
from alignment.questions.settings import Vq2Settings
from generation import InvalidRequestError
from session.errors import UnusableFileError
from session.png_text import png_text, read_settings
from session.replay import open_saved
from session.state import GridState
from session.storage import ContentStore, load_image, report_text
from ui.render.export.files import archive, documents, image_files

FAILURES = (UnusableFileError, UnreadableReportError, InvalidRequestError)
Opening = Callable[[dict[str, bytes]], GridState]


@pytest.fixture
def store(tmp_path: Path) -> ContentStore:
    return ContentStore(tmp_path / "images")


@pytest.fixture
def opened(store: ContentStore, tmp_path: Path) -> Opening:
    """Opens files as a ZIP of them."""

    def of(files: dict[str, bytes]) -> GridState:
        (tmp_path / "saved.zip").write_bytes(archive(files))
        return open_saved(tmp_path / "saved.zip", store).state

    return of


@pytest.fixture(scope="module")
def saved(state: GridState) -> dict[str, bytes]:
    """The files of a ZIP."""
    return {**documents(state, state.report), **image_files(state)}


def test_an_image_gives_back_the_request_that_made_it(state: GridState, store: ContentStore):
    found = open_saved(Path(state.file(2)), store)
    assert found.request == state.request
    assert found.state.request == replace(state.request, rows=1, columns=1, seed=state.seed_of(2))
    assert load_image(found.state.file(0)).tobytes() == load_image(state.file(2)).tobytes()


def test_an_image_made_with_a_guidance_that_the_default_model_does_not_take_opens(
    state: GridState, store: ContentStore, tmp_path: Path
):
    file = Path(state.file(2))
    settings = read_settings(file)
    request = replace(settings.request, model="sd-1.5", guidance=5.0)
    asked = replace(settings, request=request, guidance=5.0)
    load_image(state.file(2)).save(tmp_path / "found.png", pnginfo=png_text(asked))
    assert open_saved(tmp_path / "found.png", store).request.guidance == 5.0


def test_an_image_out_of_a_zip_gives_back_its_answers(
    state: GridState, saved: dict[str, bytes], store: ContentStore, tmp_path: Path
):
    (tmp_path / "saved.png").write_bytes(saved["cell-02.png"])
    found = open_saved(tmp_path / "saved.png", store).state
    assert (found.size, found.seed_of(0)) == (1, state.seed_of(2))
    assert found.answers().rows == state.answers([2]).rows
    assert [found.score(0, method) for method in state.scores] == [
        state.score(2, method) for method in state.scores
    ]
    assert load_image(found.file(0)).tobytes() == load_image(state.file(2)).tobytes()


def test_a_zip_gives_back_the_whole_result_without_a_model(
    state: GridState, saved: dict[str, bytes], opened: Opening, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("session.jobs.Models", None)
    found = opened(saved)
    assert replace(found.request, vq2=None) == state.request
    assert found.ranked_by == "vq2"
    assert found.report.scores == state.report.scores
    assert found.report.ranking == state.report.ranking
    for cell in range(4):
        assert load_image(found.file(cell)).tobytes() == load_image(state.file(cell)).tobytes()
        assert read_settings(found.file(cell)) == read_settings(state.file(cell))


def test_a_report_alone_gives_back_scores_and_reasons(
    state: GridState, saved: dict[str, bytes], store: ContentStore, tmp_path: Path
):
    (tmp_path / "any name.txt").write_bytes(saved["report.json"])
    found = open_saved(tmp_path / "any name.txt", store).state
    assert found.report.scores == state.report.scores
    assert (found.images.files, found.images.filtered) == ((None,) * 4, frozenset())


def test_a_filtered_image_stays_filtered(state: GridState, opened: Opening):
    plain = json.loads(report_text(state, state.report))
    plain["cells"][1]["image"] = None
    found = opened({**image_files(state), "report.json": json.dumps(plain).encode()})
    assert found.images.filtered == {1}
    assert found.file(1) is None


def test_names_in_a_report_and_in_a_zip_lead_nowhere(
    saved: dict[str, bytes], opened: Opening, store: ContentStore, tmp_path: Path
):
    plain = json.loads(saved["report.json"])
    plain["cells"][0]["image"] = "/etc/passwd"
    report = json.dumps(plain).encode()
    found = opened({**saved, "report.json": report, "../escaped.png": b"x"})
    assert all(Path(file).parent == store.folder for file in found.images.files)
    assert not [*tmp_path.parent.glob("**/escaped.png")]


def png_without_settings() -> bytes:
    out = io.BytesIO()
    Image.new("RGB", (8, 8)).save(out, "PNG")
    return out.getvalue()


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "cannot be read; choose a PNG that was generated here"),
        (b"\xff\xd8\xff\xe0 a JPEG", "cannot be read"),
        (png_without_settings(), 'does not say how it was made.*on the tab "Your images"'),
        (b"\x89PNG\r\n\x1a\n torn", "cannot be read"),
        (b"PK\x03\x04 torn", "cannot be read"),
        (b"[" * 100_000, "cannot be read"),
        (b"7", "this is no report"),
        (b"{}", "this is no report: prompt"),
        (b" " * 5_000_001, "too large for a report"),
        (archive({"notes.txt": b"x"}), "has no report.json in it"),
        (archive({"report.json": b" " * 5_000_001}), "report.json in the ZIP has over 5 MB"),
    ],
)
def test_what_is_not_ours_is_a_sentence(
    content: bytes, says: str, store: ContentStore, tmp_path: Path
):
    (tmp_path / "upload").write_bytes(content)
    with pytest.raises(FAILURES, match=says):
        open_saved(tmp_path / "upload", store)


NOWHERE = "<img src=x onerror=alert(1)>"
HARMED: list[tuple[Callable[[dict[str, Any]], object], str]] = [
    (lambda it: it["cells"][0]["scores"].update(vq2=float("nan")), "report: cells.0.scores.vq2"),
    (lambda it: it.update(rows=10**9), "cells|similarity|saliency|can be a whole number from 1"),
    (lambda it: it["cells"][0].update(cell=10**9), "cells do not fit a grid of 2 x 2"),
    (lambda it: it["cells"].pop(), "cells do not fit"),
    (lambda it: it["cells"][1]["scores"].pop("clip"), "scores do not fit"),
    (lambda it: [each["scores"].update({NOWHERE: 0.5}) for each in it["cells"]], "."),
    (lambda it: it["cells"][0]["evidence"][0].update(question="what?"), "evidence do not fit"),
    (lambda it: it["saliency"][0]["attention"].pop(), "saliency do not fit"),
    (lambda it: it["saliency"][0].update(arrangement="x"), "saliency do not fit"),
    (lambda it: it["saliency"][0].update(attention=[0.0] * 4), "saliency do not fit"),
    (lambda it: it["similarity"][2].append(0.5), "similarity do not fit"),
    (lambda it: it.update(ranked_by="luck"), "it is ranked by 'luck', and has vq2"),
    (lambda it: it.update(prompt="a " * 1000), "has 2000 characters; it can be at most 1000"),
    (lambda it: it.update(seed=-1), '"seed" is -1; it can be a whole number from 0'),
]
"""What somebody did to a report, and what is said of it."""


@pytest.mark.parametrize(("harm", "says"), HARMED, ids=range(len(HARMED)))
def test_a_report_that_does_not_fit_together_is_a_sentence(
    harm: Callable[[dict[str, Any]], object],
    says: str,
    saved: dict[str, bytes],
    store: ContentStore,
    tmp_path: Path,
):
    plain = json.loads(saved["report.json"])
    harm(plain)
    (tmp_path / "report.json").write_text(json.dumps(plain), "utf-8")
    with pytest.raises(FAILURES, match=says):
        open_saved(tmp_path / "report.json", store)


def test_a_zip_whose_directory_lies_about_sizes_is_a_sentence(
    saved: dict[str, bytes], store: ContentStore, tmp_path: Path
):
    with zipfile.ZipFile(tmp_path / "bomb.zip", "w", zipfile.ZIP_DEFLATED) as zipped:
        zipped.writestr("report.json", saved["report.json"])
        zipped.writestr("cell-00.png", b"\x89PNG" + b"\0" * 30_000_000)
    with pytest.raises(UnusableFileError, match="cell-00.png in the ZIP has over 20 MB"):
        open_saved(tmp_path / "bomb.zip", store)
    lied = (
        (tmp_path / "bomb.zip")
        .read_bytes()
        .replace((30_000_004).to_bytes(4, "little"), b"\4\0\0\0")
    )
    (tmp_path / "bomb.zip").write_bytes(lied)
    with pytest.raises(UnusableFileError):
        open_saved(tmp_path / "bomb.zip", store)


def test_a_report_by_another_model_of_attention_opens_without_its_numbers(
    saved: dict[str, bytes], opened: Opening
):
    plain = json.loads(saved["report.json"]) | {"saliency_model": "somebody/huge"}
    report = opened({**saved, "report.json": json.dumps(plain).encode()}).report
    assert (report.saliency_model, report.saliency) == ("spectral-residual", {})


def test_a_zip_that_is_compressed_in_an_unusual_way_is_refused(store: ContentStore, tmp_path: Path):
    bomb = io.BytesIO()
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_BZIP2) as zipped:
        zipped.writestr("report.json", b"0" * 1000)
    (tmp_path / "bomb.zip").write_bytes(bomb.getvalue())
    with pytest.raises(UnusableFileError, match="compressed in an unusual way"):
        open_saved(tmp_path / "bomb.zip", store)


def test_a_zip_of_uploads_gives_their_names_back_and_names_the_files_in_it(
    state: GridState, opened: Opening
):
    names = ("red car.png", "red car.png", "dog.jpeg", "../x.png")
    images = replace(state.images, names=names)
    uploads = replace(state, request=replace(state.request, model=""), images=images)
    saved = {**documents(uploads, uploads.report), **image_files(uploads)}
    cells = json.loads(saved["report.json"])["cells"]
    assert {cell["image"] for cell in cells} == {"cell-00.png", *saved} - {*DOCUMENTS}
    found = opened(saved)
    assert found.images.names == names
    assert all(found.images.files)


DOCUMENTS = ("report.html", "report.json", "scores.csv")


def test_the_settings_that_a_report_was_scored_with_stay_its_own(
    state: GridState, store: ContentStore, tmp_path: Path
):
    settings = Vq2Settings(aggregation="weakest", questions_per_span=2, filter=0.3)
    scores = tuple(
        replace(each, signature=settings.signature) for each in state.report.scores["vq2"]
    )
    report = replace(state.report, scores={**state.report.scores, "vq2": scores})
    (tmp_path / "report.json").write_text(report_text(state, report), "utf-8")
    assert open_saved(tmp_path / "report.json", store).state.request.vq2 == settings


def test_a_zip_of_very_many_files_is_refused_before_they_are_listed(
    store: ContentStore, tmp_path: Path
):
    many = tmp_path / "many.zip"
    with zipfile.ZipFile(many, "w") as zipped:
        for number in range(5000):
            zipped.writestr(f"{number}", b"")
    content = many.read_bytes()
    entries = content[content.index(b"PK\x01\x02") : content.rindex(b"PK\x05\x06")]
    assert len(entries) > 200_000
    lying = bytearray(content)
    end = content.rindex(b"PK\x05\x06")
    lying[end + 8 : end + 12] = b"\1\0\1\0"  # it says that there is one file
    for each in (content, bytes(lying), content + b"PK\x05\x06" + bytes(18)):
        many.write_bytes(each)
        start = time.process_time()
        with pytest.raises(UnusableFileError, match="more files in it than a ZIP of ours"):
            open_saved(many, store)
        assert time.process_time() - start < 0.05
