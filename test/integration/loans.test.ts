/** Issuance of Loans and every act on them through the API. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { minimalValues } from '#libs/product/testing/example-products.ts';
import {
  attributed,
  instalmentProduct,
  loanBody,
  type ProductVersion,
  registerClient,
} from '#test/support/request-bodies.ts';
import { Tenant, type TestResponse, testEnvironment } from '#test/support/tenant.ts';

let tenant: Tenant;
let product: ProductVersion;
let count = 0;
beforeAll(async () => {
  tenant = await Tenant.open(testEnvironment());
  product = (await tenant.post('/product-configurations', instalmentProduct)).body;
});
afterAll(() => tenant.close());

const pesos = (minor_units: number) => ({ minor_units, currency: 'MXN' });

/** A newly registered Client. */
async function newClient(): Promise<string> {
  count += 1;
  const client = `client-${count}`;
  await registerClient(tenant, client);
  return client;
}

async function newLoan(over: object = {}, pin: ProductVersion = product): Promise<TestResponse['body']> {
  const client = await newClient();
  const response = await tenant.post('/loans', loanBody(pin, client, `loan-of-${client}`, over));
  expect(response).toMatchObject({ status: 201 });
  return response.body;
}

const act = (loan: { id: string }, segment: string, body: object): Promise<TestResponse> =>
  tenant.post(`/loans/${loan.id}/${segment}`, attributed(body));

const kinds = (response: TestResponse): string[] => response.body.events.map((event: { kind: string }) => event.kind);

describe('Clients', () => {
  test('are registered once; an identical registration is answered, another one is refused', async () => {
    const words = { actor: 'ana', basis: 'signed', context: { branch: 7 } };
    const first = await tenant.put('/clients/once', words);
    expect(first).toMatchObject({ status: 201, body: { client_id: 'once', tenant_id: tenant.id, ...words } });
    expect(await tenant.put('/clients/once', words)).toMatchObject({ status: 200, body: first.body });
    const other = await tenant.put('/clients/once', { ...words, basis: 'another' });
    expect(other).toMatchObject({ status: 409, body: { code: 'client_registered' } });
  });
});

describe('issuing', () => {
  test('a Loan is recorded as stated, and an identical request answers the same Loan', async () => {
    const client = await newClient();
    const body = loanBody(product, client, 'the-first', { merchant_ref: 'shop', context: { cart: 'x' } });
    const issued = await tenant.post('/loans', body);
    expect(issued).toMatchObject({
      status: 201,
      body: { state: 'active', owes: true, terms: { client_id: client, merchant_ref: 'shop' } },
    });
    expect(issued.body.periods).toHaveLength(12);
    const reordered = Object.fromEntries(Object.entries(body).reverse());
    const again = await tenant.post('/loans', reordered);
    expect(again).toMatchObject({ status: 200, body: { id: issued.body.id } });
    const changed = await tenant.post('/loans', { ...body, term_periods: 6 });
    expect(changed).toMatchObject({ status: 409, body: { code: 'reference_reused' } });
  });

  test('a preview answers and refuses like issuance and records nothing', async () => {
    const client = await newClient();
    const body = loanBody(product, client, 'previewed');
    const preview = await tenant.post('/loans/preview', body);
    expect(preview.status).toBe(200);
    expect(preview.body).not.toHaveProperty('id');
    const issued = await tenant.post('/loans', body);
    expect(issued.body).toMatchObject({ periods: preview.body.periods, disclosure: preview.body.disclosure });
    for (const path of ['/loans/preview', '/loans']) {
      const refused = await tenant.post(path, { ...body, reference: 'refused', term_periods: 7 });
      expect(refused).toMatchObject({ status: 422, body: { code: 'term_not_offered' } });
    }
  });

  test('the Client is checked before the product, and both before the terms', async () => {
    const unknownBody = loanBody({ id: 'ins-999999', version: 1 }, 'unknown', 'r-1', { term_periods: 7 });
    expect(await tenant.post('/loans', unknownBody)).toMatchObject({ status: 422, body: { code: 'unknown_client' } });
    const client = await newClient();
    expect(await tenant.post('/loans', { ...unknownBody, client_id: client })).toMatchObject({
      status: 404,
      body: { code: 'no_configuration' },
    });
  });
});

