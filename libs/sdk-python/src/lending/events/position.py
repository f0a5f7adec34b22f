"""The position of a consumer in a partition. Repeated records are dropped, a gap is an error."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeVar

from .book_event import BookEvent
from .movement import Movement

# Both number the facts of their partition.
Record = TypeVar("Record", bound="BookEvent | Movement")


@dataclass(frozen=True, slots=True)
class Position:
    """Stored by the caller for each partition, in one transaction with the effects of the events."""

    # The last processed event.
    sequence: int = 0
    # The next record of the topic.
    offset: int = 0


class EventsMissingError(Exception):
    """Records are missing: a consumer that continued would keep other books than the lender."""

    def __init__(self, partition: int, due: int, found: int) -> None:
        super().__init__(
            f"partition {partition} of the topic holds record {found}, expected {due}: records are missing, so do not "
            "continue; ask the operator of the service to run `lending topic check`"
        )
        self.partition = partition
        self.due = due
        self.found = found


class OutOfPlaceError(Exception):
    """The record belongs to another partition: the topic is a copy that was not made partition by partition."""

    def __init__(self, partition: int, event: BookEvent | Movement) -> None:
        super().__init__(
            f"partition {partition} of the topic holds record {event.sequence} of partition {event.partition}: "
            "read the topic of the service, or a copy that keeps the partitions"
        )


def select_new_events(
    partition: int, position: Position, records: Iterable[tuple[int, Record]]
) -> tuple[list[Record], Position]:
    """The records that were not processed yet, and the position after them. Each has its offset."""
    events: list[Record] = []
    sequence, next_offset = position.sequence, position.offset
    for offset, event in records:
        if event.partition != partition:
            raise OutOfPlaceError(partition, event)
        if event.sequence > sequence + 1:
            raise EventsMissingError(partition, sequence + 1, event.sequence)
        if event.sequence == sequence + 1:
            events.append(event)
            sequence = event.sequence
        next_offset = offset + 1
    return events, Position(sequence, next_offset)
