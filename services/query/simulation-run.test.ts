import { expect, test } from '@jest/globals';
import { routes } from '#libs/api/routes.ts';
import type { Moment } from '#libs/calendar/moment.ts';
import { RequestTiming } from '#libs/http/timing.ts';
import { configurationValues, money, TestClientBook } from '#libs/ledger/client/testing/test-client-book.ts';
import { runToEnd } from '#libs/ledger/cooperative-loop.ts';
import { submissionDigest } from '#libs/submission/digest.ts';
import { FairScheduler } from './fair-scheduler.ts';
import type { ReadContext, RouteRequest } from './read-context.ts';
import { prepareSimulation, runSimulation, type SimulationResult } from './simulation-run.ts';

const receipt = { reference: 'spei-1', client_id: 'c-1', amount: money(100), value_date: '2025-02-01' };
const { method, path } = routes.reportReceipt;
const digest = submissionDigest({ method, path: path.replace('{tenant_id}', 'acme'), body: receipt });

/** Simulates one fact on the Client's book. */
async function simulate(clientBook: TestClientBook, fact: object, context: object): Promise<SimulationResult> {
  const request = {
    tenancy: { id: 'acme' },
    params: { client_id: 'c-1' },
    timing: new RequestTiming(),
    requestId: 'x',
    admittedAt: Date.now(),
    disconnectSignal: () => new AbortController().signal,
    body: { on: '2025-03-01', facts: [fact] },
  };
  const start = { clientId: 'c-1', book: clientBook.book, from: 1_900_000_000_000_000 as Moment };
  const simulation = await prepareSimulation(
    context as ReadContext,
    new FairScheduler(),
    request as unknown as RouteRequest<'simulate'>,
    start,
  );
  return runToEnd(runSimulation(simulation, Number.POSITIVE_INFINITY)) as SimulationResult;
}

function databaseWith(rows: readonly object[]) {
  return { connect: async () => ({ query: async () => ({ rows }), release: () => undefined }) };
}

interface KnownReference {
  readonly book_id: string;
  readonly sequence: number;
  readonly digest: Buffer;
}

/** Simulates the Receipt on a book of two facts, with its reference recorded as given. */
async function simulateReceipt(known: KnownReference) {
  const clientBook = new TestClientBook();
  clientBook.register();
  clientBook.issue('loan-1');
  const row = {
    tenant_id: 'acme',
    namespace: 'receipts',
    reference: receipt.reference,
    kind: '',
    subject: '',
    ...known,
  };
  const fact = { act: 'receipt', body: receipt };
  const { outcomes, book } = await simulate(clientBook, fact, { database: databaseWith([row]) });
  return { outcomes, isRecorded: book.folded.log.receipt(book.folded.length, receipt.reference) !== undefined };
}

test('a Receipt under a reference of the book is a repeat with the same body and refused with another', async () => {
  const ofThisBook = { book_id: 'c/c-1', sequence: 2 };
  expect(await simulateReceipt({ ...ofThisBook, digest })).toMatchObject({ outcomes: [{ status: 200 }] });
  expect(await simulateReceipt({ ...ofThisBook, digest: Buffer.alloc(32) })).toMatchObject({
    outcomes: [{ status: 409, code: 'reference_reused' }],
    isRecorded: false,
  });
});

test('a reference recorded after the book was read counts as new', async () => {
  const result = await simulateReceipt({ book_id: 'c/c-1', sequence: 3, digest });
  expect(result).toEqual({ outcomes: [{ status: 201 }], isRecorded: true });
});

test("a reference of another Client's book is refused, whatever its sequence", async () => {
  const result = await simulateReceipt({ book_id: 'c/c-2', sequence: 9, digest: Buffer.alloc(32) });
  expect(result).toMatchObject({ outcomes: [{ status: 409, code: 'reference_reused' }], isRecorded: false });
});

test('a facility that the Client opened after the book was read does not exist in the simulation', async () => {
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
  const outcomeWithFacilityOf = async (client_id: string) => {
    const clientBook = new TestClientBook();
    clientBook.register();
    const lookups = {
      configuration: { find: async () => JSON.stringify({ archetype: 'instalment', values: configurationValues }) },
      facility: { find: async () => ({ bookId: '', row: JSON.stringify({ id: facility_id, client_id }) }) },
    };
    const context = { database: databaseWith([]), lookups };
    return (await simulate(clientBook, { act: 'issue', body: issuance }, context)).outcomes;
  };
  const [openedSince] = await outcomeWithFacilityOf('c-1');
  const [ofOtherClient] = await outcomeWithFacilityOf('c-2');
  expect(openedSince).toMatchObject({ code: 'not_found', details: { field: '/facility_id' } });
  expect(ofOtherClient).toMatchObject({ code: 'facility_other_client' });
});
