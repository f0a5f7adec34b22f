/** What would be, why it changed, and what the contract says of itself. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { anInstalmentLoan } from '#test/integration/given-loans.ts';
import { house } from '#test/integration/tenant.ts';
import { fetched } from '#test/openapi/fetched.ts';
import { Lender, mustBe } from './lender.ts';

let lender: Lender;
beforeAll(async () => {
  lender = await Lender.open(house());
});
afterAll(() => lender.tenant.close());

const on = '2026-03-20';
const mxn = (minor_units: number) => ({ minor_units, currency: 'MXN' });
const account = (reference: string) => ({ reference, actor: 'ana', basis: 'what if' });

function receiptOf(client: string, reference: string, minorUnits: number) {
  return { reference, client_id: client, amount: mxn(minorUnits), value_date: '2026-03-01' };
}

/** Whatever is about the moment or the identity of a fact is not the same when it is done in earnest. */
function withoutIdentity(book: unknown): unknown {
  const text = JSON.stringify(book, (name, value) => {
    return ['id', 'recorded_at', 'reported_at', 'created_at', 'version', 'event_id'].includes(name) ? undefined : value;
  });
  return JSON.parse(text);
}

describe('a supposition', () => {
  test('answers the book as it would be beside the book as it is, and records nothing', async () => {
    const client = await lender.client();
    const { id } = await lender.loan(client);
    const before = await lender.read(`/clients/${client}/book?on=${on}`);
    const receipt = receiptOf(client, `${client}-supposed`, 150_000);
    const suspension = { on: '2026-03-02', to: '2026-03-30', ...account(`${client}-act`) };
    const facts = [
      { act: 'receipt', body: receipt },
      { act: 'suspension', loan_id: id, body: suspension },
    ];
    const told = mustBe(await lender.tenant.post(`/clients/${client}/simulate`, { on, facts }), 200).body;
    expect(told.outcomes).toEqual([{ status: 201 }, { status: 201 }]);
    expect(told.is).toEqual(before);
    expect(await lender.read(`/clients/${client}/book?on=${on}`)).toEqual(before);
    mustBe(await lender.tenant.post('/receipts', receipt), 201);
    mustBe(await lender.tenant.post(`/loans/${id}/suspension`, suspension), 201);
    const after = await lender.read(`/clients/${client}/book?on=${on}`);
    expect(withoutIdentity(told.would_be)).toEqual(withoutIdentity(after));
    expect(withoutIdentity(told.is)).not.toEqual(withoutIdentity(after));
  });

  test('may begin with a Loan, and reverse a Receipt that is recorded', async () => {
    const client = await lender.client();
    await lender.loan(client);
    const { receipt } = await lender.pay(client, 150_000, '2026-02-15');
    const loan = anInstalmentLoan(lender.product, client, `${client}-supposed`);
    const reversal = { reason: 'chargeback', ...account(`${client}-reversal`) };
    const facts = [
      { act: 'issue', body: loan },
      { act: 'reversal', reference: receipt.reference, body: reversal },
    ];
    const told = mustBe(await lender.tenant.post(`/clients/${client}/simulate`, { on, facts }), 200).body;
    expect(told.outcomes).toEqual([{ status: 201 }, { status: 201 }]);
    expect([told.is.loans.length, told.would_be.loans.length]).toEqual([1, 2]);
    expect([told.is.receipts[0].reversed, told.would_be.receipts[0].reversed]).toEqual([false, true]);
  });

  test('is refused fact by fact as the real routes refuse it', async () => {
    const client = await lender.client();
    const { id } = await lender.loan(client);
    const taken = await lender.pay(client, 1_000, '2026-02-15');
    const facts = [
      { act: 'receipt', body: { ...receiptOf(client, 'x', 1), value_date: 'soon' } },
      { act: 'receipt', body: receiptOf(client, taken.receipt.reference, 999) },
      { act: 'write-off', loan_id: id, body: { on: '2026-02-01', ...account(`${client}-1`) } },
      { act: 'write-off', loan_id: id, body: { on: '2026-05-01', ...account(`${client}-2`) } },
      { act: 'write-off', loan_id: id, body: { on: '2026-05-01', ...account(`${client}-3`) } },
      { act: 'write-off', loan_id: id, body: { on: '2026-05-01', ...account(`${client}-2`) } },
      { act: 'confirm', body: { on: '2026-05-01', ...account(`${client}-4`) } },
      { act: 'reversal', reference: 'never', body: { reason: 'other', ...account(`${client}-5`) } },
    ];
    const told = mustBe(await lender.tenant.post(`/clients/${client}/simulate`, { on, facts }), 200).body;
    expect(told.outcomes.map(({ status, code }: { status: number; code?: string }) => [status, code])).toEqual([
      [422, 'invalid_field'],
      [409, 'reference_reused'],
      [422, 'invalid_event'],
      [201, undefined],
      [409, 'already_written_off'],
      [200, undefined],
      [422, 'missing_field'],
      [404, 'no_receipt'],
    ]);
    expect(told.outcomes[2]).toMatchObject({ retry: 'after_change', details: { bound: '2026-02-15' } });
    expect(told.is.loans[0].loan.state).toBe('active');
    expect(told.would_be.loans[0].loan.state).toBe('written_off');
  });

  test('is about one moment of the book, whatever is recorded meanwhile', async () => {
    const client = await lender.client();
    await lender.loan(client);
    const holds = (book: { receipts: { reference: string }[] }, reference: string) =>
      book.receipts.some((receipt) => receipt.reference === reference);
    for (let nth = 0; nth < 40; nth += 1) {
      const body = receiptOf(client, `${client}-meanwhile-${nth}`, 100);
      const [recorded, supposed] = await Promise.all([
        lender.tenant.post('/receipts', body),
        lender.tenant.post(`/clients/${client}/simulate`, { on, facts: [{ act: 'receipt', body }] }),
      ]);
      mustBe(recorded, 201);
      const { outcomes, is, would_be } = mustBe(supposed, 200).body;
      const [{ status }] = outcomes;
      expect([200, 201]).toContain(status);
      expect({ status, is: holds(is, body.reference), would_be: holds(would_be, body.reference) }).toEqual({
        status,
        is: status === 200,
        would_be: true,
      });
    }
  });

  test('of more than one question may cost is refused with how many are not', async () => {
    const client = await lender.client();
    await lender.loan(client);
    const path = `/clients/${client}/simulate`;
    const dated = (nth: number) => `2026-02-${String((nth % 28) + 1).padStart(2, '0')}`;
    // Dated round and round: each is folded before half of those already there.
    const facts = Array.from({ length: 500 }, (_, nth) => ({
      act: 'receipt',
      body: { ...receiptOf(client, `${client}-${nth}`, 100), value_date: dated(nth) },
    }));
    const refused = await lender.tenant.post(path, { on, facts });
    expect(refused).toMatchObject({ status: 422, body: { code: 'invalid_field', details: { field: '/facts' } } });
    const { bound } = refused.body.details;
    expect(bound).toBeGreaterThan(100);
    mustBe(await lender.tenant.post(path, { on, facts: facts.slice(0, bound) }), 200);
    const inOrder = facts.map((fact) => ({ ...fact, body: { ...fact.body, value_date: '2026-03-01' } }));
    mustBe(await lender.tenant.post(path, { on, facts: inOrder }), 200);
  });

  test('needs a write key, a day and at least the form of a list', async () => {
    const client = await lender.client();
    const reader = await lender.tenant.mint('read');
    const path = `/clients/${client}/simulate`;
    const refused = await lender.tenant.post(path, { on, facts: [] }, { signer: reader });
    expect(refused).toMatchObject({ status: 403, body: { code: 'not_permitted_scope' } });
    const dayless = await lender.tenant.post(path, { facts: [] });
    expect(dayless).toMatchObject({ status: 422, body: { code: 'missing_field', details: { field: '/on' } } });
    const unknown = await lender.tenant.post(path, { on, facts: [{ act: 'sell', body: {} }] });
    expect(unknown).toMatchObject({ status: 422, body: { details: { field: '/facts/0/act' } } });
  });
});

