"""One fact of one book, as a record of `lending.book-events`."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class BookVersion:
    """The version of a book after a fact."""

    facts: int
    version: str | None


@dataclass(frozen=True, slots=True)
class ActAccount:
    """Who acted, and why."""

    reference: str
    actor: str
    basis: str
    # JSON as it was sent.
    context: str | None


@dataclass(frozen=True, slots=True)
class RecordedReference:
    """The caller's reference under which a fact was recorded."""

    namespace: str
    reference: str
    # SHA-256 of the canonical method, path and body.
    digest: bytes
    # The id of the record it names.
    subject: str


@dataclass(frozen=True, slots=True)
class IssuedUnder:
    """The product version under which a fact issues its Loan."""

    configuration_id: str
    configuration_version: int


@dataclass(frozen=True, slots=True)
class ListedAs:
    """The row that a fact adds to a listing of the Tenancy."""

    listing: str
    # Position in the listing.
    number: int
    id: str
    # JSON.
    row: str


@dataclass(frozen=True, slots=True)
class Evidence:
    """The signed request behind a fact."""

    method: str
    target: str
    ts: int | None
    fp: str | None
    signature: bytes | None
    idempotency_key: str | None
    # As sent, or deflated (raw, RFC 1951) where `body_encoding` says so.
    body: bytes
    body_encoding: str
    # The person who acted without a signature.
    actor: str | None
    caller_request_id: str | None
    taken_in_at: str


@dataclass(frozen=True, slots=True)
class BookEvent:
    """One fact of one book. Days are YYYY-MM-DD; moments are RFC 3339 in UTC with six decimals."""

    partition: int
    # Position in the partition, from 1 without gaps.
    sequence: int
    tenant_id: str
    # `c/` and the Client, or `t` for the Tenancy's own book.
    book_id: str
    client_id: str | None
    # Position in the book, from 1 without gaps.
    fact: int
    # The book version after this fact; `counts` says whether the fact changed it.
    book_version: BookVersion
    counts: bool
    # Later versions of the service may add kinds.
    kind: str
    # The civil day the fact is about.
    occurred_on: str | None
    recorded_at: str
    loan_id: str | None
    event_id: str | None
    merchant_ref: str | None
    # Position in the Tenancy's feed of Loan events.
    feed_number: int | None
    act: ActAccount | None
    # The fact as it is stored: JSON, byte for byte. `fact_body` reads it in the form of the API.
    body: str
    reference: RecordedReference | None
    issued: IssuedUnder | None
    listed: ListedAs | None
    request_id: str
    # Position in the batch of the request.
    item: int
    # The offset of the request in the service's log of submissions.
    offset: int
    # The signed request, on the first fact of a request in its partition.
    evidence: Evidence | None
    # On the other facts: the sequence of that first fact.
    evidence_at: int | None
