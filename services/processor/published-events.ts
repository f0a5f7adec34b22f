/**
 * Committed events of one partition that are not published yet, without a gap. Bounded by count and bytes: events beyond
 * the bounds are read back from Postgres.
 */

import type { FactRow } from '#libs/database/commit-row-types.ts';
import { eventAccount } from '#libs/database/read-events.ts';
import type { BookEvent } from '#libs/kafka/book-event.ts';
import type { NewFact } from '#libs/ledger/book-decider.ts';
import { clientIdOf } from '#libs/ledger/book-id.ts';
import type { RecordedEvent } from './batch-result.ts';

export type PublishedEvent = BookEvent<number>;

const maxEvents = 4_000;
const maxBytes = 8 * 1024 * 1024;

export class PendingEvents {
  readonly #events: PublishedEvent[] = [];
  #bytes = 0;

  add(event: PublishedEvent): void {
    const last = this.#events.at(-1);
    if (last !== undefined && last.sequence !== event.sequence - 1) this.#removeFirst(this.#events.length);
    if (this.#events.length >= maxEvents || this.#bytes >= maxBytes) return;
    this.#events.push(event);
    this.#bytes += eventBytes(event);
  }

  /** The events after the last published one. Empty where there are none, or where they must be read from Postgres. */
  takeAfter(publishedSequence: number, maxCount: number): PublishedEvent[] {
    const skipped = this.#events.findIndex((event) => event.sequence > publishedSequence);
    if (this.#events[skipped]?.sequence !== publishedSequence + 1) return [];
    return this.#removeFirst(skipped + maxCount).slice(skipped);
  }

  #removeFirst(count: number): PublishedEvent[] {
    const removed = this.#events.splice(0, count);
    for (const event of removed) this.#bytes -= eventBytes(event);
    return removed;
  }
}

/** The parts whose length the caller decides. */
function eventBytes({ body, evidence }: PublishedEvent): number {
  const carried = evidence !== null && 'lending.Evidence' in evidence ? evidence['lending.Evidence'].body.length : 0;
  return body.length + carried;
}

/** The numbers that the commit assigned. */
export interface CommitNumbers {
  readonly feedNumberOf: (row: FactRow) => number | null;
  readonly listedNumberOf: (row: FactRow) => number | null;
}

export function publishedEvent(
  { row, record, evidenceEventNumber: evidenceAt }: RecordedEvent,
  numbered: CommitNumbers,
): BookEvent<number> {
  const { fact, reference } = row;
  return {
    partition: row.partition,
    sequence: row.eventNumber,
    tenant_id: row.tenantId,
    book_id: row.bookId,
    client_id: clientIdOf(row.bookId) ?? null,
    fact: row.sequence,
    version_facts: row.versionCount,
    version_at: row.versionAt,
    counts: fact.counts,
    kind: fact.kind,
    occurred_on: fact.occurredOn ?? null,
    recorded_at: row.recordedAt,
    loan_id: fact.loanId ?? null,
    event_id: fact.eventId ?? null,
    merchant_ref: fact.merchantRef ?? null,
    feed_number: numbered.feedNumberOf(row),
    act: eventAccount(fact.body),
    body: fact.body,
    reference: reference ?? null,
    issued: issuedOf(fact),
    listed: listedOf(fact, numbered.listedNumberOf(row)),
    request_id: row.requestId,
    item: row.item,
    offset: row.offset,
    evidence:
      evidenceAt === row.eventNumber ? carriedEvidence(record) : { 'lending.EvidenceAt': { sequence: evidenceAt } },
  };
}

function issuedOf({ loan }: NewFact): BookEvent<number>['issued'] {
  if (loan === undefined) return null;
  return { configuration_id: loan.configurationId, configuration_version: loan.configurationVersion };
}

function listedOf({ listed }: NewFact, number: number | null): BookEvent<number>['listed'] {
  return listed === undefined || number === null ? null : { ...listed, number };
}

function carriedEvidence({
  evidence,
  actor,
  caller_request_id,
  taken_in_at,
}: RecordedEvent['record']): BookEvent<number>['evidence'] {
  return { 'lending.Evidence': { ...evidence, actor, caller_request_id, taken_in_at } };
}
