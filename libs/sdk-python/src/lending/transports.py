"""
Carries out the steps of requests. There is one loop for both clients: it is a coroutine, and the blocking transport
never suspends, so that the client without asyncio runs it to its end by one call.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Coroutine
from typing import Any, Protocol

import httpx

from .request_steps import CloseStream, OpenStream, Pause, ReadChunk, Result, Send, Step, Steps, Stream


class Transport(Protocol):
    async def send(self, request: httpx.Request) -> httpx.Response:
        """The whole response."""

    async def open(self, request: httpx.Request) -> Stream:
        """The response of an error is read."""

    async def read(self, stream: Stream) -> bytes | None:
        """None at the end."""

    async def close(self, stream: Stream) -> None: ...

    async def pause(self, pause: Pause) -> None: ...


class BlockingTransport:
    """Its coroutines end without suspending: run them by `run_now`."""

    def __init__(self, http: httpx.Client) -> None:
        self._http = http

    async def send(self, request: httpx.Request) -> httpx.Response:
        return self._http.send(request, follow_redirects=False)

    async def open(self, request: httpx.Request) -> Stream:
        response = self._http.send(request, stream=True, follow_redirects=False)
        if not response.is_success:
            response.read()
        return Stream(response, response.iter_bytes())

    async def read(self, stream: Stream) -> bytes | None:
        return next(stream.chunks, None)

    async def close(self, stream: Stream) -> None:
        stream.response.close()

    async def pause(self, pause: Pause) -> None:
        if pause.stop is None:
            time.sleep(pause.seconds)  # noqa: ASYNC251 - no event loop runs it
        else:
            pause.stop.wait(pause.seconds)


class AsyncTransport:
    def __init__(self, http: httpx.AsyncClient) -> None:
        self._http = http

    async def send(self, request: httpx.Request) -> httpx.Response:
        return await self._http.send(request, follow_redirects=False)

    async def open(self, request: httpx.Request) -> Stream:
        response = await self._http.send(request, stream=True, follow_redirects=False)
        if not response.is_success:
            await response.aread()
        return Stream(response, response.aiter_bytes())

    async def read(self, stream: Stream) -> bytes | None:
        chunk: bytes | None = await anext(stream.chunks, None)
        return chunk

    async def close(self, stream: Stream) -> None:
        await stream.response.aclose()

    async def pause(self, pause: Pause) -> None:
        await asyncio.sleep(pause.seconds)


async def run_steps(steps: Steps[Result], transport: Transport) -> Result:
    outcome: Any = None
    error: httpx.HTTPError | None = None
    while True:
        try:
            step = steps.send(outcome) if error is None else steps.throw(error)
        except StopIteration as end:
            finished: Result = end.value
            return finished
        outcome, error = None, None
        try:
            outcome = await _perform(step, transport)
        except httpx.HTTPError as failure:
            error = failure


def run_now(work: Coroutine[Any, Any, Result]) -> Result:
    """Runs a coroutine of the blocking transport."""
    try:
        work.send(None)
    except StopIteration as end:
        finished: Result = end.value
        return finished
    work.close()
    raise AssertionError("a blocking transport suspended; expected it to end")


async def _perform(step: Step, transport: Transport) -> Any:
    if isinstance(step, Send):
        return await transport.send(step.request)
    if isinstance(step, Pause):
        return await transport.pause(step)
    if isinstance(step, OpenStream):
        return await transport.open(step.request)
    if isinstance(step, ReadChunk):
        return await transport.read(step.stream)
    if isinstance(step, CloseStream):
        return await transport.close(step.stream)
    raise AssertionError(f"unknown step {step!r}")
