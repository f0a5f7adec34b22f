"""The client of one Tenancy of the lending service."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from threading import Event
from types import TracebackType
from typing import Any

import httpx

from .client_options import request_maker
from .contract import routes
from .contract.methods import RouteMethods
from .contract.shapes import ReceiptToReport
from .feed import FeedEvents, FeedPoller, StreamFollower
from .listing import Listing, PageRequests
from .receipt_batches import MAX_RECEIPTS, PendingReceipt, ReceiptBatcher, ReportedReceipt, post_until_final
from .request_steps import Answer, OnAnswer, OnRetry, Result, Steps
from .retry import Patience
from .route import AnswerT, ItemT, PagedRoute, Parameter, Parameters, Route
from .signing import Signer
from .transports import BlockingTransport, run_now, run_steps


class Lending(RouteMethods):
    """
    The client. `base_url`, `tenant` and `key` default to LENDING_URL, LENDING_TENANT and LENDING_KEY. `key` is the
    secret of a key, or a Signer for a secret that is kept elsewhere. `http` is a client of your own, for proxies and
    certificates. An attempt fails where nothing is received for `answer_timeout_seconds`.
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
        http: httpx.Client | None = None,
    ) -> None:
        self._maker = request_maker(
            base_url, tenant, key, patience, answer_timeout_seconds, contract_version, on_retry, on_answer
        )
        self._http = http or httpx.Client()
        self._transport = BlockingTransport(self._http)

    def __enter__(self) -> Lending:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Closes the connections."""
        self._http.close()

    def ask(
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
        return self._run(self._maker.call(route, parameters, body, caller_request_id, idempotency_key, if_none_match))

    def follow_feed(
        self, cursor: str | None = None, *, pause_seconds: float = 1.0, limit: int = 200, stop: Event | None = None
    ) -> Iterator[FeedEvents]:
        """The Loan events of the Tenancy after a cursor, by polling. It ends only where `stop` is set."""
        poller = FeedPoller(self._maker, routes.read_feed.path, cursor, pause_seconds, limit, stop)
        while (events := self._run(poller.next_events())) is not None:
            yield events

    def follow_stream(
        self, cursor: str | None = None, *, silent_for_seconds: float = 45.0, stop: Event | None = None
    ) -> Iterator[FeedEvents]:
        """
        The same events, by a stream. Leave the loop to close it, or set `stop` from another thread: it is noticed at
        the next event or heartbeat, which the service sends every 15 seconds, so up to 15 seconds later.
        """
        follower = StreamFollower(self._maker, routes.STREAM_PATH, cursor, silent_for_seconds, stop)
        try:
            while (events := self._run(follower.next_events())) is not None:
                yield events
        finally:
            self._run(follower.close())

    def report_in_batches(
        self, receipts: Iterable[ReceiptToReport], *, together: int = MAX_RECEIPTS
    ) -> Iterator[ReportedReceipt]:
        """Posts any number of Receipts in batches, and yields the outcome of each in the order of the input."""
        batcher = ReceiptBatcher(together)
        for receipt in receipts:
            yield from self._post(batcher.add(receipt))
        yield from self._post(batcher.take())

    def _post(self, batch: list[PendingReceipt]) -> list[ReportedReceipt]:
        return self._run(post_until_final(self._maker, batch))

    def _call(
        self,
        route: Route[AnswerT],
        parameters: Parameters,
        body: object = None,
        idempotency_key: str | None = None,
        caller_request_id: str | None = None,
    ) -> AnswerT:
        return self._run(self._maker.call(route, parameters, body, caller_request_id, idempotency_key)).body

    def _list(
        self,
        route: PagedRoute[AnswerT, ItemT],
        parameters: Parameters,
        body: Mapping[str, object] | None = None,
        caller_request_id: str | None = None,
    ) -> Listing[AnswerT, ItemT]:
        def send(page_route: PagedRoute[Any, Any], at: Parameters, page_body: object) -> Any:
            return self._call(page_route, at, page_body, None, caller_request_id)

        return Listing(PageRequests(route, parameters, body), send)

    def _run(self, steps: Steps[Result]) -> Result:
        return run_now(run_steps(steps, self._transport))