describe('changes between two versions of a book', () => {
  test('name each figure that differs on the day, and the facts that made it differ', async () => {
    const client = await lender.client();
    const { id } = await lender.loan(client);
    const { receipt } = await lender.pay(client, 50_000, '2026-02-15');
    await lender.reverse(receipt.reference);
    const late = await lender.pay(client, 60_000, '2026-02-16');
    const ask = (from: number, to: number) =>
      lender.read(`/clients/${client}/changes?on=${on}&from_facts=${from}&to_facts=${to}`);
    const whole = await ask(1, 4);
    expect(whole).toMatchObject({ client_id: client, on, from_facts: 1, to_facts: 4 });
    const overdue = `/loans/${id}/payment_options/overdue/total`;
    const { loans } = await lender.read(`/clients/${client}/payment-options?on=${on}`);
    const found = whole.changes.find(({ figure }: { figure: string }) => figure === overdue);
    expect(found.to).toEqual(loans[0].overdue.total);
    expect(found.from.minor_units - found.to.minor_units).toBe(60_000);
    expect(found.facts).toMatchObject([
      { facts: 2, type: 'receipt', id: receipt.reference, recorded_at: receipt.reported_at },
      { facts: 3, type: 'reversal' },
      { facts: 4, type: 'receipt', id: late.receipt.reference },
    ]);
    expect((await ask(1, 3)).changes).toEqual([]);
    expect((await ask(4, 4)).changes).toEqual([]);
    const issued = await ask(0, 1);
    expect(issued.changes.find(({ figure }: { figure: string }) => figure === `/loans/${id}/state`)).toMatchObject({
      to: 'active',
      facts: [{ facts: 1, type: 'event' }],
    });
  });

  test('are asked as far as was known at a moment', async () => {
    const client = await lender.client();
    await lender.loan(client);
    const { receipt } = await lender.pay(client, 50_000, '2026-02-15');
    await lender.reverse(receipt.reference);
    const known = `known_at=${receipt.reported_at}`;
    const path = `/clients/${client}/changes?on=${on}&from_facts=1`;
    expect(await lender.read(`${path}&to_facts=2&${known}`)).toEqual(await lender.read(`${path}&to_facts=2`));
    const later = await lender.tenant.get(`${path}&to_facts=3&${known}`);
    expect(later).toMatchObject({ status: 400, body: { details: { field: 'to_facts', bound: 2, observed: 3 } } });
  });

  test.each([
    ['from_facts=0&to_facts=9', 400, 'invalid_query', 'to_facts'],
    ['from_facts=2&to_facts=1', 400, 'invalid_query', 'to_facts'],
    ['from_facts=0', 422, 'missing_field', 'to_facts'],
  ])('?%s is refused', async (query, status, code, field) => {
    const client = await lender.client();
    const told = await lender.tenant.get(`/clients/${client}/changes?on=${on}&${query}`);
    expect(told).toMatchObject({ status, body: { code, details: { field } } });
  });
});

test('the changelog is open to everybody and has an entry for each version and for what is on its way out', async () => {
  const told = await fetched(`${house().services.baseUrl}/changelog`);
  expect(told.status).toBe(200);
  expect(told.headers.get('content-type')).toBe('text/html; charset=utf-8');
  const page = told.text;
  for (const id of ['2026-10-15', '2026-10-16', 'vat_rate_bps']) expect(page).toContain(`<section id="${id}">`);
  expect(page).toContain('2027-01-15');
});
