/** A recorded fact is what its request produces, also where an earlier release wrote it under other names. */
import { expect, test } from '@jest/globals';
import type { Moment } from '#libs/calendar/moment.ts';
import { decider, TestClientBook } from '#libs/ledger/client/testing/test-client-book.ts';
import type { JsonObject } from '#libs/schema/json.ts';
import { type AuditedFact, redecide } from './redecide.ts';

const recordedId = '019aa5e0-0000-7000-8000-000000000001';

function redecidedQuote(change: (body: JsonObject) => JsonObject) {
  const client = new TestClientBook();
  client.register();
  const loan = client.issue('loan-1') as { id: string };
  const before = client.book;
  const body = { on: '2025-05-01', reference: 'q-1', actor: 'officer-1', basis: 'test' };
  client.submit('quotePayoff', body, { loan_id: loan.id });
  const { kind, body: stored, recordedAt } = client.stored.at(-1) as (typeof client.stored)[number];
  const recorded: AuditedFact = {
    kind,
    body: JSON.stringify(change({ ...(JSON.parse(stored) as JsonObject), id: recordedId })),
    counts: false,
    occurredOn: 20_209,
    loanId: null,
    eventId: null,
    merchantRef: null,
    loan: null,
    listed: null,
  };
  return redecide({
    decider,
    book: before,
    submission: {
      tenantId: 'acme',
      bookId: 'c/c-1',
      operation: 'quotePayoff',
      params: { loan_id: loan.id },
      body,
      digest: '',
      resolved: null,
    },
    recordedAt: recordedAt as Moment,
    recorded: { facts: [recorded], subject: recordedId },
  });
}

test('a payoff quote names its Loan by both names', () => {
  expect(redecidedQuote((body) => body)).toEqual({ outcome: 'same' });
});

test('a payoff quote of an earlier release, without loan_id, is the same', () => {
  expect(redecidedQuote(({ loan_id: _new, ...body }) => body)).toEqual({ outcome: 'same' });
});

test.each(['loan_id', 'loanId'])('a payoff quote with another %s is different', (name) => {
  const result = redecidedQuote((body) => ({ ...body, [name]: '019aa5e0-0000-7000-8000-000000000009' }));
  expect(result.outcome).toBe('different');
});

test('a payoff quote without the name that every quote has is different', () => {
  const result = redecidedQuote(({ loanId: _always, ...body }) => body);
  expect(result).toMatchObject({ outcome: 'different', difference: { pointer: '/body/loanId' } });
});
