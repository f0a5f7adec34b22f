/** Issuance of a Loan, and the preview of it. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { RefusalCode } from '#libs/schema/refusals.ts';
import { expectRefusal, Lender, pesos, requireStatus, uniqueReference } from '#test/support/lender.ts';
import { type ProductVersion, registerClient } from '#test/support/request-bodies.ts';
import { testEnvironment } from '#test/support/tenant.ts';

let lender: Lender;
beforeAll(async () => {
  lender = await Lender.open(testEnvironment());
});
afterAll(() => lender.close());

/** A UUID that names nothing. */
const unknownId = '01890000-0000-7000-8000-000000000000';

describe('an issued Loan', () => {
  test('is answered with its terms, plan, disclosure, regime and issuance event', async () => {
    const client = await lender.client();
    const stated = await lender.loanTerms(client, { merchant_ref: 'shop-7', context: { cart: [1, 2.5] } });
    const { status, body } = await lender.tenant.post('/loans', stated);
    expect(status).toBe(201);
    const { configuration_id, configuration_version, ...terms } = stated;
    expect(body).toMatchObject({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
      tenant_id: lender.tenant.id,
      state: 'active',
      owes: true,
      owed_to: 'tenant',
      rolled_over: 0,
      paid: pesos(0),
      anomalies: [],
      configuration: { id: configuration_id, version: configuration_version },
      disclosure: { jurisdiction: 'MX', convention: 'mx-cat', convention_version: 2, provisional: false },
      regime: { penalty_rate: '0', late_fee: pesos(0), tolerance_days: 0, penalty_base: 'overdue_principal' },
    });
    expect(body.terms).toEqual(terms);
    expect(body.periods).toHaveLength(12);
    const principal = body.periods.map(
      (period: { principal: { minor_units: number } }) => period.principal.minor_units,
    );
    expect(principal.reduce((sum: number, each: number) => sum + each, 0)).toBe(10_000_00);
    expect(body.events).toEqual([
      { id: expect.any(String), kind: 'issued', occurred_on: '2026-01-15', recorded_at: body.created_at },
    ]);
    for (const there of ['closed_on', 'write_off', 'returns']) expect(body).not.toHaveProperty(there);
  });

  test('is issued once: an identical request answers the Loan as it is now, another one under its reference is refused', async () => {
    const client = await lender.client();
    const stated = await lender.loanTerms(client);
    const first = await lender.tenant.post('/loans', stated);
    const again = await lender.tenant.post('/loans', stated);
    expect([first.status, again.status, again.body]).toEqual([201, 200, first.body]);
    await lender.act(first.body.id, 'write-off', { on: '2026-04-01' });
    expect(await lender.tenant.post('/loans', stated)).toMatchObject({
      status: 200,
      body: { id: first.body.id, state: 'written_off' },
    });
    const other = await lender.tenant.post('/loans', { ...stated, term_periods: 6 });
    expectRefusal(other, 409, 'reference_reused', { recorded_id: first.body.id });
  });

  test('with a down payment shows it as period 0, without a Receipt', async () => {
    const loan = await lender.bnpl(await lender.client(), { down_payment: pesos(2_500_00) });
    expect(loan.periods).toHaveLength(5);
    expect(loan.periods[0]).toMatchObject({ index: 0, due_on: '2026-01-15', payment: pesos(2_500_00) });
    expect(loan).toMatchObject({ paid: pesos(0), settled_periods: 0, remaining_periods: 4 });
  });

  test('with a hold is held until it is confirmed', async () => {
    const loan = await lender.loan(await lender.client(), { hold_until: '2026-02-14' });
    expect(loan).toMatchObject({ state: 'held', owes: false, terms: { hold_until: '2026-02-14' } });
  });

  test('takes the penalty rate of its product when the product has exactly one', async () => {
    const pin = await lender.createProduct('instalment', { penalty_rate_min: '24', penalty_rate_max: '24.000' });
    const client = await lender.client();
    const { penalty_rate: _, ...stated } = await lender.loanTerms(client, {}, pin);
    const { status, body } = await lender.tenant.post('/loans', stated);
    expect([status, body.regime.penalty_rate]).toEqual([201, '24']);
    expect(body.terms.penalty_rate).toBe('24');
  });

  test('keeps its product version when the product gets a new one', async () => {
    const pin = await lender.createProduct('instalment');
    const client = await lender.client();
    const before = await lender.loan(client, {}, pin);
    const schedule = () => lender.tenant.get(`/loans/${before.id}/schedule?on=2026-06-01`);
    const scheduleBefore = requireStatus(await schedule(), 200).body;
    const changed = { penalty_rate_min: '30', penalty_rate_max: '30', tolerance: pesos(5_00), tolerance_days: 9 };
    await lender.createVersion(pin.id, 'instalment', { terms: [24], ...changed });
    const after = await lender.loan(client, { term_periods: 24, penalty_rate: '30' }, { id: pin.id, version: 2 });
    expect(after.regime).toMatchObject({ penalty_rate: '30', tolerance: pesos(5_00), tolerance_days: 9 });
    // The issued Loan has what it had, and is late as it was.
    expect((await lender.tenant.get(`/loans/${before.id}`)).body).toEqual(before);
    expect((await schedule()).body).toEqual(scheduleBefore);
    expect([before.configuration.version, after.configuration.version]).toEqual([1, 2]);
    const termRefused = await lender.tenant.post(
      '/loans',
      await lender.loanTerms(client, {}, { id: pin.id, version: 2 }),
    );
    expectRefusal(termRefused, 422, 'term_not_offered', { field: '/term_periods' });
  });
});

