"""Decodes records of the topics into the schemas of this package, whichever schema they were written with."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from datetime import date, datetime
from importlib.resources import files
from typing import Any, Generic, TypeVar

from fastavro import parse_schema, schemaless_reader

from .book_event import ActAccount, BookEvent, BookVersion, Evidence, IssuedUnder, ListedAs, RecordedReference
from .movement import LoanMovement, Movement, MovementLine
from .schema_registry import SchemaOf, UndecodableEventError

# A zero byte and four bytes of schema id are before each record.
FRAME_BYTES = 5


Decoded = TypeVar("Decoded")


class _Decoder(Generic[Decoded]):
    """Fetches each schema once."""

    def __init__(self, schema_of: SchemaOf, reader: str, convert: Callable[[dict[str, Any]], Decoded]) -> None:
        self._schema_of = schema_of
        self._reader = _read_schema(reader)
        self._convert = convert
        self._writers: dict[int, Any] = {}

    def decode(self, framed: bytes) -> Decoded:
        """Raises UndecodableEventError for other bytes, and what the registry raises where it does not answer."""
        if len(framed) < FRAME_BYTES or framed[0] != 0:
            raise UndecodableEventError("not a record with a schema id; expected a zero byte and four bytes of id")
        writer = self._writer(int.from_bytes(framed[1:FRAME_BYTES], "big"))
        try:
            record: Any = schemaless_reader(io.BytesIO(framed[FRAME_BYTES:]), writer, self._reader)
        except Exception as cause:
            raise UndecodableEventError(f"not a record of its schema: {cause!r}") from cause
        return self._convert(record)

    def _writer(self, schema_id: int) -> Any:
        if schema_id not in self._writers:
            schema = self._schema_of(schema_id)
            try:
                self._writers[schema_id] = parse_schema(schema)
            except Exception as cause:
                raise UndecodableEventError(f"schema {schema_id} is no Avro schema: {cause!r}") from cause
        return self._writers[schema_id]


class EventDecoder(_Decoder[BookEvent]):
    """For records of `lending.book-events`."""

    def __init__(self, schema_of: SchemaOf) -> None:
        super().__init__(schema_of, "book-event-schema.json", _to_book_event)


class MovementDecoder(_Decoder[Movement]):
    """For records of `lending.movements`."""

    def __init__(self, schema_of: SchemaOf) -> None:
        super().__init__(schema_of, "movement-schema.json", _to_movement)


def _read_schema(name: str) -> Any:
    text = files("lending.contract").joinpath(name).read_text("utf8")
    return parse_schema(json.loads(text))


def _to_movement(record: dict[str, Any]) -> Movement:
    loans = [_to_loan_movement(**each) for each in record.pop("loans")]
    return Movement(recorded_at=_format_moment(record.pop("recorded_at")), loans=loans, **record)


def _to_loan_movement(added: list[Any], taken_back: list[Any], **loan: Any) -> LoanMovement:
    return LoanMovement(added=list(map(_to_line, added)), taken_back=list(map(_to_line, taken_back)), **loan)


def _to_line(line: dict[str, Any]) -> MovementLine:
    day: date = line.pop("day")
    due_on: date = line.pop("due_on")
    return MovementLine(day=day.isoformat(), due_on=due_on.isoformat(), **line)


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
