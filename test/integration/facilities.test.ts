/** Facilities and credit lines, and Loans drawn under them. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { CreditWorkflow } from '#test/support/credit-workflow.ts';
import { expectRefusal, Lender, pesos, requireStatus } from '#test/support/lender.ts';
import { attributed } from '#test/support/request-bodies.ts';
import { type TestResponse, testEnvironment } from '#test/support/tenant.ts';

let lender: Lender;
let credit: CreditWorkflow;

beforeAll(async () => {
  lender = await Lender.open(testEnvironment());
  credit = new CreditWorkflow(lender, await lender.defaultProduct());
  await credit.adopt();
});

afterAll(() => lender.close());

const read = async (id: string) => requireStatus(await lender.tenant.get(`/facilities/${id}`), 200).body;
const unknownId = '01890000-0000-7000-8000-000000000000';

async function approved(over: object = {}) {
  const clientId = await lender.client();
  const decision = await credit.decide(clientId, 'good', over);
  return { clientId, decisionId: String(decision.id) };
}

describe('a facility', () => {
  test('copies the terms its Decision approved; the listing leaves out the drawn amount', async () => {
    const { clientId, decisionId } = await approved();
    const body = credit.facilityBody(clientId, decisionId);
    const facility = requireStatus(await lender.tenant.post('/facilities', body), 201).body;
    expect(facility).toMatchObject({
      client_id: clientId,
      configuration_id: credit.product.id,
      decided_version: credit.product.version,
      decision_id: decisionId,
      amount: pesos(1_500_000),
      rate: { numerator: 3, denominator: 8, quotation: 'nominal_annual', percent: '37.5' },
      opens_on: '2026-01-01',
      expires_on: '2026-12-31',
      created_at: expect.stringMatching(/Z$/),
    });
    expect(requireStatus(await lender.tenant.post('/facilities', body), 200).body).toEqual(facility);
    const listed = requireStatus(await lender.tenant.get(`/facilities?client=${clientId}`), 200).body;
    expect(listed).toEqual({ facilities: [facility] });
    expect(await read(facility.id)).toEqual({ ...facility, drawn: pesos(0), headroom: pesos(1_500_000) });
    expectRefusal(await lender.tenant.post('/facilities', { ...body, amount: pesos(1) }), 409, 'reference_reused');
  });

  test('is listed newest first, for one Client or all; a filter appears once and has a value', async () => {
    const { clientId, decisionId } = await approved();
    const facilityIds: string[] = [];
    for (const amount of [1, 2, 3])
      facilityIds.unshift((await credit.openFacility(clientId, decisionId, { amount: pesos(amount) })).id);
    const ids = ({ body }: TestResponse) => body.facilities.map(({ id }: { id: string }) => id);
    expect(ids(await lender.tenant.get(`/facilities?client=${clientId}`))).toEqual(facilityIds);
    expect(ids(await lender.tenant.get('/facilities')).slice(0, 3)).toEqual(facilityIds);
    expect(ids(await lender.tenant.get(`/clients/${clientId}/book?on=2026-03-01`))).toEqual(facilityIds);
    expect(requireStatus(await lender.tenant.get('/facilities?client=unknown'), 200).body).toEqual({ facilities: [] });
    for (const query of ['client=', `client=${clientId}&client=${clientId}`, 'limit=3', 'client=a%20b']) {
      expectRefusal(await lender.tenant.get(`/facilities?${query}`), 400, 'invalid_query');
    }
    expectRefusal(await lender.tenant.get(`/facilities/${unknownId}`), 404, 'not_found');
  });

  test('needs a binding approval: of the policy, or of a resolution', async () => {
    const clientId = await lender.client();
    const refused = await credit.decide(clientId, 'poor');
    expectRefusal(await credit.requestFacility(clientId, refused.id), 409, 'decision_not_approving');
    const referred = await credit.decide(clientId, 'unsure');
    expectRefusal(await credit.requestFacility(clientId, referred.id), 409, 'decision_not_approving');
    requireStatus(
      await credit.resolve(referred.id, { outcome: 'approve', rate: '41.5', principal_max: pesos(9) }),
      201,
    );
    expectRefusal(await credit.requestFacility(clientId, referred.id), 422, 'amount_above_decision', {
      bound: pesos(9),
    });
    const opened = await credit.openFacility(clientId, referred.id, { amount: pesos(9) });
    expect(opened).toMatchObject({ rate: { percent: '41.5' } });
  });

  test('is refused when its Decision, days or amount do not allow it', async () => {
    const { clientId, decisionId } = await approved();
    const other = await lender.client();
    expectRefusal(await credit.requestFacility(clientId, unknownId), 404, 'not_found', { field: '/decision_id' });
    expectRefusal(await credit.requestFacility(other, decisionId), 404, 'not_found', { field: '/decision_id' });
    expectRefusal(await credit.requestFacility('unknown', decisionId), 422, 'unknown_client');
    const backwards = { opens_on: '2026-02-02', expires_on: '2026-02-01' };
    expectRefusal(await credit.requestFacility(clientId, decisionId, backwards), 422, 'invalid_field', {
      field: '/expires_on',
    });
    const foreign = { amount: { minor_units: 1, currency: 'USD' } };
    expectRefusal(await credit.requestFacility(clientId, decisionId, foreign), 422, 'currency_mismatch');
    expectRefusal(await credit.requestFacility(clientId, decisionId, { line: true }), 422, 'invalid_application');
    const zero = { amount: pesos(0) };
    expectRefusal(await credit.requestFacility(clientId, decisionId, zero), 422, 'invalid_field');
  });
});

describe('a Loan under a facility', () => {
  test('takes the rate of the facility and reduces its headroom, and a preview agrees', async () => {
    const { clientId, id } = await credit.openCreditLine();
    const loan = requireStatus(await credit.draw(clientId, id), 201).body;
    expect(loan.terms).toMatchObject({ facility_id: id, rate: '37.5' });
    expect(await read(id)).toMatchObject({ drawn: pesos(1_000_000), headroom: pesos(500_000) });
    const { rate: _, ...terms } = await lender.loanTerms(clientId, { facility_id: id });
    const bound = { bound: pesos(500_000), observed: pesos(1_000_000) };
    expectRefusal(await lender.tenant.post('/loans', terms), 422, 'facility_exhausted', bound);
    expectRefusal(await lender.tenant.post('/loans/preview', terms), 422, 'facility_exhausted', bound);
    const less = { ...terms, principal: pesos(500_000) };
    const preview = requireStatus(await lender.tenant.post('/loans/preview', less), 200).body;
    expect(preview.terms).toMatchObject({ rate: '37.5', facility_id: id });
    const issued = requireStatus(await lender.tenant.post('/loans', less), 201).body;
    expect(issued.periods).toEqual(preview.periods);
    expect(await read(id)).toMatchObject({ drawn: pesos(1_500_000), headroom: pesos(0) });
  });

  test('is refused when the facility does not exist, or belongs to another Client or product', async () => {
    const { clientId, id } = await credit.openCreditLine();
    const other = await lender.client();
    const field = { field: '/facility_id' };
    expectRefusal(await credit.draw(clientId, unknownId), 404, 'not_found', field);
    expectRefusal(await credit.draw(other, id), 422, 'facility_other_client', { ...field, bound: other, observed: id });
    const elsewhere = new CreditWorkflow(lender, await lender.createProduct('instalment'));
    expectRefusal(await elsewhere.draw(clientId, id), 422, 'facility_other_configuration', field);
  });

  test('is refused outside the days of the facility, at another rate, and for a term that was not approved', async () => {
    const clientId = await lender.client();
    const decision = await credit.decide(clientId, 'fair');
    const { id } = await credit.openFacility(clientId, decision.id, { amount: pesos(2_000_000) });
    expectRefusal(await credit.draw(clientId, id, { anchor: '2027-01-01' }), 422, 'outside_facility_window', {
      bound: ['2026-01-01', '2026-12-31'],
    });
    const terms = await lender.loanTerms(clientId, { facility_id: id, rate: '47' });
    expectRefusal(await lender.tenant.post('/loans', terms), 422, 'rate_outside_corridor', { bound: '48' });
    expectRefusal(await credit.draw(clientId, id, { term_periods: 3 }), 422, 'term_not_offered', { bound: [6, 12] });
    requireStatus(await credit.draw(clientId, id, { anchor: '2026-12-31' }), 201);
  });

  test('frees headroom when it is cancelled, and on a credit line also when it is repaid', async () => {
    const { clientId, id } = await credit.openCreditLine();
    const { id: loanId } = requireStatus(await credit.draw(clientId, id), 201).body;
    await lender.pay(clientId, 500_000, '2026-02-15', { designated_loan_id: loanId });
    const { drawn } = await read(id);
    expect(drawn.minor_units).toBeLessThan(1_000_000);
    const { id: second } = requireStatus(await credit.draw(clientId, id, { principal: pesos(200_000) }), 201).body;
    expect((await read(id)).drawn.minor_units).toBe(drawn.minor_units + 200_000);
    await lender.act(second, 'cancel', { on: '2026-01-15' });
    expect((await read(id)).drawn.minor_units).toBe(drawn.minor_units);
  });
});

describe('a credit line', () => {
  test('can be superseded by another that takes over the drawn amount; the old one cannot be drawn any more', async () => {
    const { clientId, decisionId, id } = await credit.openCreditLine();
    requireStatus(await credit.draw(clientId, id), 201);
    const renewal = { line: true, supersedes: id, amount: pesos(3_000_000) };
    const newer = await credit.openFacility(clientId, decisionId, renewal);
    expect(newer).toMatchObject({ supersedes: id });
    expect(await read(newer.id)).toMatchObject({ drawn: pesos(1_000_000), headroom: pesos(2_000_000) });
    expect(await read(id)).toMatchObject({ superseded_by: newer.id, drawn: pesos(1_000_000) });
    const listed = requireStatus(await lender.tenant.get(`/facilities?client=${clientId}`), 200).body.facilities;
    expect(listed.map(({ superseded_by }: { superseded_by?: string }) => superseded_by)).toEqual([undefined, newer.id]);
    expectRefusal(await credit.draw(clientId, id), 422, 'facility_superseded', { bound: newer.id });
    const again = { line: true, supersedes: id };
    expectRefusal(await credit.requestFacility(clientId, decisionId, again), 422, 'cannot_supersede');
    const plain = { supersedes: newer.id };
    expectRefusal(await credit.requestFacility(clientId, decisionId, plain), 422, 'cannot_supersede');
  });

  test("appears in the Client's book together with the bar, and in a simulation", async () => {
    const { clientId, id } = await credit.openCreditLine();
    const refusal = await credit.decide(clientId, 'poor', { submitted_on: '2026-04-01' });
    const path = `/clients/${clientId}/book?on=2026-04-02`;
    const before = requireStatus(await lender.tenant.get(path), 200).body;
    expect(before).toMatchObject({
      book_version: { facts: 0 },
      facilities: [{ id, drawn: pesos(0), headroom: pesos(1_500_000) }],
      bar: { barred: true, lifts_on: '2026-05-01', decision: refusal.id },
    });
    const { rate: _, ...terms } = await lender.loanTerms(clientId, { facility_id: id });
    const what = { on: '2026-04-02', facts: [{ act: 'issue', body: terms }] };
    const simulation = requireStatus(await lender.tenant.post(`/clients/${clientId}/simulate`, what), 200).body;
    expect(simulation.outcomes).toEqual([{ status: 201 }]);
    expect(simulation.would_be.facilities).toMatchObject([{ drawn: pesos(1_000_000) }]);
    expect(simulation.is).toEqual(before);
  });

  test('is never overdrawn by concurrent issuances, and the limits of the product hold', async () => {
    const guarded = new CreditWorkflow(
      lender,
      await lender.createProduct('instalment', { max_open_loans_per_client: 3 }),
    );
    await guarded.adopt({ policy: 'guarded' });
    const { clientId, id } = await guarded.openCreditLine({ amount: pesos(2_500_000) });
    const sizes = Array.from({ length: 24 }, (_, index) => 100_000 * (1 + (index % 9)));
    const responses = await Promise.all(sizes.map((size) => guarded.draw(clientId, id, { principal: pesos(size) })));
    const taken = responses.flatMap(({ status }, index) => (status === 201 ? [sizes[index] as number] : []));
    const codes = new Set(responses.filter(({ status }) => status !== 201).map(({ body }) => body.code));
    expect([...codes].every((code) => ['client_open_loans', 'facility_exhausted'].includes(code))).toBe(true);
    expect(taken.length).toBeGreaterThan(0);
    expect(taken.length).toBeLessThanOrEqual(3);
    const sum = taken.reduce((total, size) => total + size, 0);
    expect(sum).toBeLessThanOrEqual(2_500_000);
    expect(await read(id)).toMatchObject({ drawn: pesos(sum), headroom: pesos(2_500_000 - sum) });
  });
});

test('a facility shows its actor, basis and context', async () => {
  const { clientId, decisionId } = await approved();
  const body = { ...credit.facilityBody(clientId, decisionId), ...attributed({ context: { branch: 7 } }) };
  const facility = requireStatus(await lender.tenant.post('/facilities', body), 201).body;
  expect(facility).toMatchObject({ actor: 'ana', basis: 'as agreed', context: { branch: 7 } });
});
