/** What a caller does with the SDK, against the service itself. */
import { connect, createServer, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { formatSecret } from '#libs/auth/secret.ts';
import { Lending, LendingError, type LendingOptions, type LoanToIssue } from '#libs/sdk/src/lending-sdk.ts';
import { instalment } from '#test/integration/given-loans.ts';
import { house, Tenant } from '#test/integration/tenant.ts';

let tenant: Tenant;
let lending: Lending;
beforeAll(async () => {
  tenant = await Tenant.open(house());
  lending = lendingOf(tenant);
});
afterAll(() => tenant.close());

function lendingOf({ id, signer }: Tenant, options: Partial<LendingOptions> = {}): Lending {
  const key = formatSecret({ environment: 'test', seed: signer.secretKey.subarray(0, 32) });
  return new Lending({ baseUrl: house().services.baseUrl, tenant: id, key, ...options });
}

const mxn = (minor_units: number) => ({ minor_units, currency: 'MXN' });
const account = (reference: string) => ({ reference, actor: 'ana', basis: 'as agreed' });
let made = 0;

async function aLoan(client_id: string) {
  await lending.registerClient({ client_id }, { actor: 'ana', basis: 'signed the contract' });
  const { id, version } = await lending.createConfiguration(instalment as never);
  made += 1;
  const body: LoanToIssue = {
    reference: `loan-${made}`,
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

async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const collected: Item[] = [];
  for await (const item of items) collected.push(item);
  return collected;
}

test('a Loan is lent, paid, read and written off, and everything sent again is what it was', async () => {
  const { body, loan } = await aLoan('ada');
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

  const { loan_id } = { loan_id: loan.id };
  const written = await lending.writeOffLoan({ loan_id }, { ...account('w-1'), on: '2026-04-01' });
  expect(written.write_off?.on).toBe('2026-04-01');
  const again = await lending
    .writeOffLoan({ loan_id }, { ...account('w-2'), on: '2026-04-02' })
    .catch((cause) => cause);
  expect(again).toBeInstanceOf(LendingError);
  expect(again).toMatchObject({ status: 409, code: 'already_written_off', retry: 'never', outcomeUnknown: false });
  expect(await lending.readReceipt({ receipt_reference: 'ñ/%2F ?#' }).catch((cause) => cause)).toMatchObject({
    status: 404,
    code: 'no_receipt',
  });
});

test('receipts are posted without number and told one by one; posted again, each is what it was', async () => {
  const clients = ['bo', 'cy', 'di'];
  for (const client_id of clients) await lending.registerClient({ client_id }, { actor: 'ana', basis: 'walked in' });
  async function* receipts() {
    for (let at = 0; at < 300; at += 1) {
      const client_id = at === 123 ? 'nobody' : String(clients[at % 3]);
      yield { reference: `batch-${at}`, client_id, amount: mxn(1 + at), value_date: '2026-03-01' };
    }
  }
  const first = await all(lending.receipts.batch(receipts(), { together: 40 }));
  expect(first.map(({ index }) => index)).toEqual(first.map((_, at) => at));
  expect(
    first.filter(({ outcome }) => outcome.status !== 201).map(({ index, outcome }) => [index, outcome.code]),
  ).toEqual([[123, 'unknown_client']]);
  const again = await all(lending.receipts.batch(receipts()));
  expect(new Set(again.map(({ outcome }) => outcome.status))).toEqual(new Set([200, 422]));

  // Newest first: the book of a Client holds them in the order they were given.
  const rows = await all(lending.each('listReceipts', { client_id: 'bo', limit: 7 }));
  expect(rows.map(({ reference }) => reference)).toEqual(
    Array.from({ length: 100 }, (_, at) => `batch-${(99 - at) * 3}`).filter((reference) => reference !== 'batch-123'),
  );
});

test('feed and stream tell the same events, and take each other’s cursors', async () => {
  const stop = new AbortController();
  const { loan } = await aLoan('eve');
  const issued = async (told: ReturnType<Lending['followFeed']>) => {
    for await (const { events, cursor } of told)
      if (events.some(({ loan_id, kind }) => loan_id === loan.id && kind === 'issued')) return { events, cursor };
    throw new Error('it was not told');
  };
  const fed = await issued(lending.followFeed({ limit: 1, signal: stop.signal }));
  const streamed = await issued(lending.followStream({ signal: stop.signal }));
  expect(streamed.events).toEqual(fed.events);

  const next = lending.followStream({ from: fed.cursor, signal: stop.signal }).next();
  const after = lending.followFeed({ from: streamed.cursor, signal: stop.signal, pauseMs: 50 }).next();
  await lending.cancelLoan({ loan_id: loan.id }, { ...account('c-1'), on: '2026-01-15' });
  const told = (await next).value;
  expect(told?.events.map(({ kind }) => kind)).toEqual(['cancelled']);
  expect((await after).value?.events).toEqual(told?.events);
  stop.abort();
});

describe('what happens on the way', () => {
  let relay: Server;
  let lost = 0;
  const callers = new Set<Socket>();

  /** Hands everything on, and breaks every other line off when the answer comes. */
  beforeAll(async () => {
    let lines = 0;
    const { port, hostname } = new URL(house().services.baseUrl);
    relay = createServer((caller) => {
      const service = connect(Number(port), hostname);
      callers.add(caller);
      lines += 1;
      const breaks = lines % 2 === 1;
      caller.pipe(service);
      service.on('data', (answer: Buffer) => {
        if (!breaks) return caller.write(answer);
        lost += 1;
        service.destroy();
        return caller.destroy();
      });
      for (const [one, other] of [[caller, service] as const, [service, caller] as const]) {
        one.on('error', () => other.destroy());
        one.on('close', () => other.destroy());
      }
    });
    await new Promise<void>((resolve) => relay.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => {
    for (const caller of callers) caller.destroy();
    return new Promise((resolve) => relay.close(resolve));
  });

  test('an answer that is lost is asked for again under its reference: recorded once, and told', async () => {
    await lending.registerClient({ client_id: 'flo' }, { actor: 'ana', basis: 'walked in' });
    const address = relay.address();
    if (address === null || typeof address === 'string') throw new Error('the relay has no port');
    const through = lendingOf(tenant, { baseUrl: `http://127.0.0.1:${address.port}`, patience: { withinMs: 60_000 } });
    for (let at = 0; at < 5; at += 1) {
      const receipt = { reference: `lost-${at}`, client_id: 'flo', amount: mxn(100), value_date: '2026-03-01' };
      expect((await through.reportReceipt(receipt)).receipt.reference).toBe(`lost-${at}`);
    }
    expect(lost).toBeGreaterThan(0);
    expect(await all(lending.each('listReceipts', { client_id: 'flo' }))).toHaveLength(5);
  });

  test('a caller faster than its bounds is slowed down and served', async () => {
    const bounded = await Tenant.open(house(), { concurrent: 2, patience_ms: 1, per_second: 200, burst: 200 });
    try {
      let turnedAway = 0;
      const hurried = lendingOf(bounded, {
        onRetry(failure) {
          if (failure instanceof LendingError && failure.status === 429) turnedAway += 1;
        },
      });
      const served = await Promise.all(Array.from({ length: 60 }, () => hurried.listClients()));
      expect(served).toHaveLength(60);
      expect(turnedAway).toBeGreaterThan(0);
    } finally {
      await bounded.close();
    }
  });
});
