import { expect, test } from '@jest/globals';
import { routes } from '#libs/api/routes.ts';
import type { Moment } from '#libs/calendar/moment.ts';
import { Timing } from '#libs/http/timing.ts';
import { Desk, money, VALUES } from '#libs/ledger/client/testing/desk.ts';
import { atOnce } from '#libs/ledger/cooperative-loop.ts';
import { submissionDigest } from '#libs/submission/digest.ts';
import { Aside } from './fair-scheduler.ts';
import type { ReadContext, RequestTo } from './reads.ts';
import { type Played, Supposition } from './simulation-run.ts';

const receipt = { reference: 'spei-1', client_id: 'c-1', amount: money(100), value_date: '2025-02-01' };
const { method, path } = routes.reportReceipt;
const digest = submissionDigest({ method, path: path.replace('{tenant_id}', 'acme'), body: receipt });

/** One fact supposed on the Client's book, where this is what the store tells. */
async function supposition(desk: Desk, fact: object, reads: object): Promise<Supposition> {
  const asked = {
    tenancy: { id: 'acme' },
    params: { client_id: 'c-1' },
    timing: new Timing(),
    requestId: 'x',
    admittedAt: Date.now(),
    gone: () => new AbortController().signal,
    body: { on: '2025-03-01', facts: [fact] },
  };
  const standing = { clientId: 'c-1', book: desk.book, from: 1_900_000_000_000_000 as Moment };
  return Supposition.of(reads as ReadContext, new Aside(), asked as unknown as RequestTo<'simulate'>, standing);
}

function answering(rows: readonly object[]) {
  return { connect: async () => ({ query: async () => ({ rows }), release: () => undefined }) };
}

/** The one Receipt supposed on a book of two facts, where the store knows its reference as this says. */
async function supposed(known: { readonly book_id: string; readonly sequence: number; readonly digest: Buffer }) {
  const desk = new Desk();
  desk.register();
  desk.issue('loan-1');
  const row = {
    tenant_id: 'acme',
    namespace: 'receipts',
    reference: receipt.reference,
    kind: '',
    subject: '',
    ...known,
  };
  const told = await supposition(desk, { act: 'receipt', body: receipt }, { database: answering([row]) });
  const { outcomes, after } = atOnce(told.play(Number.POSITIVE_INFINITY)) as Played;
  return { outcomes, isThere: after.folded.log.receipt(after.folded.length, receipt.reference) !== undefined };
}

test('a reference the book already holds is told by what was said under it', async () => {
  const mine = { book_id: 'c/c-1', sequence: 2 };
  expect(await supposed({ ...mine, digest })).toMatchObject({ outcomes: [{ status: 200 }] });
  const other = await supposed({ ...mine, digest: Buffer.alloc(32) });
  expect(other).toMatchObject({ outcomes: [{ status: 409, code: 'reference_reused' }], isThere: false });
});

test('one recorded after the book was read is supposed like any other: that book does not hold it', async () => {
  const told = await supposed({ book_id: 'c/c-1', sequence: 3, digest });
  expect(told).toEqual({ outcomes: [{ status: 201 }], isThere: true });
});

test('one recorded in the book of another Client is taken, whatever this book holds', async () => {
  const told = await supposed({ book_id: 'c/c-2', sequence: 9, digest: Buffer.alloc(32) });
  expect(told).toMatchObject({ outcomes: [{ status: 409, code: 'reference_reused' }], isThere: false });
});

test('a facility of the Client that was opened since the book was read is not there yet', async () => {
  const facility_id = '019aa5e0-0000-7000-8000-00000000000f';
  const issuance = {
    reference: 'loan-1',
    client_id: 'c-1',
    configuration_id: 'ins-000001',
    configuration_version: 1,
    principal: money(1_000_000),
    term_periods: 12,
    anchor: '2025-01-15',
    jurisdiction: 'MX',
    tax: { rate: '16', on: ['interest', 'penalty'] },
    facility_id,
  };
  const outcomeWhere = async (client_id: string) => {
    const desk = new Desk();
    desk.register();
    const locations = {
      configuration: { of: async () => JSON.stringify({ archetype: 'instalment', values: VALUES }) },
      facility: { of: async () => ({ bookId: '', row: JSON.stringify({ id: facility_id, client_id }) }) },
    };
    const reads = { database: answering([]), locations };
    const told = await supposition(desk, { act: 'issue', body: issuance }, reads);
    return (atOnce(told.play(Number.POSITIVE_INFINITY)) as Played).outcomes;
  };
  const [since] = await outcomeWhere('c-1');
  const [anothers] = await outcomeWhere('c-2');
  expect(since).toMatchObject({ code: 'not_found', details: { field: '/facility_id' } });
  expect(anothers).toMatchObject({ code: 'facility_other_client' });
});
