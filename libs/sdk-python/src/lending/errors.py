"""The errors of a request."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from .contract.remedies import REMEDIES

if TYPE_CHECKING:
    from .contract.shapes import Refusal, RefusalDetails


class LendingError(Exception):
    """A request failed. `outcome_unknown`: a failed write may be recorded all the same; send it again unchanged."""

    def __init__(self, message: str, outcome_unknown: bool, retry_after: int | None) -> None:
        super().__init__(message)
        self.outcome_unknown = outcome_unknown
        # Seconds, where the service or a proxy states them.
        self.retry_after = retry_after

    @property
    def cause(self) -> BaseException | None:
        """The error behind this one, such as that of the connection."""
        return self.__cause__


class RefusalError(LendingError):
    """The service refused. Branch on `code`; `retry` says whether to send the request again."""

    def __init__(self, request: str, status: int, refusal: Refusal, outcome_unknown: bool) -> None:
        details = refusal.get("details", {})
        more = f" {json.dumps(details, default=str)}" if details else ""
        message = f"{request}: {status} {refusal['code']}: {refusal.get('error', '')}{more}"
        super().__init__(message, outcome_unknown, refusal.get("retry_after"))
        self.status = status
        # A later version of the service may send codes that are not listed.
        self.code: str = refusal["code"]
        self.retry: str = refusal["retry"]
        self.details: RefusalDetails = details
        self.request_id: str = refusal.get("request_id", "")

    @property
    def remedy(self) -> str | None:
        """What the caller does about this code, in a sentence; None for a code of a later version."""
        return REMEDIES.get(self.code)


class UnreachableError(LendingError):
    """The service did not answer: no connection, no response in time, or a response of something else."""

    def __init__(
        self,
        request: str,
        reason: object,
        outcome_unknown: bool,
        retry_after: int | None = None,
        is_temporary: bool = True,
    ) -> None:
        super().__init__(f"{request}: no answer of the service: {reason}", outcome_unknown, retry_after)
        # False where another server than the service refused: a repeat would be refused as well.
        self.is_temporary = is_temporary


def is_refusal(body: Any) -> bool:
    """False where the body is not a refusal of the service, such as a page of a proxy."""
    return isinstance(body, dict) and isinstance(body.get("code"), str) and isinstance(body.get("retry"), str)
