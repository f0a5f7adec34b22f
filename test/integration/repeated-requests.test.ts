/** Repeated requests: the reference decides, within its namespace and Tenancy, also concurrently. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { expectRefusal, Lender, pesos, receiptBody, requireStatus, uniqueReference } from '#test/support/lender.ts';
import { attributed, loanBody } from '#test/support/request-bodies.ts';
import { type TestResponse, testEnvironment } from '#test/support/tenant.ts';

let lender: Lender;
beforeAll(async () => {
  lender = await Lender.open(testEnvironment());
});
afterAll(() => lender.close());

const unknownId = '01890000-0000-7000-8000-000000000001';
const actBody = (reference: string) => ({ on: '2026-06-01', reference, actor: 'ana', basis: 'as agreed' });
const statusesOf = (responses: readonly TestResponse[]) => responses.map(({ status }) => status).sort();

describe('a body', () => {
  test('is the same in any member order, spacing, escaping and number format', async () => {
    const client = await lender.client();
    const reference = uniqueReference('receipt');
    const path = '/receipts';
    const first = await lender.tenant.post(
      path,
      `{"reference":"${reference}","client_id":"${client}","amount":{"minor_units":100,"currency":"MXN"},` +
        `"value_date":"2026-03-01","context":{"é":0.1,"a":[1e21,"/"]}}`,
    );
    expect(first.status).toBe(201);
    for (const [number, again] of ['1e2', '100.0', '100', '1000E-1'].entries()) {
      const body =
        `{ "context": {"a":[1000000000000000000000, "\\/"], "\\u00e9": 1e-1},\n\t"value_date":"2026-03-0\\u0031",` +
        `"amount" : {"currency":"MXN","minor_units":${again}},"client_id":"${client}", "reference":"${reference}"}`;
      const response = await lender.tenant.post(path, body);
      expect([number, response.status, response.body]).toEqual([number, 200, first.body]);
    }
  });

  test('that states a default differs from one that leaves it out', async () => {
    const client = await lender.client();
    const plain = receiptBody(client, 1_00, '2026-03-01');
    requireStatus(await lender.tenant.post('/receipts', plain), 201);
    expectRefusal(await lender.tenant.post('/receipts', { ...plain, payoff_intent: false }), 409, 'reference_reused');
    const stated = { ...receiptBody(client, 1_00, '2026-03-01'), payoff_intent: false };
    expect(
      statusesOf([await lender.tenant.post('/receipts', stated), await lender.tenant.post('/receipts', stated)]),
    ).toEqual([200, 201]);
  });

  test('sent to another path is a different request', async () => {
    const client = await lender.client();
    const [one, other] = [await lender.loan(client), await lender.loan(client)];
    const body = actBody(uniqueReference('act'));
    expect((await lender.sendAct(one.id, 'write-off', body)).status).toBe(201);
    expectRefusal(await lender.sendAct(one.id, 'cession', body), 409, 'reference_reused');
    expectRefusal(await lender.sendAct(other.id, 'write-off', body), 409, 'reference_reused');
  });
});

describe('a path', () => {
  test('is the same with a UUID in either case and with characters encoded or not', async () => {
    const client = await lender.client();
    const loan = await lender.loan(client);
    const act = actBody(uniqueReference('act'));
    const first = requireStatus(await lender.sendAct(loan.id, 'write-off', act), 201);
    for (const id of [loan.id.toUpperCase(), loan.id.replace('-', '%2D')]) {
      expect(await lender.sendAct(id, 'write-off', act)).toMatchObject({ status: 200, body: first.body });
    }
    const receipt = receiptBody(client, 1_00, '2026-03-01');
    requireStatus(await lender.tenant.post('/receipts', receipt), 201);
    const { on: _, ...reversal } = { ...actBody(uniqueReference('act')), reason: 'returned_by_bank' };
    requireStatus(await lender.tenant.post(`/receipts/${receipt.reference}/reversal`, reversal), 201);
    const otherwise = receipt.reference.replaceAll('-', '%2d');
    expect(await lender.tenant.post(`/receipts/${otherwise}/reversal`, reversal)).toMatchObject({ status: 200 });
  });
});

describe('a reference', () => {
  test('may be used once in each namespace: for a Loan, a Receipt and an act', async () => {
    const client = await lender.client();
    const reference = uniqueReference('word');
    const loan = await lender.loan(client, { reference });
    await lender.pay(client, 1_00, '2026-03-01', { reference });
    expect((await lender.sendAct(loan.id, 'suspension', { ...actBody(reference), to: '2026-06-30' })).status).toBe(201);
    expect((await lender.tenant.post('/loans', await lender.loanTerms(client, { reference }))).status).toBe(200);
  });

  test('names one act of any kind: an act, a retraction, a quote or a reversal', async () => {
    const client = await lender.client();
    const loan = await lender.loan(client);
    const { receipt } = await lender.pay(client, 1_00, '2026-03-01');
    const reference = uniqueReference('word');
    const [issued] = loan.events;
    requireStatus(await lender.sendAct(loan.id, 'payoff-quotes', actBody(reference)), 201);
    for (const response of [
      await lender.sendAct(loan.id, 'write-off', actBody(reference)),
      await lender.sendAct(loan.id, 'retraction', { ...actBody(reference), event_id: issued.id }),
      await lender.reverse(receipt.reference, { reference }),
    ]) {
      expectRefusal(response, 409, 'reference_reused');
    }
    const reversal = uniqueReference('word');
    requireStatus(await lender.reverse(receipt.reference, { reference: reversal }), 201);
    expectRefusal(await lender.sendAct(loan.id, 'payoff-quotes', actBody(reversal)), 409, 'reference_reused');
  });

  test('is checked before any other recorded data', async () => {
    const client = await lender.client();
    const loan = await lender.loan(client);
    const { receipt } = await lender.pay(client, 1_00, '2026-03-01');
    const taken = actBody(uniqueReference('act'));
    requireStatus(await lender.sendAct(loan.id, 'write-off', taken), 201);
    // The named Loan, Receipt and Client do not exist; the reference does and is checked first.
    expectRefusal(await lender.sendAct(unknownId, 'write-off', taken), 409, 'reference_reused');
    const { reference } = taken;
    expectRefusal(await lender.reverse(uniqueReference('never'), { reference }), 409, 'reference_reused');
    const money = receiptBody(uniqueReference('unknown'), 1_00, '2026-03-01', { reference: receipt.reference });
    expectRefusal(await lender.tenant.post('/receipts', money), 409, 'reference_reused');
    const terms = loanBody(await lender.defaultProduct(), uniqueReference('unknown'), loan.terms.reference);
    expectRefusal(await lender.tenant.post('/loans', terms), 409, 'reference_reused');
    // An invalid body is refused before any recorded data is read.
    expectRefusal(await lender.sendAct(unknownId, 'write-off', { ...taken, on: 'soon' }), 422, 'invalid_field');
    expectRefusal(await lender.sendAct(unknownId, 'write-off', actBody(uniqueReference('act'))), 404, 'not_found');
  });

  test('is independent in every Tenancy', async () => {
    const other = await Lender.open(testEnvironment());
    const reference = uniqueReference('word');
    await lender.pay(await lender.client(), 1_00, '2026-03-01', { reference });
    await other.pay(await other.client(), 2_00, '2026-03-01', { reference });
    await other.close();
  });

  test('is compared character by character', async () => {
    const client = await lender.client();
    const word = uniqueReference('Word');
    for (const reference of [word, word.toLowerCase(), `${word} x`, `${word}  x`, `${word}\u00e9`, `${word}e\u0301`]) {
      await lender.pay(client, 1_00, '2026-03-01', { reference });
    }
  });
});

describe('concurrently', () => {
  test('one request sent many times is recorded once and answered the same', async () => {
    const client = await lender.client();
    const loan = await lender.loan(client);
    const money = receiptBody(client, 1_00, '2026-03-01');
    const terms = await lender.loanTerms(client);
    const act = actBody(uniqueReference('act'));
    const requests = [
      () => lender.tenant.post('/receipts', money),
      () => lender.tenant.post('/loans', terms),
      () => lender.sendAct(loan.id, 'payoff-quotes', act),
    ];
    for (const request of requests) {
      const responses = await Promise.all(Array.from({ length: 8 }, request));
      expect(statusesOf(responses)).toEqual([...Array(7).fill(200), 201]);
      const idsOf = responses.map(({ body }) => body.id ?? body.receipt.id);
      expect(new Set(idsOf).size).toBe(1);
    }
  });

  test('of two Clients under one reference one is recorded and the other is refused', async () => {
    const clients = await Promise.all(Array.from({ length: 16 }, () => lender.client()));
    const loans = await Promise.all(clients.map((client) => lender.loan(client)));
    const pin = await lender.defaultProduct();
    const races: readonly ((at: number, reference: string) => Promise<TestResponse>)[] = [
      (at, reference) =>
        lender.tenant.post('/receipts', receiptBody(clients[at] as string, 1_00, '2026-03-01', { reference })),
      (at, reference) => lender.tenant.post('/loans', loanBody(pin, clients[at] as string, reference)),
      (at, reference) => lender.sendAct(loans[at].id, 'suspension', { ...actBody(reference), to: '2026-06-01' }),
    ];
    for (const race of races) {
      // Many pairs, so that some books share a partition and some do not.
      const pairs = Array.from({ length: 8 }, (_, pair) => ({ reference: uniqueReference('race'), pair }));
      const first = await Promise.all(
        pairs.map(({ reference, pair }) => Promise.all([race(2 * pair, reference), race(2 * pair + 1, reference)])),
      );
      for (const response of first) {
        expect(statusesOf(response)).toEqual([201, 409]);
        const lost = response.find(({ status }) => status === 409) as TestResponse;
        expectRefusal(lost, 409, 'reference_reused');
      }
      // A repeat has the same answers: nothing of the refused request was recorded.
      for (const [at, { reference, pair }] of pairs.entries()) {
        const again = await Promise.all([race(2 * pair, reference), race(2 * pair + 1, reference)]);
        expect(again.map(({ status }) => status)).toEqual(
          first[at]?.map(({ status }) => (status === 201 ? 200 : status)),
        );
      }
    }
  });

  test('acts of one Loan are decided one after another', async () => {
    const { id } = await lender.loan(await lender.client());
    const responses = await Promise.all(
      Array.from({ length: 6 }, () => lender.sendAct(id, 'write-off', actBody(uniqueReference('act')))),
    );
    expect(statusesOf(responses)).toEqual([201, 409, 409, 409, 409, 409]);
    for (const each of responses) if (each.status === 409) expectRefusal(each, 409, 'already_written_off');
  });
});

describe('the Idempotency-Key', () => {
  test('is signed and otherwise ignored on routes with a reference', async () => {
    const client = await lender.client();
    const body = receiptBody(client, 1_00, '2026-03-01');
    const keyed = { idempotencyKey: 'one key' };
    const first = await lender.tenant.post('/receipts', body, keyed);
    const again = await lender.tenant.post('/receipts', body, { idempotencyKey: 'another' });
    const other = await lender.tenant.post('/receipts', receiptBody(client, 2_00, '2026-03-01'), keyed);
    expect([first.status, again.status, other.status]).toEqual([201, 200, 201]);
    for (const { headers } of [first, again, other]) expect(headers).not.toHaveProperty('idempotent-replayed');
    const unsigned = await lender.tenant.post('/receipts', body, { headers: { 'idempotency-key': 'slipped in' } });
    expectRefusal(unsigned, 401, 'unauthenticated');
    const long = await lender.tenant.post('/receipts', body, { idempotencyKey: 'k'.repeat(300) });
    expect(long.status).toBe(200);
  });
});

describe('every answer', () => {
  const parts =
    /^total;dur=\d+\.\d, queue;dur=\d+\.\d, conn;dur=\d+\.\d, db;dur=\d+\.\d, derive;dur=\d+\.\d, submit;dur=\d+\.\d, app;dur=\d+\.\d$/;

  test('has the request id, the contract version and the timing, also when refused', async () => {
    const client = await lender.client();
    const body = receiptBody(client, 1_00, '2026-03-01');
    const responses = [
      await lender.tenant.post('/receipts', body, { headers: { 'request-id': 'mine-1' } }),
      await lender.tenant.post('/receipts', body, { headers: { 'request-id': 'mine-1' } }),
      await lender.tenant.post('/receipts', { ...body, amount: pesos(2) }, { headers: { 'request-id': 'mine-1' } }),
      await lender.tenant.post('/receipts', '{', { headers: { 'request-id': 'mine-1' } }),
      await lender.sendAct(unknownId, 'write-off', actBody(uniqueReference('act'))),
    ];
    expect(responses.map(({ status }) => status)).toEqual([201, 200, 409, 400, 404]);
    for (const { headers, body: answered, status } of responses) {
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
    expect(responses.map(({ headers }) => headers['caller-request-id'])).toEqual([
      ...Array(4).fill('mine-1'),
      undefined,
    ]);
    expect(new Set(responses.map(({ headers }) => headers['request-id'])).size).toBe(responses.length);
  });

  test('to a refusal says whether it can be retried', async () => {
    const client = await lender.client();
    const { id } = await lender.loanAfterAct(client, 'cession', { on: '2026-06-01' });
    const held = await lender.loan(client, { hold_until: '2026-02-14' });
    const next = async (response: Promise<TestResponse>) => {
      const { body } = await response;
      return [body.code, body.retry];
    };
    expect([
      await next(lender.sendAct(id, 'cession', actBody(uniqueReference('act')))),
      await next(lender.sendAct(held.id, 'write-off', actBody(uniqueReference('act')))),
      await next(lender.sendAct(unknownId, 'write-off', actBody(uniqueReference('act')))),
      await next(lender.tenant.post('/receipts', receiptBody(uniqueReference('unknown'), 1_00, '2026-03-01'))),
      await next(lender.tenant.post('/receipts', {})),
    ]).toEqual([
      ['already_ceded', 'never'],
      ['loan_held', 'after_record'],
      ['not_found', 'after_record'],
      ['unknown_client', 'after_record'],
      ['missing_field', 'after_change'],
    ]);
  });

  test('is the same under both published contract versions', async () => {
    const client = await lender.client();
    const body = receiptBody(client, 1_00, '2026-03-01');
    const first = await lender.tenant.post('/receipts', body, { headers: { 'contract-version': '2026-10-16' } });
    const again = await lender.tenant.post('/receipts', body, { headers: { 'contract-version': '2026-10-15' } });
    expect([first.headers['contract-version'], again.headers['contract-version']]).toEqual([
      '2026-10-16',
      '2026-10-15',
    ]);
    expect([first.status, again.status, again.body]).toEqual([201, 200, first.body]);
    const fresh = receiptBody(client, 1_00, '2026-03-01');
    const never = await lender.tenant.post('/receipts', fresh, { headers: { 'contract-version': '2026-10-17' } });
    expectRefusal(never, 400, 'invalid_contract_version');
    expect((await lender.tenant.post('/receipts', fresh)).status).toBe(201);
  });

  test('to a key of another Tenancy is a refusal, and nothing is recorded', async () => {
    const other = await Lender.open(testEnvironment());
    const body = receiptBody(await lender.client(), 1_00, '2026-03-01');
    const response = await lender.tenant.post('/receipts', body, { signer: other.tenant.signer });
    expectRefusal(response, 403, 'not_permitted_tenant');
    expect((await lender.tenant.post('/receipts', body)).status).toBe(201);
    await other.close();
  });
});

test('an act without actor and basis is refused naming the first missing member', async () => {
  const { id } = await lender.loan(await lender.client());
  const response = await lender.sendAct(id, 'write-off', {
    on: '2026-06-01',
    ...attributed({ actor: undefined, basis: undefined }),
  });
  expectRefusal(response, 422, 'missing_field', { field: '/actor' });
});

test('the time of a write is the wait for Kafka and the processor, not the database or the derivation', async () => {
  const client = await lender.client();
  const { headers } = await lender.tenant.post('/receipts', receiptBody(client, 1_00, '2026-03-01'));
  const timing = Object.fromEntries(
    String(headers['server-timing'])
      .split(', ')
      .map((part) => part.split(';dur='))
      .map(([name, ms]) => [name, Number(ms)]),
  );
  expect(timing).toMatchObject({ conn: 0, db: 0, derive: 0 });
  expect(timing['submit']).toBeGreaterThan(0);
});
