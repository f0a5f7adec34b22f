"""What one fact changed in the journal of its book, as a record of `lending.movements`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class MovementLine:
    """A change of what one charge of one period of a Loan owes. Days are YYYY-MM-DD, and compare as text."""

    period: int
    # `principal`, `interest`, `fee`, `penalty` or `late_fee`.
    charge: str
    # `charged`, `received`, `released`, `ceded` or `moved`. Later versions of the service may add kinds.
    kind: str
    # The debt on a day is the sum of the lines up to it.
    day: str
    # What is overdue on a day is the sum of those of them of which this day has come.
    due_on: str
    # Minor units without tax. Positive raises the debt, negative lowers it.
    amount: int
    tax: int
    # The fact of the book that caused the line; None where days alone did.
    fact: int | None


@dataclass(frozen=True, slots=True)
class LoanMovement:
    """The lines of one Loan: add the `added` ones, and subtract the others, which an earlier movement added."""

    loan_id: str
    # Of all amounts.
    currency: str
    added: Sequence[MovementLine]
    taken_back: Sequence[MovementLine]


@dataclass(frozen=True, slots=True)
class Movement:
    """Has the numbers of its fact in `lending.book-events`. Moments are RFC 3339 in UTC with six decimals."""

    partition: int
    # Position in the partition, from 1 without gaps.
    sequence: int
    tenant_id: str
    # `c/` and the Client, or `t` for the Tenancy's own book.
    book_id: str
    client_id: str | None
    # Position of the fact in the book, from 1 without gaps.
    fact: int
    # Of the fact. Later versions of the service may add kinds.
    kind: str
    recorded_at: str
    request_id: str
    # Position in the batch of the request.
    item: int
    # Empty where the fact changed no figure.
    loans: Sequence[LoanMovement]
