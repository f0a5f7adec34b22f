from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal
from typing import Any

import pytest
from conftest import KEY, MakeScripted
from scripted_service import Reply, close_connection, refuse_with, reply_bytes, reply_with

from lending import Lending, Patience, RefusalError, UnreachableError, routes, to_decimal, to_money
from lending.contract.shapes import ReceiptToReport
from lending.request_steps import json_bytes

receipt: ReceiptToReport = {
    "reference": "r-1",
    "client_id": "ada",
    "amount": {"minor_units": 100, "currency": "MXN"},
    "value_date": "2026-03-01",
}
recorded = reply_with(201, {"receipt": {}})


def test_arguments_become_path_query_and_body(scripted: MakeScripted) -> None:
    here = scripted(reply_with(201, {"id": "l-1"}))
    act: Any = {"reference": "a-1", "actor": "ana", "basis": "as agreed: ñ", "on": "2026-02-01"}
    assert here.lending.write_off_loan("l/1", act, caller_request_id="mine")["id"] == "l-1"
    [sent] = here.service.sent
    assert (sent.method, sent.target) == ("POST", "/v1/tenants/acme/loans/l%2F1/write-off")
    assert sent.body == json_bytes(act)
    assert sent.headers["request-id"] == "mine"
    assert sent.headers["content-type"] == "application/json"
    assert sent.headers["contract-version"] == routes.CONTRACT_VERSION
    here.lending.list_lookup_keys(lookup_key=["a", "b&c"])
    here.lending.read_payment_options("ada", on=date(2026, 3, 20))
    assert here.targets[1:] == [
        "/v1/tenants/acme/product-lookup-keys?lookup_key=a&lookup_key=b%26c",
        "/v1/tenants/acme/clients/ada/payment-options?on=2026-03-20",
    ]
    assert "content-type" not in here.service.sent[-1].headers


@pytest.mark.parametrize("name", ["", ".", ".."])
def test_a_path_parameter_that_a_url_parser_would_resolve_is_refused(scripted: MakeScripted, name: str) -> None:
    with pytest.raises(ValueError, match="receipt_reference cannot be"):
        scripted(recorded).lending.read_receipt(name)


def test_a_missing_path_parameter_is_named_before_anything_is_sent(scripted: MakeScripted) -> None:
    here = scripted(recorded)
    for given in ({}, {"loan_id": None}):
        with pytest.raises(TypeError, match="loan_id is missing"):
            here.lending.ask(routes.read_loan, **given)
    assert here.service.sent == []


def test_a_datetime_is_not_taken_for_a_day(scripted: MakeScripted) -> None:
    with pytest.raises(TypeError, match="expected a text, a whole number or a date"):
        scripted(recorded).lending.read_payment_options("ada", on=datetime(2026, 3, 20))


def test_ask_returns_status_and_headers(scripted: MakeScripted) -> None:
    here = scripted(reply_with(200, {"loans": []}, {"ETag": '"v1"'}), reply_bytes(304, b"", {"ETag": '"v1"'}))
    first = here.lending.ask(routes.read_payment_options, client_id="ada", on="2026-03-20")
    assert (first.status, first.headers["ETag"], first.request_id) == (200, '"v1"', "r-1")
    again = here.lending.ask(routes.read_payment_options, client_id="ada", on="2026-03-20", if_none_match='"v1"')
    assert again.status == 304
    assert here.service.sent[1].headers["if-none-match"] == '"v1"'


def test_a_write_without_a_reference_uses_one_key_for_its_retries_or_that_of_the_caller(scripted: MakeScripted) -> None:
    here = scripted(close_connection, reply_with(201, {}))
    values: Any = {"archetype": "bnpl", "values": {}}
    here.lending.create_configuration(values)
    keys = [sent.headers.get("idempotency-key") for sent in here.service.sent]
    assert len(keys) == 2
    assert keys[0] == keys[1]
    assert len(keys[0] or "") == 36
    here.lending.create_configuration(values, idempotency_key="mine")
    here.lending.read_bounds()
    assert here.service.sent[2].headers["idempotency-key"] == "mine"
    assert "idempotency-key" not in here.service.sent[3].headers


def test_a_request_is_sent_again_where_the_refusal_says_so_and_not_before_its_retry_after(
    scripted: MakeScripted,
) -> None:
    here = scripted(
        refuse_with(429, "rate_exceeded", "as_is", retry_after=3), refuse_with(409, "contended", "as_is"), recorded
    )
    here.lending.report_receipt(receipt)
    assert [sent.body for sent in here.service.sent] == [json_bytes(receipt)] * 3
    assert len(here.pauses) == 2
    assert here.pauses[0] >= 3 > here.pauses[1]


@pytest.mark.parametrize(
    "lost",
    [
        close_connection,
        reply_bytes(502, b"Bad Gateway"),
        reply_bytes(201, b'{"receipt":{'),
        refuse_with(503, "unavailable", "as_is"),
    ],
    ids=["connection broke", "answer of a proxy", "cut off", "unavailable"],
)
def test_a_request_whose_answer_was_lost_is_sent_again(scripted: MakeScripted, lost: Reply) -> None:
    here = scripted(lost, reply_with(200, {"receipt": {"id": "recorded the first time"}}))
    assert here.lending.report_receipt(receipt)["receipt"]["id"] == "recorded the first time"