describe('a preview', () => {
  test('shows what issuance then records, and records nothing itself', async () => {
    const client = await lender.client();
    const stated = await lender.loanTerms(client, { principal: pesos(7_777_77), context: { from: 'the web' } });
    const preview = await lender.tenant.post('/loans/preview', { ...stated, reference: { any: ['thing', null] } });
    expect(preview.status).toBe(200);
    for (const member of ['id', 'state', 'events', 'created_at']) expect(preview.body).not.toHaveProperty(member);
    const { reference: _, ...unnamed } = stated;
    expect((await lender.tenant.post('/loans/preview', unnamed)).body).toEqual(preview.body);
    const { status, body: loan } = await lender.tenant.post('/loans', stated);
    expect(status).toBe(201);
    const { terms, ...figures } = preview.body;
    expect(loan).toMatchObject(figures);
    expect({ ...terms, reference: stated['reference'] }).toEqual(loan.terms);
  });

  test('is given under a reference that is already taken', async () => {
    const client = await lender.client();
    const stated = await lender.loanTerms(client);
    await lender.tenant.post('/loans', stated);
    expect((await lender.tenant.post('/loans/preview', { ...stated, term_periods: 6 })).status).toBe(200);
  });

  test('is refused to a read key', async () => {
    const signer = await lender.tenant.mint('read');
    const response = await lender.tenant.post('/loans/preview', await lender.loanTerms(await lender.client()), {
      signer,
    });
    expectRefusal(response, 403, 'not_permitted_scope');
  });
});

/** An expected refusal, and the correction that leads to the next refusal in the order. */
type ExpectedRefusal = readonly [
  status: number,
  code: RefusalCode,
  details: object | undefined,
  correct: () => object | Promise<object>,
];

const monthly = { kind: 'anchored_monthly' };
const longFirst = { kind: 'anchored_monthly', day_of_month: 15, first_after_days: 300 };
const values = {
  schedules: [monthly, longFirst],
  late_fee: pesos(200_00),
  penalty_rate_max: '72',
  hold_days: 10,
  max_open_loans_per_client: 1,
  max_outstanding_per_client: pesos(15_000_00),
  refuse_while_any_loan_overdue: true,
};

/** Terms that every check refuses. */
const wrongTerms = {
  configuration_version: 99,
  facility_id: unknownId,
  principal: { minor_units: 60_000_00, currency: 'USD' },
  term_periods: 7,
  schedule: { kind: 'anchored_every_n_days', interval_days: 9 },
  rate: '61',
  penalty_rate: '80',
  down_payment: { minor_units: 1, currency: 'USD' },
  jurisdiction: 'XX',
  tax: { rate: '17', on: ['interest'] },
  anchor: '2040-06-01',
  hold_until: '2041-12-31',
};

