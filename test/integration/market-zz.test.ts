/** The test market ZZ: each option of a market as a lender sees it through the API. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { policyContent } from '#libs/credit/testing/example.ts';
import { CreditWorkflow } from '#test/support/credit-workflow.ts';
import { expectRefusal, Lender, receiptBody, requireStatus } from '#test/support/lender.ts';
import { attributed, type ProductVersion } from '#test/support/request-bodies.ts';
import { type TestResponse, testEnvironment } from '#test/support/tenant.ts';

let lender: Lender;
let plain: ProductVersion;
beforeAll(async () => {
  lender = await Lender.open(testEnvironment(), { jurisdiction: 'ZZ' });
  plain = await createProduct();
});
afterAll(() => lender.close());

const money = (minorUnits: number, currency = 'XTS') => ({ minor_units: minorUnits, currency });

/** A product that leaves to the market every term which the market sets. */
function productValues(over: object = {}, currency = 'XTS') {
  return {
    principal_min: money(100_00, currency),
    principal_max: money(50_000_00, currency),
    rate_min: '0',
    rate_max: '60',
    penalty_rate_max: '90',
    terms: [1, 3, 12],
    ...over,
  };
}

function requestProduct(over: object = {}, currency = 'XTS'): Promise<TestResponse> {
  const body = { archetype: 'instalment', values: productValues(over, currency) };
  return lender.tenant.post('/product-configurations', body);
}

async function createProduct(over: object = {}, currency = 'XTS'): Promise<ProductVersion> {
  const { id, version } = requireStatus(await requestProduct(over, currency), 201).body;
  return { id, version };
}

/** The terms of a Loan of 10,000 at 36 %, anchored on 15 January 2026, in the market ZZ. */
const inZz = (over: object = {}) => ({
  principal: money(10_000_00),
  jurisdiction: 'ZZ',
  tax: { rate: '10', on: ['fee', 'late_fee'] },
  ...over,
});

async function requestLoan(over: object = {}, product = plain): Promise<TestResponse> {
  const body = await lender.loanTerms(await lender.client(), inZz(over), product);
  return lender.tenant.post('/loans', body);
}

async function issueLoan(over: object = {}, product = plain) {
  return requireStatus(await requestLoan(over, product), 201).body;
}

interface Charged {
  readonly charge: string;
  readonly amount: { readonly minor_units: number };
  readonly tax: { readonly minor_units: number };
}

/** What is owed on a day of each charge, before tax, in the periods of the Loan in force. */
async function owedCharges(loanId: string, on: string): Promise<{ readonly [charge: string]: number }> {
  const { periods } = requireStatus(await lender.tenant.get(`/loans/${loanId}/schedule?on=${on}`), 200).body;
  const owed: { [charge: string]: number } = {};
  for (const { charges } of periods.map((period: { owed: { charges: readonly Charged[] } }) => period.owed)) {
    for (const { charge, amount } of charges) owed[charge] = (owed[charge] ?? 0) + amount.minor_units;
  }
  return owed;
}

describe('the test market ZZ', () => {
  test('is read like any market, and each of its rules says that it is no law', async () => {
    const { jurisdiction, ...rules } = requireStatus(await lender.tenant.get('/markets/ZZ'), 200).body;
    expect(jurisdiction).toBe('ZZ');
    expect(rules).toMatchObject({
      currencies: { value: ['XTS', 'XXX'] },
      penalty_cap: { value: { form: 'multiple_of_rate', value: '1.5' } },
      facility_window: { value: 365 },
      capitalises: { value: true },
    });
    for (const rule of Object.values(rules)) expect(rule).toMatchObject({ source: expect.stringContaining('no law') });
  });

  test('cannot be chosen for a live Tenancy', async () => {
    const tenancy = { name: 'Live in ZZ', live: true, jurisdiction: 'ZZ', timeZone: 'UTC' };
    const opened = await lender.tenant.administration.openTenancy('test', {
      tenantId: `${lender.tenant.id}-live`,
      ...tenancy,
    });
    expect(opened).toMatchObject({ code: 'invalid_field', details: { field: '/jurisdiction', observed: 'ZZ' } });
  });
});

