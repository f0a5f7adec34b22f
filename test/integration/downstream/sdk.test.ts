/** The SDK against the running service. */

import { randomUUID } from 'node:crypto';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { formatSecret } from '#libs/auth/signer.ts';
import { connectKafka } from '#libs/kafka/kafka-client.ts';
import { Lending, type LendingOptions, type LoanToIssue, RefusalError } from '#libs/sdk/src/lending-sdk.ts';
import { consumeMovements, type MovementBatch, type Position } from '#libs/sdk/src/topics/exports.ts';
import { instalmentProduct } from '#test/support/request-bodies.ts';
import { Tenant, testEnvironment } from '#test/support/tenant.ts';

let tenant: Tenant;
let lending: Lending;
beforeAll(async () => {
  tenant = await Tenant.open(testEnvironment());
  lending = lendingOf(tenant);
});
afterAll(() => tenant.close());

function lendingOf({ id, signer }: Tenant, options: Partial<LendingOptions> = {}): Lending {
  const key = formatSecret({ environment: 'test', seed: signer.seed });
  return new Lending({ baseUrl: testEnvironment().services.baseUrl, tenant: id, key, ...options });
}

const mxn = (minor_units: number) => ({ minor_units, currency: 'MXN' });
const attribution = (reference: string) => ({ reference, actor: 'ana', basis: 'as agreed' });
let loanCount = 0;

async function issueNewLoan(client_id: string) {
  await lending.registerClient({ client_id }, { actor: 'ana', basis: 'signed the contract' });
  const { id, version } = await lending.createConfiguration(instalmentProduct as never);
  loanCount += 1;
  const body: LoanToIssue = {
    reference: `loan-${loanCount}`,
    client_id,
    configuration_id: id,
    configuration_version: version,
    principal: mxn(10_000_00),
    term_periods: 12,
    rate: '36',
    penalty_rate: '0',
    anchor: '2026-01-15',
    jurisdiction: 'MX',
    tax: { rate: '16', on: ['interest'] },
  };
  return { body, loan: await lending.issueLoan(body) };
}

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const collected: Item[] = [];
  for await (const item of items) collected.push(item);
  return collected;
}

test('a Loan is issued, paid, read and written off, and repeats answer the same', async () => {
  const { body, loan } = await issueNewLoan('ada');
  expect(loan.state).toBe('active');
  expect(await lending.ask('issueLoan', {}, body)).toMatchObject({ status: 200, body: { id: loan.id } });
  const money = { reference: 'spei-1', client_id: 'ada', amount: mxn(1_035_61), value_date: '2026-02-15' };
  expect((await lending.reportReceipt(money)).settled).toEqual(mxn(1_035_61));
  expect((await lending.readReceipt({ receipt_reference: 'spei-1' })).receipt.reference).toBe('spei-1');

  const at = { client_id: 'ada', on: '2026-03-20' };
  const options = await lending.ask('readPaymentOptions', at, undefined);
  expect(options.body.loans[0]?.loan_id).toBe(loan.id);
  const ifNoneMatch = options.headers.get('ETag') ?? '';
  expect(await lending.ask('readPaymentOptions', at, undefined, { ifNoneMatch })).toMatchObject({ status: 304 });

  const loan_id = loan.id;
  const written = await lending.writeOffLoan({ loan_id }, { ...attribution('w-1'), on: '2026-04-01' });
  expect(written.write_off?.on).toBe('2026-04-01');
  const again = await lending
    .writeOffLoan({ loan_id }, { ...attribution('w-2'), on: '2026-04-02' })
    .catch((cause) => cause);
  expect(again).toBeInstanceOf(RefusalError);
  expect(again).toMatchObject({ status: 409, code: 'already_written_off', retry: 'never', outcomeUnknown: false });
  expect(await lending.readReceipt({ receipt_reference: 'ñ/%2F ?#' }).catch((cause) => cause)).toMatchObject({
    status: 404,
    code: 'no_receipt',
  });
});

