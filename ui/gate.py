"""The one way in: who asks, what is asked for, how often, and only then Gradio.

Every request passes here before anything else reads it. What is refused is refused with a sentence:
404 what is not there, 410 a page whose state is gone, 413 what is too large, 422 what does not fit,
429 what is too much. What goes on is what was checked: an event is written anew from its checked
parts.
"""

from __future__ import annotations

import json
import re
from collections import Counter, OrderedDict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs

import gradio as gr
from limits import RateLimitItemPerMinute, RateLimitItemPerSecond
from limits.storage import MemoryStorage
from limits.strategies import MovingWindowRateLimiter
from starlette.datastructures import Headers
from starlette.middleware.body_limit import RequestBodyLimitMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from session.limits import Runs
from session.run import RunEnded
from ui.admission import address_of
from ui.event_inputs import EventInputs, RefusedError, is_issued
from ui.ways_in import API, FILE, Way, way_in

if TYPE_CHECKING:
    from ui.server import ServerSettings

MODELS = "models"
"""The concurrency id of the events that are runs."""
MEGABYTE = 1_000_000
DEEPEST = 32
"""Lists and objects within one another that a request may have; a report has six."""
LONGEST_SESSION = 64
SESSION = re.compile(rf"[\w-]{{1,{LONGEST_SESSION}}}", re.ASCII)
AT_ONCE = 48
"""Requests of one visitor that are being answered, open streams of answers among them."""
REMEMBERED = 50_000
"""Sessions of which it is known that they were here."""
CALLER = "gate.caller"
"""Key of a request that its answer comes to, without a stream: whose session it is."""
PARTS = ("data", "event_data", "fn_index", "session_hash", "trigger_id")
"""What an event consists of; everything else that Gradio would read is left out."""


