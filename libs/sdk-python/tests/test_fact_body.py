"""The bodies of facts that every SDK reads."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from lending import shapes
from lending.events import fact_body

_file = Path(__file__).parents[3] / "test" / "vectors" / "fact-bodies.json"
cases: list[dict[str, Any]] = json.loads(_file.read_text())["cases"]


@dataclass
class Fact:
    kind: str
    body: str


@pytest.mark.parametrize("case", cases, ids=lambda case: str(case["name"]))
def test_vectors(case: dict[str, Any]) -> None:
    name = "".join(word.capitalize() for word in case["kind"].split("_")) + "Body"
    fact = Fact(case["kind"], json.dumps(case["stored"]))
    assert fact_body(fact, getattr(shapes, name)) == case["body"]


def test_a_body_is_typed() -> None:
    fact = Fact("issued", json.dumps(cases[0]["stored"]))
    due_on: str = fact_body(fact, shapes.IssuedBody)["plan"]["periods"][0]["due_on"]
    assert due_on == "2026-02-02"


def test_a_fact_of_another_kind_is_refused() -> None:
    with pytest.raises(ValueError, match="of the kind waived; expected issued"):
        fact_body(Fact("waived", "{}"), shapes.IssuedBody)
