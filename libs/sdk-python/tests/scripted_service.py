"""An HTTP server that answers with scripted replies and records the requests."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True)
class ReceivedRequest:
    method: str
    target: str
    headers: Mapping[str, str]
    body: bytes


Reply = Callable[[BaseHTTPRequestHandler, ReceivedRequest], None]


@dataclass
class ScriptedService:
    """The last reply of the script answers all further requests."""

    script: list[Reply]
    sent: list[ReceivedRequest] = field(default_factory=list)

    def __post_init__(self) -> None:
        service = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                headers = {name.lower(): value for name, value in self.headers.items()}
                service.sent.append(ReceivedRequest(self.command, self.path, headers, body))
                service.script[min(len(service.sent), len(service.script)) - 1](self, service.sent[-1])

            do_POST = do_PUT = do_DELETE = do_GET  # noqa: N815 - names of the base class

            def log_message(self, *_: object) -> None:
                """The requests are recorded instead."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.base_url = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


def reply_with(status: int, body: Any, headers: Mapping[str, str] | None = None) -> Reply:
    return reply_bytes(status, json.dumps(body).encode(), {"Request-Id": "r-1", **(headers or {})})


def reply_bytes(status: int, content: bytes, headers: Mapping[str, str] | None = None) -> Reply:
    def reply(handler: BaseHTTPRequestHandler, _: ReceivedRequest) -> None:
        handler.send_response(status)
        for name, value in (headers or {}).items():
            handler.send_header(name, value)
        if status != 304:
            handler.send_header("Content-Length", str(len(content)))
        handler.end_headers()
        handler.wfile.write(content)

    return reply


def refuse_with(status: int, code: str, retry: str, **more: object) -> Reply:
    return reply_with(status, {"error": f"It is {code}.", "code": code, "retry": retry, "request_id": "r-1", **more})


def close_connection(handler: BaseHTTPRequestHandler, _: ReceivedRequest) -> None:
    """Closes the connection without a response."""
    handler.close_connection = True
