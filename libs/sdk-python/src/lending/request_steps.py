"""
The requests of a client, without their input and output: each function is a generator that yields what is to be done
and receives what came of it. So the client and the asynchronous client share signing, retries and errors.
"""

from __future__ import annotations

import json
import random
import re
import time
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from threading import Event
from typing import Any, Generic, TypeVar
from uuid import uuid4

import httpx

from .errors import LendingError, RefusalError, UnreachableError, is_refusal
from .retry import Patience, is_retryable, retry_after_seconds, retry_pause
from .route import AnswerT, Parameters, Route, request_target
from .signing import Signer, authorization_header

Result = TypeVar("Result")
OnRetry = Callable[[LendingError, float], None]


@dataclass(frozen=True)
class AnsweredRequest:
    """A response, refusals included: for the log of the caller."""

    method: str
    # Path and query.
    target: str
    status: int
    # The service's identifier of the request; empty where a proxy answered.
    request_id: str
    # `Deprecation`, `Sunset` and `Link` say that the answer depends on what will change.
    headers: httpx.Headers


OnAnswer = Callable[[AnsweredRequest], None]


@dataclass(frozen=True)
class Send:
    """Send it and read the whole response."""

    request: httpx.Request


@dataclass(frozen=True)
class Pause:
    seconds: float
    # Ends the pause once it is set.
    stop: Event | None = None


@dataclass(frozen=True)
class OpenStream:
    """Send it and return a stream. The response of an error is read."""

    request: httpx.Request


@dataclass(frozen=True)
class Stream:
    response: httpx.Response
    # An iterator; an asynchronous one in the asynchronous client.
    chunks: Any


@dataclass(frozen=True)
class ReadChunk:
    """The next bytes; None at the end."""

    stream: Stream


@dataclass(frozen=True)
class CloseStream:
    stream: Stream


Step = Send | Pause | OpenStream | ReadChunk | CloseStream
Steps = Generator[Step, Any, Result]


@dataclass(frozen=True)
class OutgoingRequest:
    method: str
    # Path and query.
    target: str
    # JSON.
    body: bytes | None = None
    idempotency_key: str | None = None
    headers: Mapping[str, str] | None = None
    reads_text: bool = False

    @property
    def is_read(self) -> bool:
        return self.method == "GET"


@dataclass(frozen=True)
class Answer(Generic[AnswerT]):
    """An answer with its status and headers. The `body` of a 304 is None."""

    status: int
    body: AnswerT
    headers: httpx.Headers
    request_id: str