test('a stream of Receipts is posted in batches with one outcome each, and can be repeated', async () => {
  const clients = ['bo', 'cy', 'di'];
  for (const client_id of clients) await lending.registerClient({ client_id }, { actor: 'ana', basis: 'walked in' });
  async function* receipts() {
    for (let at = 0; at < 300; at += 1) {
      const client_id = at === 123 ? 'unknown' : String(clients[at % 3]);
      yield { reference: `batch-${at}`, client_id, amount: mxn(1 + at), value_date: '2026-03-01' };
    }
  }
  const first = await collect(lending.receipts.batch(receipts(), { together: 40 }));
  expect(first.map(({ index }) => index)).toEqual(first.map((_, at) => at));
  expect(
    first.filter(({ outcome }) => outcome.status !== 201).map(({ index, outcome }) => [index, outcome.code]),
  ).toEqual([[123, 'unknown_client']]);
  const again = await collect(lending.receipts.batch(receipts()));
  expect(new Set(again.map(({ outcome }) => outcome.status))).toEqual(new Set([200, 422]));

  // Newest first: the book of a Client has them in the given order.
  const rows = await collect(lending.each('listReceipts', { client_id: 'bo', limit: 7 }));
  expect(rows.map(({ reference }) => reference)).toEqual(
    Array.from({ length: 100 }, (_, at) => `batch-${(99 - at) * 3}`).filter((reference) => reference !== 'batch-123'),
  );
});

test('the feed and its stream have the same events and interchangeable cursors', async () => {
  const stop = new AbortController();
  const { loan } = await issueNewLoan('eve');
  const waitForIssuance = async (pages: ReturnType<Lending['followFeed']>) => {
    for await (const { events, cursor } of pages)
      if (events.some(({ loan_id, kind }) => loan_id === loan.id && kind === 'issued')) return { events, cursor };
    throw new Error('the expected event did not arrive');
  };
  const fromFeed = await waitForIssuance(lending.followFeed({ limit: 1, signal: stop.signal }));
  const fromStream = await waitForIssuance(lending.followStream({ signal: stop.signal }));
  expect(fromStream.events).toEqual(fromFeed.events);

  const next = lending.followStream({ from: fromFeed.cursor, signal: stop.signal }).next();
  const after = lending.followFeed({ from: fromStream.cursor, signal: stop.signal, pauseMs: 50 }).next();
  await lending.cancelLoan({ loan_id: loan.id }, { ...attribution('c-1'), on: '2026-01-15' });
  const streamed = (await next).value;
  expect(streamed?.events.map(({ kind }) => kind)).toEqual(['cancelled']);
  expect((await after).value?.events).toEqual(streamed?.events);
  stop.abort();
});

