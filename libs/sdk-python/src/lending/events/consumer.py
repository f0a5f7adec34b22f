"""
Consumes `lending.book-events` and `lending.movements`: every record once, in the order of its book, from the position
in the caller's store.
Offsets committed to Kafka are not used: after a crash they would not match the effects of the events.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from threading import Event
from typing import Any, Generic, TypeVar

from confluent_kafka import Consumer, KafkaException, Message, TopicPartition

from .book_event import BookEvent
from .event_decoder import EventDecoder, MovementDecoder
from .movement import Movement
from .position import EventsMissingError, OutOfPlaceError, Position, Record, select_new_events
from .schema_registry import RegistryAddress, SchemaOf, UndecodableEventError, registry_schemas

POLL_SECONDS = 0.2
# How long the bounds of a partition are waited for.
BOUNDS_TIMEOUT_SECONDS = 10.0
MIN_PAUSE_SECONDS = 0.05
MAX_PAUSE_SECONDS = 5.0


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
    on_trouble: Callable[[Exception], None] | None = None,
) -> None:
    """
    Returns when `stop` is set. Raises where events have a gap or cannot be decoded, and where Kafka cannot be used.

    `kafka` is the configuration of librdkafka, such as `{"bootstrap.servers": "broker:9092"}`.
    `positions_of` returns the stored positions; a partition without one is read from its beginning.
    `take` processes a batch. Where it raises, the positions are read again and the batch is repeated. One that takes
    longer than `max.poll.interval.ms` of the configuration loses its partitions to other consumers of the group.
    `session_seconds` is how long a consumer that died keeps its partitions.
    `on_trouble` is called with each error that is retried.
    """
    report = on_trouble or (lambda _: None)
    consumer = _open_consumer(kafka, group_id, session_seconds, report)
    decode = EventDecoder(_schemas(registry)).decode
    taking = _taker(Batch, take)
    _Consumption(consumer, decode, topic, events_at_once, positions_of, taking).run(stop or Event(), report)


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
    on_trouble: Callable[[Exception], None] | None = None,
) -> None:
    """Like `consume_book_events`, of which the arguments mean the same, with movements instead of events."""
    report = on_trouble or (lambda _: None)
    consumer = _open_consumer(kafka, group_id, session_seconds, report)
    decode = MovementDecoder(_schemas(registry)).decode
    taking = _taker(MovementBatch, take)
    _Consumption(consumer, decode, topic, movements_at_once, positions_of, taking).run(stop or Event(), report)


def _schemas(registry: RegistryAddress | SchemaOf) -> SchemaOf:
    return registry_schemas(registry) if isinstance(registry, RegistryAddress) else registry


def _open_consumer(
    kafka: Mapping[str, Any], group_id: str, session_seconds: float, report: Callable[[Exception], None]
) -> Consumer:
    return Consumer(
        {
            **kafka,
            # Errors of connections, which the driver repairs itself.
            "error_cb": lambda error: report(KafkaException(error)),
            "auto.offset.reset": "earliest",
            "group.id": group_id,
            "session.timeout.ms": int(session_seconds * 1_000),
            "enable.auto.commit": False,
            # A partition may be assigned again from another offset, which incremental assignment does not allow.
            "partition.assignment.strategy": "range,roundrobin",
        }
    )


# Processes new records of a partition: the records, the position before them and the one after them.
Taking = Callable[[int, Sequence[Record], Position, Position], None]
BatchOf = TypeVar("BatchOf")


def _taker(
    batch: Callable[[int, Sequence[Record], Position, Position], BatchOf], take: Callable[[BatchOf], None]
) -> Taking[Record]:
    return lambda partition, records, before, position: take(batch(partition, records, before, position))


class _Consumption(Generic[Record]):
    def __init__(
        self,
        consumer: Consumer,
        decode: Callable[[bytes], Record],
        topic: str,
        events_at_once: int,
        positions_of: Callable[[Sequence[int]], Mapping[int, Position]],
        take: Taking[Record],
    ) -> None:
        self._consumer = consumer
        self._decode: Callable[[bytes], Record] = decode
        self._topic = topic
        self._events_at_once = events_at_once
        self._positions_of = positions_of
        self._take: Taking[Record] = take
        self._assigned: list[int] = []
        # None where they must be read from the store: after an assignment, and after a failure.
        self._positions: dict[int, Position] | None = None

    def run(self, stop: Event, on_trouble: Callable[[Exception], None]) -> None:
        pause_seconds = MIN_PAUSE_SECONDS
        try:
            self._consumer.subscribe([self._topic], on_assign=self._on_assign, on_revoke=self._on_revoke)
            while not stop.is_set():
                try:
                    if self._consume_once():
                        pause_seconds = MIN_PAUSE_SECONDS
                except (EventsMissingError, OutOfPlaceError, UndecodableEventError):
                    raise
                except Exception as cause:
                    if isinstance(cause, KafkaException) and cause.args[0].fatal():
                        raise
                    # Only the store knows whether a failed batch was committed, here or by another consumer.
                    self._positions = None
                    on_trouble(cause)
                    stop.wait(pause_seconds)
                    pause_seconds = min(pause_seconds * 2, MAX_PAUSE_SECONDS)
        finally:
            self._consumer.close()

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
            self._take(partition, events, before, position)
        return position


def _by_partition(messages: Sequence[Message]) -> Iterable[tuple[int, Iterable[Message]]]:
    for message in messages:
        error = message.error()
        if error is not None:
            raise KafkaException(error)
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
