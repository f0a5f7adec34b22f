"""Balances of Loans that are kept by adding movements, as a general ledger would."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable

from lending.events import Movement, MovementLine


class Balances:
    def __init__(self) -> None:
        # By Loan: the lines in force.
        self._lines: defaultdict[str, Counter[MovementLine]] = defaultdict(Counter)
        # By book: the last fact.
        self.facts: dict[tuple[str, str], int] = {}

    def take(self, movement: Movement) -> None:
        book = (movement.tenant_id, movement.book_id)
        last = self.facts.get(book, 0)
        if movement.fact != last + 1:
            raise AssertionError(f"{book} has fact {movement.fact} after fact {last}")
        self.facts[book] = movement.fact
        for loan in movement.loans:
            lines = self._lines[loan.loan_id]
            lines.update(loan.added)
            lines.subtract(loan.taken_back)
            if min(lines.values(), default=0) < 0:
                raise AssertionError(f"fact {movement.fact} of {book} takes back a line that is not in force")

    def lines(self, loan_id: str) -> list[MovementLine]:
        return list(self._lines[loan_id].elements())

    def known_days(self, loan_id: str) -> list[str]:
        """The days on which a fact reached the Loan: the balance is exact in every charge."""
        return sorted({each.day for each in self.lines(loan_id) if each.fact is not None})

    def total(self, loan_id: str, include: Callable[[MovementLine], bool]) -> int:
        return sum(each.amount + each.tax for each in self.lines(loan_id) if include(each))

    def owed(self, loan_id: str, on: str) -> int:
        return self.total(loan_id, lambda line: line.day <= on)

    def overdue(self, loan_id: str, on: str) -> int:
        return self.total(loan_id, lambda line: line.day <= on and line.due_on <= on)

    def received(self, loan_id: str) -> int:
        return -self.total(loan_id, lambda line: line.kind == "received")

    def of_kind(self, loan_id: str, kind: str, on: str) -> int:
        return self.total(loan_id, lambda line: line.kind == kind and line.day <= on)
