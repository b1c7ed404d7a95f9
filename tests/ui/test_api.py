"""The endpoints of the page, called by gradio_client and by an MCP client on a real server."""

import asyncio
import base64
import json
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from gradio_client import Client, handle_file
from gradio_client.exceptions import AppError
from mcp import ClientSession
from mcp.client.streamable_http import streamable_http_client
from mcp.types import CallToolResult
from PIL import Image
from typer.testing import CliRunner

import app
import generation
from alignment.records import ImageScore, Ranking
from alignment.report import report_json
from session.limits import Runs
from session.offer import Offer
from session.state import GridState
from session.storage import stored
from tests.tiny_models import PROMPT
from tests.ui.serving import SERVED, served, tiny_app
from ui.api import explain, offered_run

pytestmark = [
    *SERVED,
    # The client leaves event loops and sockets to the garbage collector.
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]
PROGRAMS = Path(__file__).parents[2] / "docs" / "programs.md"
TINY = {"model": "tiny", "bundle": "tiny"}
PROMISED = json.loads(Path(__file__).with_name("endpoints.json").read_text())


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    folder = tmp_path_factory.mktemp("app")
    with tiny_app(folder), pytest.MonkeyPatch.context() as patch:
        usual = replace(generation.MODELS["tiny"], completion=True)
        patch.setitem(generation.MODELS, "tiny", usual)
        build = partial(app.build_page, None)
        with served(build, folder / "visitors") as (local, _):
            client = Client(local, verbose=False, analytics_enabled=False)
            yield client
            client.close()


@pytest.fixture(scope="module")
def generated(client: Client) -> tuple[dict[str, Any], list[str]]:
    found: tuple[dict[str, Any], list[str]] = client.predict(
        PROMPT, rows=1, columns=2, api_name="/generate", **TINY
    )
    return found


def test_the_endpoints_have_these_names_and_parameters_and_no_others(client: Client):
    """Programs rely on them: a change of this file is one that the changelog tells."""
    api = client.view_api(return_format="dict", print_info=False)["named_endpoints"]
    found = {
        name: {
            each["parameter_name"]: [each["python_type"]["type"], each.get("parameter_default")]
            for each in endpoint["parameters"]
        }
        for name, endpoint in api.items()
    }
    assert found == PROMISED


def test_the_report_is_that_of_the_command_line(
    generated: tuple[dict[str, Any], list[str]], tmp_path: Path
):
    report, files = generated
    asked = [PROMPT, "--rows=1", "--columns=2", "--model=tiny", "--bundle=tiny"]
    CliRunner().invoke(app.program, [*asked, f"--out={tmp_path}"], catch_exceptions=False)
    ours = json.loads((tmp_path / "report.json").read_text())
    assert ours["completion"] is report["completion"] is True
    for file, cell, our in zip(files, report["cells"], ours["cells"], strict=True):
        assert cell["scores"] == pytest.approx(our["scores"], abs=1e-6)
        assert Image.open(file).tobytes() == Image.open(tmp_path / our["image"]).tobytes()


def test_the_log_says_what_a_call_took_even_where_it_failed(
    client: Client, caplog: pytest.LogCaptureFixture
):
    caplog.set_level("INFO", logger="runs")
    client.predict(PROMPT, rows=1, columns=1, api_name="/generate", **TINY)
    with pytest.raises(AppError):
        client.predict(PROMPT, rank_by="taste", api_name="/generate", **TINY)
    made, _ = (json.loads(each.message) for each in caplog.records if each.name == "runs")
    assert (made["model"], made["bundle"], made["grid"]) == ("tiny", "tiny", "1 x 1")
    assert {"generating", "vq2"} <= set(made["stage_seconds"])


def test_a_report_can_be_ranked_and_explained_without_models(
    client: Client, generated: tuple[dict[str, Any], list[str]]
):
    report, _ = generated
    ranked = client.predict(report, "clip", api_name="/rank")
    assert sorted(ranked["order"]) == [0, 1]
    explained = client.predict(report, 0, api_name="/explain")
    assert explained["rank"] == report["cells"][0]["rank"]
    assert all(answer.endswith(".") for answer in explained["answers"])


def test_why_an_image_has_no_mean_is_why_it_has_no_score(state: GridState):
    unasked = ImageScore("vnli", None, "it does not know the word")
    scores = {"vq2": state.scores["vq2"], "vnli": (unasked,) * state.size}
    none = Ranking((0, 1, 2, 3), (None,) * state.size)
    report = replace(state.report, scores=scores, ranked_by="mean", rankings={"mean": none})
    written = json.loads(json.dumps(report_json(stored(state.with_report(report), report))))
    explained = explain(written, 0)
    assert (explained["rank"], explained["reason"]) == (None, "it does not know the word")


