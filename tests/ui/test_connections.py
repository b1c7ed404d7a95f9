"""Connections over real sockets: half-open, silent, slow, and too many."""

from __future__ import annotations

import gc
import http.client
import socket
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress

import gradio as gr
import httpx
import pytest

from tests.ui.serving import SERVED, served
from ui import connections
from ui.gate import AT_ONCE

pytestmark = SERVED
GET = b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n"
POST = b"POST /gradio_api/queue/join HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9\r\n\r\n"


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, int]]:
    """Where a server of an empty page listens; it waits for nobody long."""
    with pytest.MonkeyPatch.context() as patch:
        for name, value in (("HEAD", 1.0), ("IDLE", 1.0), ("OPEN", 40), ("OPEN_OF_ADDRESS", 8)):
            patch.setattr(connections, name, value)
        with served(lambda runs: gr.Blocks(), tmp_path_factory.mktemp("visitors")) as (url, _):
            yield "127.0.0.1", int(url.rpartition(":")[2])
    with warnings.catch_warnings(action="ignore", category=ResourceWarning):
        gc.collect()  # Gradio makes event loops for its locks and leaves them


def connected(place: tuple[str, int], address: str = "127.0.0.1") -> socket.socket:
    return socket.create_connection(place, timeout=10, source_address=(address, 0))


@contextmanager
def many(
    place: tuple[str, int], number: int, address: Callable[[int], str], said: bytes = b""
) -> Iterator[list[socket.socket]]:
    """So many connections that say no more than this."""
    with ExitStack() as stack:
        held = []
        for at in range(number):
            held.append(stack.enter_context(connected(place, address(at))))
            with suppress(OSError):
                held[-1].sendall(said)
        yield held


def closed(connection: socket.socket) -> bool:
    """Whether the other side closes a connection."""
    try:
        while connection.recv(4096):
            pass
    except ConnectionError:
        return True
    except TimeoutError:
        return False
    return True


def answers(place: tuple[str, int], address: str) -> bool:
    transport = httpx.HTTPTransport(local_address=address)
    with httpx.Client(transport=transport, timeout=10) as client:
        return client.get(f"http://{place[0]}:{place[1]}/healthz").is_success


@pytest.mark.parametrize("said", [b"", b"G", GET], ids=["nothing", "a letter", "half a head"])
def test_a_connection_that_asks_nothing_is_closed(place: tuple[str, int], said: bytes):
    with connected(place) as connection:
        began = time.monotonic()
        connection.sendall(said)
        assert closed(connection)
        assert time.monotonic() - began < 8


def test_a_head_that_comes_byte_by_byte_has_no_more_time_than_another(place: tuple[str, int]):
    with connected(place) as connection:
        connection.sendall(GET)
        end = time.monotonic() + 8
        with suppress(ConnectionError):
            while time.monotonic() < end:
                connection.sendall(b"x")
                time.sleep(0.1)
        assert time.monotonic() < end


def test_a_body_that_stops_is_not_waited_for(place: tuple[str, int]):
    with connected(place) as connection:
        connection.sendall(POST + b"{")
        assert closed(connection)


def test_after_an_answer_a_connection_is_good_for_another_and_closed_when_none_is_asked_for(
    place: tuple[str, int],
):
    with connected(place) as connection:
        for _ in range(2):
            connection.sendall(GET + b"\r\n")
            answer = http.client.HTTPResponse(connection)
            answer.begin()
            assert answer.status == 200
            assert answer.read()
        connection.sendall(b"G")
        assert closed(connection)


def test_half_open_connections_of_many_addresses_shut_nobody_out(place: tuple[str, int]):
    with many(place, 120, lambda at: f"127.0.{2 + at // 6}.{1 + at % 6}", GET):
        assert answers(place, "127.0.9.200")


def test_an_address_has_so_many_connections_and_its_oldest_silent_one_makes_room(
    place: tuple[str, int],
):
    with many(place, 12, lambda _: "127.0.8.1") as held:
        assert answers(place, "127.0.8.1")
        assert answers(place, "127.0.8.2")
        held[0].settimeout(0.5)
        assert closed(held[0])


def test_of_one_visitor_behind_a_proxy_only_so_many_requests_are_answered_at_once(
    place: tuple[str, int], monkeypatch: pytest.MonkeyPatch
):
    for name, value in (("IDLE", 60.0), ("OPEN", 2 * AT_ONCE)):
        monkeypatch.setattr(connections, name, value)
    url = f"http://{place[0]}:{place[1]}/healthz"
    first, second = ({"X-Forwarded-For": address} for address in ("10.0.0.1", "10.0.0.2"))
    begun = POST.replace(b"\r\n\r\n", b"\r\nX-Forwarded-For: 10.0.0.1\r\n\r\n{")
    with many(place, AT_ONCE, lambda _: "127.0.0.1", begun):
        end = time.monotonic() + 20
        while (answer := httpx.get(url, headers=first)).is_success and time.monotonic() < end:
            time.sleep(0.05)
        assert answer.status_code == 429
        assert "close some pages" in answer.json()["detail"]
        assert httpx.get(url, headers=second).is_success


def test_half_of_the_files_that_may_be_open_are_for_connections(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(connections, "OPEN", 400)
    assert connections.most_open() <= 400
    monkeypatch.setattr(connections.resource, "getrlimit", lambda _: (256, 1024))
    assert connections.most_open() == 128
