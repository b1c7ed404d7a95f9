"""The endpoints as tools of the Model Context Protocol, for assistants that call programs.

Gradio's own MCP server would serve them, too, but sends results as Python text, takes no list of
images, and calls back to whatever host the first request names; here each tool is the endpoint.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial, wraps
from inspect import signature
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
from session.storage import load_image
from ui.api import ENDPOINTS
from ui.ways_in import MCP

SHOWN_SIDE = 384
"""Longer side in pixels of the images that a tool shows."""
INSTRUCTIONS = (
    "Generates grids of images from a prompt, or takes images that exist, and says which shows "
    "what the prompt asks for and why the others do not. `generate` and `score` return a report; "
    "the other tools read that report again without asking a model."
)


Endpoint = Callable[..., Any]


def showing(endpoint: Endpoint) -> Endpoint:
    """`generate` for an assistant: the report, then the images."""

    @wraps(endpoint)
    def generate(**asked: Any) -> list[Any]:
        report, files = endpoint(**asked)
        return [json.dumps(report, ensure_ascii=False), *(_shown(file.path) for file in files)]

    said = str(endpoint.__doc__)
    generate.__doc__ = f"{said.rstrip()} Images are at most {SHOWN_SIDE} pixels long."
    return generate


def reading(endpoint: Endpoint) -> Endpoint:
    """`score` for an assistant, who has images as text."""

    @wraps(endpoint)
    def score(images: list[str], **asked: Any) -> dict[str, Any]:
        found: dict[str, Any] = endpoint(images=[*map(_saved, images)], **asked)
        return found

    seen = signature(endpoint)
    images = seen.parameters["images"].replace(annotation=list[str])
    parameters = {**seen.parameters, "images": images}
    score.__signature__ = seen.replace(parameters=[*parameters.values()])  # type: ignore[attr-defined]
    said = str(endpoint.__doc__)
    score.__doc__ = said.replace("GIF files.", "GIF files in base64, 700 kB together.")
    return score


FOR_ASSISTANTS: Mapping[str, Callable[[Endpoint], Endpoint]] = {
    "generate": showing,
    "score": reading,
}
"""Endpoints whose files an assistant gives or gets in another form."""


class McpTools:
    """The tools of one server: an ASGI application for `MCP`, open while `sessions` run."""

    def __init__(self, page: gr.Blocks, open_streams: Counter[str]) -> None:
        self.server: Server[Any, Any] = Server(str(page.title), instructions=INSTRUCTIONS)
        self.open_streams = open_streams
        names = {each.__name__ for each in ENDPOINTS}
        found = {str(each.api_name): each.fn for each in page.fns.values()}
        self.tools = {name: self._tool(name, found[name]) for name in found if name in names}
        self.server.list_tools()(self._list)  # type: ignore[no-untyped-call]
        self.server.call_tool(validate_input=False)(self._call)  # each tool has a pydantic model
        self.sessions = StreamableHTTPSessionManager(self.server, stateless=True)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self.sessions.handle_request(scope, receive, send)

    @property
    def routes(self) -> list[Route]:
        """The address, with and without a slash."""
        return [Route(MCP, self), Route(f"{MCP}/", self)]

    async def _list(self) -> list[ListedTool]:
        return [
            ListedTool(name=name, description=tool.description, inputSchema=tool.parameters)
            for name, tool in self.tools.items()
        ]

    async def _call(self, name: str, arguments: dict[str, Any]) -> Any:
        if name not in self.tools:
            raise ValueError(f"there is no tool {name!r}; there are {', '.join(self.tools)}")
        return await self.tools[name].run(arguments, convert_result=True)

    def _tool(self, name: str, endpoint: Endpoint) -> Tool:
        function = FOR_ASSISTANTS[name](endpoint) if name in FOR_ASSISTANTS else endpoint
        described = "\n".join(str(function.__doc__).split("\n    "))
        answer = self._in_thread(function)
        return Tool.from_function(answer, name, description=described, structured_output=False)

    def _in_thread(self, function: Callable[..., Any]) -> Callable[..., Awaitable[Any]]:
        """The function, off the event loop, which goes on with others meanwhile."""

        @wraps(function)
        async def call(**arguments: Any) -> Any:
            with self._caller(self.server.request_context.request):
                return await run_sync(partial(function, **arguments), abandon_on_cancel=True)

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
