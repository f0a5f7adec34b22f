/** Whom to ask for money on a day, today's or a past one. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { house } from '#test/integration/tenant.ts';
import { everyPage, Lender } from './lender.ts';

let lender: Lender;
beforeAll(async () => {
  lender = await Lender.open(house());
});
afterAll(() => lender.tenant.close());

type Row = { readonly client_id: string };
const idsOf = (rows: readonly Row[]): string[] => rows.map(({ client_id }) => client_id);
const dues = async (own: Lender, query: string) => idsOf(await everyPage(own, `/dues?${query}`, 'clients', 50));

test('a Client is listed with what has fallen due of each Loan, as payment options answer it, and totals of the page', async () => {
  const own = await Lender.open(house());
  const client = await own.client();
  const [late, current] = [await own.loan(client), await own.loan(client, { anchor: '2026-02-20' })];
  const on = '2026-03-01';
  const { loans } = await own.read(`/clients/${client}/payment-options?on=${on}`);
  const answered = loans.find(({ loan_id }: { loan_id: string }) => loan_id === late.id);
  const { loan_id, reference, overdue, late: lateness, instalment } = answered;
  const total = { currency: 'MXN', overdue: overdue.total, late: lateness.owed.total };
  expect(await own.read(`/dues?on=${on}`)).toEqual({
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
  await own.tenant.close();
});

test('the day itself counts as due and not as late, and days past due narrow the Loans', async () => {
  const own = await Lender.open(house());
  const client = await own.client();
  const { periods } = await own.loan(client);
  const due = periods[0].due_on;
  const after = new Date(Date.parse(due) + 5 * 86_400_000).toISOString().slice(0, 10);
  const before = new Date(Date.parse(due) - 86_400_000).toISOString().slice(0, 10);
  expect(await dues(own, `on=${before}`)).toEqual([]);
  expect(await dues(own, `on=${due}`)).toEqual([client]);
  expect(await dues(own, `on=${due}&only=late`)).toEqual([]);
  expect(await dues(own, `on=${after}&only=late`)).toEqual([client]);
  expect(await dues(own, `on=${after}&min_days_past_due=5`)).toEqual([client]);
  expect(await dues(own, `on=${after}&min_days_past_due=6`)).toEqual([]);
  await own.tenant.close();
});

test('a day of the past is answered as it stands by all that is recorded: who has paid since was due then', async () => {
  const own = await Lender.open(house());
  const [paysLate, paysNever, pays, writtenOff] = [
    await own.client(),
    await own.client(),
    await own.client(),
    await own.client(),
  ];
  const discharge = 1_400_000;
  const loan = await own.loan(paysLate);
  await own.loan(paysNever);
  await own.loan(pays);
  const off = await own.loan(writtenOff);
  await own.pay(pays, discharge, '2026-02-10');
  await own.pay(paysLate, discharge, '2026-04-10', { designated_loan_id: loan.id, payoff_intent: true });
  // Nothing of its plan has fallen due, but a debt written off is due whole.
  await own.act(off.id, 'write-off', '2026-01-20');
  const everyone = (...clients: string[]) => clients.sort();
  expect(await dues(own, 'on=2026-02-01')).toEqual([writtenOff]);
  expect(await dues(own, 'on=2026-03-01')).toEqual(everyone(paysLate, paysNever, writtenOff));
  expect(await dues(own, 'on=2026-04-09')).toEqual(everyone(paysLate, paysNever, writtenOff));
  expect(await dues(own, 'on=2026-04-10')).toEqual(everyone(paysNever, writtenOff));
  expect(await dues(own, 'on=2027-01-01')).toEqual(everyone(paysNever, writtenOff));
  await own.tenant.close();
});

test('whoever pays is gone from the dues with the answer, and is back with the reversal', async () => {
  const own = await Lender.open(house());
  const client = await own.client();
  await own.loan(client);
  const on = '2026-03-01';
  expect(await dues(own, `on=${on}`)).toEqual([client]);
  const { receipt } = await own.pay(client, 150_000, '2026-02-20');
  expect(await dues(own, `on=${on}`)).toEqual([]);
  expect(await dues(own, 'on=2026-02-19')).toEqual([client]);
  await own.reverse(receipt.reference);
  expect(await dues(own, `on=${on}`)).toEqual([client]);
  await own.tenant.close();
});

test('pages follow the Clients in order; twice as many as asked are examined, and a page may be short and go on', async () => {
  const own = await Lender.open(house());
  const clients = [];
  for (let nth = 0; nth < 6; nth += 1) clients.push(await own.client());
  clients.sort();
  for (const client of clients) await own.loan(client);
  const on = '2026-02-20';
  expect(await dues(own, `on=${on}`)).toEqual(clients);
  for (const limit of [1, 2, 4, 6]) {
    expect(idsOf(await everyPage(own, `/dues?on=${on}`, 'clients', limit))).toEqual(clients);
  }
  const full = await own.read(`/dues?on=${on}&limit=6`);
  expect(full).not.toHaveProperty('cursor');
  // All are due, none is so late: two are examined for the one asked.
  const short = await own.read(`/dues?on=${on}&min_days_past_due=40&limit=1`);
  expect(short).toMatchObject({ clients: [], totals: [] });
  expect(short.cursor).toBeDefined();
  const other = await own.tenant.get(`/dues?on=${on}&cursor=${short.cursor}`);
  expect(other).toMatchObject({ status: 400, body: { code: 'invalid_query', details: { field: 'cursor' } } });
  expect(await dues(own, `on=${on}&min_days_past_due=40`)).toEqual([]);
  await own.tenant.close();
});

test.each([
  ['', 422, 'missing_field'],
  ['on=2026-13-01', 400, 'invalid_query'],
  ['on=2026-03-01&only=early', 400, 'invalid_query'],
  ['on=2026-03-01&min_days_past_due=0', 400, 'invalid_query'],
  ['on=2026-03-01&limit=201', 400, 'invalid_query'],
])('?%s is refused with %i %s', async (query, status, code) => {
  const told = await lender.tenant.get(query === '' ? '/dues' : `/dues?${query}`);
  expect(told).toMatchObject({ status, body: { code } });
});