@dataclass(frozen=True)
class RequestMaker:
    """What all requests of a client have in common."""

    base_url: str
    tenant: str
    signer: Signer
    patience: Patience
    answer_timeout_seconds: float
    contract_version: str
    on_retry: OnRetry | None
    on_answer: OnAnswer | None

    def call(
        self,
        route: Route[AnswerT],
        parameters: Parameters,
        body: object = None,
        caller_request_id: str | None = None,
        idempotency_key: str | None = None,
        if_none_match: str | None = None,
    ) -> Steps[Answer[AnswerT]]:
        headers = {"Request-Id": caller_request_id, "If-None-Match": if_none_match}
        return self.send(
            OutgoingRequest(
                method=route.method,
                target=request_target(route.path, route.query, {**parameters, "tenant_id": self.tenant}),
                body=None if body is None else json_bytes(body),
                # Without a key, a creation whose response was lost would be performed twice by the retry.
                idempotency_key=idempotency_key or (str(uuid4()) if route.keyed else None),
                headers={name: value for name, value in headers.items() if value is not None},
                reads_text=route.reads == "text",
            )
        )

    def send(self, outgoing: OutgoingRequest) -> Steps[Answer[Any]]:
        """Retries until an answer, a refusal that a retry cannot change, or the end of the retry time."""
        deadline = time.monotonic() + self.patience.within_seconds
        outcome_unknown = False
        failures = 0
        while True:
            failures += 1
            try:
                return (yield from self._attempt(outgoing, outcome_unknown))
            except LendingError as failure:
                if not is_retryable(failure):
                    raise
                outcome_unknown = failure.outcome_unknown
                pause = self.pause_after(failures, retry_after_seconds(failure))
                if time.monotonic() + pause > deadline:
                    raise
                if self.on_retry is not None:
                    self.on_retry(failure, pause)
            yield Pause(pause)

    def open(self, outgoing: OutgoingRequest, silent_for_seconds: float) -> Steps[Stream]:
        """One attempt of a read whose body is a stream."""
        request = self.signed(outgoing, httpx.Timeout(self.answer_timeout_seconds, read=silent_for_seconds))
        try:
            stream: Stream = yield OpenStream(request)
        except httpx.HTTPError as cause:
            raise self.unreachable(outgoing, self._reason(cause), False) from cause
        self._report_answer(outgoing, stream.response)
        if stream.response.is_success:
            return stream
        raise self._failure(outgoing, stream.response, False)

    def pause_after(self, failures: int, retry_after: float = 0) -> float:
        return retry_pause(failures, self.patience, random.random(), retry_after)

    def unreachable(
        self,
        outgoing: OutgoingRequest,
        reason: object,
        outcome_unknown: bool,
        retry_after: int | None = None,
        is_temporary: bool = True,
    ) -> UnreachableError:
        """Names the full URL, because a wrong address is as likely as a failed service."""
        request = f"{outgoing.method} {self.base_url}{outgoing.target}"
        return UnreachableError(request, reason, outcome_unknown, retry_after, is_temporary)

    def signed(self, outgoing: OutgoingRequest, timeout: httpx.Timeout) -> httpx.Request:
        request = httpx.Request(
            outgoing.method,
            self.base_url + outgoing.target,
            content=outgoing.body,
            headers={"Accept": "*/*", "Contract-Version": self.contract_version, **(outgoing.headers or {})},
            extensions={"timeout": timeout.as_dict()},
        )
        # The normalized URL is what is sent on the request line.
        target = request.url.raw_path.decode("ascii")
        body, key = outgoing.body or b"", outgoing.idempotency_key
        header = authorization_header(self.signer, outgoing.method, target, int(time.time()), body, key)
        request.headers["Authorization"] = header
        if outgoing.body is not None:
            request.headers["Content-Type"] = "application/json"
        if key is not None:
            request.headers["Idempotency-Key"] = key
        return request

    def _attempt(self, outgoing: OutgoingRequest, may_be_recorded: bool) -> Steps[Answer[Any]]:
        request = self.signed(outgoing, httpx.Timeout(self.answer_timeout_seconds))
        try:
            response: httpx.Response = yield Send(request)
        except httpx.HTTPError as cause:
            raise self.unreachable(outgoing, self._reason(cause), not outgoing.is_read) from cause
        self._report_answer(outgoing, response)
        body = response.text if outgoing.reads_text else _parse_json(response)
        if response.status_code != 304 and (not response.is_success or body is None):
            raise self._failure(outgoing, response, may_be_recorded)
        return Answer(response.status_code, body, response.headers, response.headers.get("Request-Id", ""))

    def _reason(self, cause: httpx.HTTPError) -> str:
        if isinstance(cause, httpx.TimeoutException):
            return f"nothing was received for {self.answer_timeout_seconds:g} s (answer_timeout_seconds)"
        return str(cause) or type(cause).__name__

    def _report_answer(self, outgoing: OutgoingRequest, response: httpx.Response) -> None:
        if self.on_answer is None:
            return
        headers = response.headers
        request_id = headers.get("Request-Id", "")
        self.on_answer(AnsweredRequest(outgoing.method, outgoing.target, response.status_code, request_id, headers))

    def _failure(self, outgoing: OutgoingRequest, response: httpx.Response, may_be_recorded: bool) -> LendingError:
        status = response.status_code
        refusal = None if response.is_success else _parse_json(response)
        if refusal is None or not is_refusal(refusal):
            reason = f"{status}, not an answer of the lending service: check base_url and what is between"
            retry_after = _whole_seconds(response.headers.get("Retry-After", ""))
            # A success that cannot be read was cut off on the way.
            is_temporary = response.is_success or status == 429 or status >= 500
            return self.unreachable(outgoing, reason, not outgoing.is_read, retry_after, is_temporary)
        # Where the service had looked up the reference, no earlier attempt was recorded.
        is_final = status in (404, 409, 422) and refusal["retry"] != "as_is"
        outcome_unknown = not outgoing.is_read and (status >= 500 or (may_be_recorded and not is_final))
        return RefusalError(f"{outgoing.method} {outgoing.target}", status, refusal, outcome_unknown)


def _whole_seconds(header: str) -> int | None:
    """None for a header that is absent, or a date."""
    return int(header) if re.fullmatch(r"[0-9]{1,9}", header) else None


def json_bytes(body: object) -> bytes:
    return json.dumps(body, ensure_ascii=False, separators=(",", ":"), allow_nan=False, default=_json_text).encode()


def _json_text(value: object) -> str:
    """Days and decimal numbers are texts in the contract."""
    if type(value) is date:
        return value.isoformat()
    if isinstance(value, Decimal) and value.is_finite():
        return format(value, "f")
    raise TypeError(f"{value!r} is a {type(value).__name__}, which has no form in JSON")


def _parse_json(response: httpx.Response) -> Any:
    """None where it is not JSON."""
    try:
        return json.loads(response.content)
    except ValueError:
        return None
