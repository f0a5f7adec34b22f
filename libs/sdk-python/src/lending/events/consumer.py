"""
Consumes `lending.book-events` and `lending.movements`: every record once, in the order of its book, from the position
in the caller's store.
Offsets committed to Kafka are not used: after a crash they would not match the effects of the events.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from threading import Event
from typing import Any, Generic, TypeVar

from confluent_kafka import Consumer, KafkaError, KafkaException, Message, TopicPartition

from .book_event import BookEvent
from .driver_reports import MAX_PAUSE_SECONDS, MIN_PAUSE_SECONDS, DriverErrors, DriverLog
from .event_decoder import EventDecoder, MovementDecoder
from .movement import Movement
from .position import EventsMissingError, OutOfPlaceError, Position, Record, select_new_events
from .schema_registry import RegistryAddress, SchemaOf, UndecodableEventError, registry_schemas

POLL_SECONDS = 0.2
# How long the bounds of a partition are waited for.
BOUNDS_TIMEOUT_SECONDS = 10.0

# Of credentials, rights and the configuration: a repeat would be refused as well.
REFUSED = frozenset(
    {
        KafkaError._AUTHENTICATION,
        KafkaError.SASL_AUTHENTICATION_FAILED,
        KafkaError.TOPIC_AUTHORIZATION_FAILED,
        KafkaError.GROUP_AUTHORIZATION_FAILED,
        KafkaError.CLUSTER_AUTHORIZATION_FAILED,
        KafkaError.INCONSISTENT_GROUP_PROTOCOL,
        KafkaError.INVALID_GROUP_ID,
        KafkaError.INVALID_SESSION_TIMEOUT,
        KafkaError.UNSUPPORTED_VERSION,
    }
)
# The driver calls these an authentication failure as well: a connection that broke, and a failure to get a token.
NOT_REFUSED = re.compile("handshake failed: Local:|OAUTHBEARER token")

OnTrouble = Callable[[Exception], None]


@dataclass(frozen=True, slots=True)
class Batch:
    """
    Consecutive events of one partition. Store `position` with their effects in one transaction, which must fail where
    the stored position is no longer `before`.
    """

    partition: int
    events: Sequence[BookEvent]
    before: Position
    position: Position


@dataclass(frozen=True, slots=True)
class MovementBatch:
    """Consecutive movements of one partition, to be processed as a `Batch` of events."""

    partition: int
    movements: Sequence[Movement]
    before: Position
    position: Position


def consume_book_events(
    *,
    kafka: Mapping[str, Any],
    group_id: str,
    registry: RegistryAddress | SchemaOf,
    positions_of: Callable[[Sequence[int]], Mapping[int, Position]],
    take: Callable[[Batch], None],
    topic: str = "lending.book-events",
    events_at_once: int = 500,
    session_seconds: float = 10.0,
    stop: Event | None = None,
    on_trouble: OnTrouble | None = None,
) -> None:
    """
    Returns when `stop` is set. Ends with an error where records have a gap, belong to another partition or cannot be
    decoded, and where Kafka refuses the credentials, the rights or the configuration. An unreachable Kafka, an absent
    topic and every failure of `positions_of`, of `take` or of the registry are reported to `on_trouble` and retried
    without a limit, after pauses that grow from 0.05 to 5 seconds.

    `kafka` is the configuration of librdkafka, such as `{"bootstrap.servers": "broker:9092"}`. What librdkafka logs
    goes to the logger `lending.kafka`; `kafka` may have another `logger`.
    `positions_of` returns the stored positions; a partition without one is read from its beginning.
    `take` processes a batch. Where it raises, the positions are read again and the batch is repeated. One that takes
    longer than `max.poll.interval.ms` of the configuration loses its partitions to other consumers of the group.
    `session_seconds` is how long a consumer that died keeps its partitions.
    `on_trouble` is called with each error that is retried; with one that the driver repeats, after the same pauses.
    Without it they are warnings of the logger `lending`.
    """
    configuration = _configuration(kafka, group_id, session_seconds)
    decode = EventDecoder(_schemas(registry)).decode
    process = _processor(Batch, take)
    report = on_trouble or _log_trouble
    _Consumption(configuration, decode, topic, events_at_once, positions_of, process, report).run(stop or Event())


def consume_movements(
    *,
    kafka: Mapping[str, Any],
    group_id: str,
    registry: RegistryAddress | SchemaOf,
    positions_of: Callable[[Sequence[int]], Mapping[int, Position]],
    take: Callable[[MovementBatch], None],
    topic: str = "lending.movements",
    movements_at_once: int = 500,
    session_seconds: float = 10.0,
    stop: Event | None = None,
    on_trouble: OnTrouble | None = None,
) -> None:
    """Like `consume_book_events`, of which the arguments mean the same, with movements instead of events."""
    configuration = _configuration(kafka, group_id, session_seconds)
    decode = MovementDecoder(_schemas(registry)).decode
    process = _processor(MovementBatch, take)
    report = on_trouble or _log_trouble
    _Consumption(configuration, decode, topic, movements_at_once, positions_of, process, report).run(stop or Event())


def _log_trouble(cause: Exception) -> None:
    # The traceback of an error of the driver says nothing; that of the caller's store says where it failed.
    trace = None if isinstance(cause, KafkaException) else cause
    logging.getLogger("lending").warning("the consumer failed and tries again: %s", cause, exc_info=trace)


def _schemas(registry: RegistryAddress | SchemaOf) -> SchemaOf:
    return registry_schemas(registry) if isinstance(registry, RegistryAddress) else registry


def _configuration(kafka: Mapping[str, Any], group_id: str, session_seconds: float) -> dict[str, Any]:
    return {
        "logger": DriverLog(),
        **kafka,
        "auto.offset.reset": "earliest",
        "group.id": group_id,
        "session.timeout.ms": int(session_seconds * 1_000),
        "enable.auto.commit": False,
        # A partition may be assigned again from another offset, which incremental assignment does not allow.
        "partition.assignment.strategy": "range,roundrobin",
    }


# Processes new records of a partition: the records, the position before them and the one after them.
RecordProcessor = Callable[[int, Sequence[Record], Position, Position], None]
BatchOf = TypeVar("BatchOf")


def _processor(
    batch: Callable[[int, Sequence[Record], Position, Position], BatchOf], take: Callable[[BatchOf], None]
) -> RecordProcessor[Record]:
    return lambda partition, records, before, position: take(batch(partition, records, before, position))


class _Consumption(Generic[Record]):
    def __init__(
        self,
        configuration: Mapping[str, Any],
        decode: Callable[[bytes], Record],
        topic: str,
        events_at_once: int,
        positions_of: Callable[[Sequence[int]], Mapping[int, Position]],
        process: RecordProcessor[Record],
        on_trouble: OnTrouble,
    ) -> None:
        self._consumer = Consumer({**configuration, "error_cb": self._on_error})
        self._decode: Callable[[bytes], Record] = decode
        self._topic = topic
        self._events_at_once = events_at_once
        self._positions_of = positions_of
        self._process_records: RecordProcessor[Record] = process
        self._on_trouble = on_trouble
        self._driver_errors = DriverErrors(on_trouble)
        self._refusal: KafkaException | None = None
        self._assigned: list[int] = []
        # None where they must be read from the store: after an assignment, and after a failure.
        self._positions: dict[int, Position] | None = None

    def run(self, stop: Event) -> None:
        pause_seconds = MIN_PAUSE_SECONDS
        try:
            self._consumer.subscribe([self._topic], on_assign=self._on_assign, on_revoke=self._on_revoke)
            while not stop.is_set():
                try:
                    if self._consume_once():
                        pause_seconds = MIN_PAUSE_SECONDS
                except Exception as cause:
                    if _is_final(cause):
                        raise
                    # Only the store knows whether a failed batch was committed, here or by another consumer.
                    self._positions = None
                    self._on_trouble(cause)
                    stop.wait(pause_seconds)
                    pause_seconds = min(pause_seconds * 2, MAX_PAUSE_SECONDS)
        finally:
            self._consumer.close()

    def _on_error(self, error: KafkaError) -> None:
        """Called by the driver while messages are awaited. It repairs connections itself."""
        cause = KafkaException(error)
        if _is_final(cause):
            self._refusal = cause
        else:
            self._driver_errors.add(cause)

    def _on_assign(self, consumer: Consumer, partitions: list[TopicPartition]) -> None:
        self._assigned = [each.partition for each in partitions]
        self._positions = None
        # Nothing is fetched before the positions are known. Without this call the driver starts at its own offsets.
        consumer.assign([])

    def _on_revoke(self, consumer: Consumer, _partitions: list[TopicPartition]) -> None:
        self._assigned = []
        self._positions = None
        consumer.unassign()

    def _consume_once(self) -> bool:
        """Whether anything was processed."""
        if self._positions is None and self._assigned:
            self._start_partitions()
        messages = self._consumer.consume(self._events_at_once, POLL_SECONDS)
        if self._refusal is not None:
            raise self._refusal
        _raise_error(messages)
        positions = self._positions
        # Messages from before a rebalance are fetched again from the stored positions.
        if positions is None:
            return False
        for partition, records in _by_partition(messages):
            positions[partition] = self._process(partition, positions[partition], records)
        return len(messages) > 0

    def _start_partitions(self) -> None:
        stored = self._positions_of(self._assigned)
        positions = {each: self._within_bounds(each, stored.get(each, Position())) for each in self._assigned}
        self._consumer.assign([TopicPartition(self._topic, each, at.offset) for each, at in positions.items()])
        self._positions = positions

    def _within_bounds(self, partition: int, stored: Position) -> Position:
        """A recreated topic has other offsets: it is read from its beginning, repeats are dropped by their sequence."""
        bounds = self._consumer.get_watermark_offsets(TopicPartition(self._topic, partition), BOUNDS_TIMEOUT_SECONDS)
        if bounds is None:
            raise TimeoutError(f"Kafka did not return the offsets of partition {partition} of {self._topic}")
        low, high = bounds
        return stored if low <= stored.offset <= high else Position(stored.sequence, low)

    def _process(self, partition: int, before: Position, messages: Iterable[Message]) -> Position:
        records = ((_offset_of(each), self._decode(each.value() or b"")) for each in messages)
        events, position = select_new_events(partition, before, records)
        if events:
            self._process_records(partition, events, before, position)
        return position


def _is_final(cause: Exception) -> bool:
    """The other failures may pass: of Kafka, of the caller's store and of the schema registry."""
    if not isinstance(cause, KafkaException):
        return isinstance(cause, (EventsMissingError, OutOfPlaceError, UndecodableEventError))
    error: KafkaError = cause.args[0]
    return error.fatal() or (error.code() in REFUSED and NOT_REFUSED.search(error.str()) is None)


def _raise_error(messages: Iterable[Message]) -> None:
    for message in messages:
        error = message.error()
        if error is not None:
            raise KafkaException(error)


def _by_partition(messages: Iterable[Message]) -> Iterable[tuple[int, Iterable[Message]]]:
    return groupby(sorted(messages, key=_partition_of), key=_partition_of)


def _partition_of(message: Message) -> int:
    partition = message.partition()
    if partition is None:
        raise ValueError("the message of Kafka has no partition")
    return partition


def _offset_of(message: Message) -> int:
    offset = message.offset()
    if offset is None:
        raise ValueError("the message of Kafka has no offset")
    return offset
