/** A rehearsal: other product values applied to the existing Loans without recording anything. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { requireStatus } from '#test/support/lender.ts';
import { OneProductLender } from '#test/support/one-product-lender.ts';
import { instalmentProduct } from '#test/support/request-bodies.ts';
import { testEnvironment } from '#test/support/tenant.ts';

let lender: OneProductLender;
beforeAll(async () => {
  lender = await OneProductLender.open(testEnvironment());
});
afterAll(() => lender.tenant.close());

const on = '2026-03-20';
const { values } = instalmentProduct;
const mxn = (minor_units: number) => ({ minor_units, currency: 'MXN' });
const valuesWithFee = { ...values, origination_fee: mxn(10_000) };

function rehearse(otherLender: OneProductLender, body: object) {
  return otherLender.tenant.post(`/product-configurations/${otherLender.product.id}/rehearsal`, { on, ...body });
}

interface Change {
  readonly figure: string;
  readonly difference?: object;
}

test('unchanged values change no Loan; another fee changes the payments of every Loan, and nothing is recorded', async () => {
  const otherLender = await OneProductLender.open(testEnvironment());
  const client = await otherLender.client();
  const loans = [await otherLender.loan(client), await otherLender.loan(client)];
  await otherLender.pay(client, 150_000, '2026-02-16');
  const before = await otherLender.read(`/clients/${client}/book?on=${on}`);
  const same = requireStatus(await rehearse(otherLender, { values }), 200).body;
  expect(same).toEqual({ configuration_id: otherLender.product.id, on, examined: 2, loans: [] });
  const { loans: changed } = requireStatus(await rehearse(otherLender, { values: valuesWithFee }), 200).body;
  expect(changed.map(({ loan_id }: { loan_id: string }) => loan_id)).toEqual(loans.map(({ id }) => id).reverse());
  for (const loan of changed) {
    const payments = loan.changes.find(({ figure }: Change) => figure === 'payments');
    expect(payments.difference).toEqual(mxn(10_000));
    expect(payments.would_be.minor_units - payments.is.minor_units).toBe(10_000);
  }
  expect(await otherLender.read(`/clients/${client}/book?on=${on}`)).toEqual(before);
  await otherLender.tenant.close();
});

test('a Loan that would not have been offered shows the refusal', async () => {
  const otherLender = await OneProductLender.open(testEnvironment());
  const { id } = await otherLender.loan(await otherLender.client());
  const { loans } = requireStatus(await rehearse(otherLender, { values: { ...values, terms: [1, 3] } }), 200).body;
  expect(loans).toMatchObject([{ loan_id: id, refused: { code: 'term_not_offered' }, changes: [] }]);
  await otherLender.tenant.close();
});

const penalties = (from: string, to = from) => ({ ...values, penalty_rate_min: from, penalty_rate_max: to });

test('a penalty rate fixed by the product is replaced; a chosen one must be inside the new range', async () => {
  const otherLender = await OneProductLender.open(testEnvironment());
  const client = await otherLender.client();
  const { id, version } = requireStatus(
    await otherLender.tenant.post('/product-configurations', { ...instalmentProduct, values: penalties('72') }),
    201,
  ).body;
  await otherLender.loan(client, { configuration_id: id, configuration_version: version, penalty_rate: undefined });
  const rehearsed = async (others: object) => {
    const request = { on: '2026-05-20', values: others };
    return requireStatus(await otherLender.tenant.post(`/product-configurations/${id}/rehearsal`, request), 200).body
      .loans;
  };
  const [loan] = await rehearsed(penalties('60'));
  expect(loan).not.toHaveProperty('refused');
  const payoff = loan.changes.find(({ figure }: Change) => figure === 'payoff');
  expect(payoff.difference.minor_units).toBeLessThan(0);
  expect(await rehearsed(penalties('72'))).toEqual([]);
  // A range leaves the choice to the caller: the rate of this Loan is outside of it.
  expect(await rehearsed(penalties('50', '60'))).toMatchObject([
    { refused: { code: 'penalty_rate_outside_corridor' } },
  ]);
  await otherLender.tenant.close();
});

test('pages have only Loans of the product, and a cursor is valid only for the same values', async () => {
  const otherLender = await OneProductLender.open(testEnvironment());
  const other = requireStatus(await otherLender.tenant.post('/product-configurations', instalmentProduct), 201).body;
  const client = await otherLender.client();
  const loans = [];
  for (let index = 0; index < 3; index += 1) loans.push((await otherLender.loan(client)).id);
  await otherLender.loan(client, { configuration_id: other.id });
  const first = requireStatus(await rehearse(otherLender, { values: valuesWithFee, limit: 2 }), 200).body;
  const second = requireStatus(await rehearse(otherLender, { values: valuesWithFee, cursor: first.cursor }), 200).body;
  const seen = [...first.loans, ...second.loans].map(({ loan_id }: { loan_id: string }) => loan_id);
  expect(seen).toEqual(loans.reverse());
  expect(second).not.toHaveProperty('cursor');
  const elsewhere = await rehearse(otherLender, { values, cursor: first.cursor });
  expect(elsewhere).toMatchObject({ status: 400, body: { code: 'invalid_query', details: { field: '/cursor' } } });
  await otherLender.tenant.close();
});

test('an invalid cursor is refused before any recorded data is read', async () => {
  const none = { status: 400, body: { code: 'invalid_query', details: { field: '/cursor' } } };
  expect(await rehearse(lender, { values: {}, cursor: 'zz' })).toMatchObject(none);
  const unknown = await lender.tenant.post('/product-configurations/ins-999999/rehearsal', {
    on,
    values,
    cursor: 'zz',
  });
  expect(unknown).toMatchObject(none);
});

test('values that are not a valid version and an unknown product are refused', async () => {
  const { terms: _terms, ...short } = values;
  const response = await rehearse(lender, { values: short });
  expect(response).toMatchObject({ status: 422, body: { code: 'missing_field', details: { field: '/values/terms' } } });
  const none = await lender.tenant.post('/product-configurations/ins-999999/rehearsal', { on, values });
  expect(none).toMatchObject({ status: 404, body: { code: 'no_configuration' } });
});
