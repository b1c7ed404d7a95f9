"""The page as a web application: its middleware, its own routes, and the server that runs it.

/                 the page
/images/NAME      an image, named by its content
/gradio_api/mcp   the endpoints as tools
/healthz          200 while its models answer, 503 before, when they fail, and while it stops;
                  models that are not on this machine are not asked
"""

from __future__ import annotations

import asyncio
import resource
import socket
from asyncio import Transport
from collections import Counter
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

import gradio as gr
import uvicorn
from fastapi import FastAPI
from gradio.routes import App
from starlette.datastructures import MutableHeaders
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from session.limits import Limits, Runs
from session.retention import Retention
from ui.admission import log_run
from ui.components import example_store, page_store
from ui.gate import Gate
from ui.mcp_tools import McpTools
from ui.page import look
from ui.render.words import IMAGES
from ui.sweeping import keep_little, sweep_for_ever

THREADS = 64
"""For handlers; a run that waits for its turn keeps one."""
SERVED: Mapping[str, Any] = {"ssr_mode": False, "run_history": False, "max_file_size": "20mb"}
"""How Gradio serves the page."""
CONNECTIONS = 400
"""Open at a time, of all visitors, at most half of the files that may be open; more are cut."""
GRACE = 1.5
"""Seconds that a stopping server gives to runs, to tell their visitors."""
CLOSING = 1
"""Seconds that it then gives to what is still open."""
FOR_EVER = {"Cache-Control": "public, max-age=31536000, immutable"}
"""An image never changes under its name."""


@dataclass(frozen=True)
class ServerSettings:
    """How a server meets the world."""

    hosts: tuple[str, ...] = ("*",)
    """Names that it may be asked by; "*" is any, "*.example.org" any below."""
    frame_ancestors: tuple[str, ...] = ("'none'",)
    """Pages that may show it in a frame, as in a Content-Security-Policy."""
    json_size: int = 1_000_000
    """Bytes of a request that is no upload."""
    upload_size: int = 64_000_000
    """Bytes of all files of one upload."""
    upload_rate: int = 256
    """Megabytes that one address may upload in ten minutes."""
    event_rate: int = 200
    """Events and calls of one address in ten seconds."""
    sessions: int = 128
    """Open pages whose state is kept; beyond it the least recently used is dropped."""
    trusted_proxies: str | None = None
    """Addresses whose X-Forwarded-For is believed, "*" for all; None asks FORWARDED_ALLOW_IPS, and
    believes this machine where that is not set."""
    retention: Retention = field(default_factory=Retention)
    sweep_seconds: float = 60.0
    """Between two looks for files that are too old."""


def gradio_app(app: Any) -> Any:
    """Gradio's own application: `app` itself after `launch`, the last mounted in `make_server`."""
    return app if isinstance(app, App) else app.routes[-1].app


def prepare(page: gr.Blocks, settings: ServerSettings) -> None:
    """Bound what Gradio keeps; what comes in is the gate's, admission and turns the runs' own."""
    page.max_threads = THREADS
    page.has_launched = True  # until then Gradio copies any file that an input names
    page.state_session_capacity = settings.sessions
    page.enable_monitoring = False
    page.delete_cache = None  # the sweep knows all files
    keep_little(page)
    page.queue(max_size=None, default_concurrency_limit=THREADS)


def _routes(runs: Runs) -> list[BaseRoute]:
    stores = [page_store(), example_store()]

    def health(request: Request) -> Response:
        status = "stopping" if runs.stopping else runs.health
        state = {"status": status, "runs": len(runs.admitted)}
        return JSONResponse(state, 200 if status == "ok" else 503)

    def image(request: Request) -> Response:
        name = request.path_params["name"]
        file = next(filter(None, (store.find(name) for store in stores)), None)
        if file is None:
            return JSONResponse({"detail": "there is no such image, or no longer"}, 404)
        return FileResponse(file, headers=FOR_EVER)

    return [Route("/healthz", health), Route(f"/{IMAGES}/{{name}}", image)]


