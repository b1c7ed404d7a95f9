"""The server under floods, rude and silent visitors: what it promises in SECURITY.md."""

import io
import json
import logging
import socket
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
import pytest
from PIL import Image

import app
from session.limits import Limits
from session.retention import Retention
from tests.hostile import scan_bomb
from tests.patience import PATIENCE, get, post, wait_until
from tests.processes import page_process
from tests.tiny_models import PROMPT
from tests.ui.serving import SERVED, served, tiny_app
from ui.gate import AT_ONCE
from ui.server import Server, ServerSettings, gradio_app
from ui.sweeping import forget_closed

pytestmark = SERVED
SETTINGS = ServerSettings(
    hosts=("127.0.0.1", "page.example"), upload_size=3_000_000, upload_rate=10
)
LIMITS = Limits(runs=8, runs_per_session=2, runs_per_address=4, silence=PATIENCE)


class Visitor:
    """One open page, as its browser speaks to the server."""

    def __init__(self, url: str, address: str = "127.0.0.1") -> None:
        self.session, self.url = uuid4().hex[:12], url
        self.named = {"timeout": PATIENCE, "headers": {"X-Forwarded-For": address}}
        self.config = self.get("/config").json()

    def get(self, path: str) -> httpx.Response:
        return httpx.get(self.url + path, **self.named)

    def event(self, button: str) -> dict[str, Any]:
        """The event of the first button of a name."""
        components, events = self.config["components"], self.config["dependencies"]
        known = next(each["id"] for each in components if each["props"].get("value") == button)
        clicked = (each for each in events if [known, "click"] in each["targets"])
        return next(each for each in clicked if each["inputs"] and each["backend_fn"])

    def named_event(self, name: str) -> dict[str, Any]:
        """The event of a name."""
        (event,) = [each for each in self.config["dependencies"] if each["api_name"] == name]
        return event

    def inputs(self, event: dict[str, Any], *given: Any) -> list[Any]:
        """What an event is sent with; the last inputs are as the page shows them."""
        shown = {each["id"]: each["props"].get("value") for each in self.config["components"]}
        return [*given, *(shown[number] for number in event["inputs"][len(given) :])]

    def send(self, path: str, event: dict[str, Any], *given: Any) -> httpx.Response:
        """Send an event."""
        data = self.inputs(event, *given)
        body = {"data": data, "fn_index": event["id"], "session_hash": self.session}
        return post(f"{self.url}/gradio_api/{path}", json=body, **self.named)

    def generate(self, *fields: Any, size: str = "1 x 1", model: str = "tiny") -> httpx.Response:
        """Ask for a grid; the last fields are as the page shows them."""
        given = fields or (PROMPT, size, 7, "vq2", model, "tiny")
        return self.send("queue/join", self.event("Generate"), *given)

    def stop(self, event: str = "") -> httpx.Response:
        """Stop an event, or what has none yet."""
        body = {"session_hash": self.session, "fn_index": self.event("Generate")["id"]}
        sent = body | ({"event_id": event} if event else {})
        return post(f"{self.url}/gradio_api/cancel", json=sent, **self.named)

    def save(self) -> httpx.Response:
        """Ask for the ZIP of the grid on show."""
        event = self.event("Save all (ZIP)")
        return self.send(f"run/{event['api_name']}", event)

    def messages(self) -> Iterator[dict[str, Any]]:
        """What the server says until the run is over."""
        path = f"{self.url}/gradio_api/queue/data?session_hash={self.session}"
        with httpx.stream("GET", path, **self.named) as stream:
            for line in stream.iter_lines():
                if line.startswith("data: "):
                    yield json.loads(line.removeprefix("data: "))


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., Any]]:
    """Starts servers of the page, with tiny models and no worked example."""
    with tiny_app(tmp_path_factory.mktemp("served")):
        yield partial(served, partial(app.build_page, None))


