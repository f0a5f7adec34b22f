"""Consumes the topic of all facts. Install `lending-sdk[events]`, which adds the drivers of Kafka and Avro."""

from .book_event import ActAccount, BookEvent, BookVersion, Evidence, IssuedUnder, ListedAs, RecordedReference
from .consumer import Batch, consume_book_events
from .event_decoder import EventDecoder
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
    "OutOfPlaceError",
    "Position",
    "RecordedReference",
    "RegistryAddress",
    "SchemaOf",
    "UndecodableEventError",
    "consume_book_events",
]
