from __future__ import annotations

import asyncio
import json
from http.server import BaseHTTPRequestHandler
from threading import Event
from typing import Any

import pytest
from conftest import KEY, MakeScripted
from scripted_service import ReceivedRequest, Reply, close_connection, refuse_with, reply_bytes, reply_with

from lending import AsyncLending, Patience, RefusalError
from lending.contract.shapes import ReceiptToReport
from lending.server_sent_events import EventStreamParser

pages = [
    reply_with(200, {"loans": [{"id": "l-1"}, {"id": "l-2"}], "cursor": "a"}),
    reply_with(200, {"loans": [], "cursor": "b&c"}),
    reply_with(200, {"loans": [{"id": "l-3"}]}),
]


def test_a_listing_is_paged_to_the_page_without_a_cursor_over_empty_pages(scripted: MakeScripted) -> None:
    here = scripted(*pages)
    assert [loan["id"] for loan in here.lending.list_loans(state="active", limit=2)] == ["l-1", "l-2", "l-3"]
    start = "/v1/tenants/acme/loans?state=active&limit=2"
    assert here.targets == [start, f"{start}&cursor=a", f"{start}&cursor=b%26c"]


def test_a_page_is_requested_only_when_it_is_needed(scripted: MakeScripted) -> None:
    here = scripted(*pages)
    listing = here.lending.list_loans()
    assert here.targets == []
    assert next(iter(listing))["id"] == "l-1"
    assert listing.page().get("cursor") == "b&c"
    assert len(here.targets) == 2


def test_a_key_tells_the_types_of_rows_apart(scripted: MakeScripted) -> None:
    paid = {"minor_units": 7, "currency": "MXN"}
    here = scripted(reply_with(200, {"loans": [{"id": "l-1", "paid": paid}, {"id": "l-2"}]}))
    # Of a RecordedLoanRow, mypy refuses the member.
    assert [row["paid"]["minor_units"] for row in here.lending.list_loans() if "paid" in row] == [7]


def test_a_listing_that_is_requested_with_a_body_has_its_cursor_there(scripted: MakeScripted) -> None:
    here = scripted(reply_with(200, {"loans": [{"loan_id": "l-1"}], "cursor": "a"}), reply_with(200, {"loans": []}))
    body: Any = {"values": {}, "on": "2026-03-20"}
    assert [loan["loan_id"] for loan in here.lending.rehearse("ins-000001", body)] == ["l-1"]
    assert [json.loads(sent.body) for sent in here.service.sent] == [body, {**body, "cursor": "a"}]


def test_the_feed_is_followed_over_empty_pages_and_failures(scripted: MakeScripted) -> None:
    here = scripted(
        reply_with(200, {"events": [{"id": "e-1"}], "cursor": "1"}),
        reply_with(200, {"events": [], "cursor": "1"}),
        refuse_with(503, "unavailable", "as_is"),
        reply_with(200, {"events": [{"id": "e-2"}], "cursor": "2"}),
        refuse_with(401, "unauthenticated", "after_change"),
    )
    events = here.lending.follow_feed("0", pause_seconds=7)
    assert [next(events).cursor, next(events).cursor] == ["1", "2"]
    assert here.targets[0].endswith("/loan-events?limit=200&cursor=0")
    assert 7 in here.pauses
    with pytest.raises(RefusalError, match="unauthenticated"):
        next(events)


def test_a_follower_reports_each_pause_after_a_failure(scripted: MakeScripted) -> None:
    reported: list[float] = []
    here = scripted(
        refuse_with(503, "unavailable", "as_is"),
        reply_with(200, {"events": [{"id": "e-1"}], "cursor": "1"}),
        close_connection,
        reply_bytes(200, _event(2)),
        patience=Patience(within_seconds=0),
        on_retry=lambda _, pause: reported.append(pause),
    )
    next(here.lending.follow_feed())
    next(here.lending.follow_stream())
    assert reported == here.pauses
    assert len(reported) == 2


def test_a_follower_ends_where_stop_is_set(scripted: MakeScripted) -> None:
    stop, is_followed_to_its_end = Event(), Event()

    def then_stop(reply: Reply) -> Reply:
        def answer(handler: BaseHTTPRequestHandler, request: ReceivedRequest) -> None:
            reply(handler, request)
            stop.set()

        return answer

    def heartbeat_of_an_open_stream(handler: BaseHTTPRequestHandler, _: ReceivedRequest) -> None:
        handler.send_response(200)
        handler.end_headers()
        stop.set()
        handler.wfile.write(b":\n\n")
        is_followed_to_its_end.wait()

    quiet = then_stop(reply_with(200, {"events": [], "cursor": "1"}))
    assert list(scripted(quiet).lending.follow_feed(pause_seconds=3_600, stop=stop)) == []
    stop.clear()
    refused = then_stop(refuse_with(503, "unavailable", "as_is"))
    patience = Patience(first_pause_seconds=3_600, longest_pause_seconds=3_600)
    assert list(scripted(refused, patience=patience).lending.follow_stream(stop=stop)) == []
    stop.clear()
    assert list(scripted(heartbeat_of_an_open_stream).lending.follow_stream(stop=stop)) == []
    is_followed_to_its_end.set()


