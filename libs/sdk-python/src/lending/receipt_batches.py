"""Posts any number of Receipts in batches, one batch after the other, so that each book records them in their order."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .contract import routes
from .request_steps import OutgoingRequest, Pause, RequestMaker, Steps, json_bytes
from .route import request_target

if TYPE_CHECKING:
    from .contract.shapes import ReceiptBatchOutcome, ReceiptToReport

MAX_RECEIPTS = 1_000
# The service accepts 8 MiB.
_max_batch_bytes = 7 * 1024 * 1024


@dataclass(frozen=True)
class ReportedReceipt:
    """One Receipt and its outcome: status 201 recorded, 200 recorded before, otherwise refused with its code."""

    # Position in the input, from 0.
    index: int
    receipt: ReceiptToReport
    outcome: ReceiptBatchOutcome


class ReceiptBatcher:
    """Collects Receipts. `add` returns the batch that was full without the added one."""

    def __init__(self, max_receipts: int = MAX_RECEIPTS) -> None:
        if max_receipts < 1:
            raise ValueError(f"together is {max_receipts}; expected a whole number of 1 or more")
        self._max_receipts = min(max_receipts, MAX_RECEIPTS)
        self._count = 0
        self._batch: list[PendingReceipt] = []
        self._bytes = 0

    def add(self, receipt: ReceiptToReport) -> list[PendingReceipt]:
        pending = PendingReceipt(self._count, receipt, json_bytes(receipt))
        self._count += 1
        is_full = len(self._batch) >= self._max_receipts or self._bytes + len(pending.text) > _max_batch_bytes
        full = self.take() if is_full and self._batch else []
        self._batch.append(pending)
        self._bytes += len(pending.text) + 1
        return full

    def take(self) -> list[PendingReceipt]:
        batch, self._batch, self._bytes = self._batch, [], 0
        return batch


@dataclass(frozen=True)
class PendingReceipt:
    index: int
    receipt: ReceiptToReport
    text: bytes


def post_until_final(maker: RequestMaker, batch: list[PendingReceipt]) -> Steps[list[ReportedReceipt]]:
    """Repeats the Receipts that may be sent again, in their order, until the retry time has passed."""
    deadline = time.monotonic() + maker.patience.within_seconds
    reported: list[ReportedReceipt] = []
    remaining = batch
    failures = 0
    while remaining:
        failures += 1
        outcomes = yield from _post(maker, remaining)
        answered = list(zip(remaining, outcomes, strict=True))
        again = [pending for pending, outcome in answered if outcome.get("retry") == "as_is"]
        retry_after = max((each.get("retry_after", 0) for each in outcomes if each.get("retry") == "as_is"), default=0)
        pause = maker.pause_after(failures, retry_after)
        if time.monotonic() + pause > deadline:
            again = []
        waiting = {pending.index for pending in again}
        for pending, outcome in answered:
            if pending.index not in waiting:
                reported.append(ReportedReceipt(pending.index, pending.receipt, outcome))
        remaining = again
        if remaining:
            yield Pause(pause)
    return sorted(reported, key=lambda each: each.index)


def _post(maker: RequestMaker, batch: list[PendingReceipt]) -> Steps[list[ReceiptBatchOutcome]]:
    target = request_target(routes.report_receipts.path, (), {"tenant_id": maker.tenant})
    texts = b",".join(pending.text for pending in batch)
    outgoing = OutgoingRequest("POST", target, body=b'{"receipts":[' + texts + b"]}")
    answer = yield from maker.send(outgoing)
    outcomes: list[ReceiptBatchOutcome] = answer.body.get("outcomes", [])
    if len(outcomes) != len(batch):
        raise maker.unreachable(outgoing, "the number of outcomes differs from the number of Receipts", True)
    return outcomes
