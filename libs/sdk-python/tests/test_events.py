"""The topic of all facts: decoding, positions, and what a consumer that may crash at any time processes."""

from __future__ import annotations

import io
import json
import random
from dataclasses import fields, replace
from datetime import date, datetime, timezone
from pathlib import Path
from typing import Any

import pytest
from fastavro import parse_schema, schemaless_writer

from lending.events import (
    BookEvent,
    EventDecoder,
    EventsMissingError,
    OutOfPlaceError,
    Position,
    UndecodableEventError,
)
from lending.events.position import select_new_events

PUBLISHED_SCHEMA = json.loads((Path(__file__).parents[3] / "schemas" / "book-event.avsc").read_text("utf8"))

MOMENT = datetime(2026, 10, 29, 0, 0, 0, 2, tzinfo=timezone.utc)

EVIDENCE = {
    "method": "POST",
    "target": "/v1/tenants/acme/receipts",
    "ts": 1_793_232_000,
    "fp": "21fe31dfa154a261626bf854046fd227",
    "signature": b"signature",
    "idempotency_key": None,
    "body": b"{}",
    "body_encoding": "identity",
    "actor": None,
    "caller_request_id": None,
    "taken_in_at": MOMENT,
}

RECORD: dict[str, Any] = {
    "partition": 3,
    # Not exact as a floating-point number.
    "sequence": 2**53 + 1,
    "tenant_id": "acme",
    "book_id": "c/ada",
    "client_id": "ada",
    "fact": 4,
    "version_facts": 3,
    "version_at": MOMENT,
    "counts": True,
    "kind": "written_off",
    "occurred_on": date(1970, 1, 1),
    "recorded_at": MOMENT,
    "loan_id": "l-1",
    "event_id": "e-1",
    "merchant_ref": "shop",
    "feed_number": 9,
    "act": {"reference": "a-1", "actor": "ana", "basis": "as agreed", "context": None},
    "body": '{"loan_id":"l-1"}',
    "reference": {"namespace": "acts", "reference": "a-1", "digest": b"digest", "subject": "e-1"},
    "issued": {"configuration_id": "ins-000001", "configuration_version": 2},
    "listed": {"listing": "loans", "number": 7, "id": "l-1", "row": "{}"},
    "request_id": "q-1",
    "item": 2,
    "offset": 44,
    "evidence": ("lending.Evidence", EVIDENCE),
}


class Registry:
    """A registry in memory, which counts the schemas that are fetched."""

    def __init__(self) -> None:
        self.schemas: list[Any] = []
        self.fetches = 0

    def encode(self, record: dict[str, Any], schema: Any = PUBLISHED_SCHEMA) -> bytes:
        if schema not in self.schemas:
            self.schemas.append(schema)
        written = io.BytesIO()
        schemaless_writer(written, parse_schema(schema), record)
        return b"\0" + (self.schemas.index(schema) + 1).to_bytes(4, "big") + written.getvalue()

    def schema_of(self, schema_id: int) -> Any:
        self.fetches += 1
        return self.schemas[schema_id - 1]


@pytest.fixture
def registry() -> Registry:
    return Registry()


@pytest.fixture
def decoder(registry: Registry) -> EventDecoder:
    return EventDecoder(registry.schema_of)


@pytest.fixture
def event(registry: Registry, decoder: EventDecoder) -> BookEvent:
    return decoder.decode(registry.encode(RECORD))


def test_an_event_has_all_fields_of_its_record_with_days_and_moments_in_the_format_of_the_contract(
    event: BookEvent,
) -> None:
    assert (event.sequence, event.occurred_on) == (2**53 + 1, "1970-01-01")
    assert event.recorded_at == "2026-10-29T00:00:00.000002Z"
    assert (event.book_version.facts, event.book_version.version) == (3, event.recorded_at)
    for name in ("act", "reference", "issued", "listed"):
        part = getattr(event, name)
        assert {each.name: getattr(part, each.name) for each in fields(part)} == RECORD[name]
    assert event.evidence is not None
    assert (event.evidence.signature, event.evidence.taken_in_at) == (b"signature", event.recorded_at)
    assert event.evidence_at is None
    published = {each["name"] for each in PUBLISHED_SCHEMA["fields"]} - {"version_facts", "version_at"}
    assert {each.name for each in fields(event)} == published | {"book_version", "evidence_at"}


