"""What every request passes on its way to the page: size, inputs, and who listens."""

from __future__ import annotations

import json
from collections import Counter
from urllib.parse import parse_qs

from limits import RateLimitItemPerMinute
from limits.storage import MemoryStorage
from limits.strategies import MovingWindowRateLimiter
from starlette.datastructures import Headers
from starlette.middleware.body_limit import RequestBodyLimitMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from session.limits import Runs
from session.run_errors import RunEnded
from ui.event_inputs import EventInputs, RefusedInputError

API = "/gradio_api"
UPLOAD = f"{API}/upload"
EVENTS = (f"{API}/queue/join", f"{API}/run/", f"{API}/api/", f"{API}/call/")
"""Where an event is sent."""
MEGABYTE = 1_000_000


class BodyLimits:
    """Refuses bodies that are too large, and uploads of an address that are in sum (413, 429)."""

    def __init__(self, app: ASGIApp, json_size: int, upload_size: int, upload_rate: int) -> None:
        """Limits of bodies.

        Args:
            app: what answers.
            json_size: bytes of a body that is no upload.
            upload_size: bytes of all files of one upload.
            upload_rate: megabytes that one address may upload in ten minutes.
        """
        self.others = RequestBodyLimitMiddleware(app, max_body_size=json_size)
        self.uploads = RequestBodyLimitMiddleware(app, max_body_size=upload_size)
        self.unannounced = 1 + upload_size // MEGABYTE
        self.rate = RateLimitItemPerMinute(upload_rate, 10)
        self.limiter = MovingWindowRateLimiter(MemoryStorage())

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer as the app does, or refuse."""
        if scope["type"] != "http" or scope["path"] != UPLOAD:
            await self.others(scope, receive, send)
        elif self.limiter.hit(self.rate, address(scope), cost=self.megabytes(scope)):
            await self.uploads(scope, receive, send)
        else:
            said = "you have uploaded too much; go on in ten minutes, with smaller files"
            await JSONResponse({"detail": said}, 429)(scope, receive, send)

    def megabytes(self, scope: Scope) -> int:
        """What an upload counts: its announced size; without one, the most that it may have."""
        announced = Headers(scope=scope).get("content-length", "")
        return 1 + int(announced) // MEGABYTE if announced.isdecimal() else self.unannounced


def address(scope: Scope) -> str:
    """Who asks; behind a proxy that is trusted, whom the proxy names."""
    client = scope.get("client")
    return client[0] if client else ""


class CheckedEvents:
    """Refuses events whose inputs do not fit (422), or that ask for one run too many (429)."""

    def __init__(
        self, app: ASGIApp, inputs: EventInputs, runs: Runs, working: frozenset[int]
    ) -> None:
        """Check every event.

        Args:
            app: what answers.
            inputs: what the inputs may be.
            runs: the runs of the server.
            working: numbers of the events that are runs.
        """
        self.app, self.inputs, self.runs, self.working = app, inputs, runs, working

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer as the app does, or refuse."""
        event = scope["type"] == "http" and scope["method"] == "POST"
        if not (event and scope["path"].startswith(EVENTS)):
            await self.app(scope, receive, send)
            return
        body = await Request(scope, receive).body()
        try:
            self.check(body, scope["path"], address(scope))
        except RefusedInputError as error:
            await JSONResponse({"detail": str(error)}, 422)(scope, receive, send)
        except RunEnded as error:
            await JSONResponse({"detail": str(error)}, 429)(scope, receive, send)
        else:
            await self.app(scope, _replayed(body, receive), send)

    def check(self, body: bytes, path: str, visitor: str) -> None:
        """Say what keeps an event from being handled.

        Raises:
            RefusedInputError: an input does not fit.
            RunEnded: one run more is not admitted.
        """
        try:
            event = json.loads(body)
        except ValueError as error:
            raise RefusedInputError("the request is not JSON; send data and fn_index") from error
        number = self.inputs.check(event, path.rstrip("/").rpartition("/")[2])
        session = event.get("session_hash")
        if session is not None and not (isinstance(session, str) and 0 < len(session) <= 64):
            raise RefusedInputError("session_hash can be a text of 1 to 64 characters")
        if number in self.working:
            self.runs.require_room(session or "", visitor)


def _replayed(body: bytes, receive: Receive) -> Receive:
    """A body that was read, to be read once more; then whatever comes."""
    messages: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def again() -> Message:
        return messages.pop() if messages else await receive()

    return again


class Listeners:
    """Knows which sessions have their stream of answers open."""

    def __init__(self, app: ASGIApp, open_streams: Counter[str]) -> None:
        """Count in `open_streams`, by session."""
        self.app, self.open_streams = app, open_streams

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer as the app does."""
        session = _listened_to(scope)
        if session is None:
            await self.app(scope, receive, send)
            return
        self.open_streams[session] += 1
        try:
            await self.app(scope, receive, send)
        finally:
            self.open_streams[session] -= 1
            if not self.open_streams[session]:
                del self.open_streams[session]


def _listened_to(scope: Scope) -> str | None:
    """The session whose answers are streamed; without one of its own, an event is its session."""
    if scope["type"] != "http" or scope["method"] != "GET":
        return None
    path = str(scope["path"]).rstrip("/")
    if path == f"{API}/queue/data":
        return parse_qs(str(scope["query_string"], "latin-1")).get("session_hash", [""])[0]
    return path.rpartition("/")[2] if path.startswith(f"{API}/call/") else None