describe('a product in a market', () => {
  test.each([
    [
      'has a currency of the market',
      'principal_min',
      { principal_min: money(1, 'MXN'), principal_max: money(9, 'MXN') },
    ],
    ['ends the penalty of a period no later than the law', 'penalty_ceiling_days', { penalty_ceiling_days: 91 }],
    ['limits the penalty of a Loan as low as the law', 'penalty_ceiling_bps', { penalty_ceiling_bps: 2_001 }],
    [
      'calls the balance after as many missed periods as the law',
      'acceleration',
      { acceleration: { forbidden: false, missed_periods: 2, notice_days: 15 } },
    ],
    [
      'calls the balance after as many days of notice as the law',
      'acceleration',
      { acceleration: { forbidden: false, missed_periods: 3, notice_days: 14 } },
    ],
    ['lets the borrower withdraw for as long as the law', 'withdrawal_days', { withdrawal_days: 13 }],
  ])('%s', async (_, field, values) => {
    expectRefusal(await requestProduct(values), 422, 'inconsistent_values', { field: `/values/${field}` });
  });

  test('takes the terms of the market that it does not state', async () => {
    const { regime, disclosure } = await issueLoan();
    expect(regime).toMatchObject({
      penalty_base: 'overdue_instalment',
      capitalises: true,
      acceleration: { forbidden: false, missed_periods: 3, notice_days: 15 },
      penalty_ceiling_days: 90,
      penalty_ceiling_bps: 2_000,
    });
    expect(disclosure).toMatchObject({ jurisdiction: 'ZZ', convention: 'zz-rate', provisional: true });
  });

  test('cannot be sold in another market that does not permit its currency', async () => {
    const inMexico = { jurisdiction: 'MX', tax: { rate: '16', on: ['interest'] } };
    const bound = { field: '/values/principal_min', bound: ['MXN'], observed: money(100_00) };
    expectRefusal(await requestLoan(inMexico), 422, 'outside_market', bound);
  });

  test('of Mexico cannot be sold in the test market', async () => {
    const mexican = await Lender.open(testEnvironment());
    const client = await mexican.client();
    const terms = await mexican.loanTerms(client, { jurisdiction: 'ZZ', tax: { rate: '0', on: [] } });
    const bound = { field: '/values/principal_min', bound: ['XTS', 'XXX'] };
    expectRefusal(await mexican.tenant.post('/loans', terms), 422, 'outside_market', bound);
    await mexican.close();
  });
});

describe('a market with two currencies', () => {
  test('has Loans and Receipts in each, and a Client who owes nothing owes zero in the first', async () => {
    const client = await lender.client();
    const second = await createProduct({}, 'XXX');
    await lender.loan(client, inZz(), plain);
    const loan = await lender.loan(client, inZz({ principal: money(10_000_00, 'XXX') }), second);
    expect(loan.totals.payments.currency).toBe('XXX');
    for (const currency of ['XTS', 'XXX']) {
      const receipt = { ...receiptBody(client, 100_00, '2026-02-15'), amount: money(100_00, currency) };
      const { settled } = requireStatus(await lender.tenant.post('/receipts', receipt), 201).body;
      expect(settled).toEqual(money(100_00, currency));
    }
    const { amount } = requireStatus(
      await lender.tenant.get(`/clients/${await lender.client()}/obligations`),
      200,
    ).body;
    expect(amount).toEqual(money(0));
  });
});

describe('tax in a market', () => {
  test('is refused on a charge or at a rate that the law does not provide', async () => {
    const onInterest = { tax: { rate: '10', on: ['interest'] } };
    expectRefusal(await requestLoan(onInterest), 422, 'tax_not_provided', { field: '/tax/on' });
    const another = { tax: { rate: '16', on: ['fee'] } };
    expectRefusal(await requestLoan(another), 422, 'tax_not_provided', { field: '/tax/rate' });
  });

  test('may have a rate that ends: it applies to Loans up to its last day', async () => {
    const tax = { rate: '5', on: ['fee'] };
    await issueLoan({ tax, anchor: '2025-12-31' });
    expectRefusal(await requestLoan({ tax, anchor: '2026-01-01' }), 422, 'tax_not_provided', { field: '/tax/rate' });
  });
});

describe('a cap of the penalty rate at one and a half times the contract rate', () => {
  test('admits a Loan at the cap and refuses one above it', async () => {
    await issueLoan({ penalty_rate: '54' });
    const details = { field: '/penalty_rate', bound: '54', observed: '54.01' };
    expectRefusal(await requestLoan({ penalty_rate: '54.01' }), 422, 'penalty_rate_above_cap', details);
  });

  test('refuses a restructure that lowers the contract rate and keeps the penalty rate', async () => {
    const { id } = await issueLoan({ penalty_rate: '54' });
    const restructure = attributed({ on: '2026-03-01', term_periods: 3, rate: '24' });
    const details = { bound: '36', observed: '54' };
    expectRefusal(await lender.sendAct(id, 'restructure', restructure), 422, 'penalty_rate_above_cap', details);
    const lowered = await lender.act(id, 'restructure', { ...restructure, penalty_rate: '36' });
    expect(lowered.state).toBe('restructured');
  });
});

