"""The code and the figures of the guide to events agree."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from lending.events import LoanMovement, Movement, MovementBatch, MovementLine, Position

GUIDE = Path(__file__).parents[3] / "docs" / "guide" / "events.md"
FIRST, SECOND, THIRD = "2026-01-31", "2026-03-02", "2026-04-01"
DUE_ON = {1: FIRST, 2: SECOND, 3: THIRD}


def line(
    charge: str, period: int, day: str, pesos: tuple[float, float], kind: str = "charged", fact: int = 1
) -> MovementLine:
    amount, tax = (round(value * 100) for value in pesos)
    return MovementLine(period, charge, kind, day, DUE_ON[period], amount, tax, fact)


def interest(period: int, day: str, amount: float, tax: float) -> MovementLine:
    return line("interest", period, day, (amount, tax))


def received(fact: int, day: str, charge: str, period: int, amount: float, tax: float = 0) -> MovementLine:
    return line(charge, period, day, (-amount, -tax), "received", fact)


ISSUED = [line("principal", period, "2026-01-01", (1_000, 0)) for period in DUE_ON]
INTEREST = [interest(1, FIRST, 75, 12), interest(2, SECOND, 50, 8), interest(3, THIRD, 25, 4)]
ON_TIME = [received(2, FIRST, "principal", 1, 1_000), received(2, FIRST, "interest", 1, 75, 12)]
EARLY = "2026-02-15"
EARLY_INTEREST = interest(2, EARLY, 25, 4)
EARLY_PRINCIPAL = [received(3, EARLY, "principal", 2, 250), received(3, EARLY, "principal", 3, 250)]
INTEREST_TO_COME = [interest(2, SECOND, 18.75, 3), interest(3, THIRD, 18.75, 3)]
PAID_AFTER_REVERSAL = [received(3, EARLY, "principal", 1, 413), received(3, EARLY, "interest", 1, 75, 12)]

# The rows of the table in the guide: added, taken back.
FACTS: list[tuple[list[MovementLine], list[MovementLine]]] = [
    ([*ISSUED, *INTEREST], []),
    (ON_TIME, []),
    ([EARLY_INTEREST, *EARLY_PRINCIPAL, *INTEREST_TO_COME], INTEREST[1:]),
    (
        [*PAID_AFTER_REVERSAL, interest(2, SECOND, 25, 4), interest(3, THIRD, 25, 4)],
        [*ON_TIME, *EARLY_PRINCIPAL, *INTEREST_TO_COME],
    ),
]


def batch(fact: int) -> MovementBatch:
    added, taken_back = FACTS[fact - 1]
    loans = [LoanMovement(loan_id="loan", currency="MXN", added=added, taken_back=taken_back)]
    movement = Movement(0, fact, "acme", "c/ada", "ada", fact, "", "2026-01-01T00:00:00.000000Z", "request", 0, loans)
    before, after = (Position(offset=number, sequence=number) for number in (fact - 1, fact))
    return MovementBatch(0, [movement], before, after)


def ledger(guide: str) -> dict[str, Any]:
    """What the program of the guide defines. It is not run, because no Kafka is there."""
    blocks = re.findall(r"^```python\n(.*?)^```$", guide, re.MULTILINE | re.DOTALL)
    (code,) = (block for block in blocks if block.startswith('"""ledger.py'))
    names: dict[str, Any] = {"__name__": "ledger"}
    exec(code, names)
    return names


README = Path(__file__).parents[1] / "README.md"


class Store:
    """Keeps what `take` of the README gives it, each batch together with its position."""

    def __init__(self) -> None:
        self.lines: list[tuple[str, str, int]] = []
        self.position = Position()

    def keep(self, lines: list[tuple[str, str, int]], batch: MovementBatch) -> None:
        assert batch.before == self.position
        self.lines += lines
        self.position = batch.position

    def owed(self, loan_id: str, day: str) -> int:
        return sum(amount for loan, at, amount in self.lines if loan == loan_id and at <= day)


class Statements:
    """A service of which the Loan owes this."""

    def __init__(self) -> None:
        self.owed = 0

    def read_loan_statement(self, loan_id: str, *, from_: str, to: str) -> dict[str, Any]:
        assert (loan_id, from_) == ("loan", to)
        return {"closing": {"minor_units": self.owed, "currency": "MXN"}}


def test_the_code_of_the_readme_gives_the_same_sums() -> None:
    (code,) = re.findall(r"^```python\n(def take.*?)^```$", README.read_text("utf8"), re.MULTILINE | re.DOTALL)
    store, lending = Store(), Statements()
    names: dict[str, Any] = {"store": store, "lending": lending}
    exec(code, names)
    for fact, owed in enumerate([3_087_00, 2_000_00, 1_529_00, 2_616_00], 1):
        lending.owed = owed
        assert not names["agrees"]("loan", EARLY)
        names["take"](batch(fact))
        assert names["agrees"]("loan", EARLY)
    assert store.position.sequence == len(FACTS)


def test_the_code_of_the_guide_gives_the_sums_of_its_example(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    guide = GUIDE.read_text("utf8")
    names = ledger(guide)
    owed = []
    for fact in range(1, len(FACTS) + 1):
        names["take"](batch(fact))
        owed.append(names["owed"]("loan", EARLY))
    assert owed == [3_087_00, 2_000_00, 1_529_00, 2_616_00]
    assert "= 1,529 on 15 February. After fact 4 it owes 2,616 on that same day" in guide

    # A batch that was taken is not taken again, neither by this program nor after its restart.
    for taken in (names, ledger(guide)):
        with pytest.raises(RuntimeError):
            taken["take"](batch(4))
        assert taken["owed"]("loan", EARLY) == 2_616_00
        assert taken["positions_of"]([0, 1]) == {0: Position(offset=4, sequence=4)}
