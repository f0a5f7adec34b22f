"""The SDK against the running service. LENDING_URL, LENDING_TENANT and LENDING_KEY name a Tenancy without records."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator

import pytest

from lending import AsyncLending, Lending, RefusalError, routes, to_money
from lending.contract.shapes import LoanToIssue, ReceiptToReport

pytestmark = pytest.mark.skipif("LENDING_URL" not in os.environ, reason="LENDING_URL names no service")


@pytest.fixture(scope="module")
def lending() -> Iterator[Lending]:
    with Lending() as client:
        yield client


@pytest.fixture(scope="module")
def loan(lending: Lending) -> LoanToIssue:
    lending.register_client("ada", {"actor": "ana", "basis": "signed the contract"})
    product = lending.create_configuration(
        {
            "archetype": "instalment",
            "values": {
                "principal_min": to_money("1000", "MXN"),
                "principal_max": to_money("50000", "MXN"),
                "rate_min": "12",
                "rate_max": "60",
                "terms": [3, 6],
            },
        }
    )
    return {
        "reference": "loan-1",
        "client_id": "ada",
        "configuration_id": product["id"],
        "configuration_version": product["version"],
        "principal": to_money("3000", "MXN"),
        "term_periods": 3,
        "rate": "36",
        "anchor": "2026-01-15",
        "jurisdiction": "MX",
        "tax": {"rate": "16", "on": ["interest"]},
    }


def _receipt(number: int) -> ReceiptToReport:
    return {
        "reference": f"spei-{number}",
        "client_id": "ada",
        "amount": to_money("1.50", "MXN"),
        "value_date": "2026-02-15",
    }


def test_a_loan_is_issued_paid_and_read_and_repeats_answer_the_same(lending: Lending, loan: LoanToIssue) -> None:
    first = lending.issue_loan(loan)
    again = lending.ask(routes.issue_loan, loan)
    assert (again.status, again.body["id"]) == (200, first["id"])
    assert lending.report_receipt(_receipt(0))["settled"] == to_money("1.50", "MXN")
    options = lending.ask(routes.read_payment_options, client_id="ada", on="2026-03-20")
    assert options.body["loans"][0]["loan_id"] == first["id"]
    tag = options.headers["ETag"]
    same = lending.ask(routes.read_payment_options, client_id="ada", on="2026-03-20", if_none_match=tag)
    assert same.status == 304
    with pytest.raises(RefusalError) as refused:
        lending.read_receipt("ñ/%2F ?#")
    assert (refused.value.status, refused.value.code) == (404, "no_receipt")


def test_receipts_are_posted_in_batches_listed_and_can_be_repeated(lending: Lending, loan: LoanToIssue) -> None:
    receipts = [_receipt(number) for number in range(1, 26)]
    receipts[7]["client_id"] = "unknown"
    first = list(lending.report_in_batches(receipts, together=10))
    assert [each.index for each in first] == list(range(25))
    refused = [(each.index, each.outcome.get("code")) for each in first if each.outcome["status"] != 201]
    assert refused == [(7, "unknown_client")]
    again = {each.outcome["status"] for each in lending.report_in_batches(receipts)}
    assert again == {200, 422}
    # Newest first: the book of a Client has them in the given order.
    listed = [row["reference"] for row in lending.list_receipts(client_id="ada", limit=7)]
    assert listed[:24] == [f"spei-{number}" for number in range(25, 0, -1) if number != 8]


def test_the_feed_its_stream_and_the_client_for_asyncio_have_the_same_events(
    lending: Lending, loan: LoanToIssue
) -> None:
    lending.issue_loan(loan)
    page = next(lending.follow_feed(limit=1))
    stream = lending.follow_stream()
    assert next(stream).events == page.events

    async def first_of_stream() -> object:
        async with AsyncLending() as client:
            assert page.events[0]["loan_id"] in [row["id"] async for row in client.list_loans()]
            async for followed in client.follow_stream():
                return followed.events
        return None

    assert asyncio.run(first_of_stream()) == page.events
