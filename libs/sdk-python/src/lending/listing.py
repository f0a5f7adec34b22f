"""Listings: the pages of a route and their items, requested when they are needed."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from typing import Any, Generic

from .route import AnswerT, ItemT, PagedRoute, Parameters

SendPage = Callable[[PagedRoute[Any, Any], Parameters, object], Any]
SendPageLater = Callable[[PagedRoute[Any, Any], Parameters, object], Awaitable[Any]]


class PageRequests(Generic[AnswerT, ItemT]):
    """The requests of the pages. A listing that is requested with a body has its cursor there."""

    def __init__(
        self, route: PagedRoute[AnswerT, ItemT], parameters: Parameters, body: Mapping[str, object] | None
    ) -> None:
        self.route = route
        self._parameters = parameters
        self._body = body

    def arguments(self, cursor: str | None) -> tuple[Parameters, object]:
        if cursor is None:
            return self._parameters, self._body
        if self._body is None:
            return {**self._parameters, "cursor": cursor}, None
        return self._parameters, {**self._body, "cursor": cursor}


class Listing(Generic[AnswerT, ItemT]):
    """Iterate it for all items, `pages()` for all pages, or ask `page()` for the first page alone."""

    def __init__(self, requests: PageRequests[AnswerT, ItemT], send: SendPage) -> None:
        self._requests = requests
        self._send = send

    def __iter__(self) -> Iterator[ItemT]:
        for page in self.pages():
            yield from _items(page, self._requests.route)

    def page(self) -> AnswerT:
        return self._page(None)

    def pages(self) -> Iterator[AnswerT]:
        page = self._page(None)
        yield page
        while (cursor := _cursor(page)) is not None:
            page = self._page(cursor)
            yield page

    def _page(self, cursor: str | None) -> AnswerT:
        page: AnswerT = self._send(self._requests.route, *self._requests.arguments(cursor))
        return page


class AsyncListing(Generic[AnswerT, ItemT]):
    """Iterate it for all items, `pages()` for all pages, or await `page()` for the first page alone."""

    def __init__(self, requests: PageRequests[AnswerT, ItemT], send: SendPageLater) -> None:
        self._requests = requests
        self._send = send

    async def __aiter__(self) -> AsyncIterator[ItemT]:
        async for page in self.pages():
            for item in _items(page, self._requests.route):
                yield item

    async def page(self) -> AnswerT:
        return await self._page(None)

    async def pages(self) -> AsyncIterator[AnswerT]:
        page = await self._page(None)
        yield page
        while (cursor := _cursor(page)) is not None:
            page = await self._page(cursor)
            yield page

    async def _page(self, cursor: str | None) -> AnswerT:
        page: AnswerT = await self._send(self._requests.route, *self._requests.arguments(cursor))
        return page


def _items(page: Any, route: PagedRoute[AnswerT, ItemT]) -> list[ItemT]:
    items: list[ItemT] = page[route.items]
    return items


def _cursor(page: Any) -> str | None:
    cursor: str | None = page.get("cursor")
    return cursor
