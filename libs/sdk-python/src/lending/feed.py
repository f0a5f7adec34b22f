"""Follows the feed of Loan events without an end, by polling or by a stream."""

from __future__ import annotations

import json
from collections import deque
from dataclasses import dataclass
from threading import Event
from typing import TYPE_CHECKING

import httpx

from .errors import LendingError
from .request_steps import CloseStream, OutgoingRequest, Pause, ReadChunk, RequestMaker, Steps, Stream
from .retry import is_retryable, retry_after_seconds
from .route import Parameters, request_target
from .server_sent_events import EventStreamParser, ServerSentEvent

if TYPE_CHECKING:
    from .contract.shapes import FeedEvent


@dataclass(frozen=True)
class FeedEvents:
    """Store the cursor with the effects of the events: a follower that continues from it misses and repeats nothing."""

    events: list[FeedEvent]
    # Where the next events begin. Feed and stream accept each other's cursors.
    cursor: str


class FeedPoller:
    def __init__(
        self,
        maker: RequestMaker,
        path: str,
        cursor: str | None,
        pause_seconds: float,
        limit: int,
        stop: Event | None = None,
    ) -> None:
        self._maker = maker
        self._path = path
        self._cursor = cursor
        self._pause_seconds = pause_seconds
        self._limit = limit
        self._stop = stop

    def next_events(self) -> Steps[FeedEvents | None]:
        """None once `stop` is set."""
        failures = 0
        while not _is_set(self._stop):
            parameters: Parameters = {"tenant_id": self._maker.tenant, "limit": self._limit, "cursor": self._cursor}
            target = request_target(self._path, ("limit", "cursor"), parameters)
            try:
                answer = yield from self._maker.send(OutgoingRequest("GET", target))
            except LendingError as failure:
                failures += 1
                yield _pause_before_retry(self._maker, failure, failures, self._stop)
                continue
            failures = 0
            self._cursor = answer.body["cursor"]
            if answer.body["events"]:
                return FeedEvents(answer.body["events"], answer.body["cursor"])
            yield Pause(self._pause_seconds, self._stop)
        return None


class StreamFollower:
    def __init__(
        self,
        maker: RequestMaker,
        path: str,
        cursor: str | None,
        silent_for_seconds: float,
        stop: Event | None = None,
    ) -> None:
        self._maker = maker
        self._target = request_target(path, (), {"tenant_id": maker.tenant})
        self._cursor = cursor
        # A connection without events and heartbeats for this long is closed and opened again.
        self._silent_for_seconds = silent_for_seconds
        self._stop = stop
        self._stream: Stream | None = None
        self._parser = EventStreamParser()
        self._events: deque[ServerSentEvent] = deque()
        self._failures = 0

    def next_events(self) -> Steps[FeedEvents | None]:
        """None once `stop` is set."""
        while not _is_set(self._stop):
            if self._events:
                return self._take()
            try:
                yield from self._read()
            except LendingError as failure:
                yield from self.close()
                self._failures += 1
                yield _pause_before_retry(self._maker, failure, self._failures, self._stop)
        return None

    def _take(self) -> FeedEvents:
        event = self._events.popleft()
        if event.id == "":
            raise self._maker.unreachable(self._request(), "an event without a cursor", False)
        self._failures = 0
        self._cursor = event.id
        return FeedEvents([json.loads(event.data)], event.id)

    def close(self) -> Steps[None]:
        stream, self._stream = self._stream, None
        if stream is not None:
            yield CloseStream(stream)

    def _read(self) -> Steps[None]:
        request = self._request()
        if self._stream is None:
            self._parser = EventStreamParser()
            self._stream = yield from self._maker.open(request, self._silent_for_seconds)
        try:
            chunk: bytes | None = yield ReadChunk(self._stream)
        except httpx.HTTPError as cause:
            silence = f"nothing was received for {self._silent_for_seconds:g} s (silent_for_seconds)"
            reason = silence if isinstance(cause, httpx.ReadTimeout) else cause
            raise self._maker.unreachable(request, reason, False) from cause
        if chunk is not None:
            self._events.extend(self._parser.feed(chunk))
            return
        # Closed by the service, which may be stopping: connect again.
        yield from self.close()
        yield Pause(max(self._parser.reconnect_seconds, self._maker.pause_after(1)), self._stop)

    def _request(self) -> OutgoingRequest:
        after = {} if self._cursor is None else {"Last-Event-ID": self._cursor}
        return OutgoingRequest("GET", self._target, headers={"Accept": "text/event-stream", **after})


def _pause_before_retry(maker: RequestMaker, failure: LendingError, failures: int, stop: Event | None) -> Pause:
    """A follower retries without a time limit. Raises what a retry cannot change."""
    if not is_retryable(failure):
        raise failure
    pause = maker.pause_after(failures, retry_after_seconds(failure))
    if maker.on_retry is not None:
        maker.on_retry(failure, pause)
    return Pause(pause, stop)


def _is_set(stop: Event | None) -> bool:
    return stop is not None and stop.is_set()
