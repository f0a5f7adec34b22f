"""What ends a consumer, and what is reported and retried."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from itertools import pairwise
from threading import Event, Timer
from typing import Any

import pytest
from confluent_kafka import KafkaError, KafkaException
from scripted_broker import ScriptedBroker

from lending.events import consume_book_events
from lending.events.driver_reports import DriverErrors

PLAIN = {
    "security.protocol": "SASL_PLAINTEXT",
    "sasl.mechanisms": "PLAIN",
    "sasl.username": "ana",
    "sasl.password": "of another login",
}
OpenBroker = Callable[..., ScriptedBroker]
OnTrouble = Callable[[Exception], None]


@pytest.fixture
def open_broker() -> Iterator[OpenBroker]:
    opened: list[ScriptedBroker] = []

    def open_one(**script: Any) -> ScriptedBroker:
        opened.append(ScriptedBroker(**script))
        return opened[-1]

    yield open_one
    for each in opened:
        each.close()


def consume(address: str, more: dict[str, str], stop: Event, on_trouble: OnTrouble | None) -> None:
    # Ends a consumer that waits for what never comes.
    limit = Timer(60, stop.set)
    limit.start()
    try:
        consume_book_events(
            kafka={"bootstrap.servers": address, "log_level": 0, **more},
            group_id="downstream",
            registry=lambda _: None,
            positions_of=lambda _: {},
            take=lambda _: None,
            stop=stop,
            on_trouble=on_trouble,
        )
    finally:
        limit.cancel()


def troubles_until(address: str, more: dict[str, str], code: int) -> list[KafkaError]:
    """Ends the consumer at an error with this code."""
    stop = Event()
    errors: list[KafkaError] = []

    def on_trouble(trouble: Exception) -> None:
        assert isinstance(trouble, KafkaException)
        errors.append(trouble.args[0])
        if errors[-1].code() == code:
            stop.set()

    consume(address, more, stop, on_trouble)
    return errors


@pytest.mark.parametrize(
    ("script", "more", "code"),
    [
        ({"credentials_error": KafkaError.SASL_AUTHENTICATION_FAILED}, PLAIN, KafkaError._AUTHENTICATION),
        ({"topic_error": KafkaError.TOPIC_AUTHORIZATION_FAILED}, {}, KafkaError.TOPIC_AUTHORIZATION_FAILED),
        ({"group_error": KafkaError.GROUP_AUTHORIZATION_FAILED}, {}, KafkaError.GROUP_AUTHORIZATION_FAILED),
        ({"topic_error": 0, "join_error": KafkaError.INVALID_SESSION_TIMEOUT}, {}, KafkaError.INVALID_SESSION_TIMEOUT),
        ({"group_error": KafkaError.CLUSTER_AUTHORIZATION_FAILED}, {}, KafkaError.CLUSTER_AUTHORIZATION_FAILED),
    ],
    ids=["credentials", "right to the topic", "right to the group", "session", "right to the cluster"],
)
def test_what_kafka_refuses_ends_the_consumer(
    open_broker: OpenBroker, script: dict[str, int], more: dict[str, str], code: int
) -> None:
    with pytest.raises(KafkaException) as refused:
        consume(open_broker(**script).address, more, Event(), lambda _: None)
    assert refused.value.args[0].code() == code


def test_an_absent_topic_is_reported_and_retried(open_broker: OpenBroker) -> None:
    errors = troubles_until(open_broker().address, {}, KafkaError.UNKNOWN_TOPIC_OR_PART)
    assert "lending.book-events" in errors[-1].str()


def test_a_connection_that_breaks_before_the_credentials_are_checked_is_retried(open_broker: OpenBroker) -> None:
    broker = open_broker(closes_at_handshake=True)
    assert "handshake failed" in troubles_until(broker.address, PLAIN, KafkaError._AUTHENTICATION)[-1].str()


# No service listens on this port.
NO_BROKER = "127.0.0.1:1"


def test_a_kafka_that_cannot_be_reached_is_reported_and_retried() -> None:
    assert NO_BROKER in troubles_until(NO_BROKER, {}, KafkaError._TRANSPORT)[-1].str()


def first_record(name: str, level: int, more: dict[str, str], on_trouble: OnTrouble | None) -> logging.LogRecord:
    """The first one that this logger gets from a consumer that reaches no broker."""
    stop = Event()
    records: list[logging.LogRecord] = []

    class Handler(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            if record.name == name:
                records.append(record)
                stop.set()

    logger, handler = logging.getLogger(name), Handler()
    logger.addHandler(handler)
    logger.setLevel(level)
    try:
        consume(NO_BROKER, more, stop, on_trouble)
    finally:
        logger.setLevel(logging.NOTSET)
        logger.removeHandler(handler)
    return records[0]


def test_without_on_trouble_what_is_retried_is_a_warning_of_the_logger() -> None:
    record = first_record("lending", logging.WARNING, {}, None)
    assert record.levelno == logging.WARNING
    assert "the consumer failed and tries again" in record.getMessage()
    assert NO_BROKER in record.getMessage()
    assert record.exc_info is None


def test_the_lines_of_the_driver_go_to_a_logger(capfd: pytest.CaptureFixture[str]) -> None:
    record = first_record("lending.kafka", logging.DEBUG, {"log_level": "6"}, lambda _: None)
    assert record.levelno == logging.DEBUG
    assert NO_BROKER in record.getMessage()
    assert capfd.readouterr().err == ""


def test_a_warning_of_the_driver_is_a_warning() -> None:
    # Of a setting for producers.
    record = first_record("lending.kafka", logging.WARNING, {"log_level": "6", "acks": "all"}, lambda _: None)
    assert record.levelno == logging.WARNING
    assert "acks" in record.getMessage()


def test_each_kind_of_driver_error_is_reported_at_once_and_its_repeats_after_growing_pauses() -> None:
    seconds = 0.0
    reports: list[tuple[float, int]] = []
    errors = DriverErrors(lambda error: reports.append((seconds, error.args[0].code())), lambda: seconds)

    def repeat(code: int, until: float) -> None:
        nonlocal seconds
        while seconds < until:
            errors.add(KafkaException(KafkaError(code)))
            seconds += 0.025

    repeat(KafkaError._TRANSPORT, 60)
    pauses = [round(after - before, 3) for (before, _), (after, _) in pairwise(reports)]
    assert pauses == sorted(pauses)
    assert pauses[0] < 0.1
    assert pauses[-1] >= 5
    assert len(reports) < 20

    reports.clear()
    errors.add(KafkaException(KafkaError(KafkaError._ALL_BROKERS_DOWN)))
    assert reports == [(seconds, KafkaError._ALL_BROKERS_DOWN)]

    # After some time without errors the next ones are another failure.
    reports.clear()
    seconds += 60
    start = seconds
    repeat(KafkaError._TRANSPORT, start + 0.5)
    assert [round(at - start, 3) for at, _ in reports] == [0, 0.05, 0.15, 0.35]
