import { describe, expect, test } from '@jest/globals';
import { routes } from '#libs/api/routes.ts';
import type { Moment } from '#libs/calendar/moment.ts';
import type { Database } from '#libs/database/database.ts';
import { PartitionDatabases } from '#libs/database/partition-databases.ts';
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

/** Simulates the facts on the Client's book. */
async function simulate(
  clientBook: TestClientBook,
  facts: readonly object[],
  context: object,
): Promise<SimulationResult> {
  const request = {
    tenancy: { id: 'acme' },
    params: { client_id: 'c-1' },
    timing: new RequestTiming(),
    requestId: 'x',
    admittedAt: Date.now(),
    disconnectSignal: () => new AbortController().signal,
    body: { on: '2025-03-01', facts },
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

function databasesWith(rows: readonly object[]): PartitionDatabases {
  return PartitionDatabases.of({ query: async () => ({ rows }) } as unknown as Database);
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
  const { outcomes, book } = await simulate(clientBook, [fact], { databases: databasesWith([row]) });
  return { outcomes, isRecorded: book.folded.log.receipt(book.folded.length, receipt.reference) !== undefined };
}

const configurationLookup = {
  configuration: { find: async () => JSON.stringify({ archetype: 'instalment', values: configurationValues }) },
};

function issuanceOf(reference: string) {
  return {
    reference,
    client_id: 'c-1',
    configuration_id: 'ins-000001',
    configuration_version: 1,
    principal: money(1_000_000),
    term_periods: 12,
    anchor: '2025-01-15',
    jurisdiction: 'MX',
    tax: { rate: '16', on: ['interest', 'penalty'] },
  };
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
  const issuance = { ...issuanceOf('loan-1'), facility_id };
  const outcomeWithFacilityOf = async (client_id: string) => {
    const clientBook = new TestClientBook();
    clientBook.register();
    const lookups = {
      ...configurationLookup,
      facility: { find: async () => ({ bookId: '', row: JSON.stringify({ id: facility_id, client_id }) }) },
    };
    const context = { databases: databasesWith([]), lookups };
    return (await simulate(clientBook, [{ act: 'issue', body: issuance }], context)).outcomes;
  };
  const [openedSince] = await outcomeWithFacilityOf('c-1');
  const [ofOtherClient] = await outcomeWithFacilityOf('c-2');
  expect(openedSince).toMatchObject({ code: 'not_found', details: { field: '/facility_id' } });
  expect(ofOtherClient).toMatchObject({ code: 'facility_other_client' });
});

describe('a fact on a Loan issued in the same simulation', () => {
  const issue = { act: 'issue', body: { ...issuanceOf('new'), rate: '36' } };
  const account = { actor: 'ana', basis: 'what if' };
  const writeOff = { on: '2025-05-01', reference: 'act-1', ...account };
  const loanId = '019aa5e0-0000-7000-8000-00000000000f';
  const context = { databases: databasesWith([]), lookups: configurationLookup };

  function outcomeOf(result: SimulationResult, index: number) {
    const { status, code, details } = result.outcomes[index] as { status: number; code?: string; details?: object };
    return details === undefined ? [status, code] : [status, code, details];
  }

  async function outcomeAfterIssue(fact: object, first: object = issue) {
    const clientBook = new TestClientBook();
    clientBook.register();
    const result = await simulate(clientBook, [first, fact], context);
    return outcomeOf(result, 1);
  }

  test('names it by the reference of the issuance, as an act does and as a Receipt does that designates it', async () => {
    const clientBook = new TestClientBook();
    clientBook.register();
    clientBook.issue('older');
    const paid = { ...receipt, payoff_intent: true };
    const facts = [
      issue,
      { act: 'receipt', designated_loan_reference: 'new', body: paid },
      { act: 'write-off', loan_reference: 'new', body: writeOff },
    ];
    const { outcomes, book } = await simulate(clientBook, [...facts, ...facts], context);
    expect(outcomes).toEqual([201, 201, 201, 200, 200, 200].map((status) => ({ status })));
    const [older, issued] = book.folded.head.loans;
    expect([older?.reference, older?.paid, older?.writeOff]).toEqual(['older', 0n, undefined]);
    expect([issued?.reference, issued?.paid]).toEqual(['new', 100n]);
    expect(issued?.writeOff).toBeDefined();
  });

  test('may name a recorded Loan by repeating its issuance', async () => {
    const clientBook = new TestClientBook();
    clientBook.register();
    const recorded = String(clientBook.issue('new')['id']);
    const { method, path } = routes.issueLoan;
    const row = {
      tenant_id: 'acme',
      namespace: 'loans',
      reference: 'new',
      kind: 'issued',
      subject: recorded,
      book_id: 'c/c-1',
      sequence: 2,
      digest: submissionDigest({ method, path: path.replace('{tenant_id}', 'acme'), body: issue.body }),
    };
    const facts = [issue, { act: 'write-off', loan_reference: 'new', body: writeOff }];
    const { outcomes, book } = await simulate(clientBook, facts, { ...context, databases: databasesWith([row]) });
    expect(outcomes).toEqual([{ status: 200 }, { status: 201 }]);
    expect(book.folded.head.loans.map((loan) => [loan?.id, loan?.writeOff?.on !== undefined])).toEqual([
      [recorded, true],
    ]);
  });

  test('is refused if no earlier fact of the simulation issued a Loan under that reference', async () => {
    const bound = 'a reference issued before in facts';
    const unknownLoan = { act: 'write-off', loan_reference: 'other', body: writeOff };
    const noSuchLoan = [404, 'not_found', { field: '/loan_reference', bound }];
    expect(await outcomeAfterIssue(unknownLoan)).toEqual(noSuchLoan);
    const unknownDesignation = { act: 'receipt', designated_loan_reference: 'other', body: receipt };
    const refusal = [422, 'unknown_loan', { field: '/designated_loan_reference', bound }];
    expect(await outcomeAfterIssue(unknownDesignation)).toEqual(refusal);
    const refusedIssuance = { ...issue, body: { ...issue.body, term_periods: 5 } };
    const fact = { act: 'write-off', loan_reference: 'new', body: writeOff };
    expect(await outcomeAfterIssue(fact, refusedIssuance)).toEqual(noSuchLoan);
    expect(await outcomeAfterIssue(issue, fact)).toEqual([201, undefined]);
  });

  test.each<[string, object, string, string]>([
    [
      'an act with both names',
      { act: 'write-off', loan_id: loanId, body: writeOff },
      'inconsistent_values',
      '/loan_reference',
    ],
    ['a Receipt', { act: 'receipt', body: receipt }, 'unknown_field', '/loan_reference'],
    ['an issuance', issue, 'unknown_field', '/loan_reference'],
    ['a reversal', { act: 'reversal', reference: 'spei-1', body: {} }, 'unknown_field', '/loan_reference'],
  ])('%s may not state loan_reference', async (_, fact, code, field) => {
    const [status, refused, details] = await outcomeAfterIssue({ ...fact, loan_reference: 'new' });
    expect([status, refused]).toEqual([422, code]);
    expect(details).toMatchObject({ field });
  });

  test('designated_loan_reference is only for a Receipt without designated_loan_id', async () => {
    const field = '/designated_loan_reference';
    const act = { act: 'write-off', loan_reference: 'new', designated_loan_reference: 'new', body: writeOff };
    const onlyOfReceipts = { field, bound: 'absent where act is not receipt' };
    expect(await outcomeAfterIssue(act)).toEqual([422, 'unknown_field', onlyOfReceipts]);
    const body = { ...receipt, designated_loan_id: loanId };
    const twice = { act: 'receipt', designated_loan_reference: 'new', body };
    expect(await outcomeAfterIssue(twice)).toEqual([
      422,
      'inconsistent_values',
      { field, bound: 'absent beside designated_loan_id' },
    ]);
  });

  test('an act with neither name is refused as before', async () => {
    const refusal = [422, 'missing_field', { field: '/loan_id' }];
    expect(await outcomeAfterIssue({ act: 'write-off', body: writeOff })).toEqual(refusal);
  });
});
