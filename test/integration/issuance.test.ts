/** Issuance of a Loan, and the preview that says beforehand what it would be. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { RefusalCode } from '#libs/schema/refusals.ts';
import { Desk, expectRefused, newReference, pesos } from './desk.ts';
import { type Pin, register } from './given-loans.ts';
import { house } from './tenant.ts';

let desk: Desk;
beforeAll(async () => {
  desk = await Desk.open(house());
});
afterAll(() => desk.close());

/** A UUID nobody was ever given. */
const absent = '01890000-0000-7000-8000-000000000000';

describe('an issued Loan', () => {
  test('is answered whole: its terms as stated, its plan, its law and its one event', async () => {
    const client = await desk.client();
    const stated = await desk.terms(client, { merchant_ref: 'shop-7', context: { cart: [1, 2.5] } });
    const { status, body } = await desk.tenant.post('/loans', stated);
    expect(status).toBe(201);
    const { configuration_id, configuration_version, ...terms } = stated;
    expect(body).toMatchObject({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
      tenant_id: desk.tenant.id,
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

  test('is issued once: again the same way it is the record as it reads now, another way its reference is reused', async () => {
    const client = await desk.client();
    const stated = await desk.terms(client);
    const first = await desk.tenant.post('/loans', stated);
    const again = await desk.tenant.post('/loans', stated);
    expect([first.status, again.status, again.body]).toEqual([201, 200, first.body]);
    await desk.act(first.body.id, 'write-off', { on: '2026-04-01' });
    expect(await desk.tenant.post('/loans', stated)).toMatchObject({
      status: 200,
      body: { id: first.body.id, state: 'written_off' },
    });
    const other = await desk.tenant.post('/loans', { ...stated, term_periods: 6 });
    expectRefused(other, 409, 'reference_reused', { recorded_id: first.body.id });
  });

  test('with a payment at purchase shows it as period 0, received without a Receipt', async () => {
    const loan = await desk.bnpl(await desk.client(), { down_payment: pesos(2_500_00) });
    expect(loan.periods).toHaveLength(5);
    expect(loan.periods[0]).toMatchObject({ index: 0, due_on: '2026-01-15', payment: pesos(2_500_00) });
    expect(loan).toMatchObject({ paid: pesos(0), settled_periods: 0, remaining_periods: 4 });
  });

  test('with a hold is held until somebody confirms it', async () => {
    const loan = await desk.loan(await desk.client(), { hold_until: '2026-02-14' });
    expect(loan).toMatchObject({ state: 'held', owes: false, terms: { hold_until: '2026-02-14' } });
  });

  test('takes the penalty rate of its product where that states a single one', async () => {
    const pin = await desk.product('instalment', { penalty_rate_min: '24', penalty_rate_max: '24.000' });
    const client = await desk.client();
    const { penalty_rate: _, ...stated } = await desk.terms(client, {}, pin);
    const { status, body } = await desk.tenant.post('/loans', stated);
    expect([status, body.regime.penalty_rate]).toEqual([201, '24']);
    expect(body.terms.penalty_rate).toBe('24');
  });

  test('keeps the version it was issued under when the product goes on', async () => {
    const pin = await desk.product('instalment');
    const client = await desk.client();
    const before = await desk.loan(client, {}, pin);
    await desk.version(pin.id, 'instalment', { terms: [24] });
    const after = await desk.loan(client, { term_periods: 24 }, { id: pin.id, version: 2 });
    expect([before.configuration.version, after.configuration.version]).toEqual([1, 2]);
    const gone = await desk.tenant.post('/loans', await desk.terms(client, {}, { id: pin.id, version: 2 }));
    expectRefused(gone, 422, 'term_not_offered', { field: '/term_periods' });
  });
});

describe('a preview', () => {
  test('is what issuance then freezes, and records nothing', async () => {
    const client = await desk.client();
    const stated = await desk.terms(client, { principal: pesos(7_777_77), context: { from: 'the web' } });
    const preview = await desk.tenant.post('/loans/preview', { ...stated, reference: { any: ['thing', null] } });
    expect(preview.status).toBe(200);
    for (const member of ['id', 'state', 'events', 'created_at']) expect(preview.body).not.toHaveProperty(member);
    const { reference: _, ...unnamed } = stated;
    expect((await desk.tenant.post('/loans/preview', unnamed)).body).toEqual(preview.body);
    const { status, body: loan } = await desk.tenant.post('/loans', stated);
    expect(status).toBe(201);
    const { terms, ...figures } = preview.body;
    expect(loan).toMatchObject(figures);
    expect({ ...terms, reference: stated['reference'] }).toEqual(loan.terms);
  });

  test('is given where the reference is taken already: it takes none', async () => {
    const client = await desk.client();
    const stated = await desk.terms(client);
    await desk.tenant.post('/loans', stated);
    expect((await desk.tenant.post('/loans/preview', { ...stated, term_periods: 6 })).status).toBe(200);
  });

  test('is not given to a key that may only read', async () => {
    const signer = await desk.tenant.mint('read');
    const told = await desk.tenant.post('/loans/preview', await desk.terms(await desk.client()), { signer });
    expectRefused(told, 403, 'not_permitted_scope');
  });
});

/** A refusal, and the mend of the one thing refused, so that the next refusal in the order is heard. */
type Rung = readonly [
  status: number,
  code: RefusalCode,
  details: object | undefined,
  mend: () => object | Promise<object>,
];

describe('the order of the refusals', () => {
  test('begins with the Client and ends where the Loan stands, for issuance and preview alike', async () => {
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
    const product = await desk.product('instalment', values);
    // Later versions guard against one thing fewer each.
    const guards = ['max_open_loans_per_client', 'max_outstanding_per_client', 'refuse_while_any_loan_overdue'];
    for (const dropped of [1, 2, 3]) {
      const kept = Object.fromEntries(
        Object.entries(values).filter(([name]) => !guards.slice(0, dropped).includes(name)),
      );
      await desk.version(product.id, 'instalment', kept);
    }
    const client = newReference('c');
    let stated: Record<string, unknown> = await desk.terms(client, {
      configuration_id: product.id,
      configuration_version: 99,
      facility_id: absent,
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
    });
    const ladder: readonly Rung[] = [
      [422, 'unknown_client', { field: '/client_id' }, () => owing(client, product)],
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
    for (const [status, code, details, mend] of ladder) {
      const refused = await desk.tenant.post('/loans', stated);
      expectRefused(refused, status, code, details);
      const preview = await desk.tenant.post('/loans/preview', stated);
      expect({ ...preview.body, request_id: '' }).toEqual({ ...refused.body, request_id: '' });
      expect(preview.status).toBe(refused.status);
      stated = { ...stated, ...(await mend()) };
    }
    expect((await desk.tenant.post('/loans/preview', stated)).status).toBe(200);
    // None of the refusals has taken the reference.
    const issued = await desk.tenant.post('/loans', stated);
    expect(issued.status).toBe(201);
    expectRefused(await desk.tenant.post('/loans', { ...stated, term_periods: 6 }), 409, 'reference_reused');
  });
});

/** Registered, and late on a Loan by the time it asks for another. */
async function owing(client: string, { id }: Pin): Promise<object> {
  await register(desk.tenant, client);
  const schedule = { kind: 'anchored_monthly' };
  await desk.loan(client, { anchor: '2025-01-15', schedule }, { id, version: 4 });
  return {};
}

const stated = { schedule: { kind: 'anchored_monthly' }, penalty_rate: '10' };
let strict: Pin;
let borrower: string | undefined;
async function strictClient(): Promise<string> {
  const schedules = [{ kind: 'anchored_monthly' }, { kind: 'anchored_every_n_days', interval_days: 7 }];
  strict ??= await desk.product('instalment', { schedules, penalty_rate_max: '20' });
  borrower ??= await desk.client();
  return borrower;
}

describe('a Loan is not issued', () => {
  test.each([
    [
      'without the penalty rate of a product that leaves it open',
      { penalty_rate: undefined },
      'missing_field',
      '/penalty_rate',
    ],
    ['without one of the schedules of a menu', { schedule: undefined }, 'missing_field', '/schedule'],
    ['without a rate where no facility supplies it', { rate: undefined }, 'missing_field', '/rate'],
    [
      'with a tax on what the market does not tax',
      { tax: { rate: '16', on: ['stamp'] } },
      'tax_not_provided',
      '/tax/on',
    ],
    ['with a tax on principal', { tax: { rate: '16', on: ['principal'] } }, 'invalid_field', '/tax/on/0'],
    ['with a charge taxed twice', { tax: { rate: '16', on: ['fee', 'fee'] } }, 'invalid_field', '/tax/on/1'],
    [
      'with the border rate after its decree ends',
      { tax: { rate: '8', on: [] }, anchor: '2027-01-15' },
      'tax_not_provided',
      '/tax/rate',
    ],
    ['held from before its anchor', { hold_until: '2026-01-14' }, 'hold_outside_range', '/hold_until'],
    [
      'with a stated payment at purchase of nothing',
      { down_payment: pesos(0) },
      'invalid_field',
      '/down_payment/minor_units',
    ],
    [
      'of a principal beyond exact numbers',
      { principal: pesos(2 ** 53) },
      'amount_out_of_range',
      '/principal/minor_units',
    ],
    ['of half a centavo', { principal: pesos(10_000_00.5) }, 'invalid_field', '/principal/minor_units'],
    ['on a day that is none', { anchor: '2026-02-29' }, 'invalid_field', '/anchor'],
    ['under a reference of blanks', { reference: ' ' }, 'invalid_identifier', '/reference'],
    ['for a facility that is no UUID', { facility_id: '17' }, 'invalid_identifier', '/facility_id'],
    ['with a member nobody reads', { colour: 'blue' }, 'unknown_field', '/colour'],
  ] as const)('%s', async (_, over, code, field) => {
    const told = await desk.tenant.post(
      '/loans',
      await desk.terms(await strictClient(), { ...stated, ...over }, strict),
    );
    expectRefused(told, 422, code, { field });
  });

  test('of a configuration version nobody could have written', async () => {
    for (const pin of [
      { configuration_version: 2 ** 31 },
      { configuration_version: Number.MAX_SAFE_INTEGER },
      { configuration_id: 'ins-999999' },
      { configuration_id: 'nothing' },
    ]) {
      const told = await desk.tenant.post(
        '/loans',
        await desk.terms(await strictClient(), { ...stated, ...pin }, strict),
      );
      expectRefused(told, 404, 'no_configuration');
    }
  });
});
