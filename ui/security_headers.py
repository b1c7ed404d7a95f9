"""The security headers of every response: what the page may load, and who may frame it."""

from __future__ import annotations

from collections.abc import Mapping

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send


def headers(frame_ancestors: tuple[str, ...]) -> dict[str, str]:
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
