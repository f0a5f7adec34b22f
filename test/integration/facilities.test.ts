import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Desk, expectRefused, mustBe, pesos } from './desk.ts';
import { account } from './given-loans.ts';
import { house, type Told } from './tenant.ts';
import { Underwriter } from './underwriter.ts';

let desk: Desk;
let credit: Underwriter;

beforeAll(async () => {
  desk = await Desk.open(house());
  credit = new Underwriter(desk, await desk.pin());
  await credit.adopt();
});

afterAll(() => desk.close());

const read = async (id: string) => mustBe(await desk.tenant.get(`/facilities/${id}`), 200).body;
const nowhere = '01890000-0000-7000-8000-000000000000';

async function approved(over: object = {}) {
  const clientId = await desk.client();
  const decision = await credit.decided(clientId, 'good', over);
  return { clientId, decisionId: String(decision.id) };
}

describe('a facility', () => {
  test('copies what its Decision approved; the list tells it without what is drawn', async () => {
    const { clientId, decisionId } = await approved();
    const body = credit.facility(clientId, decisionId);
    const facility = mustBe(await desk.tenant.post('/facilities', body), 201).body;
    expect(facility).toMatchObject({
      client_id: clientId,
      configuration_id: credit.pin.id,
      decided_version: credit.pin.version,
      decision_id: decisionId,
      amount: pesos(1_500_000),
      rate: { numerator: 3, denominator: 8, quotation: 'nominal_annual', percent: '37.5' },
      opens_on: '2026-01-01',
      expires_on: '2026-12-31',
      created_at: expect.stringMatching(/Z$/),
    });
    expect(mustBe(await desk.tenant.post('/facilities', body), 200).body).toEqual(facility);
    const listed = mustBe(await desk.tenant.get(`/facilities?client=${clientId}`), 200).body;
    expect(listed).toEqual({ facilities: [facility] });
    expect(await read(facility.id)).toEqual({ ...facility, drawn: pesos(0), headroom: pesos(1_500_000) });
    expectRefused(await desk.tenant.post('/facilities', { ...body, amount: pesos(1) }), 409, 'reference_reused');
  });

  test('is listed newest first, of one Client or of all; a filter is stated once and with a value', async () => {
    const { clientId, decisionId } = await approved();
    const made: string[] = [];
    for (const amount of [1, 2, 3])
      made.unshift((await credit.opened(clientId, decisionId, { amount: pesos(amount) })).id);
    const ids = ({ body }: Told) => body.facilities.map(({ id }: { id: string }) => id);
    expect(ids(await desk.tenant.get(`/facilities?client=${clientId}`))).toEqual(made);
    expect(ids(await desk.tenant.get('/facilities')).slice(0, 3)).toEqual(made);
    expect(ids(await desk.tenant.get(`/clients/${clientId}/book?on=2026-03-01`))).toEqual(made);
    expect(mustBe(await desk.tenant.get('/facilities?client=nobody'), 200).body).toEqual({ facilities: [] });
    for (const query of ['client=', `client=${clientId}&client=${clientId}`, 'limit=3', 'client=a%20b']) {
      expectRefused(await desk.tenant.get(`/facilities?${query}`), 400, 'invalid_query');
    }
    expectRefused(await desk.tenant.get(`/facilities/${nowhere}`), 404, 'not_found');
  });

  test("stands on an approval that binds: the policy's, or that of the person who resolved a refer", async () => {
    const clientId = await desk.client();
    const refused = await credit.decided(clientId, 'poor');
    expectRefused(await credit.open(clientId, refused.id), 409, 'decision_not_approving');
    const referred = await credit.decided(clientId, 'unsure');
    expectRefused(await credit.open(clientId, referred.id), 409, 'decision_not_approving');
    mustBe(await credit.resolve(referred.id, { outcome: 'approve', rate: '41.5', principal_max: pesos(9) }), 201);
    expectRefused(await credit.open(clientId, referred.id), 422, 'amount_above_decision', { bound: pesos(9) });
    const opened = await credit.opened(clientId, referred.id, { amount: pesos(9) });
    expect(opened).toMatchObject({ rate: { percent: '41.5' } });
  });

  test('is refused where its Decision, its days or its amount do not carry it', async () => {
    const { clientId, decisionId } = await approved();
    const other = await desk.client();
    expectRefused(await credit.open(clientId, nowhere), 404, 'not_found', { field: '/decision_id' });
    expectRefused(await credit.open(other, decisionId), 404, 'not_found', { field: '/decision_id' });
    expectRefused(await credit.open('nobody', decisionId), 422, 'unknown_client');
    const backwards = { opens_on: '2026-02-02', expires_on: '2026-02-01' };
    expectRefused(await credit.open(clientId, decisionId, backwards), 422, 'invalid_field', { field: '/expires_on' });
    const foreign = { amount: { minor_units: 1, currency: 'USD' } };
    expectRefused(await credit.open(clientId, decisionId, foreign), 422, 'currency_mismatch');
    expectRefused(await credit.open(clientId, decisionId, { line: true }), 422, 'invalid_application');
    const zero = { amount: pesos(0) };
    expectRefused(await credit.open(clientId, decisionId, zero), 422, 'invalid_field');
  });
});

