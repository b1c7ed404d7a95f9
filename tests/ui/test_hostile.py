"""Hostile requests to every event and tool of a real server, as the server itself lists them.

What is sent names files of the machine, addresses, models of nobody's, and values of any type and
size. A new event or tool is tested without being named here.
"""

import io
import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from itertools import cycle, product
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import pytest
from PIL import Image

import app
from session.limits import Limits
from session.offer import Offer
from tests.ui.serving import SERVED, served, tiny_app
from ui.server import ServerSettings

pytestmark = [
    *SERVED,
    pytest.mark.flaky(reruns=1),  # on a busy machine pytest meets modules that are being imported
]
SETTINGS = ServerSettings(event_rate=1_000_000)
OFFER = Offer(("tiny",), ("tiny",))
REPORT = json.loads(min(app.EXAMPLES.glob("*/report.json")).read_text())
USUAL = {"prompt": "x", "rows": 1, "columns": 1, "model": "tiny", "bundle": "tiny"} | {
    "relevance": [0.5],
    "attention": [1.0],
    "method": "vq2",
    "cell": 0,
    **dict.fromkeys(("report", "first", "second"), REPORT),
}
"""Arguments that are quickly answered, and let those beside them be read."""
LIMITS = Limits(silence=0.0, seconds_per_run=0.001)
"""A run that a hostile value starts ends at its next step."""
SECRET = "the-owner's-own"
API = "/gradio_api"


class Target(NamedTuple):
    """A server under attack."""

    client: httpx.Client
    config: dict[str, Any]
    """What the server says of itself."""
    folder: Path
    """Of visitors' files."""
    secret: Path
    """An image that is not for visitors."""
    content: bytes
    """Of the secret."""
    touched: list[str]
    """Whatever Python opened, listed, imported or connected to, that no visitor may name."""

    def send(
        self, event: dict[str, Any], data: list[Any], way: str, event_data: Any = None
    ) -> httpx.Response:
        """Send an event by one of `WAYS`."""
        body = {"data": data, "event_data": event_data, "fn_index": event["id"]}
        body |= {"session_hash": "hostile"}
        return self.post(API + way.format(name=event["api_name"]), body)

    def post(self, path: str, body: dict[str, Any]) -> httpx.Response:
        """Send JSON in ASCII, in which there can be any character."""
        named = {
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
        }
        return self.client.post(path, content=json.dumps(body), headers=named)

    def call(self, name: str, data: list[Any]) -> str:
        """What an endpoint answers, once it is done."""
        answer = self.post(f"{API}/call/{name}", {"data": data})
        if answer.status_code != 200:
            return answer.text
        return self.client.get(f"{API}/call/{name}/{answer.json()['event_id']}").text

    def ask_tool(self, method: str, **params: Any) -> dict[str, Any]:
        """What the Model Context Protocol answers."""
        body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        text = self.post(f"{API}/mcp", body).text
        found: dict[str, Any] = json.loads(text.partition("data: ")[2])
        return found["result"]

    def inputs(self, event: dict[str, Any]) -> list[Any]:
        """What each input of an event shows as the page opens."""
        shown = {each["id"]: each["props"].get("value") for each in self.config["components"]}
        return [shown[number] for number in event["inputs"]]


QUEUED = ("/queue/join", "/call/{name}")
WAYS = (*QUEUED, "/run/{name}", "/api/{name}")
"""By which an event is sent; by the last two its answer is waited for."""


@pytest.fixture(scope="module")
def target(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Target]:
    folder = tmp_path_factory.mktemp("attacked")
    visitors, secret = folder / "visitors", folder / "private" / f"{SECRET}.png"
    secret.parent.mkdir()
    Image.effect_noise((64, 64), 90).save(secret)
    secret.chmod(0o600)
    content = secret.read_bytes()
    with (
        tiny_app(folder),
        served(partial(app.build_page, OFFER), visitors, SETTINGS, LIMITS) as (url, _),
        httpx.Client(base_url=url, timeout=20) as client,
        watched("/private", SECRET, "/etc/passwd", "/proc/self/environ", "attacker", "169.254"),
    ):
        yield Target(client, client.get("/config").json(), visitors, secret, content, TOUCHED)