def _sweeping(settings: ServerSettings, tools: McpTools) -> Any:
    """Sweeps the files of visitors, and takes calls of tools, while the server runs."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        task = asyncio.create_task(
            sweep_for_ever(gradio_app(app), settings.retention, settings.sweep_seconds)
        )
        async with tools.sessions.run():
            yield
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task

    return lifespan


def make_server(
    build: Callable[[Runs], gr.Blocks], settings: ServerSettings, limits: Limits | None = None
) -> Server:
    page, runs, parts = _prepared(build, settings, limits)
    app = FastAPI(openapi_url=None, **parts)
    gr.mount_gradio_app(app, page, "", **SERVED, **look())
    return Server(app, page, runs, settings)


def launch(
    build: Callable[[Runs], gr.Blocks],
    settings: ServerSettings,
    limits: Limits,
    host: str,
    port: int,
) -> None:
    """Serve the page by Gradio's own launch, by which ZeroGPU finds its functions, and stay."""
    page, _, parts = _prepared(build, settings, limits)
    page.launch(
        server_name=host,
        server_port=port,
        max_threads=THREADS,
        state_session_capacity=settings.sessions,
        enable_monitoring=False,
        app_kwargs=parts,
        **SERVED,
        **look(),
    )


def _prepared(
    build: Callable[[Runs], gr.Blocks], settings: ServerSettings, limits: Limits | None
) -> tuple[gr.Blocks, Runs, dict[str, Any]]:
    """The page, the runs of its server, and what the web application has beside the page."""
    streams: Counter[str] = Counter()
    runs = Runs(limits, lambda session: streams[session] > 0, report=log_run)
    page = build(runs)
    prepare(page, settings)
    tools = McpTools(page, streams)
    passed = [  # by every request, the outermost first
        Middleware(SecurityHeaders, headers=security_headers(settings.frame_ancestors)),
        Middleware(TrustedHostMiddleware, allowed_hosts=[*settings.hosts], www_redirect=False),
        Middleware(Gate, page=page, settings=settings, runs=runs, open_streams=streams),
    ]
    routes = [*_routes(runs), *tools.routes]
    parts = {"middleware": passed, "routes": routes, "lifespan": _sweeping(settings, tools)}
    return page, runs, parts


def security_headers(frame_ancestors: tuple[str, ...]) -> dict[str, str]:
    """The security headers of every response.

    Gradio starts from an inline script, styles inline and compiles templates, so scripts and styles
    of the page itself are allowed; nothing is loaded from, or sent to, any other place.
    """
    policy = {
        "default-src": "'self'",
        "script-src": "'self' 'unsafe-inline' 'unsafe-eval'",
        "style-src": "'self' 'unsafe-inline'",
        "img-src": "'self' data: blob:",
        "font-src": "'self' data:",
        "worker-src": "'self' blob:",
        "object-src": "'none'",
        "base-uri": "'self'",
        "form-action": "'self'",
        "frame-ancestors": " ".join(frame_ancestors),
    }
    framed = frame_ancestors != ("'none'",)
    return {
        "Content-Security-Policy": "; ".join(f"{name} {value}" for name, value in policy.items()),
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "same-origin",
        "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
        **({} if framed else {"X-Frame-Options": "DENY"}),
    }


class SecurityHeaders:
    """Sets the same headers on every response."""

    def __init__(self, app: ASGIApp, headers: Mapping[str, str]) -> None:
        self.app, self.headers = app, headers

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(self.headers)
            await send(message)

        await self.app(scope, receive, send_with_headers)


class Connection(H11Protocol):
    """One of so many connections; the web server itself limits none that says nothing."""

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
        if len(self.connections) > min(CONNECTIONS, files // 2):
            transport.abort()


class Server(uvicorn.Server):
    """A server that on SIGINT and SIGTERM ends its runs, tells their visitors, and returns."""

    def __init__(self, app: FastAPI, page: gr.Blocks, runs: Runs, settings: ServerSettings) -> None:
        config = uvicorn.Config(
            app,
            log_level="warning",
            log_config=None,
            ws="none",
            http=Connection,
            timeout_graceful_shutdown=CLOSING,
            server_header=False,
            forwarded_allow_ips=settings.trusted_proxies,
        )
        super().__init__(config)
        self.page, self.runs = page, runs
        self.leave: Callable[[], None] = lambda: None
        """Called once it is shut; a step of a model may go on in its thread, for as long as it
        takes, and is waited for unless this ends the process."""

    def handle_exit(self, sig: int, frame: object) -> None:
        """End the runs at their next step; a second signal ends the server at once."""
        self.runs.stop()
        self.force_exit = self.should_exit
        self.should_exit = True

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Give every run the time to tell its visitor, then close what is open."""
        self.runs.stop()
        for _ in range(int(GRACE / 0.05)):
            if not self.runs.admitted and not any(self.page._queue.active_jobs):
                break
            await asyncio.sleep(0.05)
        self.page.is_running = False
        gradio_app(self.config.app).stop_event.set()
        await super().shutdown(sockets)
        self.leave()
