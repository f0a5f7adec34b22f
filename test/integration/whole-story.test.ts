/** A furniture shop's customer, from the product to the last statement, as the lender's own people would tell it. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { content } from '#libs/credit/testing/example.ts';
import { Desk, expectRefused, mustBe, pesos } from './desk.ts';
import { account } from './given-loans.ts';
import { house } from './tenant.ts';
import { Underwriter } from './underwriter.ts';

let desk: Desk;

beforeAll(async () => {
  desk = await Desk.open(house());
});

afterAll(() => desk.close());

const get = async (path: string) => mustBe(await desk.tenant.get(path), 200).body;
const minor = (money: { minor_units: number }) => money.minor_units;

interface Movements {
  opening: { minor_units: number };
  charged: { minor_units: number };
  received: { minor_units: number };
  released: { minor_units: number };
  ceded_away: { minor_units: number };
  closing: { minor_units: number };
}

function closes({ opening, charged, received, released, ceded_away, closing }: Movements): void {
  expect(minor(opening) + minor(charged) - minor(received) - minor(released) - minor(ceded_away)).toBe(minor(closing));
}

test('a customer is lent to, pays, returns, falls behind, is helped, is given up, pays again and is sold', async () => {
  // The product, sold under the shop's own word for it.
  const terms = { terms: [6, 12], tolerance_days: 3, penalty_rate_min: '72', penalty_rate_max: '72' };
  const pin = await desk.product('instalment', terms);
  const pointing = { configuration_id: pin.id, configuration_version: pin.version };
  mustBe(await desk.tenant.put('/product-lookup-keys/muebles', pointing), 201);
  const sold = await get('/product-lookup-keys/muebles');
  const credit = new Underwriter(desk, { id: sold.configuration_id, version: sold.configuration_version });
  expect(credit.pin).toEqual(pin);

  // The policy that decides who may have it.
  const checked = mustBe(await desk.tenant.post('/credit-policies/tienda/validate', { content }), 200).body;
  const version = await credit.adopt({ policy: 'tienda', enforceBar: true });
  expect((await get(`/credit-policies/tienda/versions/${version}`)).digest).toBe(checked.digest);

  // The application, the approval and the line.
  const clientId = await desk.client();
  const asked = { limit: true, principal: pesos(4_000_000), submitted_on: '2026-01-10' };
  const approval = await credit.decided(clientId, 'good', asked);
  expect(approval).toMatchObject({ outcome: 'approve', over_ceiling: false, rate: { percent: '37.5' } });
  const line = await credit.opened(clientId, approval.id, { line: true, amount: pesos(4_500_000) });

  // Three purchases; a fourth is more than the line holds.
  const buy = async (principal: number, over: object = {}) => {
    const stated = { principal: pesos(principal), penalty_rate: '72', merchant_ref: 'muebleria-sur', ...over };
    return credit.draw(clientId, line.id, stated);
  };
  const sofa = mustBe(await buy(2_000_000, { term_periods: 12 }), 201).body;
  const bed = mustBe(await buy(1_000_000, { term_periods: 6 }), 201).body;
  const television = mustBe(await buy(1_200_000, { term_periods: 6 }), 201).body;
  expectRefused(await buy(500_000), 422, 'facility_exhausted', { bound: pesos(300_000) });
  expect(await get(`/facilities/${line.id}`)).toMatchObject({ drawn: pesos(4_200_000), headroom: pesos(300_000) });

  // The first instalments, paid to the cent on their day.
  const due = (await get(`/clients/${clientId}/payment-options?on=2026-02-16`)).loans;
  const first = due.reduce((sum: number, { overdue }: { overdue: { total: { minor_units: number } } }) => {
    return sum + minor(overdue.total);
  }, 0);
  const paid = await desk.pay(clientId, first, '2026-02-16');
  expect(paid).toMatchObject({ settled: pesos(first), surplus: pesos(0) });
  expect(paid.loans).toHaveLength(3);
  expect(minor((await get(`/facilities/${line.id}`)).drawn)).toBeLessThan(4_200_000);

  // The television goes back to the shop.
  const returned = await desk.act(television.id, 'return', { on: '2026-03-02', amount: pesos(1_200_000) });
  const [back] = returned.returns;
  expect(back).toMatchObject({ returned_whole: true, on: '2026-03-02' });
  const owedBack = await get(`/clients/${clientId}/obligations`);
  expect(owedBack.returns).toEqual([back.act]);
  expect(minor(owedBack.amount)).toBe(minor(back.principal_owed_back) + minor(back.interest_owed_back));

  // Nothing comes in March and April: the two Loans that are left are late, and the collectors find them.
  const late = await get('/dues?on=2026-05-10&only=late');
  expect(late.clients.map(({ client_id }: { client_id: string }) => client_id)).toEqual([clientId]);
  const inArrears = await get(`/loans/${bed.id}/delinquency?on=2026-05-10`);
  // 15 March is a Sunday and the Monday after it a holiday: it was due on the 17th.
  expect(inArrears.days_past_due).toBe(54);

  // The bed is given until the end of May, and the penalty of its March instalment is let go.
  const helped = await desk.act(bed.id, 'suspension', { on: '2026-05-11', to: '2026-05-31' });
  const suspension = helped.events.findLast(({ kind }: { kind: string }) => kind === 'suspended');
  const march = (await get(`/loans/${bed.id}/schedule?on=2026-05-11`)).periods[1];
  const penalty = march.owed.charges.find(({ charge }: { charge: string }) => charge === 'penalty');
  const waiver = { on: '2026-05-11', period: 2, charge: 'penalty', amount: penalty.amount };
  await desk.act(bed.id, 'waiver', waiver);
  const during = (await get(`/clients/${clientId}/payment-options?on=2026-05-20`)).loans[1];
  expect(during).toMatchObject({ loan_id: bed.id, suspension: { event_id: suspension.id } });
  expect(during.late).toBeUndefined();
  expect(during.waivers).toMatchObject([{ period: 2, charge: 'penalty', amount: penalty.amount }]);

  // The sofa is given up at the end of August. What comes afterwards is recovery, and it stays written off.
  const given = await desk.act(sofa.id, 'write-off', { on: '2026-08-31' });
  expect(given).toMatchObject({ state: 'written_off', write_off: { on: '2026-08-31', recovered: pesos(0) } });
  const designated = { designated_loan_id: sofa.id };
  await desk.pay(clientId, 300_000, '2026-09-10', designated);
  const recovering = await get(`/loans/${sofa.id}`);
  expect(recovering).toMatchObject({ state: 'written_off', owes: true, write_off: { recovered: pesos(300_000) } });
  const rest = (await get(`/clients/${clientId}/payment-options?on=2026-09-20`)).loans[0].payoff.owed.total;
  await desk.pay(clientId, minor(rest), '2026-09-20', { ...designated, payoff_intent: true });
  const recovered = await get(`/loans/${sofa.id}`);
  expect(recovered).toMatchObject({ state: 'written_off', owes: false });
  expect(minor(recovered.write_off.recovered)).toBe(300_000 + minor(rest));
  expect(recovered).not.toHaveProperty('closed_on');

  // The bed is sold on. From then on its money is somebody else's.
  await desk.act(bed.id, 'cession', { on: '2026-10-01', context: { buyer: 'fondo-norte' } });
  expect(await get(`/loans/${bed.id}`)).toMatchObject({ state: 'ceded', owes: true, owed_to: 'assignee' });
  const misplaced = { reference: 'late-money', client_id: clientId, amount: pesos(1_000), value_date: '2026-10-02' };
  const toTheBed = { ...misplaced, designated_loan_id: bed.id };
  expectRefused(await desk.tenant.post('/receipts', toTheBed), 409, 'cession_in_force');

  // A new application fails, and the bar keeps the next one out.
  const refusal = await credit.decided(clientId, 'defaulted', { submitted_on: '2026-10-05' });
  const again = await credit.apply(clientId, 'good', { submitted_on: '2026-11-01' });
  expectRefused(again, 409, 'client_barred', { recorded_id: refusal.id, bound: '2027-01-03' });

  // The statements of it all: every month closes, and the next opens where it closed.
  const months = Array.from({ length: 10 }, (_, nth) => {
    const month = String(nth + 1).padStart(2, '0');
    return { from: `2026-${month}-01`, to: `2026-${month}-${new Date(Date.UTC(2026, nth + 1, 0)).getUTCDate()}` };
  });
  let opening = 0;
  for (const { from, to } of months) {
    const statement = await get(`/clients/${clientId}/statement?from=${from}&to=${to}`);
    for (const loan of statement.loans) closes(loan);
    const [peso] = statement.currencies;
    expect(peso).toMatchObject({ currency: 'MXN', loans: 3, opening: pesos(opening) });
    opening = minor(peso.closing);
    const sum = statement.loans.reduce((total: number, { closing }: Movements) => total + minor(closing), 0);
    expect(sum).toBe(opening);
  }
  const year = await get(`/clients/${clientId}/statement?from=2026-01-01&to=2026-12-31`);
  expect(year.loans.map(({ closing }: Movements) => minor(closing))).toEqual([0, 0, minor(back.still_owed.total)]);

  // And what others read of it: the shop, whoever follows the events, and the book in one piece.
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
  expectRefused(await desk.send(bed.id, 'waiver', account(waiver)), 409, 'cession_in_force');
});