describe('the penalty of an overdue Loan', () => {
  const onePeriod = { term_periods: 1, penalty_rate: '54' };

  test('accrues on the whole instalment, or on its principal where the product says so', async () => {
    const byPrincipal = await createProduct({ penalty_base: 'overdue_principal' });
    const { id: onInstalment } = await issueLoan(onePeriod);
    const { id: onPrincipal } = await issueLoan(onePeriod, byPrincipal);
    // Ten days after the due day, on 10,310 with the interest and on 10,000 without it.
    expect((await owedCharges(onInstalment, '2026-02-25'))['penalty']).toBe(154_65);
    expect((await owedCharges(onPrincipal, '2026-02-25'))['penalty']).toBe(150_00);
  });

  test('stops growing 90 days after the due day', async () => {
    const { id } = await issueLoan(onePeriod);
    const penaltyOn = async (day: string) => (await owedCharges(id, day))['penalty'];
    expect(await penaltyOn('2026-05-15')).toBeLessThan(1_391_85);
    expect(await penaltyOn('2026-05-16')).toBe(1_391_85);
    expect(await penaltyOn('2026-12-01')).toBe(1_391_85);
  });

  test('stops growing at a fifth of the principal', async () => {
    const { id } = await issueLoan({ ...onePeriod, rate: '60', penalty_rate: '90' });
    expect((await owedCharges(id, '2026-05-16'))['penalty']).toBe(2_000_00);
  });

  test('is charged together with a late fee', async () => {
    const withLateFee = await createProduct({ late_fee: money(100_00) });
    const { id } = await issueLoan(onePeriod, withLateFee);
    expect(await owedCharges(id, '2026-02-25')).toMatchObject({ penalty: 154_65, late_fee: 100_00 });
  });
});

describe('calling the balance', () => {
  test('is refused before three periods were missed, and before 15 days of notice', async () => {
    const { id } = await issueLoan();
    const call = (on: string, notifiedOn: string) =>
      lender.sendAct(id, 'acceleration', attributed({ on, notified_on: notifiedOn }));
    const missed = { bound: 3, observed: 2 };
    expectRefusal(await call('2026-04-15', '2026-03-20'), 409, 'acceleration_unearned', missed);
    const noticed = { bound: '2026-04-17', observed: '2026-04-16' };
    expectRefusal(await call('2026-04-16', '2026-04-02'), 409, 'notice_too_short', noticed);
    expect((await call('2026-04-16', '2026-04-01')).status).toBe(201);
  });
});

describe('a withdrawal', () => {
  test('is admitted for the 14 days of the law when the product states none, and refused afterwards', async () => {
    const [early, late] = [await issueLoan(), await issueLoan()];
    expect((await lender.act(early.id, 'withdraw', { on: '2026-01-29' })).state).toBe('withdrawn');
    const closed = { bound: '2026-01-29', observed: '2026-01-30' };
    const request = attributed({ on: '2026-01-30' });
    expectRefusal(await lender.sendAct(late.id, 'withdraw', request), 409, 'withdrawal_window_closed', closed);
  });
});

describe('a restructure where interest capitalises', () => {
  test('makes the owed interest principal, which bears interest from then on', async () => {
    const { id } = await issueLoan({ term_periods: 1 });
    expect(await owedCharges(id, '2026-02-15')).toMatchObject({ principal: 10_000_00, interest: 310_00 });
    await lender.act(id, 'restructure', { on: '2026-02-15', term_periods: 1, rate: '36' });
    // 10,310 for 28 days at 36 %.
    expect(await owedCharges(id, '2026-03-16')).toMatchObject({ principal: 10_310_00, interest: 288_68 });
  });
});

describe('a facility', () => {
  test('may be open for 365 days and not for 366', async () => {
    const credit = new CreditWorkflow(lender, plain);
    await credit.adopt({ content: JSON.parse(JSON.stringify(policyContent).replaceAll('MXN', 'XTS')) });
    const client = await lender.client();
    const { id } = await credit.decide(client, 'good', { principal: money(10_000_00) });
    const days = { amount: money(10_000_00), opens_on: '2026-01-01' };
    const tooLong = await credit.requestFacility(client, id, { ...days, expires_on: '2027-01-01' });
    const bound = { field: '/expires_on', bound: 365, observed: 366 };
    expectRefusal(tooLong, 422, 'outside_window_bound', bound);
    await credit.openFacility(client, id, { ...days, expires_on: '2026-12-31' });
  });
});

describe('the banking days of a market', () => {
  test('move a due day after a Friday, a Saturday or a holiday', async () => {
    const { periods } = await issueLoan();
    const dueDays = periods.map(({ due_on }: { due_on: string }) => due_on);
    // 15 March is a holiday, 15 May a Friday, 15 August a Saturday.
    expect(dueDays).toEqual(expect.arrayContaining(['2026-02-15', '2026-03-16', '2026-05-17', '2026-08-16']));
  });

  test('end with the calendar: a Loan that is due later is refused', async () => {
    expectRefusal(await requestLoan({ anchor: '2040-11-15', term_periods: 3 }), 422, 'beyond_horizon');
  });
});
