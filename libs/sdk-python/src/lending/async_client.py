"""The client for asyncio."""

from __future__ import annotations

from collections.abc import AsyncIterable, AsyncIterator, Iterable, Mapping
from types import TracebackType
from typing import Any

import httpx

from .client_options import request_maker
from .contract import routes
from .contract.async_methods import AsyncRouteMethods
from .contract.shapes import ReceiptToReport
from .feed import FeedEvents, FeedPoller, StreamFollower
from .listing import AsyncListing, PageRequests
from .receipt_batches import MAX_RECEIPTS, PendingReceipt, ReceiptBatcher, ReportedReceipt, post_until_final
from .request_steps import Answer, OnAnswer, OnRetry, Result, Steps
from .retry import Patience
from .route import AnswerT, ItemT, PagedRoute, Parameter, Parameters, Route
from .signing import Signer
from .transports import AsyncTransport, run_steps


class AsyncLending(AsyncRouteMethods):
    """
    The client for asyncio. `base_url`, `tenant` and `key` default to LENDING_URL, LENDING_TENANT and LENDING_KEY.
    `key` is the secret of a key, or a Signer for a secret that is kept elsewhere. `http` is a client of your own, for
    proxies and certificates. An attempt fails where nothing is received for `answer_timeout_seconds`.
    """

    def __init__(
        self,
        base_url: str | None = None,
        tenant: str | None = None,
        key: str | Signer | None = None,
        *,
        patience: Patience | None = None,
        answer_timeout_seconds: float = 15.0,
        contract_version: str = routes.CONTRACT_VERSION,
        on_retry: OnRetry | None = None,
        on_answer: OnAnswer | None = None,
        http: httpx.AsyncClient | None = None,
    ) -> None:
        self._maker = request_maker(
            base_url, tenant, key, patience, answer_timeout_seconds, contract_version, on_retry, on_answer
        )
        self._http = http or httpx.AsyncClient()
        self._transport = AsyncTransport(self._http)

    async def __aenter__(self) -> AsyncLending:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Closes the connections."""
        await self._http.aclose()

    async def ask(
        self,
        route: Route[AnswerT],
        body: object = None,
        *,
        caller_request_id: str | None = None,
        idempotency_key: str | None = None,
        if_none_match: str | None = None,
        **parameters: Parameter,
    ) -> Answer[AnswerT]:
        """Calls a route of `lending.routes` and returns status and headers as well."""
        return await self._run(
            self._maker.call(route, parameters, body, caller_request_id, idempotency_key, if_none_match)
        )

    async def follow_feed(
        self, cursor: str | None = None, *, pause_seconds: float = 1.0, limit: int = 200
    ) -> AsyncIterator[FeedEvents]:
        """The Loan events of the Tenancy after a cursor, by polling, until the task is cancelled."""
        poller = FeedPoller(self._maker, routes.read_feed.path, cursor, pause_seconds, limit)
        while (events := await self._run(poller.next_events())) is not None:
            yield events

    async def follow_stream(
        self, cursor: str | None = None, *, silent_for_seconds: float = 45.0
    ) -> AsyncIterator[FeedEvents]:
        """The same events, by a stream. Leave the loop or cancel the task to close it."""
        follower = StreamFollower(self._maker, routes.STREAM_PATH, cursor, silent_for_seconds)
        try:
            while (events := await self._run(follower.next_events())) is not None:
                yield events
        finally:
            await self._run(follower.close())

    async def report_in_batches(
        self, receipts: Iterable[ReceiptToReport] | AsyncIterable[ReceiptToReport], *, together: int = MAX_RECEIPTS
    ) -> AsyncIterator[ReportedReceipt]:
        """Posts any number of Receipts in batches, and yields the outcome of each in the order of the input."""
        batcher = ReceiptBatcher(together)
        async for receipt in _each(receipts):
            for reported in await self._post(batcher.add(receipt)):
                yield reported
        for reported in await self._post(batcher.take()):
            yield reported

    async def _post(self, batch: list[PendingReceipt]) -> list[ReportedReceipt]:
        return await self._run(post_until_final(self._maker, batch))

    async def _call(
        self,
        route: Route[AnswerT],
        parameters: Parameters,
        body: object = None,
        idempotency_key: str | None = None,
        caller_request_id: str | None = None,
    ) -> AnswerT:
        return (await self._run(self._maker.call(route, parameters, body, caller_request_id, idempotency_key))).body

    def _list(
        self,
        route: PagedRoute[AnswerT, ItemT],
        parameters: Parameters,
        body: Mapping[str, object] | None = None,
        caller_request_id: str | None = None,
    ) -> AsyncListing[AnswerT, ItemT]:
        async def send(page_route: PagedRoute[Any, Any], at: Parameters, page_body: object) -> Any:
            return await self._call(page_route, at, page_body, None, caller_request_id)

        return AsyncListing(PageRequests(route, parameters, body), send)

    async def _run(self, steps: Steps[Result]) -> Result:
        return await run_steps(steps, self._transport)


async def _each(receipts: Iterable[ReceiptToReport] | AsyncIterable[ReceiptToReport]) -> AsyncIterator[ReceiptToReport]:
    if isinstance(receipts, AsyncIterable):
        async for receipt in receipts:
            yield receipt
    else:
        for receipt in receipts:
            yield receipt
