/** One customer of a furniture shop, from the product to the last statement. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { policyContent } from '#libs/credit/testing/example.ts';
import { CreditWorkflow } from '#test/support/credit-workflow.ts';
import { expectRefusal, Lender, pesos, requireStatus } from '#test/support/lender.ts';
import { attributed } from '#test/support/request-bodies.ts';
import { type TestResponse, testEnvironment } from '#test/support/tenant.ts';

let lender: Lender;

beforeAll(async () => {
  lender = await Lender.open(testEnvironment());
});

afterAll(() => lender.close());

const get = async (path: string) => requireStatus(await lender.tenant.get(path), 200).body;
const minor = (money: { minor_units: number }) => money.minor_units;

interface Movements {
  opening: { minor_units: number };
  charged: { minor_units: number };
  received: { minor_units: number };
  released: { minor_units: number };
  ceded_away: { minor_units: number };
  closing: { minor_units: number };
}

function expectBalanced({ opening, charged, received, released, ceded_away, closing }: Movements): void {
  expect(minor(opening) + minor(charged) - minor(received) - minor(released) - minor(ceded_away)).toBe(minor(closing));
}

// Shared by the tests below, which continue one another.
let credit: CreditWorkflow;
let clientId: string;
let line: TestResponse['body'];
let sofa: TestResponse['body'];
let bed: TestResponse['body'];
let television: TestResponse['body'];
let tvReturn: TestResponse['body'];
let waiver: object;
let refusal: TestResponse['body'];

function purchase(principal: number, over: object = {}) {
  const body = { principal: pesos(principal), penalty_rate: '72', merchant_ref: 'muebleria-sur', ...over };
  return credit.draw(clientId, line.id, body);
}

test('the product is offered under a lookup key', async () => {
  const terms = { terms: [6, 12], tolerance_days: 3, penalty_rate_min: '72', penalty_rate_max: '72' };
  const product = await lender.createProduct('instalment', terms);
  const keyTarget = { configuration_id: product.id, configuration_version: product.version };
  requireStatus(await lender.tenant.put('/product-lookup-keys/muebles', keyTarget), 201);
  const lookupKey = await get('/product-lookup-keys/muebles');
  credit = new CreditWorkflow(lender, {
    id: lookupKey.configuration_id,
    version: lookupKey.configuration_version,
  });
  expect(credit.product).toEqual(product);
});

test('a credit policy is adopted for the product', async () => {
  const checked = requireStatus(
    await lender.tenant.post('/credit-policies/tienda/validate', { content: policyContent }),
    200,
  ).body;
  const version = await credit.adopt({ policy: 'tienda', enforceBar: true });
  expect((await get(`/credit-policies/tienda/versions/${version}`)).digest).toBe(checked.digest);
});

test('an application is approved with a limit and a credit line is opened', async () => {
  clientId = await lender.client();
  const application = { limit: true, principal: pesos(4_000_000), submitted_on: '2026-01-10' };
  const approval = await credit.decide(clientId, 'good', application);
  expect(approval).toMatchObject({ outcome: 'approve', over_ceiling: false, rate: { percent: '37.5' } });
  line = await credit.openFacility(clientId, approval.id, { line: true, amount: pesos(4_500_000) });
});

test('three purchases are drawn; a fourth exceeds the line', async () => {
  sofa = requireStatus(await purchase(2_000_000, { term_periods: 12 }), 201).body;
  bed = requireStatus(await purchase(1_000_000, { term_periods: 6 }), 201).body;
  television = requireStatus(await purchase(1_200_000, { term_periods: 6 }), 201).body;
  expectRefusal(await purchase(500_000), 422, 'facility_exhausted', { bound: pesos(300_000) });
  expect(await get(`/facilities/${line.id}`)).toMatchObject({ drawn: pesos(4_200_000), headroom: pesos(300_000) });
});

test('the first instalments are paid exactly on their day', async () => {
  const due = (await get(`/clients/${clientId}/payment-options?on=2026-02-16`)).loans;
  const first = due.reduce((sum: number, { overdue }: { overdue: { total: { minor_units: number } } }) => {
    return sum + minor(overdue.total);
  }, 0);
  const paid = await lender.pay(clientId, first, '2026-02-16');
  expect(paid).toMatchObject({ settled: pesos(first), surplus: pesos(0) });
  expect(paid.loans).toHaveLength(3);
  expect(minor((await get(`/facilities/${line.id}`)).drawn)).toBeLessThan(4_200_000);
});

test('the television is returned and its payments are owed tvReturn', async () => {
  const returned = await lender.act(television.id, 'return', { on: '2026-03-02', amount: pesos(1_200_000) });
  [tvReturn] = returned.returns;
  expect(tvReturn).toMatchObject({ returned_whole: true, on: '2026-03-02' });
  const owedBack = await get(`/clients/${clientId}/obligations`);
  expect(owedBack.returns).toEqual([tvReturn.act]);
  expect(minor(owedBack.amount)).toBe(minor(tvReturn.principal_owed_back) + minor(tvReturn.interest_owed_back));
});

test('unpaid Loans are late and listed as due', async () => {
  const late = await get('/dues?on=2026-05-10&only=late');
  expect(late.clients.map(({ client_id }: { client_id: string }) => client_id)).toEqual([clientId]);
  const inArrears = await get(`/loans/${bed.id}/delinquency?on=2026-05-10`);
  // 15 March is a Sunday and the Monday after it a holiday: it was due on the 17th.
  expect(inArrears.days_past_due).toBe(54);
});

test('the bed is suspended and a penalty is waived', async () => {
  const helped = await lender.act(bed.id, 'suspension', { on: '2026-05-11', to: '2026-05-31' });
  const suspension = helped.events.findLast(({ kind }: { kind: string }) => kind === 'suspended');
  const march = (await get(`/loans/${bed.id}/schedule?on=2026-05-11`)).periods[1];
  const penalty = march.owed.charges.find(({ charge }: { charge: string }) => charge === 'penalty');
  waiver = { on: '2026-05-11', period: 2, charge: 'penalty', amount: penalty.amount };
  await lender.act(bed.id, 'waiver', waiver);
  const during = (await get(`/clients/${clientId}/payment-options?on=2026-05-20`)).loans[1];
  expect(during).toMatchObject({ loan_id: bed.id, suspension: { event_id: suspension.id } });
  expect(during.late).toBeUndefined();
  expect(during.waivers).toMatchObject([{ period: 2, charge: 'penalty', amount: penalty.amount }]);
});

test('the sofa is written off; later payments are recovery and do not close it', async () => {
  const given = await lender.act(sofa.id, 'write-off', { on: '2026-08-31' });
  expect(given).toMatchObject({ state: 'written_off', write_off: { on: '2026-08-31', recovered: pesos(0) } });
  const designated = { designated_loan_id: sofa.id };
  await lender.pay(clientId, 300_000, '2026-09-10', designated);
  const recovering = await get(`/loans/${sofa.id}`);
  expect(recovering).toMatchObject({ state: 'written_off', owes: true, write_off: { recovered: pesos(300_000) } });
  const rest = (await get(`/clients/${clientId}/payment-options?on=2026-09-20`)).loans[0].payoff.owed.total;
  await lender.pay(clientId, minor(rest), '2026-09-20', { ...designated, payoff_intent: true });
  const recovered = await get(`/loans/${sofa.id}`);
  expect(recovered).toMatchObject({ state: 'written_off', owes: false });
  expect(minor(recovered.write_off.recovered)).toBe(300_000 + minor(rest));
  expect(recovered).not.toHaveProperty('closed_on');
});

test('the bed is ceded and its payments are refused afterwards', async () => {
  await lender.act(bed.id, 'cession', { on: '2026-10-01', context: { buyer: 'fondo-norte' } });
  expect(await get(`/loans/${bed.id}`)).toMatchObject({ state: 'ceded', owes: true, owed_to: 'assignee' });
  const latePayment = { reference: 'late-money', client_id: clientId, amount: pesos(1_000), value_date: '2026-10-02' };
  const toTheBed = { ...latePayment, designated_loan_id: bed.id };
  expectRefusal(await lender.tenant.post('/receipts', toTheBed), 409, 'cession_in_force');
});

test('a new application is refused, and the bar refuses the next one', async () => {
  refusal = await credit.decide(clientId, 'defaulted', { submitted_on: '2026-10-05' });
  const again = await credit.apply(clientId, 'good', { submitted_on: '2026-11-01' });
  expectRefusal(again, 409, 'client_barred', { recorded_id: refusal.id, bound: '2027-01-03' });
});

test('every monthly statement balances and opens with the closing of the month before', async () => {
  const months = Array.from({ length: 10 }, (_, index) => {
    const month = String(index + 1).padStart(2, '0');
    return { from: `2026-${month}-01`, to: `2026-${month}-${new Date(Date.UTC(2026, index + 1, 0)).getUTCDate()}` };
  });
  let opening = 0;
  for (const { from, to } of months) {
    const statement = await get(`/clients/${clientId}/statement?from=${from}&to=${to}`);
    for (const loan of statement.loans) expectBalanced(loan);
    const [peso] = statement.currencies;
    expect(peso).toMatchObject({ currency: 'MXN', loans: 3, opening: pesos(opening) });
    opening = minor(peso.closing);
    const sum = statement.loans.reduce((total: number, { closing }: Movements) => total + minor(closing), 0);
    expect(sum).toBe(opening);
  }
  const year = await get(`/clients/${clientId}/statement?from=2026-01-01&to=2026-12-31`);
  expect(year.loans.map(({ closing }: Movements) => minor(closing))).toEqual([0, 0, minor(tvReturn.still_owed.total)]);
});

test("the merchant's book, the feed and the Client's book agree", async () => {
  const shop = await get('/merchants/muebleria-sur/book?on=2026-12-31');
  expect(shop.currencies).toMatchObject([
    { currency: 'MXN', loans: 3, sold: pesos(4_200_000), returned: pesos(1_200_000) },
  ]);
  const { events } = await get('/loan-events?limit=200');
  expect(events.map(({ kind }: { kind: string }) => kind)).toEqual([
    'issued',
    'issued',
    'issued',
    'returned',
    'suspended',
    'waived',
    'written_off',
    'ceded',
  ]);
  const book = await get(`/clients/${clientId}/book?on=2026-12-31`);
  expect(book.loans).toHaveLength(3);
  expect(book.bar).toMatchObject({ barred: true, decision: refusal.id });
  expect(book.facilities).toMatchObject([{ id: line.id }]);
  expectRefusal(await lender.sendAct(bed.id, 'waiver', attributed(waiver)), 409, 'cession_in_force');
});