describe('a Loan under a facility', () => {
  test('takes its rate and its room, and a preview says the same', async () => {
    const { clientId, id } = await credit.line();
    const loan = mustBe(await credit.draw(clientId, id), 201).body;
    expect(loan.terms).toMatchObject({ facility_id: id, rate: '37.5' });
    expect(await read(id)).toMatchObject({ drawn: pesos(1_000_000), headroom: pesos(500_000) });
    const { rate: _, ...terms } = await desk.terms(clientId, { facility_id: id });
    const bound = { bound: pesos(500_000), observed: pesos(1_000_000) };
    expectRefused(await desk.tenant.post('/loans', terms), 422, 'facility_exhausted', bound);
    expectRefused(await desk.tenant.post('/loans/preview', terms), 422, 'facility_exhausted', bound);
    const less = { ...terms, principal: pesos(500_000) };
    const preview = mustBe(await desk.tenant.post('/loans/preview', less), 200).body;
    expect(preview.terms).toMatchObject({ rate: '37.5', facility_id: id });
    const issued = mustBe(await desk.tenant.post('/loans', less), 201).body;
    expect(issued.periods).toEqual(preview.periods);
    expect(await read(id)).toMatchObject({ drawn: pesos(1_500_000), headroom: pesos(0) });
  });

  test("is refused where the facility is not there, is another Client's, or is of another product", async () => {
    const { clientId, id } = await credit.line();
    const other = await desk.client();
    const field = { field: '/facility_id' };
    expectRefused(await credit.draw(clientId, nowhere), 404, 'not_found', field);
    expectRefused(await credit.draw(other, id), 422, 'facility_other_client', { ...field, bound: other, observed: id });
    const elsewhere = new Underwriter(desk, await desk.product('instalment'));
    expectRefused(await elsewhere.draw(clientId, id), 422, 'facility_other_configuration', field);
  });

  test('is refused outside its days, at another rate, and for a term that was not approved', async () => {
    const clientId = await desk.client();
    const decision = await credit.decided(clientId, 'fair');
    const { id } = await credit.opened(clientId, decision.id, { amount: pesos(2_000_000) });
    expectRefused(await credit.draw(clientId, id, { anchor: '2027-01-01' }), 422, 'outside_facility_window', {
      bound: ['2026-01-01', '2026-12-31'],
    });
    const terms = await desk.terms(clientId, { facility_id: id, rate: '47' });
    expectRefused(await desk.tenant.post('/loans', terms), 422, 'rate_outside_corridor', { bound: '48' });
    expectRefused(await credit.draw(clientId, id, { term_periods: 3 }), 422, 'term_not_offered', { bound: [6, 12] });
    mustBe(await credit.draw(clientId, id, { anchor: '2026-12-31' }), 201);
  });

  test('gives back its room when it is cancelled, and on a line when it is repaid', async () => {
    const { clientId, id } = await credit.line();
    const { id: loanId } = mustBe(await credit.draw(clientId, id), 201).body;
    await desk.pay(clientId, 500_000, '2026-02-15', { designated_loan_id: loanId });
    const { drawn } = await read(id);
    expect(drawn.minor_units).toBeLessThan(1_000_000);
    const { id: second } = mustBe(await credit.draw(clientId, id, { principal: pesos(200_000) }), 201).body;
    expect((await read(id)).drawn.minor_units).toBe(drawn.minor_units + 200_000);
    await desk.act(second, 'cancel', { on: '2026-01-15' });
    expect((await read(id)).drawn.minor_units).toBe(drawn.minor_units);
  });
});

