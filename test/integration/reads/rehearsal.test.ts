/** A product under other values, tried on the real books before anybody sells it. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { instalment } from '#test/integration/given-loans.ts';
import { house } from '#test/integration/tenant.ts';
import { Lender, mustBe } from './lender.ts';

let lender: Lender;
beforeAll(async () => {
  lender = await Lender.open(house());
});
afterAll(() => lender.tenant.close());

const on = '2026-03-20';
const { values } = instalment;
const mxn = (minor_units: number) => ({ minor_units, currency: 'MXN' });
const fee = { ...values, origination_fee: mxn(10_000) };

function rehearse(own: Lender, body: object) {
  return own.tenant.post(`/product-configurations/${own.product.id}/rehearsal`, { on, ...body });
}

interface Change {
  readonly figure: string;
  readonly difference?: object;
}

test('the values a product has change nothing; another fee changes what each Loan collects, and records nothing', async () => {
  const own = await Lender.open(house());
  const client = await own.client();
  const loans = [await own.loan(client), await own.loan(client)];
  await own.pay(client, 150_000, '2026-02-16');
  const before = await own.read(`/clients/${client}/book?on=${on}`);
  const same = mustBe(await rehearse(own, { values }), 200).body;
  expect(same).toEqual({ configuration_id: own.product.id, on, examined: 2, loans: [] });
  const { loans: changed } = mustBe(await rehearse(own, { values: fee }), 200).body;
  expect(changed.map(({ loan_id }: { loan_id: string }) => loan_id)).toEqual(loans.map(({ id }) => id).reverse());
  for (const loan of changed) {
    const payments = loan.changes.find(({ figure }: Change) => figure === 'payments');
    expect(payments.difference).toEqual(mxn(10_000));
    expect(payments.would_be.minor_units - payments.is.minor_units).toBe(10_000);
  }
  expect(await own.read(`/clients/${client}/book?on=${on}`)).toEqual(before);
  await own.tenant.close();
});

test('a Loan that would not have been offered says why', async () => {
  const own = await Lender.open(house());
  const { id } = await own.loan(await own.client());
  const { loans } = mustBe(await rehearse(own, { values: { ...values, terms: [1, 3] } }), 200).body;
  expect(loans).toMatchObject([{ loan_id: id, refused: { code: 'term_not_offered' }, changes: [] }]);
  await own.tenant.close();
});

const penalties = (from: string, to = from) => ({ ...values, penalty_rate_min: from, penalty_rate_max: to });

test('a penalty rate the product left no choice of is the other values’; one that was chosen has to be among them', async () => {
  const own = await Lender.open(house());
  const client = await own.client();
  const { id, version } = mustBe(
    await own.tenant.post('/product-configurations', { ...instalment, values: penalties('72') }),
    201,
  ).body;
  await own.loan(client, { configuration_id: id, configuration_version: version, penalty_rate: undefined });
  const rehearsed = async (others: object) => {
    const asked = { on: '2026-05-20', values: others };
    return mustBe(await own.tenant.post(`/product-configurations/${id}/rehearsal`, asked), 200).body.loans;
  };
  const [loan] = await rehearsed(penalties('60'));
  expect(loan).not.toHaveProperty('refused');
  const payoff = loan.changes.find(({ figure }: Change) => figure === 'payoff');
  expect(payoff.difference.minor_units).toBeLessThan(0);
  expect(await rehearsed(penalties('72'))).toEqual([]);
  // A corridor leaves the rate to whoever issues: this Loan's is outside of it.
  expect(await rehearsed(penalties('50', '60'))).toMatchObject([
    { refused: { code: 'penalty_rate_outside_corridor' } },
  ]);
  await own.tenant.close();
});

test('pages go through the Loans of the product alone, and a cursor only under the same values', async () => {
  const own = await Lender.open(house());
  const other = mustBe(await own.tenant.post('/product-configurations', instalment), 201).body;
  const client = await own.client();
  const loans = [];
  for (let nth = 0; nth < 3; nth += 1) loans.push((await own.loan(client)).id);
  await own.loan(client, { configuration_id: other.id });
  const first = mustBe(await rehearse(own, { values: fee, limit: 2 }), 200).body;
  const second = mustBe(await rehearse(own, { values: fee, cursor: first.cursor }), 200).body;
  const seen = [...first.loans, ...second.loans].map(({ loan_id }: { loan_id: string }) => loan_id);
  expect(seen).toEqual(loans.reverse());
  expect(second).not.toHaveProperty('cursor');
  const elsewhere = await rehearse(own, { values, cursor: first.cursor });
  expect(elsewhere).toMatchObject({ status: 400, body: { code: 'invalid_query', details: { field: '/cursor' } } });
  await own.tenant.close();
});

test('a cursor that is none is said before anything is that is recorded', async () => {
  const none = { status: 400, body: { code: 'invalid_query', details: { field: '/cursor' } } };
  expect(await rehearse(lender, { values: {}, cursor: 'zz' })).toMatchObject(none);
  const unknown = await lender.tenant.post('/product-configurations/ins-999999/rehearsal', {
    on,
    values,
    cursor: 'zz',
  });
  expect(unknown).toMatchObject(none);
});

test('values that could not be a version are refused as a version would be, and so is a product nobody created', async () => {
  const { terms: _terms, ...short } = values;
  const told = await rehearse(lender, { values: short });
  expect(told).toMatchObject({ status: 422, body: { code: 'missing_field', details: { field: '/values/terms' } } });
  const none = await lender.tenant.post('/product-configurations/ins-999999/rehearsal', { on, values });
  expect(none).toMatchObject({ status: 404, body: { code: 'no_configuration' } });
});