@pytest.fixture(scope="module")
def shared(page: Callable[..., Any], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A server that tests share as visitors do."""
    folder = tmp_path_factory.mktemp("visitors")
    with page(folder, SETTINGS, LIMITS) as (url, server):
        yield url, server, folder


@pytest.fixture
def url(shared: tuple[str, Server, Path]) -> str:
    end_unheard(shared[1])
    return shared[0]


@pytest.fixture
def server(shared: tuple[str, Server, Path]) -> Server:
    return shared[1]


def end_unheard(server: Server) -> None:
    """Have every run end to which nobody listens, now and not after a while."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(server.runs, "limits", replace(LIMITS, silence=0.0))
        wait_until(lambda: not server.runs.admitted)


@contextmanager
def listening(visitor: Visitor) -> Iterator[list[dict[str, Any]]]:
    """What a visitor hears meanwhile."""
    heard: list[dict[str, Any]] = []
    thread = threading.Thread(target=lambda: heard.extend(visitor.messages()), daemon=True)
    thread.start()
    yield heard
    thread.join(PATIENCE)
    assert not thread.is_alive()


# Floods and fair turns


def test_a_flood_of_fresh_sessions_is_refused_and_what_nobody_listens_to_ends(
    url: str, server: Server
):
    flood = [Visitor(url) for _ in range(12)]
    most = LIMITS.runs_per_address
    with ThreadPoolExecutor(len(flood)) as at_once:
        answers = [*at_once.map(lambda each: each.generate(size="6 x 6", model="slow"), flood)]
    assert {each.status_code for each in answers} <= {200, 429}
    wait_until(lambda: len(server.runs.admitted) == most)
    refused = Visitor(url).generate(size="6 x 6", model="slow")
    assert refused.status_code == 429
    assert "4 runs from your address are under way" in refused.json()["detail"]
    assert len(server.runs.admitted) == most
    end_unheard(server)
    assert server.runs.ended["nobody listened"] >= most


def test_whoever_waits_for_the_answer_of_a_direct_call_listens_to_its_run(
    page: Callable[..., Any], tmp_path: Path
):
    limits = Limits(silence=0.0)
    with page(tmp_path, SETTINGS, limits) as (url, server):
        data = [PROMPT, 1, 1, 7, "tiny", "tiny", "vq2", "auto", "{prompt}", None, None]
        answer = post(f"{url}/gradio_api/run/generate", json={"data": data}, timeout=PATIENCE)
        report, files = answer.json()["data"]
        assert report["prompt"] == PROMPT
        assert len(files) == 1
        assert server.runs.ended == {"done": 1}


def test_two_stops_of_one_run_leave_no_place_taken(page: Callable[..., Any], tmp_path: Path):
    """The queue's own list keeps an event whose end was interrupted by the second."""
    with page(tmp_path, SETTINGS, Limits(runs_per_session=1)) as (url, server):
        visitor = Visitor(url, "10.0.14.1")
        for _ in range(2):
            event = visitor.generate(size="6 x 6", model="slow").json()["event_id"]
            with listening(visitor):
                wait_until(lambda: bool(server.runs.admitted))
                visitor.stop(event)
                time.sleep(0.08)
                visitor.stop(event)
                wait_until(lambda: not server.runs.admitted)
        assert visitor.generate().status_code == 200


def test_a_small_grid_is_done_while_a_large_one_is_under_way(url: str, server: Server):
    large, small = Visitor(url, "10.0.1.1"), Visitor(url, "10.0.1.2")
    event = large.generate(size="6 x 6", model="slow").json()["event_id"]
    with listening(large) as heard:
        wait_until(lambda: any(run.worked for run in server.runs.admitted))
        small.generate(size="2 x 2")
        *_, end = small.messages()
        assert end["msg"] == "close_stream"
        assert not any(message["msg"] == "process_completed" for message in heard)
        large.stop(event)


def test_a_run_ends_when_its_time_is_up_and_its_visitor_is_told(
    page: Callable[..., Any], tmp_path: Path
):
    with page(tmp_path, SETTINGS, Limits(seconds_per_run=0.5)) as (url, server):
        visitor = Visitor(url)
        visitor.generate(size="6 x 6", model="slow")
        said = json.dumps([*visitor.messages()])
    assert "his run has had the models for 0 s, which is all that one may have" in said
    assert server.runs.ended == {"time was up": 1}


# Bodies and inputs


def test_a_large_body_is_refused_before_it_is_read(url: str):
    answer = post(f"{url}/gradio_api/queue/join", content=b"x" * 1_100_000)
    assert answer.status_code == 413


def test_a_body_whose_size_is_not_announced_is_cut_off(url: str):
    chunks = (b"x" * 100_000 for _ in range(12))
    assert post(f"{url}/gradio_api/queue/join", content=chunks).status_code == 413


def test_the_files_of_an_upload_are_limited_in_sum(url: str, shared: tuple[str, Server, Path]):
    files = [("files", (f"{number}.png", b"x" * 900_000)) for number in range(4)]
    answer = post(f"{url}/gradio_api/upload", files=files)
    assert answer.status_code == 413
    assert not [*shared[2].rglob("3.png")]


def test_an_address_uploads_only_so_much_in_a_while(url: str):
    files = [("files", ("a.png", b"x" * 2_000_000))]
    visitor = {"X-Forwarded-For": "10.0.2.1"}
    answers = [post(f"{url}/gradio_api/upload", files=files, headers=visitor) for _ in range(5)]
    assert [answer.status_code for answer in answers] == [200, 200, 200, 429, 429]
    assert "uploaded too much; go on in ten minutes" in answers[-1].json()["detail"]


def test_an_upload_whose_size_is_not_announced_counts_as_the_largest(url: str):
    visitor = {"X-Forwarded-For": "10.0.2.2", "Content-Type": "multipart/form-data; boundary=b"}
    body = (
        b"--b\r\nContent-Disposition: form-data; name=files; filename=a.png\r\n\r\nx\r\n--b--\r\n"
    )
    answers = [
        post(f"{url}/gradio_api/upload", content=iter([body]), headers=visitor) for _ in range(3)
    ]
    assert [answer.status_code for answer in answers] == [200, 200, 429]


@pytest.mark.parametrize(
    ("place", "value", "says"),
    [
        (0, ["a red apple"], '"Prompt" is ["a red apple"]; it can be a text'),
        (0, None, '"Prompt" is null; it can be a text'),
        (0, "x" * 20_000, "a text of at most 10000 characters"),
        (1, 22, '"grid" is 22; it can be a text'),
        (2, "seven", '"seed" is "seven"; it can be a number'),
        (2, True, '"seed" is true; it can be a number'),
        (2, 10**30, "it can be a number"),
        (3, "taste", '"rank by" is "taste"; it can be one of vq2, vnli, clip'),
        (4, {"a": 1}, '"text-to-image model" is {"a": 1}; it can be one of icons'),
    ],
)
def test_an_input_of_the_wrong_type_is_refused_by_name(url: str, place: int, value: Any, says: str):
    fields = [PROMPT, "1 x 1", 7, "vq2", "tiny", "tiny"]
    fields[place] = value
    answer = Visitor(url).generate(*fields)
    assert answer.status_code == 422
    assert says in answer.json()["detail"]


@pytest.mark.parametrize(
    ("body", "says"),
    [
        (b"not json", "the request is not JSON"),
        (b"[1]", "the request is no JSON object"),
        (b'{"fn_index": 9999, "data": []}', "fn_index is 9999; it is the id of a dependency"),
        (b'{"fn_index": true, "data": []}', "fn_index is true"),
        (b'{"fn_index": EVENT, "data": "abc"}', 'data is "abc"; it is a list'),
        (
            b'{"fn_index": EVENT, "data": ["a"]}',
            "data has 1 items; this event takes 7: Prompt, grid",
        ),
    ],
)
def test_a_request_of_the_wrong_form_is_refused(url: str, body: bytes, says: str):
    body = body.replace(b"EVENT", str(Visitor(url).event("Generate")["id"]).encode())
    answer = post(f"{url}/gradio_api/queue/join", content=body)
    assert answer.status_code == 422
    assert says in answer.json()["detail"]


@pytest.mark.parametrize(
    "body", [b"[" * 200_000, b'{"data": ' * 50 + b"1" + b"}" * 50, b"9" * 9000]
)
@pytest.mark.parametrize("path", ["queue/join", "call/generate", "run/score", "cancel", "mcp"])
def test_what_no_parser_takes_is_refused_at_once(url: str, body: bytes, path: str):
    named = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
    answer = post(f"{url}/gradio_api/{path}", content=body, headers=named)
    assert answer.status_code == 422
    assert answer.json()["detail"].startswith("the request is ")


def test_an_event_is_checked_as_the_one_that_runs(url: str):
    """Whatever number is sent beside a name, the name says which event it is."""
    other = Visitor(url).event("Generate")["id"]
    sent = {"data": ["x", []], "fn_index": other}
    answer = post(f"{url}/gradio_api/call/score", json=sent)
    assert answer.status_code == 422
    assert "this event takes 4" in answer.json()["detail"]


@pytest.mark.parametrize(
    "path",
    [
        "/gradio_api/dev/reload",
        "/monitoring/summary",
        "/monitoring",
        "/gradio_api/openapi.json",
        "/gradio_api/deep_link?session_hash=a",
        "/gradio_api/proxy=https://a.hf.space/",
        "/gradio_api/queue/status",
        "/gradio_api/call/v2/generate/a",
        "/gradio_api/stream/a/b/1/playlist-file",
        "/docs",
    ],
)
def test_addresses_that_the_page_has_no_use_for_are_shut(url: str, path: str):
    for method in ("GET", "POST", "OPTIONS", "PUT"):
        answer = httpx.request(method, url + path)
        assert answer.status_code == 404
        assert answer.json()["detail"] == "there is nothing at this address"


@pytest.mark.parametrize("path", ["queue/data?session_hash=nobody", "call/generate/nobody"])
def test_a_session_that_nobody_knows_has_no_stream(url: str, path: str):
    answer = get(f"{url}/gradio_api/{path}")
    assert answer.status_code == 404
    assert answer.json()["detail"] == "nothing is under way for this session"


def test_a_body_that_breaks_off_is_no_failure_of_the_server(
    url: str, server: Server, caplog: pytest.LogCaptureFixture
):
    log, place = logging.getLogger("uvicorn.error"), httpx.URL(url)
    log.addHandler(caplog.handler)
    for path in ("queue/join", "upload", "cancel", "mcp"):
        with socket.create_connection((place.host, place.port)) as line:
            form = "multipart/form-data; boundary=b" if path == "upload" else "application/json"
            line.sendall(
                f"POST /gradio_api/{path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 999\r\n"
                f"Content-Type: {form}\r\n\r\n--b\r\n".encode()
            )
    assert get(f"{url}/healthz").status_code == 200
    wait_until(lambda: not server.server_state.connections and not server.server_state.tasks)
    log.removeHandler(caplog.handler)
    assert not caplog.records


def test_of_one_visitor_behind_a_proxy_only_so_many_requests_are_answered_at_once(url: str):
    place, health = httpx.URL(url), f"{url}/healthz"
    first, second = ({"X-Forwarded-For": address} for address in ("10.0.12.1", "10.0.12.2"))
    begun = (
        b"POST /gradio_api/queue/join HTTP/1.1\r\nHost: 127.0.0.1\r\n"
        b"X-Forwarded-For: 10.0.12.1\r\nContent-Length: 9\r\n\r\n{"
    )
    with ExitStack() as held:
        for _ in range(AT_ONCE):
            line = held.enter_context(socket.create_connection((place.host, place.port)))
            line.sendall(begun)
        wait_until(lambda: not get(health, headers=first).is_success)
        refused = get(health, headers=first)
        assert refused.status_code == 429
        assert "close some pages" in refused.json()["detail"]
        assert get(health, headers=second).is_success


def test_silent_connections_beyond_the_limit_are_cut(url: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("ui.server.CONNECTIONS", 20)
    place = httpx.URL(url)
    with ExitStack() as held:
        for _ in range(40):
            line = held.enter_context(socket.create_connection((place.host, place.port), PATIENCE))
        with suppress(ConnectionResetError):
            assert line.recv(1) == b""
    wait_until(lambda: get(f"{url}/healthz").is_success)


def test_ten_thousand_characters_without_a_space_are_answered_at_once(url: str):
    visitor = Visitor(url, "10.0.7.1")
    start = time.process_time()  # of the server too, however busy the machine is
    words = visitor.named_event("on_words")
    visitor.send("run/on_words", words, "字" * 10_000, "icons", "embedded")
    assert time.process_time() - start < 2


# Floods of what asks no model


def test_a_flood_of_one_address_is_refused_and_others_are_answered(
    page: Callable[..., Any], tmp_path: Path
):
    with page(tmp_path, replace(SETTINGS, event_rate=5)) as (url, _):
        rude = [Visitor(url, f"2001:db8::{number:x}") for number in range(4)]
        codes = [rude[number % 4].generate("", "1 x 1").status_code for number in range(60)]
        assert codes.count(429) >= 30
        assert Visitor(url, "10.0.8.1").generate().status_code == 200
        assert Visitor(url, "2001:db8:0:1::1").generate().status_code == 200


def test_a_jpeg_that_takes_long_to_decode_is_refused_by_name_and_nobody_waits_for_it(
    url: str, server: Server
):
    rude = Visitor(url, "10.0.11.1")
    sent = {"files": ("bomb.jpg", scan_bomb())}
    (path,) = post(f"{url}/gradio_api/upload", files=sent, **rude.named).json()
    file = {"path": path, "meta": {"_type": "gradio.FileData"}}
    body = {"data": rude.inputs(rude.named_event("score"), PROMPT, [file])}
    began = post(f"{url}/gradio_api/call/score", json=body, **rude.named)
    assert began.status_code == 200, began.text
    polite = Visitor(url, "10.0.11.2")
    assert polite.generate().status_code == 200
    assert "process_completed" in {message["msg"] for message in polite.messages()}
    answer = get(f"{url}/gradio_api/call/score/{began.json()['event_id']}", **rude.named).text
    assert "bomb.jpg" in answer
    assert "scans" in answer
    assert server.runs.ended["failed"] == 0


# Files, sessions and memory


def test_a_page_whose_state_was_dropped_is_told_to_open_its_link_again(
    page: Callable[..., Any], tmp_path: Path
):
    """Saved without its state, it would get the images of somebody else or of the example."""
    with page(tmp_path, replace(SETTINGS, sessions=3)) as (url, _):
        first, *others = (Visitor(url, f"10.0.9.{number}") for number in range(5))
        assert first.save().status_code == 200
        for each in others:
            assert each.save().status_code == 200
        for ask in (first.save, first.generate):
            answer = ask()
            assert answer.status_code == 410
            assert answer.json()["detail"] == "this page was left too long: open its link again"
        again = Visitor(url, "10.0.9.0")
        assert again.save().status_code == 200


def test_no_preview_outlives_its_run_and_no_address_tells_a_path(
    url: str, shared: tuple[str, Server, Path]
):
    visitor = Visitor(url, "10.0.3.1")
    visitor.generate(size="2 x 2")
    said = json.dumps([*visitor.messages()])
    folder = shared[2] / "images"
    wait_until(lambda: not [*folder.glob("*-*")])
    assert "images/" in said
    assert str(shared[2]) not in said
    for image in folder.iterdir():
        answer = visitor.get(f"/images/{image.name}")
        assert Image.open(io.BytesIO(answer.content)).size == (32, 32)
        assert "immutable" in answer.headers["cache-control"]


@pytest.mark.parametrize("name", ["../lock", "..%2flock", "a.png", "0" * 32, ""])
def test_nothing_else_is_an_image(url: str, name: str):
    assert get(f"{url}/images/{name}").status_code == 404


def visitors_files(folder: Path) -> Iterator[Path]:
    """All but those of worked examples and of the tour."""
    found = (each for each in folder.rglob("*") if each.is_file())
    return (each for each in found if "examples" not in each.relative_to(folder).parts)


def test_not_one_file_is_left_after_the_retention_time(page: Callable[..., Any], tmp_path: Path):
    settings = ServerSettings(retention=Retention(seconds=1.0), sweep_seconds=0.2)
    with page(tmp_path, settings) as (url, _):
        for number in range(3):
            visitor = Visitor(url, f"10.0.4.{number}")
            visitor.generate()
            assert [*visitor.messages()]
        wait_until(lambda: not [*visitors_files(tmp_path)])


def test_sessions_are_few_and_closed_ones_are_forgotten(
    page: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    with page(tmp_path, ServerSettings(sessions=5)) as (url, server):
        for number in range(8):
            Visitor(url, f"10.0.5.{number}").generate("", "1 x 1", 7, "vq2", "tiny", "tiny")
        sessions = gradio_app(server.config.app).state_holder.session_data
        assert len(sessions) == 5
        next(iter(sessions.values())).is_closed = True
        forget_closed(gradio_app(server.config.app))
        assert len(sessions) == 5, "a closed page may come back for a while"
        assert not any(any(each.config_values.values()) for each in sessions.values())
        monkeypatch.setattr("ui.sweeping.REOPENED", -1.0)
        forget_closed(gradio_app(server.config.app))
        assert len(sessions) == 4


# Hosts, headers, health


def test_the_page_answers_to_its_own_names_alone(url: str):
    codes = {
        host: get(url, headers={"Host": host}).status_code
        for host in ("127.0.0.1", "page.example:80", "evil.example", "page.example.evil")
    }
    assert [*codes.values()] == [200, 200, 400, 400]


@pytest.mark.parametrize("path", ["/", "/healthz", "/images/none", "/gradio_api/queue/join"])
def test_every_answer_has_the_security_headers(url: str, path: str):
    headers = get(url + path).headers
    assert "frame-ancestors 'none'" in headers["content-security-policy"]
    assert "default-src 'self'" in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["x-frame-options"] == "DENY"
    assert "server" not in headers


def test_health(url: str):
    assert get(f"{url}/healthz").json() == {"status": "ok", "runs": 0}


def test_a_run_that_ends_is_one_line_of_the_log_without_its_prompt(
    url: str, caplog: pytest.LogCaptureFixture
):
    caplog.set_level("INFO", logger="runs")
    visitor = Visitor(url, "10.0.6.1")
    visitor.generate()
    assert [*visitor.messages()]
    wait_until(lambda: bool(caplog.messages))
    (line,) = [message for message in caplog.messages if '"outcome": "done"' in message]
    run = json.loads(line)
    assert run["grid"] == "1 x 1"
    assert run["model_seconds"] > 0
    assert set(run["stage_seconds"]) >= {"reading", "generating"}
    assert "apple" not in line


# Start and stop


def test_a_folder_that_cannot_be_written_is_a_sentence(tmp_path: Path):
    with page_process(tmp_path / "said", GRADIO_TEMP_DIR="/proc/nowhere") as page:
        assert page.run.wait(PATIENCE) == 2
    assert page.said.startswith("the folder /proc/nowhere cannot be used: No such file")
    assert page.said.count("\n") == 1
