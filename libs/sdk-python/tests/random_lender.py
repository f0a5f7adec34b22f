"""Writes random books: Loans of every product, Receipts in any order of days, reversals, acts and retractions."""

from __future__ import annotations

import random
from datetime import date, timedelta
from typing import Any

from lending import Lending, RefusalError, to_money

VAT = {"rate": "16", "on": ["interest", "fee", "penalty", "late_fee"]}
MONEY_RANGE = {"principal_min": to_money("100", "MXN"), "principal_max": to_money("100000", "MXN")}
PRODUCTS: list[dict[str, Any]] = [
    {
        "archetype": "instalment",
        "values": {
            **MONEY_RANGE,
            "rate_min": "0",
            "rate_max": "60",
            "penalty_rate_min": "60",
            "penalty_rate_max": "60",
            "terms": [3, 6, 12],
            "tolerance_days": 3,
            "withdrawal_days": 14,
        },
    },
    {
        "archetype": "instalment",
        "values": {
            **MONEY_RANGE,
            "rate_min": "24",
            "rate_max": "36",
            "terms": [6, 12],
            "schedule": {"kind": "anchored_every_n_days", "interval_days": 14},
            "origination_fee": to_money("200", "MXN"),
            "late_fee": to_money("150", "MXN"),
            "early_money_treatment": "shortens_term",
        },
    },
    {
        "archetype": "instalment",
        "values": {
            **MONEY_RANGE,
            "rate_min": "30",
            "rate_max": "40",
            "terms": [4],
            "early_money_treatment": "settles_next",
        },
    },
    {
        "archetype": "bnpl",
        "values": {
            **MONEY_RANGE,
            "rate_max": "0",
            "terms": [4],
            "late_fee": to_money("50", "MXN"),
            "down_payment_max_bps": 2_500,
        },
    },
    {
        "archetype": "payday",
        "values": {
            **MONEY_RANGE,
            "rate_min": "60",
            "rate_max": "120",
            "late_fee": to_money("100", "MXN"),
            "rollover_fee": to_money("50", "MXN"),
            "max_rollovers": 2,
        },
    },
]
TERMS: list[dict[str, Any]] = [
    {"rate": "36", "term_periods": 6, "penalty_rate": "60"},
    {"rate": "30", "term_periods": 12, "schedule": {"kind": "anchored_every_n_days", "interval_days": 14}},
    {"rate": "36", "term_periods": 4},
    {"rate": "0", "term_periods": 4},
    {"rate": "96", "schedule": {"kind": "anchored_every_n_days", "interval_days": 30}},
]
FIRST_DAY = date(2026, 1, 15)


class RandomLender:
    def __init__(self, lending: Lending) -> None:
        self._lending = lending
        self._products = [lending.create_configuration(each) for each in PRODUCTS]  # type: ignore[arg-type]

    def write_book(self, seed: int, facts: int) -> tuple[str, list[str], int]:
        """Returns the Client, its Loans, and how many of the requests were admitted."""
        book = _Book(self._lending, self._products, random.Random(seed), f"random-{seed}")
        for _ in range(facts):
            book.write()
        return book.client, book.loans, book.admitted


