"""Retries: a request is sent again where the refusal says `as_is` or no response came, for a limited time."""

from __future__ import annotations

from dataclasses import dataclass

from .errors import LendingError, RefusalError, UnreachableError


@dataclass(frozen=True)
class Patience:
    """No attempt starts later than `within_seconds` after the first. Pauses double from the first to the longest."""

    within_seconds: float = 30.0
    first_pause_seconds: float = 0.1
    longest_pause_seconds: float = 5.0

    def __post_init__(self) -> None:
        for name, seconds in vars(self).items():
            # NaN would never be reached, and the retries would not end.
            if not isinstance(seconds, (int, float)) or not seconds >= 0:
                raise ValueError(f"patience.{name} is not a number of 0 or more")


def is_retryable(failure: LendingError) -> bool:
    if isinstance(failure, UnreachableError):
        return failure.is_temporary
    return isinstance(failure, RefusalError) and failure.retry == "as_is"


def retry_after_seconds(failure: LendingError) -> int:
    """The Retry-After of the service or of a proxy; 0 without one."""
    return failure.retry_after or 0


def retry_pause(failures: int, patience: Patience, random: float, retry_after: float = 0) -> float:
    """At least the Retry-After, with jitter: callers that were refused together must not return together."""
    # The exponent has a limit because a follower of the feed retries for as long as an outage lasts.
    doubled = patience.first_pause_seconds * 2.0 ** min(failures - 1, 30)
    return retry_after + min(doubled, patience.longest_pause_seconds) * (0.5 + random / 2)