describe('a line', () => {
  test('is renewed by another that takes over what is out; nothing is drawn on the old one any more', async () => {
    const { clientId, decisionId, id } = await credit.line();
    mustBe(await credit.draw(clientId, id), 201);
    const renewal = { line: true, supersedes: id, amount: pesos(3_000_000) };
    const newer = await credit.opened(clientId, decisionId, renewal);
    expect(newer).toMatchObject({ supersedes: id });
    expect(await read(newer.id)).toMatchObject({ drawn: pesos(1_000_000), headroom: pesos(2_000_000) });
    expect(await read(id)).toMatchObject({ superseded_by: newer.id, drawn: pesos(1_000_000) });
    const listed = mustBe(await desk.tenant.get(`/facilities?client=${clientId}`), 200).body.facilities;
    expect(listed.map(({ superseded_by }: { superseded_by?: string }) => superseded_by)).toEqual([undefined, newer.id]);
    expectRefused(await credit.draw(clientId, id), 422, 'facility_superseded', { bound: newer.id });
    const again = { line: true, supersedes: id };
    expectRefused(await credit.open(clientId, decisionId, again), 422, 'cannot_supersede');
    const plain = { supersedes: newer.id };
    expectRefused(await credit.open(clientId, decisionId, plain), 422, 'cannot_supersede');
  });

  test("stands in its Client's book beside the bar, and in what would be", async () => {
    const { clientId, id } = await credit.line();
    const refusal = await credit.decided(clientId, 'poor', { submitted_on: '2026-04-01' });
    const path = `/clients/${clientId}/book?on=2026-04-02`;
    const before = mustBe(await desk.tenant.get(path), 200).body;
    expect(before).toMatchObject({
      book_version: { facts: 0 },
      facilities: [{ id, drawn: pesos(0), headroom: pesos(1_500_000) }],
      bar: { barred: true, lifts_on: '2026-05-01', decision: refusal.id },
    });
    const { rate: _, ...terms } = await desk.terms(clientId, { facility_id: id });
    const what = { on: '2026-04-02', facts: [{ act: 'issue', body: terms }] };
    const told = mustBe(await desk.tenant.post(`/clients/${clientId}/simulate`, what), 200).body;
    expect(told.outcomes).toEqual([{ status: 201 }]);
    expect(told.would_be.facilities).toMatchObject([{ drawn: pesos(1_000_000) }]);
    expect(told.is).toEqual(before);
  });

  test('is never overdrawn by issuances that run at the same moment, nor is a guard passed', async () => {
    const guarded = new Underwriter(desk, await desk.product('instalment', { max_open_loans_per_client: 3 }));
    await guarded.adopt({ policy: 'guarded' });
    const { clientId, id } = await guarded.line({ amount: pesos(2_500_000) });
    const sizes = Array.from({ length: 24 }, (_, nth) => 100_000 * (1 + (nth % 9)));
    const told = await Promise.all(sizes.map((size) => guarded.draw(clientId, id, { principal: pesos(size) })));
    const taken = told.flatMap(({ status }, nth) => (status === 201 ? [sizes[nth] as number] : []));
    const codes = new Set(told.filter(({ status }) => status !== 201).map(({ body }) => body.code));
    expect([...codes].every((code) => ['client_open_loans', 'facility_exhausted'].includes(code))).toBe(true);
    expect(taken.length).toBeGreaterThan(0);
    expect(taken.length).toBeLessThanOrEqual(3);
    const sum = taken.reduce((total, size) => total + size, 0);
    expect(sum).toBeLessThanOrEqual(2_500_000);
    expect(await read(id)).toMatchObject({ drawn: pesos(sum), headroom: pesos(2_500_000 - sum) });
  });
});

test('the account of a facility travels with it, its context too', async () => {
  const { clientId, decisionId } = await approved();
  const body = { ...credit.facility(clientId, decisionId), ...account({ context: { branch: 7 } }) };
  const facility = mustBe(await desk.tenant.post('/facilities', body), 201).body;
  expect(facility).toMatchObject({ actor: 'ana', basis: 'as agreed', context: { branch: 7 } });
});
