/** Simulation: the book as it would be with additional facts, without recording them. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { requireStatus } from '#test/support/lender.ts';
import { OneProductLender } from '#test/support/one-product-lender.ts';
import { loanBody } from '#test/support/request-bodies.ts';
import { eventually, testEnvironment } from '#test/support/tenant.ts';

let lender: OneProductLender;
beforeAll(async () => {
  lender = await OneProductLender.open(testEnvironment());
});
afterAll(() => lender.tenant.close());

const on = '2026-03-20';
const mxn = (minor_units: number) => ({ minor_units, currency: 'MXN' });
const account = (reference: string) => ({ reference, actor: 'ana', basis: 'what if' });

function receiptOf(client: string, reference: string, minorUnits: number) {
  return { reference, client_id: client, amount: mxn(minorUnits), value_date: '2026-03-01' };
}

/** Removes ids and moments, which differ when the facts are really recorded. */
function withoutIdentity(book: unknown): unknown {
  const text = JSON.stringify(book, (name, value) => {
    return ['id', 'recorded_at', 'reported_at', 'created_at', 'version', 'event_id'].includes(name) ? undefined : value;
  });
  return JSON.parse(text);
}

/** Also removes the ids under which Receipts and allocations name Loans. */
function withoutLoanIds(book: unknown): unknown {
  const uuids = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
  return JSON.parse(JSON.stringify(withoutIdentity(book)).replaceAll(uuids, 'an id'));
}

