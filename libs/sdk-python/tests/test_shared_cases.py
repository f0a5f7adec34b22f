"""The cases that every SDK passes, by the client with and without asyncio."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest
from conftest import KEY
from scripted_service import Reply, ScriptedService, close_connection, refuse_with, reply_bytes, reply_with

from lending import AsyncLending, Lending, LendingError, Patience, RefusalError, UnreachableError, routes

_file = Path(__file__).parents[3] / "test" / "vectors" / "sdk-requests.json"
cases: list[dict[str, Any]] = json.loads(_file.read_text())["cases"]
Call = Callable[[str, dict[str, Any], dict[str, Any]], Any]


def test_the_key_of_the_cases_is_that_of_these_tests() -> None:
    assert json.loads(_file.read_text())["key"] == KEY


@pytest.mark.parametrize("case", cases, ids=lambda case: str(case["name"]))
def test_without_asyncio(case: dict[str, Any], pauses: list[float]) -> None:
    def call(base_url: str, options: dict[str, Any], wanted: dict[str, Any]) -> Any:
        with Lending(base_url, "acme", KEY, **options) as lending:
            if "list" in wanted:
                return list(lending._list(_route(wanted["list"]), wanted["parameters"], wanted.get("body")))
            return lending.ask(_route(wanted["route"]), wanted.get("body"), **_options(wanted), **wanted["parameters"])

    _check(case, call, pauses)


@pytest.mark.parametrize("case", cases, ids=lambda case: str(case["name"]))
def test_with_asyncio(case: dict[str, Any], pauses: list[float], monkeypatch: pytest.MonkeyPatch) -> None:
    async def pause(seconds: float) -> None:
        pauses.append(seconds)

    async def call(base_url: str, options: dict[str, Any], wanted: dict[str, Any]) -> Any:
        async with AsyncLending(base_url, "acme", KEY, **options) as lending:
            if "list" in wanted:
                listing = lending._list(_route(wanted["list"]), wanted["parameters"], wanted.get("body"))
                return [item async for item in listing]
            return await lending.ask(
                _route(wanted["route"]), wanted.get("body"), **_options(wanted), **wanted["parameters"]
            )

    monkeypatch.setattr("lending.transports.asyncio.sleep", pause)
    _check(case, lambda *arguments: _run(call(*arguments)), pauses)


def _run(work: Coroutine[Any, Any, Any]) -> Any:
    return asyncio.run(work)


def _check(case: dict[str, Any], call: Call, pauses: list[float]) -> None:
    service = ScriptedService([_reply(each) for each in case["replies"]])
    try:
        if "failure" in case:
            with pytest.raises(LendingError) as failed:
                call(service.base_url, _patience(case), case["call"])
            _check_failure(case["failure"], failed.value)
        elif "items" in case:
            assert call(service.base_url, {}, case["call"]) == case["items"]
        else:
            _check_answer(case["answer"], call(service.base_url, {}, case["call"]))
        _check_requests(case, service, pauses)
    finally:
        service.close()


def _check_answer(expected: dict[str, Any], answer: Any) -> None:
    assert answer.status == expected["status"]
    assert answer.body == expected.get("body", answer.body)
    if answer.status == 304:
        assert answer.body is None


def _check_failure(expected: dict[str, Any], failure: LendingError) -> None:
    assert isinstance(failure, RefusalError if expected["kind"] == "refusal" else UnreachableError)
    assert expected.get("message", "") in str(failure)
    attributes = ("status", "code", "retry", "retry_after", "details", "request_id", "outcome_unknown")
    for name in attributes:
        if name in expected:
            assert getattr(failure, name) == expected[name], name
    if "remedy" in expected:
        assert isinstance(failure, RefusalError)
        part = expected["remedy"]
        assert failure.remedy is None if part is None else part in (failure.remedy or "")


def _check_requests(case: dict[str, Any], service: ScriptedService, pauses: list[float]) -> None:
    if "pauses" in case:
        assert [round(pause * 1000) for pause in pauses] == case["pauses"]
    if "request_count" in case:
        assert len(service.sent) == case["request_count"]
    if "requests" not in case:
        return
    assert len(service.sent) == len(case["requests"])
    for expected, sent in zip(case["requests"], service.sent, strict=True):
        assert (sent.method, sent.target) == (expected["method"], expected["target"])
        if "body" in expected:
            assert json.loads(sent.body) == expected["body"]
        for name, value in expected.get("headers", {}).items():
            assert sent.headers.get(name) == value, name


def _route(name: str) -> Any:
    return getattr(routes, re.sub(r"([a-z0-9])([A-Z])", r"\1_\2", name).lower())


def _options(wanted: dict[str, Any]) -> dict[str, Any]:
    names = ("caller_request_id", "idempotency_key", "if_none_match")
    return {name: wanted[name] for name in names if name in wanted}


def _patience(case: dict[str, Any]) -> dict[str, Any]:
    if "patience" not in case:
        return {}
    stated = case["patience"]
    seconds = {name: stated[f"{name}_ms"] / 1000 for name in ("within", "first_pause", "longest_pause")}
    patience = Patience(seconds["within"], seconds["first_pause"], seconds["longest_pause"])
    return {"patience": patience}


def _reply(scripted: dict[str, Any]) -> Reply:
    if "close" in scripted:
        return close_connection
    if "refusal" in scripted:
        return refuse_with(**scripted["refusal"])
    if "body" in scripted:
        return reply_with(scripted["status"], scripted["body"], scripted.get("headers"))
    return reply_bytes(scripted["status"], scripted.get("text", "").encode(), scripted.get("headers"))