def test_images_of_one_s_own_are_scored(
    client: Client, generated: tuple[dict[str, Any], list[str]]
):
    report, files = generated
    scored = client.predict(
        PROMPT, [handle_file(file) for file in files], "tiny", api_name="/score"
    )
    for one, other in zip(scored["cells"], report["cells"], strict=True):
        assert one["scores"] == pytest.approx(other["scores"], abs=1e-5)


def test_a_file_that_cannot_be_used_is_named_and_the_others_are_scored_in_their_places(
    client: Client, generated: tuple[dict[str, Any], list[str]], tmp_path: Path
):
    report, (first, second) = generated
    (tmp_path / "torn.png").write_bytes(b"no image at all")
    sent = [handle_file(file) for file in (first, tmp_path / "torn.png", second)]
    scored = client.predict(PROMPT, sent, "tiny", api_name="/score")
    (refused,) = scored["refused"]
    assert refused["cell"] == 1
    assert refused["reason"].startswith('"torn.png" is not a PNG, JPEG, WebP or GIF image')
    one, torn, other = (cell["scores"] for cell in scored["cells"])
    assert set(torn.values()) == {None}
    for found, cell in zip((one, other), report["cells"], strict=True):
        assert found == pytest.approx(cell["scores"], abs=1e-5)
    assert sorted(client.predict(scored, "clip", api_name="/rank")["order"]) == [0, 2]


def test_files_of_which_none_can_be_used_are_refused(client: Client, tmp_path: Path):
    (tmp_path / "torn.png").write_bytes(b"no image at all")
    torn = [handle_file(tmp_path / "torn.png")]
    with pytest.raises(AppError, match='"torn.png" is not a PNG'):
        client.predict(PROMPT, torn, "tiny", api_name="/score")


def test_set_metrics_of_any_grid_by_hand(client: Client):
    """Both orders are as likely: RBP = 1.5 x (1 + .8) / 2; ERR = (.5 + .8 x .5 + 1) / 2."""
    found = client.predict([0.5, 1.0], [1.0, 1.0], api_name="/grid_metrics")
    assert found == pytest.approx({"RBP": 1.35, "ERR": 0.95})


def test_set_metrics_have_all_settings_of_the_page(client: Client):
    """A place of attention 0 comes last. Of twins the second is not new; nobody is content."""
    seen_last = client.predict([0.5, 1.0], [0.0, 1.0], api_name="/grid_metrics")
    assert seen_last == pytest.approx({"RBP": 1.0 + 0.8 * 0.5, "ERR": 1.0})
    found = client.predict(
        [0.5, 1.0], [1.0, 1.0], persistence=0.5, order="positional", novelty="max",
        similarity=[[1.0, 0.75], [0.75, 1.0]], satisfaction=[0.0, 0.0], api_name="/grid_metrics",
    )  # fmt: skip
    assert found == pytest.approx({"RBP": 0.5 + 0.5 * 0.25, "ERR": 0.5 + 0.5 * 0.25})


def refused(client: Client, endpoint: str, *given: Any, **named: Any) -> str:
    with pytest.raises(AppError) as error:
        client.predict(*given, **named, api_name=endpoint)
    return str(error.value)


@pytest.mark.parametrize(
    ("endpoint", "given", "says"),
    [
        ("/generate", {"prompt": ["a red apple"]}, '"prompt" is ["a red apple"]: input should be'),
        ("/generate", {"prompt": None}, '"prompt" is null: input should be a valid string'),
        ("/generate", {"rows": "3"}, '"rows" is "3": input should be a valid integer'),
        ("/generate", {"rows": 1.5}, '"rows" is 1.5: input should be a valid integer'),
        ("/generate", {"columns": 7}, '"columns" is 7: input should be less than or equal to 6'),
        ("/generate", {"seed": True}, '"seed" is true: input should be a valid integer'),
        ("/generate", {"bundle": 5}, '"bundle" is 5: input should be a valid string'),
        (
            "/generate",
            {"completion": "perhaps"},
            "it can be auto, on, off",
        ),
        ("/generate", {"prompt": ""}, "the prompt is empty"),
        ("/score", {"prompt": "a", "images": ["x"]}, '"images 0" is "x": input should be'),
        ("/rank", {"report": [], "method": "vq2"}, '"report" is []: input should be'),
        ("/explain", {"report": {}, "cell": -1}, '"cell" is -1: input should be greater'),
        ("/compare", {"first": 1, "second": {}}, '"first" is 1: input should be'),
        ("/grid_metrics", {"relevance": 5, "attention": [1]}, '"relevance" is 5: input should be'),
        ("/grid_metrics", {"relevance": [2], "attention": [1]}, '"relevance 0" is 2: input'),
        ("/grid_metrics", {"relevance": [1], "attention": [-1]}, '"attention 0" is -1: input'),
        ("/grid_metrics", {"relevance": [1], "attention": [0]}, "not all may be 0"),
        (
            "/grid_metrics",
            {"relevance": [1], "attention": [1], "order": "salient"},
            """"order" is "salient": input should be 'saliency', 'positional' or 'uniform'""",
        ),
        (
            "/grid_metrics",
            {"relevance": [1], "attention": [1], "novelty": "max"},
            "needs `similarity`, a matrix of 1 x 1 values",
        ),
        ("/grid_metrics", {"relevance": [], "attention": []}, '"relevance" is []: list should'),
        ("/grid_metrics", {"relevance": [1], "attention": [1, 1]}, "give both for every place"),
        ("/grid_metrics", {"relevance": [0.5] * 1000, "attention": [1] * 1000}, "at most 36 items"),
    ],
)
def test_what_an_endpoint_cannot_be_asked_is_refused_by_name(
    client: Client, endpoint: str, given: dict[str, Any], says: str
):
    named = {"prompt": PROMPT, **TINY, **given} if endpoint == "/generate" else given
    assert says in refused(client, endpoint, **named)


