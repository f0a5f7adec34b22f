"""Decodes records of the topic into the schema of this package, whichever schema they were written with."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from datetime import date, datetime
from importlib.resources import files
from typing import Any, TypeVar

from fastavro import parse_schema, schemaless_reader

from .book_event import ActAccount, BookEvent, BookVersion, Evidence, IssuedUnder, ListedAs, RecordedReference
from .schema_registry import SchemaOf, UndecodableEventError

# A zero byte and four bytes of schema id are before each record.
FRAME_BYTES = 5


class EventDecoder:
    """Fetches each schema once."""

    def __init__(self, schema_of: SchemaOf) -> None:
        self._schema_of = schema_of
        self._reader = _read_event_schema()
        self._writers: dict[int, Any] = {}

    def decode(self, framed: bytes) -> BookEvent:
        """Raises UndecodableEventError for other bytes, and what the registry raises where it does not answer."""
        if len(framed) < FRAME_BYTES or framed[0] != 0:
            raise UndecodableEventError("not a record with a schema id; expected a zero byte and four bytes of id")
        writer = self._writer(int.from_bytes(framed[1:FRAME_BYTES], "big"))
        try:
            record: Any = schemaless_reader(io.BytesIO(framed[FRAME_BYTES:]), writer, self._reader)
        except Exception as cause:
            raise UndecodableEventError(f"not a record of its schema: {cause!r}") from cause
        return _to_book_event(record)

    def _writer(self, schema_id: int) -> Any:
        if schema_id not in self._writers:
            self._writers[schema_id] = parse_schema(self._schema_of(schema_id))
        return self._writers[schema_id]


def _read_event_schema() -> Any:
    text = files("lending.contract").joinpath("book-event-schema.json").read_text("utf8")
    return parse_schema(json.loads(text))


def _to_book_event(record: dict[str, Any]) -> BookEvent:
    # A union: the evidence itself, or the sequence of the event that has it.
    evidence = record.pop("evidence") or {}
    evidence_at = evidence.get("sequence")
    return BookEvent(
        occurred_on=_map(date.isoformat, record.pop("occurred_on")),
        recorded_at=_format_moment(record.pop("recorded_at")),
        book_version=BookVersion(record.pop("version_facts"), _map(_format_moment, record.pop("version_at"))),
        act=_map(lambda each: ActAccount(**each), record.pop("act")),
        reference=_map(lambda each: RecordedReference(**each), record.pop("reference")),
        issued=_map(lambda each: IssuedUnder(**each), record.pop("issued")),
        listed=_map(lambda each: ListedAs(**each), record.pop("listed")),
        evidence=_to_evidence(**evidence) if evidence and evidence_at is None else None,
        evidence_at=evidence_at,
        **record,
    )


def _to_evidence(taken_in_at: datetime, **evidence: Any) -> Evidence:
    return Evidence(taken_in_at=_format_moment(taken_in_at), **evidence)


def _format_moment(moment: datetime) -> str:
    return moment.replace(tzinfo=None).isoformat(timespec="microseconds") + "Z"


Value = TypeVar("Value")
Result = TypeVar("Result")


def _map(change: Callable[[Value], Result], value: Value | None) -> Result | None:
    return None if value is None else change(value)
