"""A route of the contract, and the request target of a call."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Generic, Literal, TypeVar
from urllib.parse import quote

AnswerT = TypeVar("AnswerT")
ItemT = TypeVar("ItemT")

Parameter = str | int | bool | date | Sequence[str] | None
Parameters = Mapping[str, Parameter]

_path_parameter = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True)
class Route(Generic[AnswerT]):
    method: str
    # With its parameters in braces.
    path: str
    # The names of the query parameters, in their order.
    query: tuple[str, ...] = ()
    # Has no reference: an Idempotency-Key makes a repeat safe.
    keyed: bool = False
    reads: Literal["json", "text"] = "json"


@dataclass(frozen=True)
class PagedRoute(Route[AnswerT], Generic[AnswerT, ItemT]):
    # The list of a page.
    items: str = ""


def request_target(path: str, query: Sequence[str], parameters: Parameters) -> str:
    def fill(found: re.Match[str]) -> str:
        return _segment(found[1], parameters.get(found[1]))

    path = _path_parameter.sub(fill, path)
    parts = [part for name in query for part in _query_parts(name, parameters.get(name))]
    return f"{path}?{'&'.join(parts)}" if parts else path


def _segment(name: str, value: Parameter) -> str:
    if value is None:
        raise TypeError(f"{name} is missing")
    text = _text(value)
    # URL parsers resolve these as steps between folders, which would call another route.
    if text in ("", ".", ".."):
        raise ValueError(f"{name} cannot be {text!r}")
    return quote(text, safe="")


def _query_parts(name: str, value: Parameter) -> list[str]:
    if value is None:
        return []
    values = list(value) if isinstance(value, Sequence) and not isinstance(value, str) else [value]
    return [f"{name}={quote(_text(each), safe='')}" for each in values]


def _text(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    # A day is asked for; the time of a datetime would be dropped silently.
    if isinstance(value, date) and not isinstance(value, datetime):
        return value.isoformat()
    if not isinstance(value, (str, int)):
        raise TypeError(f"{value!r} is a {type(value).__name__}; expected a text, a whole number or a date")
    return str(value)