function refusalsInOrder(client: string, product: ProductVersion): readonly ExpectedRefusal[] {
  return [
    [422, 'unknown_client', { field: '/client_id' }, () => registerOverdueClient(client, product)],
    [404, 'no_configuration', { field: '/configuration_version' }, () => ({ configuration_version: 1 })],
    [404, 'not_found', { field: '/facility_id' }, () => ({ facility_id: undefined })],
    [
      422,
      'currency_mismatch',
      { field: '/principal/currency', bound: 'MXN', observed: 'USD' },
      () => ({ principal: pesos(60_000_00), down_payment: pesos(1) }),
    ],
    [
      422,
      'principal_outside_range',
      { field: '/principal', bound: pesos(50_000_00), observed: pesos(60_000_00) },
      () => ({ principal: pesos(10_000_00) }),
    ],
    [
      422,
      'term_not_offered',
      { field: '/term_periods', bound: [1, 3, 6, 12], observed: 7 },
      () => ({ term_periods: 12 }),
    ],
    [422, 'schedule_not_offered', { field: '/schedule' }, () => ({ schedule: longFirst })],
    [422, 'rate_outside_corridor', { field: '/rate', bound: '60', observed: '61' }, () => ({ rate: '60' })],
    [
      422,
      'penalty_rate_outside_corridor',
      { field: '/penalty_rate', bound: '72', observed: '80' },
      () => ({ penalty_rate: '72' }),
    ],
    [422, 'down_payment_outside_range', { field: '/down_payment' }, () => ({ down_payment: undefined })],
    [404, 'not_found', { field: '/jurisdiction' }, () => ({ jurisdiction: 'MX' })],
    [422, 'tax_not_provided', { field: '/tax/rate' }, () => ({ tax: { rate: '16', on: ['interest'] } })],
    [422, 'late_fee_beside_penalty', { field: '/penalty_rate' }, () => ({ penalty_rate: '0' })],
    [422, 'beyond_horizon', { bound: '2040-12-31' }, () => ({ anchor: '2026-01-15' })],
    [
      422,
      'hold_outside_range',
      { field: '/hold_until', bound: '2026-01-25', observed: '2041-12-31' },
      () => ({ hold_until: undefined }),
    ],
    [422, 'plan_not_amortising', undefined, () => ({ schedule: monthly })],
    [422, 'client_open_loans', { bound: 1, observed: 2 }, () => ({ configuration_version: 2 })],
    [
      422,
      'client_exposure',
      { bound: pesos(15_000_00), observed: pesos(20_000_00) },
      () => ({ configuration_version: 3 }),
    ],
    [422, 'client_overdue', undefined, () => ({ configuration_version: 4 })],
  ];
}

describe('the order of the refusals', () => {
  test('starts with the Client and ends with the issued Loan, the same for issuance and preview', async () => {
    const product = await lender.createProduct('instalment', values);
    // Each later version drops one limit.
    const guards = ['max_open_loans_per_client', 'max_outstanding_per_client', 'refuse_while_any_loan_overdue'];
    for (const dropped of [1, 2, 3]) {
      const remaining = Object.fromEntries(
        Object.entries(values).filter(([name]) => !guards.slice(0, dropped).includes(name)),
      );
      await lender.createVersion(product.id, 'instalment', remaining);
    }
    const client = uniqueReference('c');
    let stated: Record<string, unknown> = await lender.loanTerms(client, {
      ...wrongTerms,
      configuration_id: product.id,
    });
    for (const [status, code, details, correct] of refusalsInOrder(client, product)) {
      const refused = await lender.tenant.post('/loans', stated);
      expectRefusal(refused, status, code, details);
      const preview = await lender.tenant.post('/loans/preview', stated);
      expect({ ...preview.body, request_id: '' }).toEqual({ ...refused.body, request_id: '' });
      expect(preview.status).toBe(refused.status);
      stated = { ...stated, ...(await correct()) };
    }
    expect((await lender.tenant.post('/loans/preview', stated)).status).toBe(200);
    // No refusal took the reference.
    const issued = await lender.tenant.post('/loans', stated);
    expect(issued.status).toBe(201);
    expectRefusal(await lender.tenant.post('/loans', { ...stated, term_periods: 6 }), 409, 'reference_reused');
  });
});