def _event(number: int) -> bytes:
    return b'id: %d\ndata: {"id":"e-%d"}\n\n' % (number, number)


def test_the_stream_continues_after_the_last_event_when_the_connection_breaks(scripted: MakeScripted) -> None:
    here = scripted(
        reply_bytes(200, b": heartbeat\n\nretry: 9000\n\n" + _event(1) + _event(2) + b"id: 3\ndata: {}\n"),
        close_connection,
        reply_bytes(200, _event(3)),
        refuse_with(401, "unauthenticated", "after_change"),
    )
    events = here.lending.follow_stream("0")
    assert [next(events).cursor for _ in range(3)] == ["1", "2", "3"]
    assert [sent.headers["last-event-id"] for sent in here.service.sent] == ["0", "2", "2"]
    assert here.pauses[0] == 9
    with pytest.raises(RefusalError, match="unauthenticated"):
        next(events)


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_events_are_the_same_for_any_chunks_and_line_ends(line_end: str) -> None:
    text = ":note\nid:1\ndata: ñ\ndata:b\n\nevent: x\ndata\n\nid: 2\n\ndata: cut".replace("\n", line_end).encode()
    for size in (1, 2, 3, len(text)):
        parser = EventStreamParser()
        found = [event for at in range(0, len(text), size) for event in parser.feed(text[at : at + size])]
        assert [(event.id, event.data) for event in found] == [("1", "ñ\nb"), ("1", "")]


def _receipts(count: int) -> list[ReceiptToReport]:
    money = {"minor_units": 1, "currency": "MXN"}
    rows: Any = [
        {"reference": f"r-{at}", "client_id": "ada", "amount": money, "value_date": "2026-03-01"} for at in range(count)
    ]
    result: list[ReceiptToReport] = rows
    return result


def _outcomes(*statuses: int) -> Reply:
    rows = [{"status": each, **({"retry": "as_is"} if each == 409 else {})} for each in statuses]
    return reply_with(200, {"outcomes": rows})


def test_receipts_are_sent_in_batches_and_those_that_may_be_sent_again_are_repeated_alone(
    scripted: MakeScripted,
) -> None:
    here = scripted(_outcomes(201, 409, 422), close_connection, _outcomes(201), _outcomes(200))
    reported = list(here.lending.report_in_batches(_receipts(4), together=3))
    assert [(each.index, each.outcome["status"]) for each in reported] == [(0, 201), (1, 201), (2, 422), (3, 200)]
    sent = [[row["reference"] for row in json.loads(each.body)["receipts"]] for each in here.service.sent]
    assert sent == [["r-0", "r-1", "r-2"], ["r-1"], ["r-1"], ["r-3"]]


def test_a_batch_holds_at_least_one_receipt(scripted: MakeScripted) -> None:
    for together in (0, -1):
        with pytest.raises(ValueError, match="together is"):
            next(scripted(_outcomes(201)).lending.report_in_batches(_receipts(1), together=together))


def test_receipts_that_stay_contended_keep_that_outcome(scripted: MakeScripted) -> None:
    here = scripted(_outcomes(409))
    assert [each.outcome["status"] for each in here.lending.report_in_batches(_receipts(1))] == [409]


def test_the_client_for_asyncio_does_the_same(scripted: MakeScripted, monkeypatch: pytest.MonkeyPatch) -> None:
    here = scripted(
        close_connection,
        reply_with(200, {"concurrent": 16}),
        *pages,
        _outcomes(201, 201),
        reply_bytes(200, _event(1)),
        refuse_with(403, "not_permitted_scope", "after_change"),
    )

    async def no_pause(_: float) -> None:
        """Takes no time."""

    monkeypatch.setattr("lending.transports.asyncio.sleep", no_pause)

    async def run() -> None:
        async with AsyncLending(here.service.base_url, "acme", KEY) as lending:
            assert (await lending.read_bounds())["concurrent"] == 16
            assert [loan["id"] async for loan in lending.list_loans()] == ["l-1", "l-2", "l-3"]
            reported = [each.outcome["status"] async for each in lending.report_in_batches(_receipts(2))]
            assert reported == [201, 201]
            events = lending.follow_stream()
            assert (await anext(events)).cursor == "1"
            with pytest.raises(RefusalError):
                await anext(events)

    asyncio.run(run())
