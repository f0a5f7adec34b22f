/** A fact as the topic tells it, straight from the batch that recorded it. */
import type { BookEvent } from '#libs/log/book-event.ts';
import { actOf } from '#libs/store/events.ts';
import { clientOf } from '#libs/turn/book-id.ts';
import type { Event } from './turn.ts';

export function eventOf({ row, record, evidenceAt }: Event, feedNumber: number | null): BookEvent<number> {
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
    feed_number: feedNumber,
    act: actOf(fact.body),
    body: fact.body,
    reference: reference ?? null,
    request_id: row.requestId,
    item: row.item,
    offset: row.offset,
    evidence: evidenceAt === row.eventNo ? carried(record) : { 'lending.EvidenceAt': { sequence: evidenceAt } },
  };
}

function carried({ evidence, actor, caller_request_id, taken_in_at }: Event['record']): BookEvent<number>['evidence'] {
  return { 'lending.Evidence': { ...evidence, actor, caller_request_id, taken_in_at } };
}