class Gate:
    """What every request passes on its way to the page."""

    def __init__(
        self,
        app: ASGIApp,
        page: gr.Blocks,
        settings: ServerSettings,
        runs: Runs,
        open_streams: Counter[str],
    ) -> None:
        """Nobody was here.

        Args:
            open_streams: session -> streams of answers, counted here.
        """
        self.app, self.page, self.runs, self.open_streams = app, page, runs, open_streams
        self.inputs, events = EventInputs(page), page.fns.items()
        self.working = {number for number, fn in events if fn.concurrency_id == MODELS}
        largest = settings.upload_size
        self.bounded = RequestBodyLimitMiddleware(self._let_in, max_body_size=settings.json_size)
        self.bounded_upload = RequestBodyLimitMiddleware(app, max_body_size=largest)
        self.unannounced = 1 + largest // MEGABYTE
        self.upload_rate = RateLimitItemPerMinute(settings.upload_rate, 10)
        self.event_rate = RateLimitItemPerSecond(settings.event_rate, 10)
        self.limiter = MovingWindowRateLimiter(MemoryStorage())
        self.seen: OrderedDict[str, None] = OrderedDict()
        self.answering = Counter[str]()
        """Visitor -> requests that are being answered."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        try:
            visitor = address(scope)
            if self.answering[visitor] >= AT_ONCE:
                many = "too many of your requests are being answered; close some pages"
                raise RefusedError(many, 429)
            with one_more(self.answering, visitor):
                await self._admit(scope, receive, send)
        except RefusedError as error:
            said = {"detail": str(error), "error": str(error)}
            await JSONResponse(said, error.status)(scope, receive, send)
        except ClientDisconnect:
            return  # there is nobody to answer

    async def _admit(self, scope: Scope, receive: Receive, send: Send) -> None:
        way, visitor = way_in(scope["method"], scope["path"]), address(scope)
        if way is None:
            raise RefusedError("there is nothing at this address", 404)
        if way is Way.FILE and not is_issued(scope["path"].removeprefix(FILE)):
            raise RefusedError("there is no such file, or no longer", 404)
        if way is Way.UPLOAD:
            self._count_upload(scope, visitor)
            await self.bounded_upload(scope, receive, send)
        elif way is Way.STREAM:
            await self._listen(scope, receive, send)
        elif way in (Way.EVENT, Way.CALL):
            if not self.limiter.hit(self.event_rate, visitor, "events"):
                raise RefusedError("these are too many requests at once; wait ten seconds", 429)
            await self.bounded(scope, receive, send)
        else:
            await self.app(scope, receive, send)

    def _count_upload(self, scope: Scope, visitor: str) -> None:
        """Count an upload by its announced size; without one, by the most that it may have."""
        announced = Headers(scope=scope).get("content-length", "")
        known = announced.isascii() and announced.isdecimal() and len(announced) < 16
        size = 1 + int(announced) // MEGABYTE if known else self.unannounced
        if not self.limiter.hit(self.upload_rate, visitor, "uploads", cost=size):
            said = "you have uploaded too much; go on in ten minutes, with smaller files"
            raise RefusedError(said, 429)

    async def _listen(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer with a stream; while it is open, somebody listens to its session."""
        if "/heartbeat/" in scope["path"]:
            await self.app(scope, receive, send)
            return
        session = self._listened_to(scope)
        if session not in self.page._queue.pending_messages_per_session:
            raise RefusedError("nothing is under way for this session", 404)
        with self._heard(session):
            await self.app(scope, receive, send)

    @contextmanager
    def _heard(self, session: str) -> Iterator[None]:
        """Somebody listens to a session."""
        with one_more(self.open_streams, session):
            self.runs.somebody_listens()
            yield

    def _listened_to(self, scope: Scope) -> str:
        """The session whose answers are streamed: that of an event, or the one that is named."""
        if scope["path"].startswith(f"{API}/queue/"):
            return parse_qs(str(scope["query_string"], "latin-1")).get("session_hash", [""])[0]
        event = scope["path"].rstrip("/").rpartition("/")[2]
        known: list[tuple[str, set[str]]] = [*self.page._queue.pending_event_ids_session.items()]
        return next((session for session, events in known if event in events), event)

    async def _let_in(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer an event or a call, whose body is checked and written anew."""
        request = Request(scope, receive)
        body = await request.body()
        try:
            if scope["method"] == "POST":
                body = await self._checked(body, request)
            caller = scope.get(CALLER)
            with nullcontext() if caller is None else self._heard(caller):
                await self.app(scope, _replayed(body, receive), send)
        except RunEnded as error:
            raise RefusedError(str(error), 429) from error

    async def _checked(self, body: bytes, request: Request) -> bytes:
        """A body as it goes on.

        Raises:
            RefusedError: it does not fit, or the state of its page is gone.
            RunEnded: it is too much.
        """
        sent, scope = _parsed(body), request.scope
        if way_in(scope["method"], scope["path"]) is not Way.EVENT:
            return body
        *_, way, name = scope["path"].rstrip("/").split("/")
        number = self.inputs.check(sent, "" if way == "queue" else name, by_name=way == "call")
        session = sent.get("session_hash")
        if session is not None and not (isinstance(session, str) and SESSION.fullmatch(session)):
            raise RefusedError(
                f"session_hash can be 1 to {LONGEST_SESSION} letters, digits, - and _"
            )
        if number in self.working:
            self.runs.require_room(session or "", address(scope))
            if way in ("run", "api"):
                scope[CALLER] = session or ""
        if session and self.page.fns[number].api_visibility == "private":
            self._require_kept(session)
        checked = {part: sent[part] for part in PARTS if part in sent} | {"fn_index": number}
        if not isinstance(sent.get("event_data"), Mapping):
            checked["event_data"] = {}  # what some components send is read by no handler
        return json.dumps(checked).encode()

    def _require_kept(self, session: str) -> None:
        """Refuse the events of a page whose state was dropped: it would get the first one anew."""
        states = self.page.state_holder
        if session in self.seen and session not in states:
            raise RefusedError("this page was left too long: open its link again", 410)
        self.seen[session] = None
        self.seen.move_to_end(session)
        if len(self.seen) > REMEMBERED:
            self.seen.popitem(last=False)
        states[session]  # which makes it, before another event of this page comes


def address(scope: Scope) -> str:
    """Who asks; behind a proxy that is trusted, whom the proxy names."""
    client = scope.get("client")
    return address_of(client[0]) if client else ""


@contextmanager
def one_more(counter: Counter[str], of: str) -> Iterator[None]:
    """Counts one more of something for a while; what has none left is forgotten."""
    counter[of] += 1
    try:
        yield
    finally:
        counter[of] -= 1
        if not counter[of]:
            del counter[of]


def _parsed(body: bytes) -> Mapping[str, Any]:
    """The JSON object in a body.

    Raises:
        RefusedError: it is none, or too deep.
    """
    try:
        sent = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise RefusedError("the request is not JSON; send data and fn_index") from error
    if not isinstance(sent, Mapping):
        raise RefusedError("the request is no JSON object; send data and fn_index")
    level: list[Any] = [sent]
    for _ in range(DEEPEST):
        within = [each for each in level if isinstance(each, Mapping | list)]
        level = [one for each in within for one in _items(each)]
    if level:
        raise RefusedError(f"the request is nested over {DEEPEST} deep")
    return sent


def _items(part: Mapping[str, Any] | list[Any]) -> list[Any]:
    return [*part.values()] if isinstance(part, Mapping) else part


def _replayed(body: bytes, receive: Receive) -> Receive:
    """A body that was read, to be read once more; then whatever comes."""
    messages: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def again() -> Message:
        return messages.pop() if messages else await receive()

    return again
