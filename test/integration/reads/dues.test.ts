/** The Clients with something due on a day, today or in the past. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { OneProductLender, readAllPages } from '#test/support/one-product-lender.ts';
import { testEnvironment } from '#test/support/tenant.ts';

let lender: OneProductLender;
beforeAll(async () => {
  lender = await OneProductLender.open(testEnvironment());
});
afterAll(() => lender.tenant.close());

type Row = { readonly client_id: string };
const idsOf = (rows: readonly Row[]): string[] => rows.map(({ client_id }) => client_id);
const dueClients = async (otherLender: OneProductLender, query: string) =>
  idsOf(await readAllPages(otherLender, `/dues?${query}`, 'clients', 50));

test('a Client is listed with what is due of each Loan, as in the payment options, and the page has totals', async () => {
  const otherLender = await OneProductLender.open(testEnvironment());
  const client = await otherLender.client();
  const [late, current] = [await otherLender.loan(client), await otherLender.loan(client, { anchor: '2026-02-20' })];
  const on = '2026-03-01';
  const { loans } = await otherLender.read(`/clients/${client}/payment-options?on=${on}`);
  const answered = loans.find(({ loan_id }: { loan_id: string }) => loan_id === late.id);
  const { loan_id, reference, overdue, late: lateness, instalment } = answered;
  const total = { currency: 'MXN', overdue: overdue.total, late: lateness.owed.total };
  expect(await otherLender.read(`/dues?on=${on}`)).toEqual({
    on,
    clients: [
      {
        client_id: client,
        loans: [{ loan_id, reference, overdue, late: lateness, instalment }],
        totals: [total],
      },
    ],
    totals: [{ ...total, clients: 1 }],
    page_totals: true,
  });
  expect(current.state).toBe('active');
  await otherLender.tenant.close();
});

test('the due day counts as due but not as late, and the listing can be filtered by days past due', async () => {
  const otherLender = await OneProductLender.open(testEnvironment());
  const client = await otherLender.client();
  const { periods } = await otherLender.loan(client);
  const due = periods[0].due_on;
  const after = new Date(Date.parse(due) + 5 * 86_400_000).toISOString().slice(0, 10);
  const before = new Date(Date.parse(due) - 86_400_000).toISOString().slice(0, 10);
  expect(await dueClients(otherLender, `on=${before}`)).toEqual([]);
  expect(await dueClients(otherLender, `on=${due}`)).toEqual([client]);
  expect(await dueClients(otherLender, `on=${due}&only=late`)).toEqual([]);
  expect(await dueClients(otherLender, `on=${after}&only=late`)).toEqual([client]);
  expect(await dueClients(otherLender, `on=${after}&min_days_past_due=5`)).toEqual([client]);
  expect(await dueClients(otherLender, `on=${after}&min_days_past_due=6`)).toEqual([]);
  await otherLender.tenant.close();
});

test('a past day lists Clients that were due then, also when they paid later', async () => {
  const otherLender = await OneProductLender.open(testEnvironment());
  const [paysLate, paysNever, pays, writtenOff] = [
    await otherLender.client(),
    await otherLender.client(),
    await otherLender.client(),
    await otherLender.client(),
  ];
  const discharge = 1_400_000;
  const loan = await otherLender.loan(paysLate);
  await otherLender.loan(paysNever);
  await otherLender.loan(pays);
  const off = await otherLender.loan(writtenOff);
  await otherLender.pay(pays, discharge, '2026-02-10');
  await otherLender.pay(paysLate, discharge, '2026-04-10', { designated_loan_id: loan.id, payoff_intent: true });
  // No period has fallen due, but a written-off debt is due as a whole.
  await otherLender.act(off.id, 'write-off', '2026-01-20');
  const everyone = (...clients: string[]) => clients.sort();
  expect(await dueClients(otherLender, 'on=2026-02-01')).toEqual([writtenOff]);
  expect(await dueClients(otherLender, 'on=2026-03-01')).toEqual(everyone(paysLate, paysNever, writtenOff));
  expect(await dueClients(otherLender, 'on=2026-04-09')).toEqual(everyone(paysLate, paysNever, writtenOff));
  expect(await dueClients(otherLender, 'on=2026-04-10')).toEqual(everyone(paysNever, writtenOff));
  expect(await dueClients(otherLender, 'on=2027-01-01')).toEqual(everyone(paysNever, writtenOff));
  await otherLender.tenant.close();
});

test('a Client leaves the dues with its payment and returns with the reversal', async () => {
  const otherLender = await OneProductLender.open(testEnvironment());
  const client = await otherLender.client();
  await otherLender.loan(client);
  const on = '2026-03-01';
  expect(await dueClients(otherLender, `on=${on}`)).toEqual([client]);
  const { receipt } = await otherLender.pay(client, 150_000, '2026-02-20');
  expect(await dueClients(otherLender, `on=${on}`)).toEqual([]);
  expect(await dueClients(otherLender, 'on=2026-02-19')).toEqual([client]);
  await otherLender.reverse(receipt.reference);
  expect(await dueClients(otherLender, `on=${on}`)).toEqual([client]);
  await otherLender.tenant.close();
});

test('pages are ordered by Client and examine at most twice their limit, so a page may be short and have a cursor', async () => {
  const otherLender = await OneProductLender.open(testEnvironment());
  const clients = [];
  for (let index = 0; index < 6; index += 1) clients.push(await otherLender.client());
  clients.sort();
  for (const client of clients) await otherLender.loan(client);
  const on = '2026-02-20';
  expect(await dueClients(otherLender, `on=${on}`)).toEqual(clients);
  for (const limit of [1, 2, 4, 6]) {
    expect(idsOf(await readAllPages(otherLender, `/dues?on=${on}`, 'clients', limit))).toEqual(clients);
  }
  const full = await otherLender.read(`/dues?on=${on}&limit=6`);
  expect(full).not.toHaveProperty('cursor');
  // All are due, none is that late: two Clients are examined for a limit of one.
  const short = await otherLender.read(`/dues?on=${on}&min_days_past_due=40&limit=1`);
  expect(short).toMatchObject({ clients: [], totals: [] });
  expect(short.cursor).toBeDefined();
  const other = await otherLender.tenant.get(`/dues?on=${on}&cursor=${short.cursor}`);
  expect(other).toMatchObject({ status: 400, body: { code: 'invalid_query', details: { field: 'cursor' } } });
  expect(await dueClients(otherLender, `on=${on}&min_days_past_due=40`)).toEqual([]);
  await otherLender.tenant.close();
});

test.each([
  ['', 422, 'missing_field'],
  ['on=2026-13-01', 400, 'invalid_query'],
  ['on=2026-03-01&only=early', 400, 'invalid_query'],
  ['on=2026-03-01&min_days_past_due=0', 400, 'invalid_query'],
  ['on=2026-03-01&limit=201', 400, 'invalid_query'],
])('?%s is refused with %i %s', async (query, status, code) => {
  const response = await lender.tenant.get(query === '' ? '/dues' : `/dues?${query}`);
  expect(response).toMatchObject({ status, body: { code } });
});