test('a balance that is kept by adding movements is that of the statement, and a failed batch is repeated', async () => {
  const { loan } = await issueNewLoan('gil');
  const paid = { reference: 'movement-1', client_id: 'gil', amount: mxn(1_500_00), value_date: '2026-02-15' };
  await lending.reportReceipt(paid);
  // Back-dated: it takes lines of the first Receipt back.
  await lending.reportReceipt({ ...paid, reference: 'movement-2', value_date: '2026-02-01' });

  const stop = new AbortController();
  const positions = new Map<number, Position>();
  const amounts = new Map<string, bigint>();
  const add = (day: string, amount: bigint) => amounts.set(day, (amounts.get(day) ?? 0n) + amount);
  const troubles: unknown[] = [];
  let takenBack = 0;
  const take = async ({ partition, movements, position }: MovementBatch) => {
    if (troubles.length === 0) throw new Error('the store is not available');
    for (const { book_id, fact, loans } of movements.filter((each) => each.tenant_id === tenant.id)) {
      for (const { added, taken_back } of loans.filter(({ loan_id }) => loan_id === loan.id)) {
        for (const { day, amount, tax } of added) add(day, amount + tax);
        for (const { day, amount, tax } of taken_back) add(day, -amount - tax);
        takenBack += taken_back.length;
      }
      // The registration, the issuance and two Receipts.
      if (book_id === 'c/gil' && fact === 4n) stop.abort();
    }
    positions.set(partition, position);
  };
  const { stack } = testEnvironment();
  await consumeMovements({
    kafka: connectKafka(stack.kafkaBrokers, 'movements-of-the-sdk'),
    groupId: `test-${randomUUID()}`,
    registry: { url: stack.schemaRegistryUrl },
    positionsOf: async () => positions,
    take,
    signal: stop.signal,
    onTrouble: (cause) => troubles.push(cause),
  });

  expect(troubles).toContainEqual(new Error('the store is not available'));
  const until = '2026-02-15';
  const { closing } = await lending.readLoanStatement({ loan_id: loan.id, from: '2026-01-01', to: until });
  const owed = [...amounts].filter(([day]) => day <= until).reduce((sum, [, amount]) => sum + amount, 0n);
  expect(owed).toBe(BigInt(closing.minor_units));
  expect(takenBack).toBeGreaterThan(0);
}, 300_000);

describe('with failures on the way', () => {
  let proxy: Server;
  let lost = 0;
  const connections = new Set<Socket>();

  /** A proxy that drops every second connection when the response arrives. */
  beforeAll(async () => {
    let connectionCount = 0;
    const { port, hostname } = new URL(testEnvironment().services.baseUrl);
    proxy = createServer((caller) => {
      const service = connect(Number(port), hostname);
      connections.add(caller);
      connectionCount += 1;
      const dropsAnswer = connectionCount % 2 === 1;
      caller.pipe(service);
      service.on('data', (answer: Buffer) => {
        if (!dropsAnswer) return caller.write(answer);
        lost += 1;
        service.destroy();
        return caller.destroy();
      });
      for (const [one, other] of [[caller, service] as const, [service, caller] as const]) {
        one.on('error', () => other.destroy());
        one.on('close', () => other.destroy());
      }
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => {
    for (const caller of connections) caller.destroy();
    return new Promise((resolve) => proxy.close(resolve));
  });

  test('a request whose answer was lost is repeated under its reference and recorded once', async () => {
    await lending.registerClient({ client_id: 'flo' }, { actor: 'ana', basis: 'walked in' });
    const address = proxy.address();
    if (address === null || typeof address === 'string') throw new Error('the proxy has no port');
    const viaProxy = lendingOf(tenant, { baseUrl: `http://127.0.0.1:${address.port}`, patience: { withinMs: 60_000 } });
    for (let at = 0; at < 5; at += 1) {
      const receipt = { reference: `lost-${at}`, client_id: 'flo', amount: mxn(100), value_date: '2026-03-01' };
      expect((await viaProxy.reportReceipt(receipt)).receipt.reference).toBe(`lost-${at}`);
    }
    expect(lost).toBeGreaterThan(0);
    expect(await collect(lending.each('listReceipts', { client_id: 'flo' }))).toHaveLength(5);
  });

  test('a caller above its rate limit is slowed down and served', async () => {
    const bounded = await Tenant.open(testEnvironment(), {
      concurrent: 2,
      patience_ms: 1,
      per_second: 200,
      burst: 200,
    });
    try {
      let rateLimited = 0;
      const fastCaller = lendingOf(bounded, {
        onRetry(failure) {
          if (failure instanceof RefusalError && failure.status === 429) rateLimited += 1;
        },
      });
      const served = await Promise.all(Array.from({ length: 60 }, () => fastCaller.listClients()));
      expect(served).toHaveLength(60);
      expect(rateLimited).toBeGreaterThan(0);
    } finally {
      await bounded.close();
    }
  });
});
