"""A broker of Kafka that answers the first requests of a consumer, and refuses it or not, as it is scripted."""

from __future__ import annotations

import socket
import socketserver
import struct
import threading
from contextlib import suppress
from dataclasses import dataclass

METADATA, FIND_COORDINATOR, JOIN_GROUP, SASL_HANDSHAKE, API_VERSIONS, SASL_AUTHENTICATE = 3, 10, 11, 17, 18, 36
# The only version of each request.
VERSIONS = {METADATA: 1, FIND_COORDINATOR: 0, SASL_HANDSHAKE: 1, API_VERSIONS: 0, SASL_AUTHENTICATE: 0}
# The driver looks for a coordinator only where the broker knows these requests as well.
VERSIONS |= dict.fromkeys(range(11, 16), 0)
UNKNOWN_TOPIC, UNSUPPORTED_VERSION = 3, 35


@dataclass
class ScriptedBroker:
    """Codes of Kafka's protocol; 0 refuses nothing."""

    topic: str = "lending.book-events"
    topic_error: int = UNKNOWN_TOPIC
    group_error: int = 0
    join_error: int = 0
    credentials_error: int = 0
    closes_at_handshake: bool = False

    def __post_init__(self) -> None:
        broker = self

        class Handler(socketserver.BaseRequestHandler):
            def handle(self) -> None:
                # The driver closes connections without a notice.
                with suppress(ConnectionError):
                    while (header := _receive(self.request, 12)) is not None:
                        size, api, version, correlation = struct.unpack(">ihhi", header)
                        _receive(self.request, size - 8)
                        if api == SASL_HANDSHAKE and broker.closes_at_handshake:
                            return
                        body = struct.pack(">i", correlation) + broker.answer(api, version)
                        self.request.sendall(struct.pack(">i", len(body)) + body)

        self._server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.address = f"127.0.0.1:{self._server.server_address[1]}"
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    def answer(self, api: int, version: int) -> bytes:
        host, port = self.address.split(":")
        node = struct.pack(">i", 1) + _text(host) + struct.pack(">i", int(port))
        if api == API_VERSIONS:
            error = 0 if version == VERSIONS[API_VERSIONS] else UNSUPPORTED_VERSION
            ranges = [struct.pack(">hhh", each, known, known) for each, known in VERSIONS.items()]
            return struct.pack(">hi", error, len(ranges)) + b"".join(ranges)
        if api == SASL_HANDSHAKE:
            return struct.pack(">hi", 0, 1) + _text("PLAIN")
        if api == SASL_AUTHENTICATE:
            return (
                struct.pack(">h", self.credentials_error) + _text("Invalid username or password") + struct.pack(">i", 0)
            )
        if api == FIND_COORDINATOR:
            return struct.pack(">h", self.group_error) + node
        if api == JOIN_GROUP:
            return struct.pack(">hi", self.join_error, 0) + _text("") * 3 + struct.pack(">i", 0)
        brokers = struct.pack(">i", 1) + node + struct.pack(">h", -1)
        partition = struct.pack(">hiiiiii", 0, 0, 1, 1, 1, 1, 1)
        partitions = struct.pack(">i", 0) if self.topic_error else struct.pack(">i", 1) + partition
        topic = struct.pack(">h", self.topic_error) + _text(self.topic) + struct.pack(">b", 0) + partitions
        return brokers + struct.pack(">ii", 1, 1) + topic


def _text(value: str) -> bytes:
    return struct.pack(">h", len(value)) + value.encode()


def _receive(connection: socket.socket, size: int) -> bytes | None:
    """None at the end of the connection."""
    received = b""
    while len(received) < size:
        chunk = connection.recv(size - len(received))
        if chunk == b"":
            return None
        received += chunk
    return received
