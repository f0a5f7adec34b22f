"""
A program that stores every fact of the topic in a database of its own, each batch together with its position in one
transaction. The table has no unique constraint, so that repeated facts are stored and found.
"""

from __future__ import annotations

import os
import signal
import sqlite3
import sys
from collections.abc import Sequence
from threading import Event

from lending.events import Batch, Position, RegistryAddress, consume_book_events

SCHEMA = """
CREATE TABLE IF NOT EXISTS positions (partition INTEGER PRIMARY KEY, sequence INTEGER, next_offset INTEGER);
CREATE TABLE IF NOT EXISTS facts (
  position INTEGER PRIMARY KEY AUTOINCREMENT,
  partition INTEGER, sequence INTEGER, tenant TEXT, book TEXT, reference TEXT);
"""


def open_store(file: str) -> sqlite3.Connection:
    """Transactions are begun explicitly. Processes crash here, machines do not, so the disk need not be waited for."""
    store = sqlite3.connect(file, isolation_level=None, timeout=30)
    store.execute("PRAGMA synchronous = OFF")
    store.executescript(SCHEMA)
    return store


class Downstream:
    """The store of a lender. `crash_at` ends the process in its n-th transaction, before the commit."""

    def __init__(self, store: sqlite3.Connection, crash_at: int) -> None:
        self._store = store
        self._remaining = crash_at

    def positions_of(self, partitions: Sequence[int]) -> dict[int, Position]:
        rows = self._store.execute("SELECT partition, sequence, next_offset FROM positions").fetchall()
        return {row[0]: Position(row[1], row[2]) for row in rows if row[0] in partitions}

    def take(self, batch: Batch) -> None:
        with self._store:
            self._store.execute("BEGIN IMMEDIATE")
            moved = self._store.execute(
                """INSERT INTO positions VALUES (?1, ?2, ?3) ON CONFLICT (partition)
                   DO UPDATE SET sequence = ?2, next_offset = ?3 WHERE positions.sequence = ?4""",
                (batch.partition, batch.position.sequence, batch.position.offset, batch.before.sequence),
            )
            if moved.rowcount != 1:
                raise RuntimeError(f"partition {batch.partition} is no longer at {batch.before.sequence}")
            self._store.executemany(
                "INSERT INTO facts (partition, sequence, tenant, book, reference) VALUES (?, ?, ?, ?, ?)",
                [
                    (
                        each.partition,
                        each.sequence,
                        each.tenant_id,
                        each.book_id,
                        each.reference and each.reference.reference,
                    )
                    for each in batch.events
                ],
            )
            self._remaining -= 1
            if self._remaining == 0:
                os._exit(9)


def main(file: str, group_id: str, crash_at: str) -> None:
    downstream = Downstream(open_store(file), int(crash_at))
    stop = Event()
    signal.signal(signal.SIGTERM, lambda *_: stop.set())
    consume_book_events(
        kafka={"bootstrap.servers": os.environ["KAFKA_BROKERS"]},
        group_id=group_id,
        registry=RegistryAddress(os.environ["SCHEMA_REGISTRY_URL"]),
        positions_of=downstream.positions_of,
        take=downstream.take,
        events_at_once=100,
        session_seconds=6,
        stop=stop,
        on_trouble=lambda cause: print(f"downstream consumer: {cause!r}", file=sys.stderr),
    )


if __name__ == "__main__":
    main(*sys.argv[1:])