def test_an_event_of_a_tenancy_book_has_none_for_the_fields_of_a_client(
    registry: Registry, decoder: EventDecoder
) -> None:
    missing = dict.fromkeys(("client_id", "occurred_on", "version_at", "listed", "act", "reference", "issued"))
    evidence_at = ("lending.EvidenceAt", {"sequence": 5})
    event = decoder.decode(registry.encode({**RECORD, **missing, "book_id": "t", "evidence": evidence_at}))
    assert [getattr(event, name) for name in missing if name != "version_at"] == [None] * 6
    assert event.book_version.version is None
    assert (event.evidence, event.evidence_at) == (None, 5)


def test_records_of_older_and_newer_schemas_are_decoded_and_each_schema_is_fetched_once(
    registry: Registry, decoder: EventDecoder, event: BookEvent
) -> None:
    known = PUBLISHED_SCHEMA["fields"]
    older = {**PUBLISHED_SCHEMA, "fields": [each for each in known if each["name"] != "merchant_ref"]}
    added = {"name": "branch", "type": ["null", "string"], "default": None}
    newer = {**PUBLISHED_SCHEMA, "fields": [added, *known]}
    for _ in range(3):
        assert decoder.decode(registry.encode(RECORD, older)) == replace(event, merchant_ref=None)
        assert decoder.decode(registry.encode({**RECORD, "branch": "north"}, newer)) == event
    assert registry.fetches == 3


@pytest.mark.parametrize("broken", [b"", b"{}", b"\0\0\0\0\1\1"])
def test_bytes_that_are_not_a_record_are_refused(registry: Registry, decoder: EventDecoder, broken: bytes) -> None:
    registry.encode(RECORD)
    with pytest.raises(UndecodableEventError):
        decoder.decode(broken)


def test_a_schema_that_is_no_avro_is_refused(registry: Registry) -> None:
    framed = registry.encode(RECORD)
    for schema in ({"type": "object"}, None, "no schema"):
        with pytest.raises(UndecodableEventError, match="schema 1 is no Avro schema"):
            EventDecoder(lambda _, found=schema: found).decode(framed)  # type: ignore[misc]


def test_what_the_source_of_schemas_raises_is_passed_on(registry: Registry) -> None:
    framed = registry.encode(RECORD)

    for failure in (UndecodableEventError("no such schema"), TimeoutError("no answer")):

        def schema_of(_: int, failure: Exception = failure) -> Any:
            raise failure

        with pytest.raises(type(failure)):
            EventDecoder(schema_of).decode(framed)


Records = list[tuple[int, BookEvent]]


def _records(event: BookEvent, *sequences: int) -> Records:
    return [(offset, replace(event, sequence=sequence)) for offset, sequence in enumerate(sequences)]


def test_every_event_is_processed_once_and_in_order_whatever_is_repeated_and_wherever_a_consumer_crashes(
    event: BookEvent,
) -> None:
    chance = random.Random(7)
    for _ in range(50):
        # A topic without gaps, with some events repeated.
        sequences = [each for last in range(40) for each in range(max(1, last + 1 - chance.randrange(5)), last + 2)]
        records = _records(event, *sequences)
        processed: list[int] = []
        stored = Position()
        while stored.offset < len(records):
            chunk = records[stored.offset : stored.offset + chance.randint(1, 7)]
            events, position = select_new_events(3, stored, chunk)
            # A crash before the commit: the effects and the position are lost together.
            if chance.random() < 0.3:
                continue
            processed += [each.sequence for each in events]
            stored = position
        assert processed == list(range(1, 41))


def test_a_gap_is_an_error_for_the_whole_batch_of_records(event: BookEvent) -> None:
    with pytest.raises(EventsMissingError):
        select_new_events(3, Position(), _records(event, 1, 2, 4))
    with pytest.raises(EventsMissingError, match=r"holds record 9, expected 7: .* run `lending topic check`"):
        select_new_events(3, Position(6, 9), _records(event, 9))


def test_a_recreated_topic_is_read_from_its_beginning_and_processed_events_are_dropped(event: BookEvent) -> None:
    events, position = select_new_events(3, Position(2, 0), _records(event, 1, 2, 3))
    assert [each.sequence for each in events] == [3]
    assert position == Position(3, 3)


def test_an_event_of_another_partition_is_an_error(event: BookEvent) -> None:
    with pytest.raises(OutOfPlaceError, match="a copy that keeps the partitions"):
        select_new_events(4, Position(), _records(event, 1))
