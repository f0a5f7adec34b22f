"""Consumes the topics of facts and of movements. `lending-sdk[events]` adds the drivers of Kafka and Avro."""

from .book_event import ActAccount, BookEvent, BookVersion, Evidence, IssuedUnder, ListedAs, RecordedReference
from .consumer import Batch, MovementBatch, consume_book_events, consume_movements
from .event_decoder import EventDecoder, MovementDecoder
from .fact_body import fact_body
from .movement import LoanMovement, Movement, MovementLine
from .position import EventsMissingError, OutOfPlaceError, Position
from .schema_registry import RegistryAddress, SchemaOf, UndecodableEventError

__all__ = [
    "ActAccount",
    "Batch",
    "BookEvent",
    "BookVersion",
    "EventDecoder",
    "EventsMissingError",
    "Evidence",
    "IssuedUnder",
    "ListedAs",
    "LoanMovement",
    "Movement",
    "MovementBatch",
    "MovementDecoder",
    "MovementLine",
    "OutOfPlaceError",
    "Position",
    "RecordedReference",
    "RegistryAddress",
    "SchemaOf",
    "UndecodableEventError",
    "consume_book_events",
    "consume_movements",
    "fact_body",
]
