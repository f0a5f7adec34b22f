"""The body of a fact in one form: money is a dict, a day is a text, and a period of the plan has members by name."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from datetime import date, timedelta
from typing import Any, Protocol, TypeVar, cast

BodyT = TypeVar("BodyT")
_FIRST_DAY = date(1970, 1, 1)
_AMOUNTS_OF_TERMS = ("principal", "down_payment", "origination_fee", "late_fee", "rollover_fee", "tolerance")
_PERIOD_AMOUNTS = ("principal", "interest", "fee", "tax")


class StoredFact(Protocol):
    """What is read of a `BookEvent`."""

    @property
    def kind(self) -> str: ...

    @property
    def body(self) -> str: ...


def fact_body(event: StoredFact, body: type[BodyT]) -> BodyT:
    """
    Read the body of a fact, such as `fact_body(event, shapes.IssuedBody)` of one whose `kind` is `issued`.

    Raises a ValueError where the fact is of another kind. `event.body` is the text as it is stored.
    """
    # IssuedBody is the body of `issued`, ReceiptReportedBody that of `receipt_reported`.
    kind = re.sub(r"(?<!^)([A-Z])", r"_\1", body.__name__.removesuffix("Body")).lower()
    if event.kind != kind:
        raise ValueError(f"the fact is of the kind {event.kind}; expected {kind}")
    stored = json.loads(event.body)
    read = _READERS.get(kind)
    return cast("BodyT", stored if read is None else read(stored))


def _issued(stored: dict[str, Any]) -> dict[str, Any]:
    terms, plan = stored["terms"], stored["plan"]
    currency = terms["currency"]
    amounts = {name: _money(terms[name], currency) for name in _AMOUNTS_OF_TERMS}
    periods = [_period(each, currency) for each in plan["periods"]]
    return {
        **stored,
        "terms": {**terms, **amounts},
        "plan": {"level": _money(plan["level"], currency), "periods": periods},
    }


def _period(stored: list[int], currency: str) -> dict[str, Any]:
    index, scheduled_on, due_on, *amounts = stored
    named = zip(_PERIOD_AMOUNTS, amounts, strict=True)
    return {
        "index": index,
        "scheduled_on": _day(scheduled_on),
        "due_on": _day(due_on),
        **{name: _money(amount, currency) for name, amount in named},
    }


def _receipt(stored: dict[str, Any]) -> dict[str, Any]:
    if "quote" not in stored:
        return stored
    quote = stored["quote"]
    currency = stored["receipt"]["amount"]["currency"]
    return {**stored, "quote": {**quote, "total": _money(quote["total"], currency)}}


def _quote(stored: dict[str, Any]) -> dict[str, Any]:
    # `loanId` is the name of earlier releases.
    former = stored.pop("loanId", None)
    return stored if former is None else {"loan_id": former, **stored}


def _money(minor_units: int, currency: str) -> dict[str, Any]:
    return {"minor_units": minor_units, "currency": currency}


def _day(stored: int) -> str:
    return (_FIRST_DAY + timedelta(days=stored)).isoformat()


_READERS: dict[str, Callable[[dict[str, Any]], dict[str, Any]]] = {
    "issued": _issued,
    "receipt_reported": _receipt,
    "payoff_quoted": _quote,
}
