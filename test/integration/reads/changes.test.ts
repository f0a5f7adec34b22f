/** Changes: how the figures of a book differ between two of its versions, and which facts changed them. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { OneProductLender } from '#test/support/one-product-lender.ts';
import { testEnvironment } from '#test/support/tenant.ts';

let lender: OneProductLender;
beforeAll(async () => {
  lender = await OneProductLender.open(testEnvironment());
});
afterAll(() => lender.tenant.close());

const on = '2026-03-20';

describe('changes between two versions of a book', () => {
  test('name each figure that differs on the day and the facts that changed it', async () => {
    const client = await lender.client();
    const { id } = await lender.loan(client);
    const { receipt } = await lender.pay(client, 50_000, '2026-02-15');
    await lender.reverse(receipt.reference);
    const late = await lender.pay(client, 60_000, '2026-02-16');
    const ask = (from: number, to: number) =>
      lender.read(`/clients/${client}/changes?on=${on}&from_facts=${from}&to_facts=${to}`);
    const allChanges = await ask(1, 4);
    expect(allChanges).toMatchObject({ client_id: client, on, from_facts: 1, to_facts: 4 });
    const overdue = `/loans/${id}/payment_options/overdue/total`;
    const { loans } = await lender.read(`/clients/${client}/payment-options?on=${on}`);
    const found = allChanges.changes.find(({ figure }: { figure: string }) => figure === overdue);
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

  test('can be read as known at an earlier moment', async () => {
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
    const response = await lender.tenant.get(`/clients/${client}/changes?on=${on}&${query}`);
    expect(response).toMatchObject({ status, body: { code, details: { field } } });
  });
});