describe('a simulation', () => {
  test('answers the book as it is and as it would be, and records nothing', async () => {
    const client = await lender.client();
    const { id } = await lender.loan(client);
    const before = await lender.read(`/clients/${client}/book?on=${on}`);
    const receipt = receiptOf(client, `${client}-simulated`, 150_000);
    const suspension = { on: '2026-03-02', to: '2026-03-30', ...account(`${client}-act`) };
    const facts = [
      { act: 'receipt', body: receipt },
      { act: 'suspension', loan_id: id, body: suspension },
    ];
    const simulation = requireStatus(await lender.tenant.post(`/clients/${client}/simulate`, { on, facts }), 200).body;
    expect(simulation.outcomes).toEqual([{ status: 201 }, { status: 201 }]);
    expect(simulation.is).toEqual(before);
    expect(await lender.read(`/clients/${client}/book?on=${on}`)).toEqual(before);
    requireStatus(await lender.tenant.post('/receipts', receipt), 201);
    requireStatus(await lender.tenant.post(`/loans/${id}/suspension`, suspension), 201);
    const after = await lender.read(`/clients/${client}/book?on=${on}`);
    expect(withoutIdentity(simulation.would_be)).toEqual(withoutIdentity(after));
    expect(withoutIdentity(simulation.is)).not.toEqual(withoutIdentity(after));
  });

  test('may issue a Loan and reverse a recorded Receipt', async () => {
    const client = await lender.client();
    await lender.loan(client);
    const { receipt } = await lender.pay(client, 150_000, '2026-02-15');
    const loan = loanBody(lender.product, client, `${client}-simulated`);
    const reversal = { reason: 'chargeback', ...account(`${client}-reversal`) };
    const facts = [
      { act: 'issue', body: loan },
      { act: 'reversal', reference: receipt.reference, body: reversal },
    ];
    const simulation = requireStatus(await lender.tenant.post(`/clients/${client}/simulate`, { on, facts }), 200).body;
    expect(simulation.outcomes).toEqual([{ status: 201 }, { status: 201 }]);
    expect([simulation.is.loans.length, simulation.would_be.loans.length]).toEqual([1, 2]);
    expect([simulation.is.receipts[0].reversed, simulation.would_be.receipts[0].reversed]).toEqual([false, true]);
  });

  test('may act on a Loan that it issues, named by its reference, as the real routes would by its id', async () => {
    const client = await lender.client();
    await lender.loan(client);
    const reference = `${client}-new`;
    const loan = loanBody(lender.product, client, reference);
    const receipt = receiptOf(client, `${client}-designated`, 150_000);
    const suspension = { on: '2026-03-10', to: '2026-03-30', ...account(`${client}-suspension`) };
    const facts = [
      { act: 'issue', body: loan },
      { act: 'receipt', designated_loan_reference: reference, body: receipt },
      { act: 'suspension', loan_reference: reference, body: suspension },
      { act: 'suspension', loan_reference: `${client}-never`, body: { ...suspension, reference: `${client}-other` } },
    ];
    const path = `/clients/${client}/simulate`;
    const simulation = requireStatus(await lender.tenant.post(path, { on, facts }), 200).body;
    expect(simulation.outcomes).toMatchObject([
      { status: 201 },
      { status: 201 },
      { status: 201 },
      { status: 404, code: 'not_found', details: { field: '/loan_reference' } },
    ]);
    const { id } = requireStatus(await lender.tenant.post('/loans', loan), 201).body;
    requireStatus(await lender.tenant.post('/receipts', { ...receipt, designated_loan_id: id }), 201);
    requireStatus(await lender.tenant.post(`/loans/${id}/suspension`, suspension), 201);
    const after = await lender.read(`/clients/${client}/book?on=${on}`);
    expect(withoutLoanIds(simulation.would_be)).toEqual(withoutLoanIds(after));
    // The issuance is a repeat now, and still names the Loan.
    const later = {
      act: 'write-off',
      loan_reference: reference,
      body: { on: '2026-03-15', ...account(`${client}-w`) },
    };
    const repeated = requireStatus(await lender.tenant.post(path, { on, facts: [facts[0], later] }), 200).body;
    expect(repeated.outcomes).toEqual([{ status: 200 }, { status: 201 }]);
  });

  test('refuses each fact as its route would', async () => {
    const client = await lender.client();
    const { id } = await lender.loan(client);
    const taken = await lender.pay(client, 1_000, '2026-02-15');
    const facts = [
      { act: 'receipt', body: { ...receiptOf(client, 'x', 1), value_date: 'soon' } },
      { act: 'receipt', body: receiptOf(client, taken.receipt.reference, 999) },
      { act: 'write-off', loan_id: id, body: { on: '2026-02-01', ...account(`${client}-1`) } },
      { act: 'write-off', loan_id: id, body: { on: '2026-05-01', ...account(`${client}-2`) } },
      { act: 'write-off', loan_id: id, body: { on: '2026-05-01', ...account(`${client}-3`) } },
      { act: 'write-off', loan_id: id, body: { on: '2026-05-01', ...account(`${client}-2`) } },
      { act: 'confirm', body: { on: '2026-05-01', ...account(`${client}-4`) } },
      { act: 'reversal', reference: 'never', body: { reason: 'other', ...account(`${client}-5`) } },
    ];
    const simulation = requireStatus(await lender.tenant.post(`/clients/${client}/simulate`, { on, facts }), 200).body;
    expect(simulation.outcomes.map(({ status, code }: { status: number; code?: string }) => [status, code])).toEqual([
      [422, 'invalid_field'],
      [409, 'reference_reused'],
      [422, 'invalid_event'],
      [201, undefined],
      [409, 'already_written_off'],
      [200, undefined],
      [422, 'missing_field'],
      [404, 'no_receipt'],
    ]);
    expect(simulation.outcomes[2]).toMatchObject({ retry: 'after_change', details: { bound: '2026-02-15' } });
    expect(simulation.is.loans[0].loan.state).toBe('active');
    expect(simulation.would_be.loans[0].loan.state).toBe('written_off');
  });

  test('is of one moment of the book while Receipts are recorded', async () => {
    const client = await lender.client();
    await lender.loan(client);
    const holds = (book: { receipts: { reference: string }[] }, reference: string) =>
      book.receipts.some((receipt) => receipt.reference === reference);
    for (let index = 0; index < 40; index += 1) {
      const body = receiptOf(client, `${client}-meanwhile-${index}`, 100);
      const [recorded, simulated] = await Promise.all([
        lender.tenant.post('/receipts', body),
        lender.tenant.post(`/clients/${client}/simulate`, { on, facts: [{ act: 'receipt', body }] }),
      ]);
      requireStatus(recorded, 201);
      const { outcomes, is, would_be } = requireStatus(simulated, 200).body;
      const [{ status }] = outcomes;
      expect([200, 201]).toContain(status);
      expect({ status, is: holds(is, body.reference), would_be: holds(would_be, body.reference) }).toEqual({
        status,
        is: status === 200,
        would_be: true,
      });
    }
  });

  test('that would cost too much is refused and names the admissible number of facts', async () => {
    const client = await lender.client();
    await lender.loan(client);
    const path = `/clients/${client}/simulate`;
    const dated = (index: number) => `2026-02-${String((index % 28) + 1).padStart(2, '0')}`;
    // Each Receipt is dated before half of the others, which makes its fold expensive.
    const facts = Array.from({ length: 500 }, (_, index) => ({
      act: 'receipt',
      body: { ...receiptOf(client, `${client}-${index}`, 100), value_date: dated(index) },
    }));
    // A busy machine may not compute it in time: then it is asked again.
    const simulate = async (supposed: readonly object[]) => {
      let response = await lender.tenant.post(path, { on, facts: supposed });
      await eventually(async () => {
        if (response.status !== 503) return true;
        response = await lender.tenant.post(path, { on, facts: supposed });
        return false;
      });
      return response;
    };
    const refused = await simulate(facts);
    expect(refused).toMatchObject({ status: 422, body: { code: 'invalid_field', details: { field: '/facts' } } });
    const { bound } = refused.body.details;
    expect(bound).toBeGreaterThan(100);
    requireStatus(await simulate(facts.slice(0, bound)), 200);
    const inOrder = facts.map((fact) => ({ ...fact, body: { ...fact.body, value_date: '2026-03-01' } }));
    requireStatus(await simulate(inOrder), 200);
  });

  test('needs a write key, a day and a list of known acts', async () => {
    const client = await lender.client();
    const reader = await lender.tenant.mint('read');
    const path = `/clients/${client}/simulate`;
    const refused = await lender.tenant.post(path, { on, facts: [] }, { signer: reader });
    expect(refused).toMatchObject({ status: 403, body: { code: 'not_permitted_scope' } });
    const dayless = await lender.tenant.post(path, { facts: [] });
    expect(dayless).toMatchObject({ status: 422, body: { code: 'missing_field', details: { field: '/on' } } });
    const unknown = await lender.tenant.post(path, { on, facts: [{ act: 'sell', body: {} }] });
    expect(unknown).toMatchObject({ status: 422, body: { details: { field: '/facts/0/act' } } });
  });
});
