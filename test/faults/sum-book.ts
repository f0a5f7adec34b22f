/** The simplest book for a processor test: its state is a sum, and a submission adds to it. */

import type { SubmissionRecord } from '#libs/kafka/submission-record.ts';
import type { BookDecider } from '#libs/ledger/book-decider.ts';
import { shortTask } from '#libs/ledger/cooperative-loop.ts';
import { refuse } from '#libs/schema/refusals.ts';

export const tenantId = 'acme';

/** Refuses to go below zero. */
export const sumBook: BookDecider<number> = {
  empty: () => 0,
  decide(book, { body }, at) {
    const after = book + Number(body['by']);
    if (after < 0) return refuse('invalid_event', { bound: 0, observed: after });
    const facts = [{ kind: 'added', body: JSON.stringify(body), counts: true }];
    return { facts, book: after, subject: `s${at}`, answer: () => ({ status: 201, body: JSON.stringify({ after }) }) };
  },
  currentRecord: (book) => ({ status: 200, body: JSON.stringify({ after: book }) }),
  replay: (book, { body }) => book + (JSON.parse(body) as { by: number }).by,
  encode: (book) => shortTask(() => String(book)),
  decode: (text) => shortTask(() => Number(text)),
  derive: () => ({}),
};

export interface AddRequest {
  readonly bookId: string;
  readonly by: number;
  readonly requestId: string;
  readonly reference?: string;
}

export function addRecord({ bookId, by, requestId, reference }: AddRequest): SubmissionRecord {
  return {
    request_id: requestId,
    ingress: 'faults',
    tenant_id: tenantId,
    operation: 'add',
    params: {},
    taken_in_at: 0,
    patience_ends_at: Number.MAX_SAFE_INTEGER,
    actor: null,
    caller_request_id: null,
    evidence: {
      method: 'POST',
      target: '/',
      ts: 1,
      fp: null,
      signature: null,
      idempotency_key: null,
      body: Buffer.from('{}'),
      body_encoding: 'identity',
    },
    items: [
      {
        item: 0,
        book_id: bookId,
        namespace: reference === undefined ? null : 'receipts',
        reference: reference ?? null,
        digest: Buffer.from(`${bookId} ${by}`),
        body: JSON.stringify({ by }),
        ids: [],
        resolved: null,
      },
    ],
  };
}
