"""What ends a consumer, and what is reported and retried."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from threading import Event, Timer
from typing import Any

import pytest
from confluent_kafka import KafkaError, KafkaException
from scripted_broker import ScriptedBroker

from lending.events import consume_book_events

PLAIN = {
    "security.protocol": "SASL_PLAINTEXT",
    "sasl.mechanisms": "PLAIN",
    "sasl.username": "ana",
    "sasl.password": "of another login",
}
OpenBroker = Callable[..., ScriptedBroker]


@pytest.fixture
def open_broker() -> Iterator[OpenBroker]:
    opened: list[ScriptedBroker] = []

    def open_one(**script: Any) -> ScriptedBroker:
        opened.append(ScriptedBroker(**script))
        return opened[-1]

    yield open_one
    for each in opened:
        each.close()


def consume(address: str, more: dict[str, str], stop: Event, on_trouble: Callable[[Exception], None] | None) -> None:
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


def test_without_on_trouble_what_is_retried_is_a_warning_of_the_logger() -> None:
    stop = Event()
    records: list[logging.LogRecord] = []

    class Handler(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            records.append(record)
            stop.set()

    logger, handler = logging.getLogger("lending"), Handler()
    logger.addHandler(handler)
    try:
        consume(NO_BROKER, {}, stop, None)
    finally:
        logger.removeHandler(handler)
    assert records[0].levelno == logging.WARNING
    assert "the consumer failed and tries again" in records[0].getMessage()
    assert records[0].exc_info is not None
