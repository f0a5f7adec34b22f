"""A client of a scripted service, whose pauses take no time."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from scripted_service import Reply, ScriptedService

from lending import Lending

KEY = "lsk_test_nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A"


class Scripted:
    """A service, a client of it, and the pauses that the client made."""

    def __init__(self, script: tuple[Reply, ...], pauses: list[float], options: dict[str, Any]) -> None:
        self.service = ScriptedService(list(script))
        self.pauses = pauses
        self.lending = Lending(self.service.base_url, "acme", KEY, **options)

    @property
    def targets(self) -> list[str]:
        return [sent.target for sent in self.service.sent]


MakeScripted = Callable[..., Scripted]


@pytest.fixture
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    made: list[float] = []
    started = time.monotonic()
    monkeypatch.setattr("lending.transports.time.sleep", made.append)
    monkeypatch.setattr("lending.request_steps.time.monotonic", lambda: started + sum(made))
    monkeypatch.setattr("lending.request_steps.random.random", lambda: 0.5)
    return made


@pytest.fixture
def scripted(pauses: list[float]) -> Iterator[MakeScripted]:
    opened: list[Scripted] = []

    def make(*script: Reply, **options: Any) -> Scripted:
        opened.append(Scripted(script, pauses, options))
        return opened[-1]

    yield make
    for each in opened:
        each.lending.close()
        each.service.close()