def test_a_report_does_not_differ_from_itself(
    client: Client, generated: tuple[dict[str, Any], list[str]]
):
    found = client.predict(generated[0], generated[0], api_name="/compare")
    assert found["first"] == found["second"]
    assert not any(found["difference"].values())


def test_scores_of_different_methods_have_no_difference_and_the_reason_is_given(
    client: Client, generated: tuple[dict[str, Any], list[str]]
):
    by_vq2, files = generated
    asked = [handle_file(file) for file in files]
    by_clip = client.predict(PROMPT, asked, "tiny", "clip", api_name="/score")
    found = client.predict({**by_vq2, "ranked_by": "clip"}, by_clip, api_name="/compare")
    assert found["difference"]["top_score"] == pytest.approx(0, abs=1e-5)
    assert found["reason"] == ""
    found = client.predict(by_vq2, by_clip, api_name="/compare")
    assert found["first"]["top_score"] is not None
    assert found["second"]["top_score"] is not None
    assert [found["difference"][name] for name in ("top_score", "ERR", "RBP")] == [None] * 3
    assert found["reason"] == (
        "the first is ranked by vq2, the second by clip; scores of different methods cannot "
        "be compared, so score both with one rank_by"
    )


def test_an_assistant_finds_the_tools_generates_and_scores_what_it_was_shown(client: Client):
    async def converse() -> tuple[dict[str, Any], list[CallToolResult]]:
        async with (
            streamable_http_client(f"{client.src}gradio_api/mcp") as (reading, writing, _),
            ClientSession(reading, writing) as session,
        ):
            await session.initialize()
            tools = {each.name: each for each in (await session.list_tools()).tools}
            asked = {"prompt": PROMPT, "rows": 1, "columns": 1, **TINY}
            made = await session.call_tool("generate", asked)
            again = {"prompt": PROMPT, "images": [made.content[1].data], "bundle": "tiny"}
            mistake = await session.call_tool("generate", {**asked, "prompt": ""})
            return tools, [made, await session.call_tool("score", again), mistake]

    tools, (made, scored, mistake) = asyncio.run(converse())
    assert {f"/{name}" for name in tools} == {*PROMISED}
    assert "rows: Rows of the grid, 1 to 6." in tools["generate"].description
    reports = [json.loads(each.content[0].text) for each in (made, scored)]
    for one, other in zip(*(each["cells"] for each in reports), strict=True):
        assert one["scores"] == pytest.approx(other["scores"], abs=1e-5)
    assert Image.open(BytesIO(base64.b64decode(made.content[1].data))).size == (32, 32)
    assert mistake.isError
    assert "the prompt is empty" in mistake.content[0].text


@pytest.mark.parametrize(("example", "says"), [(0, ".\n"), (1, '"RBP": 1.35')])
def test_the_examples_of_the_documentation_for_programs_run(
    example: int, says: str, client: Client, capsys: pytest.CaptureFixture[str]
):
    """On tiny models."""
    code = re.findall(r"```python\n(.*?)```", PROGRAMS.read_text("utf-8"), flags=re.DOTALL)[example]
    code = code.replace("http://127.0.0.1:7860", client.src.rstrip("/"))
    code = code.replace("rows=1", 'model="tiny", bundle="tiny", rows=1')
    exec(code, {})
    assert says in capsys.readouterr().out


def test_an_empty_model_is_the_first_that_is_offered_not_that_of_the_project():
    def asks(model: str, bundle: str) -> tuple[str, str]:
        return model, bundle

    offer = Offer(models=("tiny", "icons"), bundles=("tiny",))
    assert offered_run(asks, Runs(), offer)(model="", bundle="") == ("tiny", "tiny")