FORBIDDEN: list[str] = []
TOUCHED: list[str] = []


def note(event: str, arguments: tuple[Any, ...]) -> None:
    """Note what Python opens, lists, imports or connects to, where it is forbidden."""
    if FORBIDDEN and event in ("open", "os.listdir", "os.scandir", "import", "socket.getaddrinfo"):
        said = f"{event} {arguments}"
        TOUCHED.extend(said for each in FORBIDDEN if each in said)


@contextmanager
def watched(*forbidden: str) -> Iterator[None]:
    """While it lasts, what names one of these is noted in `TOUCHED`."""
    sys.addaudithook(note)
    FORBIDDEN.extend(forbidden)
    yield
    FORBIDDEN.clear()


def foreign_files(target: Target) -> list[str]:
    lock = target.folder / "lock"
    lock.touch()
    detour = target.folder / "examples" / ".." / ".." / "private" / target.secret.name
    return [
        str(target.secret),
        str(detour),
        str(lock),
        str(target.folder),
        "/etc/passwd",
        "/proc/self/environ",
        "/dev/zero",
        "app.py",
        "",
        "\0",
        "a" * 5000,
        f"file://{target.secret}",
        "http://127.0.0.1:1/image.png",
        "http://169.254.169.254/latest/meta-data",
    ]


def parameters(target: Target, name: str = "") -> Any:
    """The parameters of an endpoint, or of each by its name."""
    found = target.client.get(f"{API}/info").json()["named_endpoints"]
    return found[f"/{name}"]["parameters"] if name else found


def file_data(path: str) -> dict[str, Any]:
    """A file as the page names one that was uploaded."""
    return {"path": path, "meta": {"_type": "gradio.FileData"}, "orig_name": "a.png"}


def require_refused(target: Target, answer: httpx.Response) -> None:
    """It is refused, by an answer that tells nothing."""
    assert 400 <= answer.status_code < 500, (answer.status_code, answer.text[:500])
    require_nothing_told(target, answer.text)


def require_nothing_told(target: Target, answer: str) -> None:
    """The answer names no folder of the machine, and nothing that is in its files."""
    folders = (target.folder, Path(app.__file__).parent)
    for told in (*map(str, folders), "root:x:", "PATH=", "Traceback"):
        assert told not in answer, answer[:500]


def kept_of_visitors(target: Target) -> list[bytes]:
    files = (each for each in target.folder.rglob("*") if each.is_file())
    return [each.read_bytes() for each in files]


def test_no_event_takes_a_file_that_the_server_did_not_issue(target: Target):
    """In the place of any input: alone, in a list, or deep within something else."""
    files, ways = cycle(map(file_data, foreign_files(target))), cycle(WAYS)
    for event in target.config["dependencies"]:
        shown = target.inputs(event)
        for place, file in zip(range(len(shown)), files, strict=False):
            for value in (file, [file], {"value": [{"deep": file}]}):
                data = [*shown[:place], value, *shown[place + 1 :]]
                require_refused(target, target.send(event, data, next(ways)))
    assert not target.touched
    assert target.content not in kept_of_visitors(target)


def test_every_foreign_file_is_refused_by_a_sentence_that_names_no_folder(target: Target):
    """Whatever the server can find out about it: a file that exists reads as one that does not."""
    components = {each["id"]: each["type"] for each in target.config["components"]}
    (takes_file,) = (
        event
        for event in target.config["dependencies"]
        if [components[each] for each in event["inputs"]] == ["file", "file"]
    )
    for path in foreign_files(target):
        answer = target.send(takes_file, [[file_data(path)], None], "/queue/join")
        require_refused(target, answer)
        said = "a file was not uploaded here, or is no longer kept; upload it"
        assert answer.json()["detail"] == said


def test_no_address_serves_a_foreign_file(target: Target):
    for path in foreign_files(target):
        answer = target.client.get(f"{API}/file={path}".replace("\0", "%00"))
        require_refused(target, answer)
        assert answer.status_code == 404


