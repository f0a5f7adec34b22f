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
    """Events are missing: a consumer that continued would keep other books than the lender."""

    def __init__(self, partition: int, due: int, found: int) -> None:
        super().__init__(f"partition {partition} of the topic holds event {found}, expected {due}")
        self.partition = partition
        self.due = due
        self.found = found


class OutOfPlaceError(Exception):
    """The event belongs to another partition: the topic was not copied partition by partition."""

    def __init__(self, partition: int, event: BookEvent | Movement) -> None:
        super().__init__(
            f"partition {partition} of the topic holds event {event.sequence} of partition {event.partition}"
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
