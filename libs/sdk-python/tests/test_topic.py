"""The consumer of the topic of the running service, at KAFKA_BROKERS with the registry at SCHEMA_REGISTRY_URL."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from uuid import uuid4

import pytest
from downstream_consumer import open_store

from lending import Lending, to_money
from lending.contract.shapes import ReceiptToReport

pytestmark = pytest.mark.skipif("KAFKA_BROKERS" not in os.environ, reason="KAFKA_BROKERS names no brokers")

CLIENTS = 12
RECEIPTS = 240
DEADLINE_SECONDS = 60
StartConsumer = Callable[[int], "subprocess.Popen[bytes]"]


@pytest.fixture
def store_file(tmp_path: Path) -> str:
    return str(tmp_path / "store.sqlite")


@pytest.fixture
def start_consumer(store_file: str) -> Iterator[StartConsumer]:
    started: list[subprocess.Popen[bytes]] = []
    group_id = f"test-{uuid4()}"
    program = str(Path(__file__).with_name("downstream_consumer.py"))

    def start(crash_at: int = 0) -> subprocess.Popen[bytes]:
        started.append(subprocess.Popen([sys.executable, program, store_file, group_id, str(crash_at)]))
        return started[-1]

    yield start
    for each in started:
        each.kill()
        each.wait()


def _receipts() -> Iterator[ReceiptToReport]:
    for number in range(RECEIPTS):
        yield {
            "reference": f"topic-{number}",
            "client_id": f"topic-{number % CLIENTS}",
            "amount": to_money("1.50", "MXN"),
            "value_date": "2026-02-15",
        }


def test_a_store_has_every_fact_once_and_in_order_when_its_consumers_crash(
    store_file: str, start_consumer: StartConsumer
) -> None:
    store = open_store(store_file)
    with Lending() as lending:
        tenant = os.environ["LENDING_TENANT"]
        for number in range(CLIENTS):
            lending.register_client(f"topic-{number}", {"actor": "ana", "basis": "walked in"})
        assert {each.outcome["status"] for each in lending.report_in_batches(_receipts())} == {201}

    assert start_consumer(3).wait(DEADLINE_SECONDS) == 9
    # One of two consumers crashes, and the other takes its partitions.
    crashing, surviving = start_consumer(2), start_consumer(0)
    assert crashing.wait(DEADLINE_SECONDS) == 9

    stored = "SELECT reference FROM facts WHERE tenant = ? AND book = ? AND reference LIKE 'topic-%' ORDER BY position"
    expected = {
        f"c/topic-{client}": [(f"topic-{number}",) for number in range(client, RECEIPTS, CLIENTS)]
        for client in range(CLIENTS)
    }

    def stored_references() -> dict[str, list[tuple[str]]]:
        return {book: store.execute(stored, (tenant, book)).fetchall() for book in expected}

    deadline = time.monotonic() + DEADLINE_SECONDS
    while time.monotonic() < deadline and sum(map(len, stored_references().values())) < RECEIPTS:
        time.sleep(0.1)
    assert stored_references() == expected
    surviving.send_signal(signal.SIGTERM)
    assert surviving.wait(DEADLINE_SECONDS) == 0

    sequences: dict[int, list[int]] = {}
    for partition, sequence in store.execute("SELECT partition, sequence FROM facts ORDER BY position"):
        sequences.setdefault(partition, []).append(sequence)
    assert len(sequences) > 1
    for found in sequences.values():
        assert found == list(range(1, len(found) + 1))
