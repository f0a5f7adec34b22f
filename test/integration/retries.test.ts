/** What a caller may send again: the reference decides, in its namespace, over the whole Tenancy, at any moment. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { aReceipt, Desk, expectRefused, mustBe, newReference, pesos } from './desk.ts';
import { account, anInstalmentLoan } from './given-loans.ts';
import { house, type Told } from './tenant.ts';

let desk: Desk;
beforeAll(async () => {
  desk = await Desk.open(house());
});
afterAll(() => desk.close());

const someone = '01890000-0000-7000-8000-000000000001';
const acted = (reference: string) => ({ on: '2026-06-01', reference, actor: 'ana', basis: 'as agreed' });
const statusesOf = (told: readonly Told[]) => told.map(({ status }) => status).sort();

describe('a body', () => {
  test('is the same however it is written: order, spacing, escapes and the form of numbers', async () => {
    const client = await desk.client();
    const reference = newReference('receipt');
    const path = '/receipts';
    const first = await desk.tenant.post(
      path,
      `{"reference":"${reference}","client_id":"${client}","amount":{"minor_units":100,"currency":"MXN"},` +
        `"value_date":"2026-03-01","context":{"é":0.1,"a":[1e21,"/"]}}`,
    );
    expect(first.status).toBe(201);
    for (const [number, again] of ['1e2', '100.0', '100', '1000E-1'].entries()) {
      const body =
        `{ "context": {"a":[1000000000000000000000, "\\/"], "\\u00e9": 1e-1},\n\t"value_date":"2026-03-0\\u0031",` +
        `"amount" : {"currency":"MXN","minor_units":${again}},"client_id":"${client}", "reference":"${reference}"}`;
      const told = await desk.tenant.post(path, body);
      expect([number, told.status, told.body]).toEqual([number, 200, first.body]);
    }
  });

  test('that states a default is another than one that leaves it out', async () => {
    const client = await desk.client();
    const plain = aReceipt(client, 1_00, '2026-03-01');
    mustBe(await desk.tenant.post('/receipts', plain), 201);
    expectRefused(await desk.tenant.post('/receipts', { ...plain, payoff_intent: false }), 409, 'reference_reused');
    const stated = { ...aReceipt(client, 1_00, '2026-03-01'), payoff_intent: false };
    expect(
      statusesOf([await desk.tenant.post('/receipts', stated), await desk.tenant.post('/receipts', stated)]),
    ).toEqual([200, 201]);
  });

  test('sent to another path is another request', async () => {
    const client = await desk.client();
    const [one, other] = [await desk.loan(client), await desk.loan(client)];
    const body = acted(newReference('act'));
    expect((await desk.send(one.id, 'write-off', body)).status).toBe(201);
    expectRefused(await desk.send(one.id, 'cession', body), 409, 'reference_reused');
    expectRefused(await desk.send(other.id, 'write-off', body), 409, 'reference_reused');
  });
});

describe('a path', () => {
  test('is the same however it is written: a UUID in either case, a character encoded or not', async () => {
    const client = await desk.client();
    const loan = await desk.loan(client);
    const act = acted(newReference('act'));
    const first = mustBe(await desk.send(loan.id, 'write-off', act), 201);
    for (const id of [loan.id.toUpperCase(), loan.id.replace('-', '%2D')]) {
      expect(await desk.send(id, 'write-off', act)).toMatchObject({ status: 200, body: first.body });
    }
    const receipt = aReceipt(client, 1_00, '2026-03-01');
    mustBe(await desk.tenant.post('/receipts', receipt), 201);
    const { on: _, ...reversal } = { ...acted(newReference('act')), reason: 'returned_by_bank' };
    mustBe(await desk.tenant.post(`/receipts/${receipt.reference}/reversal`, reversal), 201);
    const otherwise = receipt.reference.replaceAll('-', '%2d');
    expect(await desk.tenant.post(`/receipts/${otherwise}/reversal`, reversal)).toMatchObject({ status: 200 });
  });
});

describe('a reference', () => {
  test('stands in four namespaces of its own: one word may name a Loan, a Receipt and an act', async () => {
    const client = await desk.client();
    const reference = newReference('word');
    const loan = await desk.loan(client, { reference });
    await desk.pay(client, 1_00, '2026-03-01', { reference });
    expect((await desk.send(loan.id, 'suspension', { ...acted(reference), to: '2026-06-30' })).status).toBe(201);
    expect((await desk.tenant.post('/loans', await desk.terms(client, { reference }))).status).toBe(200);
  });

  test('names one act of whatever kind: of a Loan, its retraction, a quote, a reversal', async () => {
    const client = await desk.client();
    const loan = await desk.loan(client);
    const { receipt } = await desk.pay(client, 1_00, '2026-03-01');
    const reference = newReference('word');
    const [issued] = loan.events;
    mustBe(await desk.send(loan.id, 'payoff-quotes', acted(reference)), 201);
    for (const told of [
      await desk.send(loan.id, 'write-off', acted(reference)),
      await desk.send(loan.id, 'retraction', { ...acted(reference), event_id: issued.id }),
      await desk.reverse(receipt.reference, { reference }),
    ]) {
      expectRefused(told, 409, 'reference_reused');
    }
    const reversal = newReference('word');
    mustBe(await desk.reverse(receipt.reference, { reference: reversal }), 201);
    expectRefused(await desk.send(loan.id, 'payoff-quotes', acted(reversal)), 409, 'reference_reused');
  });

  test('is looked up before anything else that is recorded', async () => {
    const client = await desk.client();
    const loan = await desk.loan(client);
    const { receipt } = await desk.pay(client, 1_00, '2026-03-01');
    const taken = acted(newReference('act'));
    mustBe(await desk.send(loan.id, 'write-off', taken), 201);
    // Nobody knows the Loan, the Receipt or the Client named; the reference is known, and comes first.
    expectRefused(await desk.send(someone, 'write-off', taken), 409, 'reference_reused');
    const { reference } = taken;
    expectRefused(await desk.reverse(newReference('never'), { reference }), 409, 'reference_reused');
    const money = aReceipt(newReference('nobody'), 1_00, '2026-03-01', { reference: receipt.reference });
    expectRefused(await desk.tenant.post('/receipts', money), 409, 'reference_reused');
    const terms = anInstalmentLoan(await desk.pin(), newReference('nobody'), loan.terms.reference);
    expectRefused(await desk.tenant.post('/loans', terms), 409, 'reference_reused');
    // A body that is not whole is refused before anything recorded is asked.
    expectRefused(await desk.send(someone, 'write-off', { ...taken, on: 'soon' }), 422, 'invalid_field');
    expectRefused(await desk.send(someone, 'write-off', acted(newReference('act'))), 404, 'not_found');
  });

  test('is its own in every Tenancy', async () => {
    const other = await Desk.open(house());
    const reference = newReference('word');
    await desk.pay(await desk.client(), 1_00, '2026-03-01', { reference });
    await other.pay(await other.client(), 2_00, '2026-03-01', { reference });
    await other.close();
  });

  test('is compared letter by letter', async () => {
    const client = await desk.client();
    const word = newReference('Word');
    for (const reference of [word, word.toLowerCase(), `${word} x`, `${word}  x`, `${word}\u00e9`, `${word}e\u0301`]) {
      await desk.pay(client, 1_00, '2026-03-01', { reference });
    }
  });
});

describe('at the same moment', () => {
  test('one request sent many times is recorded once, and all are told the same', async () => {
    const client = await desk.client();
    const loan = await desk.loan(client);
    const money = aReceipt(client, 1_00, '2026-03-01');
    const terms = await desk.terms(client);
    const act = acted(newReference('act'));
    const requests = [
      () => desk.tenant.post('/receipts', money),
      () => desk.tenant.post('/loans', terms),
      () => desk.send(loan.id, 'payoff-quotes', act),
    ];
    for (const request of requests) {
      const told = await Promise.all(Array.from({ length: 8 }, request));
      expect(statusesOf(told)).toEqual([...Array(7).fill(200), 201]);
      const idsOf = told.map(({ body }) => body.id ?? body.receipt.id);
      expect(new Set(idsOf).size).toBe(1);
    }
  });

  test('two Clients under one reference: one stands, the other is told that it is taken', async () => {
    const clients = await Promise.all(Array.from({ length: 16 }, () => desk.client()));
    const loans = await Promise.all(clients.map((client) => desk.loan(client)));
    const pin = await desk.pin();
    const races: readonly ((at: number, reference: string) => Promise<Told>)[] = [
      (at, reference) =>
        desk.tenant.post('/receipts', aReceipt(clients[at] as string, 1_00, '2026-03-01', { reference })),
      (at, reference) => desk.tenant.post('/loans', anInstalmentLoan(pin, clients[at] as string, reference)),
      (at, reference) => desk.send(loans[at].id, 'suspension', { ...acted(reference), to: '2026-06-01' }),
    ];
    for (const race of races) {
      // Many pairs at once, so that their books lie in one partition and in two.
      const pairs = Array.from({ length: 8 }, (_, pair) => ({ reference: newReference('race'), pair }));
      const first = await Promise.all(
        pairs.map(({ reference, pair }) => Promise.all([race(2 * pair, reference), race(2 * pair + 1, reference)])),
      );
      for (const told of first) {
        expect(statusesOf(told)).toEqual([201, 409]);
        const lost = told.find(({ status }) => status === 409) as Told;
        expectRefused(lost, 409, 'reference_reused');
      }
      // Asked again, each hears what it was told: nothing of the loser was kept.
      for (const [at, { reference, pair }] of pairs.entries()) {
        const again = await Promise.all([race(2 * pair, reference), race(2 * pair + 1, reference)]);
        expect(again.map(({ status }) => status)).toEqual(
          first[at]?.map(({ status }) => (status === 201 ? 200 : status)),
        );
      }
    }
  });

  test('acts of one Loan each meet the Loan the one before left', async () => {
    const { id } = await desk.loan(await desk.client());
    const told = await Promise.all(
      Array.from({ length: 6 }, () => desk.send(id, 'write-off', acted(newReference('act')))),
    );
    expect(statusesOf(told)).toEqual([201, 409, 409, 409, 409, 409]);
    for (const each of told) if (each.status === 409) expectRefused(each, 409, 'already_written_off');
  });
});

describe('the Idempotency-Key', () => {
  test('is signed and read by nothing where a reference governs', async () => {
    const client = await desk.client();
    const body = aReceipt(client, 1_00, '2026-03-01');
    const keyed = { idempotencyKey: 'one key' };
    const first = await desk.tenant.post('/receipts', body, keyed);
    const again = await desk.tenant.post('/receipts', body, { idempotencyKey: 'another' });
    const other = await desk.tenant.post('/receipts', aReceipt(client, 2_00, '2026-03-01'), keyed);
    expect([first.status, again.status, other.status]).toEqual([201, 200, 201]);
    for (const { headers } of [first, again, other]) expect(headers).not.toHaveProperty('idempotent-replayed');
    const unsigned = await desk.tenant.post('/receipts', body, { headers: { 'idempotency-key': 'slipped in' } });
    expectRefused(unsigned, 401, 'unauthenticated');
    const long = await desk.tenant.post('/receipts', body, { idempotencyKey: 'k'.repeat(300) });
    expect(long.status).toBe(200);
  });
});

describe('every answer', () => {
  const parts = /^total;dur=\d+\.\d, queue;dur=\d+\.\d, conn;dur=\d+\.\d, db;dur=\d+\.\d, derive;dur=\d+\.\d$/;

  test('names its request, its version and where its time went, refused or not', async () => {
    const client = await desk.client();
    const body = aReceipt(client, 1_00, '2026-03-01');
    const told = [
      await desk.tenant.post('/receipts', body, { headers: { 'request-id': 'mine-1' } }),
      await desk.tenant.post('/receipts', body, { headers: { 'request-id': 'mine-1' } }),
      await desk.tenant.post('/receipts', { ...body, amount: pesos(2) }, { headers: { 'request-id': 'mine-1' } }),
      await desk.tenant.post('/receipts', '{', { headers: { 'request-id': 'mine-1' } }),
      await desk.send(someone, 'write-off', acted(newReference('act'))),
    ];
    expect(told.map(({ status }) => status)).toEqual([201, 200, 409, 400, 404]);
    for (const { headers, body: answered, status } of told) {
      expect(headers).toMatchObject({
        'request-id': expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
        'contract-version': '2026-10-15',
        'content-type': expect.stringContaining('application/json'),
        'server-timing': expect.stringMatching(parts),
      });
      if (status >= 400) {
        expect(Object.keys(answered).filter((name) => name !== 'details')).toEqual([
          'error',
          'code',
          'retry',
          'request_id',
        ]);
        expect(answered.request_id).toBe(headers['request-id']);
      }
    }
    expect(told.map(({ headers }) => headers['caller-request-id'])).toEqual([...Array(4).fill('mine-1'), undefined]);
    expect(new Set(told.map(({ headers }) => headers['request-id'])).size).toBe(told.length);
  });

  test('says what may be done next', async () => {
    const client = await desk.client();
    const { id } = await desk.loanAfter(client, 'cession', { on: '2026-06-01' });
    const held = await desk.loan(client, { hold_until: '2026-02-14' });
    const next = async (told: Promise<Told>) => {
      const { body } = await told;
      return [body.code, body.retry];
    };
    expect([
      await next(desk.send(id, 'cession', acted(newReference('act')))),
      await next(desk.send(held.id, 'write-off', acted(newReference('act')))),
      await next(desk.send(someone, 'write-off', acted(newReference('act')))),
      await next(desk.tenant.post('/receipts', aReceipt(newReference('nobody'), 1_00, '2026-03-01'))),
      await next(desk.tenant.post('/receipts', {})),
    ]).toEqual([
      ['already_ceded', 'never'],
      ['loan_held', 'after_record'],
      ['not_found', 'after_record'],
      ['unknown_client', 'after_record'],
      ['missing_field', 'after_change'],
    ]);
  });

  test('is the same under either published version', async () => {
    const client = await desk.client();
    const body = aReceipt(client, 1_00, '2026-03-01');
    const first = await desk.tenant.post('/receipts', body, { headers: { 'contract-version': '2026-10-16' } });
    const again = await desk.tenant.post('/receipts', body, { headers: { 'contract-version': '2026-10-15' } });
    expect([first.headers['contract-version'], again.headers['contract-version']]).toEqual([
      '2026-10-16',
      '2026-10-15',
    ]);
    expect([first.status, again.status, again.body]).toEqual([201, 200, first.body]);
    const fresh = aReceipt(client, 1_00, '2026-03-01');
    const never = await desk.tenant.post('/receipts', fresh, { headers: { 'contract-version': '2026-10-17' } });
    expectRefused(never, 400, 'invalid_contract_version');
    expect((await desk.tenant.post('/receipts', fresh)).status).toBe(201);
  });

  test('to a key of another Tenancy is a refusal, and nothing is written', async () => {
    const other = await Desk.open(house());
    const body = aReceipt(await desk.client(), 1_00, '2026-03-01');
    const told = await desk.tenant.post('/receipts', body, { signer: other.tenant.signer });
    expectRefused(told, 403, 'not_permitted_tenant');
    expect((await desk.tenant.post('/receipts', body)).status).toBe(201);
    await other.close();
  });
});

test('an act sent without its account of itself says which part it lacks, in the order of the contract', async () => {
  const { id } = await desk.loan(await desk.client());
  const told = await desk.send(id, 'write-off', {
    on: '2026-06-01',
    ...account({ actor: undefined, basis: undefined }),
  });
  expectRefused(told, 422, 'missing_field', { field: '/actor' });
});