def test_a_file_that_was_uploaded_can_be_used_and_fetched(target: Target):
    """What the refusals are measured against."""
    sent = {"files": ("mine.png", target.content)}
    (path,) = target.client.post(f"{API}/upload", files=sent).json()
    assert target.client.get(f"{API}/file={path}").content == target.content
    events = target.config["dependencies"]
    picked = next(each for each in events if each["api_name"] == "on_files")
    files = [file_data(path)]
    answer = target.send(picked, [files, None], "/run/{name}", event_data=files)  # as a page does
    assert answer.status_code == 200
    Path(path).unlink()


def hostile_values(target: Target) -> list[Any]:
    """Models, addresses, sizes and types that no input is meant for."""
    private = target.secret.parent
    return [
        f"embedded+parser=prompt-parser@{private}",
        f"tiny+clip=icon-clip@{private}",
        "tiny+clip=clip-vit-b-32@attacker/evil",
        "attacker/evil",
        str(private),
        f"../../private/{target.secret.name}",
        "http://169.254.169.254/latest/meta-data",
        "9999 x 9999",
        "x" * 20_000,
        10**30,
        -1,
        1e308,
        None,
        True,
        [],
        {},
        [[[]]],
        ["x"] * 1000,
        {"value": "x", "__type__": "update"},
        "\0\ud800",
    ]


def test_no_event_fails_or_tells_anything_whatever_its_inputs_are(target: Target):
    values = cycle(hostile_values(target))
    for event in target.config["dependencies"]:
        shown = target.inputs(event)
        ways = cycle(QUEUED if event["queue"] else WAYS)
        for place, _ in product(range(len(shown)), range(2)):
            data = [*shown[:place], next(values), *shown[place + 1 :]]
            answer = target.send(event, data, next(ways))
            require_nothing_told(target, answer.text)
            assert answer.status_code < 500 or answer.json()["error"], (event, data, answer.text)
        for sent in ("x", [], {"index": "x"}, {"index": -1}, {"index": 10**30}, {"query": {}}):
            answer = target.send(event, shown, next(ways), event_data=sent)
            require_nothing_told(target, answer.text)
            assert answer.status_code < 500 or answer.json()["error"], (event, sent, answer.text)
    assert not target.touched


def uploaded(target: Target) -> dict[str, Any]:
    """An image of a visitor."""
    file = io.BytesIO()
    Image.effect_noise((32, 32), 90).save(file, "PNG")
    (path,) = target.client.post(
        f"{API}/upload", files={"files": ("mine.png", file.getvalue())}
    ).json()
    return file_data(path)


def test_no_endpoint_loads_fetches_or_tells_of_what_is_not_offered(target: Target):
    given = USUAL | {"images": [uploaded(target)]}
    for event in target.config["dependencies"]:
        if event["api_visibility"] != "public":
            continue
        asked = parameters(target, event["api_name"])
        usual = [given.get(each["parameter_name"], each.get("parameter_default")) for each in asked]
        for place, value in product(range(len(usual)), hostile_values(target)):
            data = [*usual[:place], value, *usual[place + 1 :]]
            require_nothing_told(target, target.call(event["api_name"], data))
    assert not target.touched


def test_no_tool_loads_fetches_or_tells_of_what_is_not_offered(target: Target):
    tools = target.ask_tool("tools/list")["tools"]
    assert len(tools) == len(parameters(target))
    for tool in tools:
        for name, value in product(tool["inputSchema"]["properties"], hostile_values(target)):
            wanted = {each: USUAL.get(each) for each in tool["inputSchema"]["properties"]}
            asked = {each: given for each, given in wanted.items() if given is not None}
            answer = target.ask_tool(
                "tools/call", name=tool["name"], arguments={**asked, name: value}
            )
            require_nothing_told(target, json.dumps(answer))
    assert not target.touched


def test_a_bundle_with_a_model_of_nobodys_is_refused_as_one_that_is_not_offered(target: Target):
    for bundle in hostile_values(target)[:4]:
        given = ["x", 1, 1, 7, "tiny", bundle, "vq2", "auto", "{prompt}", None, None]
        said = target.call("generate", given)
        assert "is not offered here; choose one of" in said
        asked = {"prompt": "x", "model": "tiny", "rows": 1, "columns": 1, "bundle": bundle}
        tool = target.ask_tool("tools/call", name="generate", arguments=asked)
        assert "is not offered here; choose one of" in json.dumps(tool)