describe('acts on a Loan', () => {
  test('a held Loan can be confirmed or voided, and admits other acts after its confirmation', async () => {
    const held = await newLoan({ hold_until: '2026-01-20' });
    expect(held.state).toBe('held');
    expect(await act(held, 'write-off', { on: '2026-01-16' })).toMatchObject({
      status: 409,
      body: { code: 'loan_held' },
    });
    const confirmed = await act(held, 'confirm', { on: '2026-01-16' });
    expect(confirmed).toMatchObject({ status: 201, body: { state: 'active' } });
    const voided = await act(await newLoan({ hold_until: '2026-01-20' }), 'void', { on: '2026-01-16' });
    expect(voided).toMatchObject({ status: 201, body: { state: 'voided', owes: false } });
  });

  test('a Loan can be cancelled and rescinded, and withdrawn from when its product provides it', async () => {
    expect(await act(await newLoan(), 'cancel', { on: '2026-01-16' })).toMatchObject({
      status: 201,
      body: { state: 'cancelled' },
    });
    expect(await act(await newLoan(), 'rescind', { on: '2026-01-16' })).toMatchObject({
      status: 201,
      body: { state: 'rescinded' },
    });
    const refused = await act(await newLoan(), 'withdraw', { on: '2026-01-16' });
    expect(refused).toMatchObject({ status: 422, body: { code: 'withdrawal_not_provided' } });
    const values = { ...instalmentProduct.values, withdrawal_days: 14 };
    const provided = (await tenant.post('/product-configurations', { ...instalmentProduct, values })).body;
    const withdrawn = await act(await newLoan({}, provided), 'withdraw', { on: '2026-01-29' });
    expect(withdrawn).toMatchObject({ status: 201, body: { state: 'withdrawn' } });
  });

  test('a suspension is recorded, cannot overlap another, and can end early', async () => {
    const loan = await newLoan();
    const suspended = await act(loan, 'suspension', { on: '2026-03-01', to: '2026-03-31' });
    expect(kinds(suspended)).toContain('suspended');
    const twice = await act(loan, 'suspension', { on: '2026-03-15', to: '2026-04-15' });
    expect(twice).toMatchObject({ status: 409, body: { code: 'already_suspended' } });
    const { id } = suspended.body.events.find((event: { kind: string }) => event.kind === 'suspended');
    const ended = await act(loan, 'suspension-end', { on: '2026-03-20', suspension_id: id });
    expect(ended.status).toBe(201);
    expect(ended.body.events.find((event: { id?: string }) => event.id === id)).toMatchObject({
      ended_on: '2026-03-20',
    });
  });

  test('interest can be waived up to the amount owed, principal cannot', async () => {
    const loan = await newLoan();
    const principal = await act(loan, 'waiver', { on: '2026-02-20', period: 1, charge: 'principal', amount: pesos(1) });
    expect(principal).toMatchObject({ status: 422, body: { code: 'charge_not_waivable' } });
    const tooMuch = await act(loan, 'waiver', {
      on: '2026-02-20',
      period: 1,
      charge: 'interest',
      amount: pesos(9_999_999),
    });
    expect(tooMuch).toMatchObject({ status: 409, body: { code: 'waiver_exceeds_charge' } });
    expect(
      await act(loan, 'waiver', { on: '2026-02-20', period: 1, charge: 'interest', amount: pesos(100) }),
    ).toMatchObject({ status: 201 });
  });

  test('goods can be returned on an instalment Loan but not on a payday Loan', async () => {
    const returned = await act(await newLoan(), 'return', { on: '2026-01-20', amount: pesos(100_000) });
    expect(returned).toMatchObject({ status: 201, body: { returns: [{ unwound_principal: pesos(100_000) }] } });
    const payday = (
      await tenant.post('/product-configurations', {
        archetype: 'payday',
        values: { ...minimalValues.payday, max_rollovers: 1 },
      })
    ).body;
    const loan = await newLoan({ term_periods: 1, rate: '36' }, payday);
    expect(await act(loan, 'return', { on: '2026-01-20', amount: pesos(1) })).toMatchObject({
      status: 422,
      body: { code: 'return_not_provided' },
    });
    expect(await act(loan, 'rollover', { on: '2026-02-14' })).toMatchObject({
      status: 409,
      body: { code: 'rollover_unpaid' },
    });
    expect(await act(await newLoan(), 'rollover', { on: '2026-02-14' })).toMatchObject({
      status: 422,
      body: { code: 'rollover_not_provided' },
    });
  });

  test('a Loan can be restructured, accelerated, settled for less, written off and ceded', async () => {
    const restructured = await act(await newLoan(), 'restructure', { on: '2026-03-01', term_periods: 6, rate: '24' });
    expect(restructured).toMatchObject({ status: 201, body: { state: 'restructured' } });
    const early = await act(await newLoan(), 'acceleration', { on: '2026-01-20', notified_on: '2026-01-16' });
    expect(early).toMatchObject({ status: 409, body: { code: 'acceleration_unearned' } });
    expect(
      kinds(await act(await newLoan(), 'acceleration', { on: '2026-03-20', notified_on: '2026-03-01' })),
    ).toContain('accelerated');
    const more = await act(await newLoan(), 'settlement', { on: '2026-03-01', agreed: pesos(99_999_999) });
    expect(more).toMatchObject({ status: 422, body: { code: 'settlement_not_less' } });
    expect(kinds(await act(await newLoan(), 'settlement', { on: '2026-03-01', agreed: pesos(100) }))).toContain(
      'settled_for_less',
    );
    const loan = await newLoan();
    const writtenOff = await act(loan, 'write-off', { on: '2026-06-01' });
    expect(writtenOff).toMatchObject({ status: 201, body: { state: 'written_off', write_off: { on: '2026-06-01' } } });
    expect(await act(loan, 'write-off', { on: '2026-06-02' })).toMatchObject({
      status: 409,
      body: { code: 'already_written_off' },
    });
    expect(await act(loan, 'cession', { on: '2026-06-10' })).toMatchObject({
      status: 201,
      body: { state: 'ceded', owed_to: 'assignee' },
    });
  });

  test('an act can be withdrawn and stays readable, an issuance cannot', async () => {
    const loan = await newLoan();
    const { body } = await act(loan, 'write-off', { on: '2026-06-01' });
    const writtenOff = body.events.find((event: { kind: string }) => event.kind === 'written_off');
    const issued = body.events.find((event: { kind: string }) => event.kind === 'issued');
    expect(await act(loan, 'retraction', { on: '2026-06-02', event_id: issued.id })).toMatchObject({
      status: 422,
      body: { code: 'not_retractable' },
    });
    const retracted = await act(loan, 'retraction', { on: '2026-06-02', event_id: writtenOff.id });
    expect(retracted).toMatchObject({ status: 201, body: { state: 'active' } });
    expect(retracted.body.events.find((event: { id?: string }) => event.id === writtenOff.id)).toHaveProperty(
      'retraction',
    );
  });

  test('a payoff can be quoted', async () => {
    const loan = await newLoan();
    const quoted = await act(loan, 'payoff-quotes', { on: '2026-02-01' });
    expect(quoted).toMatchObject({ status: 201, body: { loan_id: loan.id, on: '2026-02-01', actor: 'ana' } });
    expect(quoted.body.owed.total.minor_units).toBeGreaterThan(1_000_000);
  });

  test('an act is recorded once under its reference', async () => {
    const loan = await newLoan();
    const body = attributed({ on: '2026-06-01' });
    const first = await tenant.post(`/loans/${loan.id}/write-off`, body);
    expect(first.status).toBe(201);
    expect(await tenant.post(`/loans/${loan.id}/write-off`, body)).toMatchObject({
      status: 200,
      body: { state: 'written_off' },
    });
    const elsewhere = await tenant.post(`/loans/${(await newLoan()).id}/write-off`, body);
    expect(elsewhere).toMatchObject({ status: 409, body: { code: 'reference_reused' } });
    const nowhere = await tenant.post('/loans/0193e9c4-7b5a-7000-8000-000000000001/write-off', body);
    expect(nowhere).toMatchObject({ status: 409, body: { code: 'reference_reused' } });
  });

  test('an unknown Loan and a Loan of another Tenancy are not found', async () => {
    const absent = await act({ id: '0193e9c4-7b5a-7000-8000-000000000001' }, 'write-off', { on: '2026-06-01' });
    expect(absent).toMatchObject({ status: 404, body: { code: 'not_found' } });
    expect(await act({ id: 'no-uuid' }, 'write-off', { on: '2026-06-01' })).toMatchObject({
      status: 404,
      body: { code: 'not_found' },
    });
    const other = await Tenant.open(testEnvironment());
    const foreignLoan = await newLoan();
    const response = await other.post(`/loans/${foreignLoan.id}/write-off`, attributed({ on: '2026-06-01' }));
    expect(response).toMatchObject({ status: 404, body: { code: 'not_found' } });
    await other.close();
  });
});
