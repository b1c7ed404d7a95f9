"""A stand-in for the hub on this machine: its endpoints for models, served from a cache."""

import hashlib
import json
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cached_property
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest

API = re.compile(r"/api/models/(?P<id>[^/]+/[^/]+)(?:/(?P<what>revision|tree)/(?P<at>[^/]+))?")
FILE = re.compile(r"/(?P<id>[^/]+/[^/]+)/resolve/(?P<at>[^/]+)/(?P<file>.+)")

SLOWLY = 200


@dataclass
class HubServer:
    """A hub that serves the repositories of one cache and remembers what it was asked for."""

    cache: Path
    endpoint: str = ""
    gated: set[str] = field(default_factory=set)
    """Repositories that want a token."""
    cut_once: dict[str, int] = field(default_factory=dict)
    """Files, by their path in a repository, whose first download breaks off after so many bytes."""
    pause: float = 0.0
    """Seconds between two hundred bytes of a file."""
    requests: list[str] = field(default_factory=list)
    """Method, path and range of every request, in order."""

    def snapshot(self, repository: str) -> Path | None:
        """The folder of a repository's files."""
        folder = self.cache / f"models--{repository.replace('/', '--')}"
        if not folder.is_dir():
            return None
        return folder / "snapshots" / (folder / "refs" / "main").read_text()

    def downloads(self) -> list[str]:
        """The files that were sent, in full or in part, by their paths in their repositories."""
        sent = (FILE.match(each.removeprefix("GET ")) for each in self.requests)
        return [match["file"] for match in sent if match]


@contextmanager
def serve(cache: Path) -> Iterator[HubServer]:
    """A hub at `HubServer.endpoint` for as long as it lasts."""
    hub = HubServer(cache)
    handler = type("Handler", (_Handler,), {"hub": hub})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        hub.endpoint = f"http://127.0.0.1:{server.server_port}"
        Thread(target=server.serve_forever, args=[0.02], daemon=True).start()
        yield hub
        server.shutdown()


class _Handler(BaseHTTPRequestHandler):
    hub: HubServer
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        path = unquote(urlsplit(self.path).path)
        asked = " ".join(filter(None, (self.command, path, self.headers.get("Range"))))
        self.hub.requests.append(asked)
        match = FILE.fullmatch(path) or API.fullmatch(path)
        snapshot = self.hub.snapshot(match["id"]) if match else None
        if match is None or snapshot is None:
            self.refuse(404, "RepoNotFound")
        elif "file" not in match.groupdict():
            self.answer(_Repository(match["id"], snapshot).answer(match["what"]))
        elif match["id"] in self.hub.gated and "Authorization" not in self.headers:
            self.refuse(401, "GatedRepo")
        else:
            self.answer_file(snapshot, match["file"])

    do_HEAD = do_GET

    def refuse(self, status: int, code: str) -> None:
        self.send_response(status)
        self.send_header("X-Error-Code", code)
        self.send_header("X-Error-Message", code)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def answer(self, content: Any) -> None:
        body = json.dumps(content).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.write(body)

    def answer_file(self, snapshot: Path, name: str) -> None:
        if not (snapshot / name).is_file():
            self.refuse(404, "EntryNotFound")
            return
        content = (snapshot / name).read_bytes()
        begin = int(re.findall(r"bytes=(\d+)-", self.headers.get("Range", "bytes=0-"))[0])
        self.send_response(206 if begin else 200)
        self.send_header("ETag", f'"{_digest(content)}"')
        self.send_header("X-Repo-Commit", snapshot.name)
        self.send_header("Accept-Ranges", "bytes")
        self.send_header("Content-Length", str(len(content) - begin))
        if begin:
            self.send_header("Content-Range", f"bytes {begin}-{len(content) - 1}/{len(content)}")
        self.end_headers()
        end = self.hub.cut_once.pop(name, None) if self.command == "GET" else None
        self.write_slowly(content[begin:end])
        self.close_connection = end is not None

    def write(self, body: bytes) -> None:
        if self.command == "GET":
            self.wfile.write(body)

    def write_slowly(self, body: bytes) -> None:
        step = SLOWLY if self.hub.pause else max(1, len(body))
        with suppress(ConnectionError):
            for begin in range(0, len(body), step):
                self.write(body[begin : begin + step])
                time.sleep(self.hub.pause)

    def log_message(self, *_: object) -> None: ...


@dataclass(frozen=True)
class _Repository:
    """What the hub says of a repository."""

    id: str
    snapshot: Path

    @cached_property
    def files(self) -> list[Path]:
        return sorted(path for path in self.snapshot.rglob("*") if path.is_file())

    def answer(self, what: str | None) -> Any:
        return [self.entry(path) for path in self.files] if what == "tree" else self.info()

    def info(self) -> dict[str, Any]:
        names = [{"rfilename": self.name(path)} for path in self.files]
        return {"id": self.id, "sha": self.snapshot.name, "siblings": names}

    def entry(self, path: Path) -> dict[str, Any]:
        content = path.read_bytes()
        oid = _digest(content)
        return {"type": "file", "path": self.name(path), "size": len(content), "oid": oid}

    def name(self, path: Path) -> str:
        return path.relative_to(self.snapshot).as_posix()


def _digest(content: bytes) -> str:
    return hashlib.sha1(content).hexdigest()


def use(endpoint: str, cache: Path, patch: pytest.MonkeyPatch) -> None:
    """Ask the hub at an address from now on, and download into a cache."""
    from huggingface_hub import constants, hf_api

    template = f"{endpoint}/{{repo_id}}/resolve/{{revision}}/{{filename}}"
    patch.setattr(constants, "HF_HUB_OFFLINE", False)
    patch.setattr(constants, "ENDPOINT", endpoint)
    patch.setattr(hf_api.api, "endpoint", endpoint)
    patch.setattr(constants, "HUGGINGFACE_CO_URL_TEMPLATE", template)
    patch.setattr(constants, "HF_HUB_CACHE", str(cache))
