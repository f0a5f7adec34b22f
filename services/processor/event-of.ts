/** A fact as the topic tells it, straight from the batch that recorded it. */

import type { FactRow } from '#libs/database/commit-batch.ts';
import { actOf } from '#libs/database/events.ts';
import type { BookEvent } from '#libs/kafka/book-event.ts';
import type { NewFact } from '#libs/ledger/book-decider.ts';
import { clientOf } from '#libs/ledger/book-id.ts';
import type { PendingEvent } from './turn-state.ts';

/** What the commit numbered. */
export interface Numbered {
  readonly feedNumberOf: (row: FactRow) => number | null;
  readonly listedNumberOf: (row: FactRow) => number | null;
}

export function eventOf({ row, record, evidenceAt }: PendingEvent, numbered: Numbered): BookEvent<number> {
  const { fact, reference } = row;
  return {
    partition: row.partition,
    sequence: row.eventNo,
    tenant_id: row.tenantId,
    book_id: row.bookId,
    client_id: clientOf(row.bookId) ?? null,
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
    act: actOf(fact.body),
    body: fact.body,
    reference: reference ?? null,
    issued: issuedOf(fact),
    listed: listedOf(fact, numbered.listedNumberOf(row)),
    request_id: row.requestId,
    item: row.item,
    offset: row.offset,
    evidence: evidenceAt === row.eventNo ? carried(record) : { 'lending.EvidenceAt': { sequence: evidenceAt } },
  };
}

function issuedOf({ loan }: NewFact): BookEvent<number>['issued'] {
  if (loan === undefined) return null;
  return { configuration_id: loan.configurationId, configuration_version: loan.configurationVersion };
}

function listedOf({ listed }: NewFact, number: number | null): BookEvent<number>['listed'] {
  return listed === undefined || number === null ? null : { ...listed, number };
}

function carried({
  evidence,
  actor,
  caller_request_id,
  taken_in_at,
}: PendingEvent['record']): BookEvent<number>['evidence'] {
  return { 'lending.Evidence': { ...evidence, actor, caller_request_id, taken_in_at } };
}