class _Book:
    def __init__(self, lending: Lending, products: list[Any], chance: random.Random, client: str) -> None:
        self._lending = lending
        self._products = products
        self._chance = chance
        self._count = 0
        self._receipts: list[str] = []
        self._events: list[tuple[str, str]] = []
        self.client = client
        self.loans: list[str] = []
        self.admitted = 0
        lending.register_client(client, self._account())
        self._try(self._issue)

    def write(self) -> None:
        choices = [self._receipt] * 8 + [self._act] * 7 + [self._reverse, self._retract]
        if len(self.loans) < 3:
            choices.append(self._issue)
        self._try(self._chance.choice(choices) if self.loans else self._issue)

    def _try(self, write: Any) -> None:
        try:
            write()
            self.admitted += 1
        except RefusalError as refusal:
            if refusal.status >= 500:
                raise

    def _next(self) -> str:
        self._count += 1
        return f"{self.client}-{self._count}"

    def _account(self) -> Any:
        return {"actor": "ana", "basis": "as agreed"}

    def _day(self) -> str:
        # Mostly later than the fact before, so that some are back-dated.
        latest = 12 * self._count
        return (FIRST_DAY + timedelta(days=self._chance.randint(max(0, latest - 60), latest + 15))).isoformat()

    def _amount(self) -> Any:
        return to_money(str(self._chance.choice([1, 50, 400, 1_500, 6_000]) + self._chance.randint(0, 99)), "MXN")

    def _issue(self) -> None:
        at = self._chance.randrange(len(self._products))
        product, terms = self._products[at], TERMS[at]
        body: Any = {
            "reference": self._next(),
            "client_id": self.client,
            "configuration_id": product["id"],
            "configuration_version": product["version"],
            "principal": to_money(str(self._chance.randint(1_000, 9_000)), "MXN"),
            "anchor": (FIRST_DAY + timedelta(days=self._chance.randint(0, 40))).isoformat(),
            "jurisdiction": "MX",
            "tax": VAT,
            **terms,
        }
        if product["archetype"] == "bnpl" and self._chance.random() < 0.5:
            body["down_payment"] = to_money("100", "MXN")
        self.loans.append(self._lending.issue_loan(body)["id"])

    def _receipt(self) -> None:
        body: Any = {
            "reference": self._next(),
            "client_id": self.client,
            "amount": self._amount(),
            "value_date": self._day(),
        }
        if self._chance.random() < 0.3:
            body["designated_loan_id"] = self._chance.choice(self.loans)
            if self._chance.random() < 0.3:
                body["payoff_intent"] = True
                body["amount"] = to_money("12000", "MXN")
        self._lending.report_receipt(body)
        self._receipts.append(body["reference"])

    def _reverse(self) -> None:
        if self._receipts:
            reversal: Any = {"reason": "chargeback", "reference": self._next(), **self._account()}
            self._lending.reverse_receipt(self._chance.choice(self._receipts), reversal)

    def _act(self) -> None:
        loan, on, lending = self._chance.choice(self.loans), self._day(), self._lending
        act: Any = {"on": on, "reference": self._next(), **self._account()}

        def stated(**members: Any) -> Any:
            return {**act, **members}

        later = (date.fromisoformat(on) + timedelta(days=self._chance.randint(1, 40))).isoformat()
        acts: list[Any] = [
            lambda: lending.waive_charge(
                loan, stated(period=self._chance.randint(1, 4), charge="interest", amount=to_money("5", "MXN"))
            ),
            lambda: lending.suspend_loan(loan, stated(to=later)),
            lambda: lending.return_goods(loan, stated(amount=self._amount())),
            lambda: lending.restructure_loan(loan, stated(term_periods=6, rate="30")),
            lambda: lending.accelerate_loan(loan, stated(notified_on=FIRST_DAY.isoformat())),
            lambda: lending.settle_loan(loan, stated(agreed=self._amount(), until=later)),
            lambda: lending.roll_over_loan(loan, act),
            lambda: lending.write_off_loan(loan, act),
            lambda: lending.cede_loan(loan, act),
            lambda: lending.rescind_loan(loan, act),
        ]
        weights = [6, 6, 5, 4, 3, 4, 4, 2, 1, 1]
        events = self._chance.choices(acts, weights)[0]()["events"]
        made = next((each for each in events if each.get("act", {}).get("reference") == act["reference"]), None)
        if made is not None:
            self._events.append((loan, made["id"]))

    def _retract(self) -> None:
        if self._events:
            loan, event = self._chance.choice(self._events)
            retraction: Any = {"on": self._day(), "event_id": event, "reference": self._next(), **self._account()}
            self._lending.retract_fact(loan, retraction)
