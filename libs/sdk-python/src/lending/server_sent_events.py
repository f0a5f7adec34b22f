"""Parses a stream of server-sent events by the HTML standard."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass


@dataclass(frozen=True)
class ServerSentEvent:
    # The last id in the stream.
    id: str
    data: str


class EventStreamParser:
    """Takes bytes as they arrive and returns the events that they complete."""

    def __init__(self) -> None:
        # The delay before a reconnect that the service requests.
        self.reconnect_seconds = 0.0
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._buffered = ""
        self._id = ""
        self._data: list[str] = []

    def feed(self, chunk: bytes) -> list[ServerSentEvent]:
        self._buffered += self._decoder.decode(chunk)
        # A CR at the end may be followed by its LF.
        cut = len(self._buffered) - (1 if self._buffered.endswith("\r") else 0)
        *lines, rest = re.split(r"\r\n|\n|\r", self._buffered[:cut])
        self._buffered = rest + self._buffered[cut:]
        return [event for line in lines if (event := self._take_line(line)) is not None]

    def _take_line(self, line: str) -> ServerSentEvent | None:
        if line == "":
            data, self._data = self._data, []
            return ServerSentEvent(self._id, "\n".join(data)) if data else None
        field, _, value = line.partition(":")
        value = value[1:] if value.startswith(" ") else value
        if field == "data":
            self._data.append(value)
        elif field == "id" and "\0" not in value:
            self._id = value
        elif field == "retry" and re.fullmatch("[0-9]+", value):
            self.reconnect_seconds = int(value) / 1_000
        return None