def test_pauses_grow_until_the_retry_time_has_passed(scripted: MakeScripted) -> None:
    reported: list[float] = []
    here = scripted(
        refuse_with(500, "internal_error", "as_is"),
        patience=Patience(within_seconds=10, first_pause_seconds=0.1, longest_pause_seconds=2),
        on_retry=lambda _, pause: reported.append(pause),
    )
    with pytest.raises(RefusalError) as failed:
        here.lending.report_receipt(receipt)
    assert failed.value.outcome_unknown
    assert here.pauses[:5] == pytest.approx([0.075, 0.15, 0.3, 0.6, 1.2])
    assert max(here.pauses) == 1.5
    assert sum(here.pauses) <= 10
    assert reported == here.pauses


def test_every_response_is_reported_with_its_headers(scripted: MakeScripted) -> None:
    seen: list[tuple[str, int, str, str | None]] = []
    here = scripted(
        refuse_with(429, "rate_exceeded", "as_is"),
        reply_with(200, {"receipt": {}}, {"Sunset": "Fri, 15 Jan 2027 00:00:00 GMT"}),
        on_answer=lambda it: seen.append((it.target, it.status, it.request_id, it.headers.get("Sunset"))),
    )
    here.lending.report_receipt(receipt)
    target = "/v1/tenants/acme/receipts"
    assert seen == [(target, 429, "r-1", None), (target, 200, "r-1", "Fri, 15 Jan 2027 00:00:00 GMT")]


@pytest.mark.parametrize("retry", ["after_change", "after_record", "never"])
def test_any_other_refusal_is_raised_at_once_with_its_parts(scripted: MakeScripted, retry: str) -> None:
    here = scripted(refuse_with(409, "already_ceded", retry, details={"recorded_id": "e-1"}))
    with pytest.raises(RefusalError, match="POST /v1/tenants/acme/receipts: 409 already_ceded") as failed:
        here.lending.report_receipt(receipt)
    error = failed.value
    assert (error.status, error.code, error.retry, error.request_id) == (409, "already_ceded", retry, "r-1")
    assert error.details == {"recorded_id": "e-1"}
    assert not error.outcome_unknown
    assert here.pauses == []


_lost = refuse_with(503, "unavailable", "as_is")
_barred = refuse_with(403, "not_permitted_scope", "after_change")
_decided = refuse_with(409, "reference_reused", "after_change")
_busy = refuse_with(429, "rate_exceeded", "as_is", retry_after=60)


@pytest.mark.parametrize(
    ("script", "unknown"),
    [
        ([close_connection], True),
        ([_lost, _barred], True),
        ([close_connection, _busy], True),
        ([_lost, _decided], False),
        ([_barred], False),
    ],
    ids=["connection broke", "then not looked at", "then turned away", "then decided", "a refusal alone"],
)
def test_whether_a_failed_write_may_be_recorded(scripted: MakeScripted, script: list[Reply], unknown: bool) -> None:
    here = scripted(*script, patience=Patience(within_seconds=1))
    with pytest.raises((RefusalError, UnreachableError)) as failed:
        here.lending.report_receipt(receipt)
    assert failed.value.outcome_unknown is unknown


def test_a_failed_connection_names_the_url_and_its_cause_and_not_the_secret(scripted: MakeScripted) -> None:
    here = scripted(recorded, patience=Patience(within_seconds=0))
    here.service.close()
    with pytest.raises(UnreachableError, match="refused") as failed:
        here.lending.read_bounds()
    assert f"GET {here.service.base_url}/v1/tenants/acme/bounds" in str(failed.value)
    assert KEY not in str(failed.value)
    assert failed.value.cause is not None
    assert not failed.value.outcome_unknown


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"base_url": None}, "base_url is missing"),
        ({"base_url": "localhost:8080"}, "base_url is not a URL"),
        ({"base_url": "https://lending.example/v1"}, "base_url has a path"),
        ({"base_url": "https://ana:hush@lending.example"}, "base_url has a user"),
        ({"tenant": ""}, "tenant is missing"),
        ({"tenant": "no such/tenant"}, "tenant is not an identifier"),
        ({"key": ""}, "key is missing"),
        ({"key": "nonsense"}, "the key is not the secret of a lending key"),
    ],
)
def test_an_invalid_option_is_named_before_anything_is_sent(
    monkeypatch: pytest.MonkeyPatch, options: dict[str, Any], says: str
) -> None:
    monkeypatch.delenv("LENDING_URL", raising=False)
    valid = {"base_url": "https://lending.example", "tenant": "acme", "key": KEY}
    with pytest.raises(ValueError, match=says) as refused:
        Lending(**{**valid, **options})
    assert "hush" not in str(refused.value)


def test_options_come_from_the_environment(monkeypatch: pytest.MonkeyPatch, scripted: MakeScripted) -> None:
    here = scripted(reply_with(200, {}))
    for name, value in (("URL", here.service.base_url), ("TENANT", "bo"), ("KEY", KEY)):
        monkeypatch.setenv(f"LENDING_{name}", value)
    with Lending() as lending:
        lending.read_bounds()
    assert here.targets == ["/v1/tenants/bo/bounds"]


def test_money_is_whole_minor_units_and_never_a_float() -> None:
    assert to_money("103.56", "MXN") == {"minor_units": 10356, "currency": "MXN"}
    assert to_money(Decimal("500"), "JPY", digits=0) == {"minor_units": 500, "currency": "JPY"}
    assert to_decimal({"minor_units": 10356, "currency": "MXN"}) == Decimal("103.56")
    amount: Any = 103.56
    with pytest.raises(TypeError, match="the amount is a float"):
        to_money(amount, "MXN")
    with pytest.raises(ValueError, match="more than 2 decimals"):
        to_money("103.567", "MXN")
