"""Balances built from `lending.movements` alone agree with the API, on random books of the running service."""

from __future__ import annotations

import io
import json
import os
import random
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import date, datetime, timezone
from pathlib import Path
from threading import Event, Thread
from uuid import uuid4

import pytest
from balances import Balances
from fastavro import parse_schema, schemaless_writer
from random_lender import FIRST_DAY, RandomLender

from lending import Lending, Patience, routes
from lending.events import (
    MovementBatch,
    MovementDecoder,
    MovementLine,
    Position,
    RegistryAddress,
    UndecodableEventError,
    consume_movements,
)

PUBLISHED_SCHEMA = json.loads((Path(__file__).parents[3] / "schemas" / "movement.avsc").read_text("utf8"))
BOOKS = int(os.environ.get("LENDING_RANDOM_BOOKS", "12"))
FACTS = 14
DEADLINE_SECONDS = 600 + BOOKS

LINE = {
    "period": 1,
    "charge": "interest",
    "kind": "charged",
    "day": date(2026, 2, 15),
    "due_on": date(2026, 2, 16),
    # Not exact as a floating-point number.
    "amount": 2**53 + 1,
    "tax": 16,
    "fact": None,
}


def test_a_record_is_decoded_exactly_and_other_bytes_are_refused() -> None:
    record = {
        "partition": 3,
        "sequence": 9,
        "tenant_id": "acme",
        "book_id": "c/ada",
        "client_id": "ada",
        "fact": 2,
        "kind": "issued",
        "recorded_at": datetime(2026, 10, 29, 0, 0, 0, 2, tzinfo=timezone.utc),
        "request_id": "q-1",
        "item": 0,
        "loans": [{"loan_id": "l-1", "currency": "MXN", "added": [LINE, LINE], "taken_back": []}],
    }
    buffer = io.BytesIO()
    schemaless_writer(buffer, parse_schema(PUBLISHED_SCHEMA), record)
    decoder = MovementDecoder(lambda _: PUBLISHED_SCHEMA)
    movement = decoder.decode(b"\0\0\0\0\1" + buffer.getvalue())
    line = MovementLine(1, "interest", "charged", "2026-02-15", "2026-02-16", 2**53 + 1, 16, None)
    assert (movement.fact, movement.recorded_at) == (2, "2026-10-29T00:00:00.000002Z")
    assert list(movement.loans[0].added) == [line, line]
    with pytest.raises(UndecodableEventError):
        decoder.decode(b"\0\0\0\0\1" + buffer.getvalue()[:-1])


class _Ledger:
    """Reads the topic into balances until it has a fact of each book."""

    def __init__(self, tenant: str) -> None:
        self.balances = Balances()
        self._tenant = tenant
        self._positions: dict[int, Position] = {}
        self._stop = Event()
        self.failures: list[BaseException] = []

    def _take(self, batch: MovementBatch) -> None:
        for movement in batch.movements:
            if movement.tenant_id == self._tenant:
                self.balances.take(movement)
        self._positions[batch.partition] = batch.position

    def _positions_of(self, partitions: Sequence[int]) -> dict[int, Position]:
        return {each: self._positions[each] for each in partitions if each in self._positions}

    def _run(self) -> None:
        try:
            consume_movements(
                kafka={"bootstrap.servers": os.environ["KAFKA_BROKERS"]},
                group_id=f"test-{uuid4()}",
                registry=RegistryAddress(os.environ["SCHEMA_REGISTRY_URL"]),
                positions_of=self._positions_of,
                take=self._take,
                stop=self._stop,
                on_trouble=self.failures.append,
            )
        except BaseException as failure:
            self.failures.append(failure)

    def read_until(self, facts: dict[tuple[str, str], int]) -> None:
        thread = Thread(target=self._run)
        thread.start()
        deadline = time.monotonic() + DEADLINE_SECONDS
        while any(self.balances.facts.get(book, 0) < fact for book, fact in facts.items()):
            if time.monotonic() > deadline:
                self.failures.append(TimeoutError("the topic does not hold all movements yet"))
            if self.failures:
                break
            time.sleep(0.05)
        self._stop.set()
        thread.join()
        assert self.failures == []


@pytest.mark.skipif("KAFKA_BROKERS" not in os.environ, reason="KAFKA_BROKERS names no brokers")
def test_balances_from_the_topic_agree_with_the_api_on_random_books() -> None:
    tenant = os.environ["LENDING_TENANT"]
    seed = int(os.environ.get("LENDING_RANDOM_SEED", "20261125"))
    # A busy machine may answer late, which is not what is tested.
    with Lending(patience=Patience(within_seconds=300)) as lending:
        lender = RandomLender(lending)
        with ThreadPoolExecutor(8) as pool:
            books = list(pool.map(lambda at: lender.write_book(seed + at, FACTS), range(BOOKS)))
        ledger = _Ledger(tenant)
        versions = {client: lending.read_book_version(client) for client, _, _ in books}
        # Registrations are facts, too, but change no figure: the version does not count them.
        ledger.read_until({(tenant, f"c/{client}"): versions[client]["facts"] + 1 for client, _, _ in books})
        with ThreadPoolExecutor(8) as pool:
            compared = sum(pool.map(lambda book: _compare(lending, ledger.balances, *book[:2]), books))
    admitted = sum(each for _, _, each in books)
    requests = BOOKS * (FACTS + 1)
    print(f"{BOOKS} books, {admitted} of {requests} requests admitted, {compared} balances compared, seed {seed}")
    # Refused requests change no figure: books of refusals alone would prove nothing.
    assert min(each for _, _, each in books) >= 1
    assert admitted >= BOOKS * FACTS / 2
    assert compared >= BOOKS


def _compare(lending: Lending, balances: Balances, client: str, loans: list[str]) -> int:
    compared = 0
    for loan in loans:
        days = balances.known_days(loan)
        read = lending.read_loan(loan)
        assert balances.received(loan) == read["paid"]["minor_units"] if "paid" in read else True
        chosen = random.Random(loan).sample(days, min(2, len(days)))
        for on in {*days[-1:], *chosen}:
            where = f"Loan {loan} of {client} on {on}"
            statement = lending.read_loan_statement(loan, from_=FIRST_DAY.isoformat(), to=on)
            assert balances.owed(loan, on) == statement["closing"]["minor_units"], where
            signs = {"charged": 1, "received": -1, "released": -1}
            for kind, sign in signs.items():
                found = sign * balances.of_kind(loan, kind, on)
                assert found == statement[kind]["minor_units"], f"{where}: {kind}"  # type: ignore[literal-required]
            options = lending.ask(routes.read_payment_options, client_id=client, on=on).body["loans"]
            option = next(each for each in options if each["loan_id"] == loan)
            if statement["ceded_away"]["minor_units"] == 0:
                assert balances.overdue(loan, on) == option["overdue"]["total"]["minor_units"], where
            compared += 1
    return compared