/** Registers the Client with a Loan that is overdue. */
async function registerOverdueClient(client: string, { id }: ProductVersion): Promise<object> {
  await registerClient(lender.tenant, client);
  const schedule = { kind: 'anchored_monthly' };
  await lender.loan(client, { anchor: '2025-01-15', schedule }, { id, version: 4 });
  return {};
}

const stated = { schedule: { kind: 'anchored_monthly' }, penalty_rate: '10' };
let strict: ProductVersion;
let borrower: string | undefined;
async function strictClient(): Promise<string> {
  const schedules = [{ kind: 'anchored_monthly' }, { kind: 'anchored_every_n_days', interval_days: 7 }];
  strict ??= await lender.createProduct('instalment', { schedules, penalty_rate_max: '20' });
  borrower ??= await lender.client();
  return borrower;
}

describe('a Loan is not issued', () => {
  test.each([
    [
      'without a penalty rate when the product has a range of them',
      { penalty_rate: undefined },
      'missing_field',
      '/penalty_rate',
    ],
    ['without a schedule when the product offers several', { schedule: undefined }, 'missing_field', '/schedule'],
    ['without a rate and without a facility that supplies it', { rate: undefined }, 'missing_field', '/rate'],
    [
      'with a tax on a charge that the market does not tax',
      { tax: { rate: '16', on: ['stamp'] } },
      'tax_not_provided',
      '/tax/on',
    ],
    ['with a tax on principal', { tax: { rate: '16', on: ['principal'] } }, 'invalid_field', '/tax/on/0'],
    ['with a charge taxed twice', { tax: { rate: '16', on: ['fee', 'fee'] } }, 'invalid_field', '/tax/on/1'],
    [
      'with the border tax rate after its decree ends',
      { tax: { rate: '8', on: [] }, anchor: '2027-01-15' },
      'tax_not_provided',
      '/tax/rate',
    ],
    ['held until a day before its anchor', { hold_until: '2026-01-14' }, 'hold_outside_range', '/hold_until'],
    ['with a down payment of zero', { down_payment: pesos(0) }, 'invalid_field', '/down_payment/minor_units'],
    ['of a principal above 2^53 - 1', { principal: pesos(2 ** 53) }, 'amount_out_of_range', '/principal/minor_units'],
    ['of a fraction of a centavo', { principal: pesos(10_000_00.5) }, 'invalid_field', '/principal/minor_units'],
    ['on an impossible day', { anchor: '2026-02-29' }, 'invalid_field', '/anchor'],
    ['under a blank reference', { reference: ' ' }, 'invalid_identifier', '/reference'],
    ['under a facility id that is not a UUID', { facility_id: '17' }, 'invalid_identifier', '/facility_id'],
    ['with an unknown member', { colour: 'blue' }, 'unknown_field', '/colour'],
  ] as const)('%s', async (_, over, code, field) => {
    const response = await lender.tenant.post(
      '/loans',
      await lender.loanTerms(await strictClient(), { ...stated, ...over }, strict),
    );
    expectRefusal(response, 422, code, { field });
  });

  test('under an unknown product or version', async () => {
    for (const pin of [
      { configuration_version: 2 ** 31 },
      { configuration_version: Number.MAX_SAFE_INTEGER },
      { configuration_id: 'ins-999999' },
      { configuration_id: 'nothing' },
    ]) {
      const response = await lender.tenant.post(
        '/loans',
        await lender.loanTerms(await strictClient(), { ...stated, ...pin }, strict),
      );
      expectRefusal(response, 404, 'no_configuration');
    }
  });
});
