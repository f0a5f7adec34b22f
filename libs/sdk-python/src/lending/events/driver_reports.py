"""What librdkafka says of itself: an unreachable broker makes it say the same tens of times a second."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable

from confluent_kafka import KafkaException

MIN_PAUSE_SECONDS = 0.05
MAX_PAUSE_SECONDS = 5.0


class DriverErrors:
    """Reports each kind of error at once, and its repeats after pauses that grow."""

    def __init__(self, report: Callable[[Exception], None], clock: Callable[[], float] = time.monotonic) -> None:
        self._report = report
        self._clock = clock
        # By the code of the error: the pause after its last report, and when that pause ends.
        self._pauses: dict[int, tuple[float, float]] = {}

    def add(self, error: KafkaException) -> None:
        code, now = error.args[0].code(), self._clock()
        seconds, end = self._pauses.get(code, (0.0, float("-inf")))
        if now < end:
            return
        # After a time without it, the error is another failure.
        has_passed = now >= end + MAX_PAUSE_SECONDS
        seconds = MIN_PAUSE_SECONDS if has_passed else min(seconds * 2, MAX_PAUSE_SECONDS)
        self._pauses[code] = (seconds, now + seconds)
        self._report(error)


class DriverLog:
    """Logs the lines that librdkafka writes to standard error otherwise: warnings as such, all others for debugging."""

    _logger = logging.getLogger("lending.kafka")

    def log(self, level: int, form: str, *values: object) -> None:
        """Called by the driver, with the kind of the line first. A failed connection is also an error of the driver."""
        is_warning = level >= logging.WARNING and values[:1] != ("FAIL",)
        self._logger.log(logging.WARNING if is_warning else logging.DEBUG, form, *values)
