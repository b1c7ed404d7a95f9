"""The endpoints as tools of the Model Context Protocol, for assistants that call programs.

Gradio's own MCP server would serve them, too, but sends results as Python text, takes no list of
images, and calls back to whatever host the first request names; here each tool is the endpoint.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from functools import partial, wraps
from io import BytesIO
from typing import Any
from uuid import uuid4

import gradio as gr
from anyio.to_thread import run_sync
from gradio import FileData
from gradio.context import LocalContext
from gradio.processing_utils import save_base64_to_cache
from gradio.utils import get_upload_folder
from mcp.server.fastmcp import Image
from mcp.server.fastmcp.tools import Tool
from mcp.server.lowlevel import Server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.types import Tool as ListedTool
from starlette.requests import Request
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from session.errors import UnusableFileError
from session.limits import Runs
from session.storage import load_image
from ui import api

PATH = "/gradio_api/mcp"
"""Where clients look for the tools of a Gradio app."""
SHOWN_SIDE = 384
"""Longer side in pixels of the images that a tool shows."""
INSTRUCTIONS = (
    "Generates grids of images from a prompt, or takes images that exist, and says which shows "
    "what the prompt asks for and why the others do not. `generate` and `score` return a report; "
    "the other tools read that report again without asking a model."
)


def generate(
    prompt: str,
    rows: int = 2,
    columns: int = 2,
    seed: int = 7,
    model: str = "stickers",
    bundle: str = "embedded",
    rank_by: str = "vq2",
) -> list[Any]:
    """Text and images for an assistant: the report of `ui.api.generate`, then its images."""
    report, files = api.generate(prompt, rows, columns, seed, model, bundle, rank_by)
    return [json.dumps(report, ensure_ascii=False), *(_shown(file.path) for file in files)]


def score(
    prompt: str, images: list[str], bundle: str = "embedded", rank_by: str = "vq2"
) -> api.Report:
    """`ui.api.score`, with images as text."""
    return api.score(prompt, [*map(_saved, images)], bundle, rank_by)


generate.__doc__ = f"{api.generate.__doc__}\n    Images are at most {SHOWN_SIDE} pixels long."
score.__doc__ = str(api.score.__doc__).replace(
    "GIF files.", "GIF files in base64, 700 kB together."
)
TOOLS: tuple[Callable[..., Any], ...] = (
    *(generate, score),
    *(api.rank, api.explain, api.grid_metrics, api.compare),
)


class McpTools:
    """The tools of one server: an ASGI application for `PATH`, open while `running` is."""

    def __init__(self, title: str, runs: Runs, open_streams: Counter[str]) -> None:
        """Not running.

        Args:
            title: of the server.
            runs: of the server; tools that ask models are among them.
            open_streams: session -> open streams of answers; a call that is under way is one.
        """
        self.server: Server[Any, Any] = Server(title, instructions=INSTRUCTIONS)
        self.runs, self.open_streams = runs, open_streams
        self.tools = {each.__name__: self._tool(each) for each in TOOLS}
        self.server.list_tools()(self._list)  # type: ignore[no-untyped-call]
        self.server.call_tool(validate_input=False)(self._call)  # each tool has a pydantic model
        self.sessions = StreamableHTTPSessionManager(self.server, stateless=True)

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Take calls."""
        async with self.sessions.run():
            yield

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a client."""
        await self.sessions.handle_request(scope, receive, send)

    @property
    def routes(self) -> list[Route]:
        """The address, with and without a slash."""
        return [Route(PATH, self), Route(f"{PATH}/", self)]

    async def _list(self) -> list[ListedTool]:
        return [
            ListedTool(name=name, description=tool.description, inputSchema=tool.parameters)
            for name, tool in self.tools.items()
        ]

    async def _call(self, name: str, arguments: dict[str, Any]) -> Any:
        if name not in self.tools:
            raise ValueError(f"there is no tool {name!r}; there are {', '.join(self.tools)}")
        return await self.tools[name].run(arguments, convert_result=True)

    def _tool(self, function: Callable[..., Any]) -> Tool:
        asks_models = function in (generate, score)
        run = api.admitted_run(function, self.runs) if asks_models else function
        answer = self._in_thread(api.answering(run))
        described = "\n".join(str(function.__doc__).split("\n    "))
        return Tool.from_function(answer, description=described, structured_output=False)

    def _in_thread(self, function: Callable[..., Any]) -> Callable[..., Awaitable[Any]]:
        """The function, off the event loop, which goes on with others meanwhile."""

        @wraps(function)
        async def call(**arguments: Any) -> Any:
            with self._caller(self.server.request_context.request):
                return await run_sync(partial(function, **arguments))

        return call

    @contextmanager
    def _caller(self, request: Request | None) -> Iterator[None]:
        """Somebody with a session of their own, who listens until the answer is there."""
        session = f"mcp-{uuid4().hex}"
        token = LocalContext.request.set(gr.Request(request, session_hash=session))
        self.open_streams[session] += 1
        try:
            yield
        finally:
            del self.open_streams[session]
            LocalContext.request.reset(token)


def _shown(path: str) -> Image:
    """An image, small enough for a conversation."""
    image, data = load_image(path), BytesIO()
    image.thumbnail((SHOWN_SIDE, SHOWN_SIDE))
    image.save(data, "PNG")
    return Image(data=data.getvalue(), format="png")


def _saved(image: str) -> FileData:
    """An image in base64, with or without `data:...,` before it, among the uploaded files.

    Raises:
        UnusableFileError: it is not base64.
    """
    try:
        return FileData(path=save_base64_to_cache(image, get_upload_folder()), orig_name=None)
    except ValueError as error:
        raise UnusableFileError("an image is not base64; send each as base64 text") from error
