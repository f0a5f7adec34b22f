/** What a person reads of a book from the command line: a Loan on a day, the events as they come. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Lender } from '#test/integration/reads/lender.ts';
import { house } from '#test/integration/tenant.ts';
import { calling, type Done } from './lending.ts';

let lender: Lender;
let client: string;
beforeAll(async () => {
  lender = await Lender.open(house());
  client = await lender.client();
});
afterAll(() => lender.tenant.close());

const lending = (...args: string[]): Promise<Done> => calling(lender.tenant, ...args).done;

describe('a Loan shown on a day', () => {
  test('is its plan, what was paid and what is owed, found by either name', async () => {
    const loan = await lender.loan(client);
    await lender.pay(client, 1_000_00, '2026-02-10');
    const byId = await lending('loan', 'show', loan.id, '--on', '2026-03-20');
    expect(byId).toMatchObject({ code: 0, err: '' });
    const { reference } = loan.terms;
    expect(byId.out).toContain(`Loan ${reference} of ${client}: active, owed to the tenant`);
    expect(byId.out).toContain('On 2026-03-20, in MXN');
    const schedule = await lender.read(`/loans/${loan.id}/schedule?on=2026-03-20`);
    const rows = byId.out.split('\n').filter((line) => /^ ?[0-9]+ {2}20/.test(line));
    expect(rows.map((row) => row.trim().split(/ +/).slice(0, 2))).toEqual(
      schedule.periods.map(({ index, due_on }: { index: number; due_on: string }) => [String(index), due_on]),
    );
    expect(await lending('loan', 'show', '--reference', reference, '--on', '2026-03-20')).toEqual(byId);
    const narrowed = ['--reference', reference, '--client', client, '--on', '2026-03-20'];
    expect(await lending('loan', 'show', ...narrowed)).toEqual(byId);
    const raw = JSON.parse((await lending('loan', 'show', loan.id, '--on', '2026-03-20', '--json')).out);
    expect(raw.schedule).toEqual(schedule);
  });

  test('is found by its reference where the listing leaves it out', async () => {
    const held = await lender.loan(client, { hold_until: '2026-01-20' });
    await lender.act(held.id, 'void', '2026-01-16');
    const shown = await lending('loan', 'show', '--reference', held.terms.reference, '--on', '2026-02-01');
    expect(shown).toMatchObject({ code: 0, out: expect.stringContaining('voided, owes nothing') });
  });

  test.each([
    [['loan', 'show', '--on', '2026-03-20'], 2, 'LOAN_ID or --reference, one of them'],
    [['loan', 'show', 'x'], 2, '--on DAY is missing'],
    [['loan', 'show', randomUUID(), '--on', '2026-03-20'], 1, '(404 not_found)'],
    [['loan', 'show', 'loan-1', '--on', '2026-03-20'], 2, 'is shown under --reference loan-1\n'],
    [['loan', 'show', 'my loan', '--on', '2026-03-20'], 2, "is shown under --reference 'my loan'\n"],
    [['loan', 'show', '--reference', 'nobody', '--on', '2026-03-20'], 1, 'no Loan is called "nobody"'],
  ])('says what is wrong with %j', async (args, code, said) => {
    expect(await lending(...args)).toMatchObject({ code, out: '', err: expect.stringContaining(said) });
  });

  test('says that the day is none', async () => {
    const { id } = await lender.loan(client);
    const done = await lending('loan', 'show', id, '--on', '2026-02-30');
    expect(done).toMatchObject({ code: 1, err: expect.stringContaining('(400 invalid_query)') });
    expect(done.err).toContain('field: on');
  });
});

test('a Client shown on a day is every Loan of it in a line', async () => {
  const [one, two] = [await lender.loan(client), await lender.loan(client)];
  const done = await lending('client', 'show', client, '--on', '2026-03-20');
  expect(done).toMatchObject({ code: 0, err: '' });
  for (const { terms } of [one, two]) expect(done.out).toMatch(new RegExp(`^${terms.reference} +active +MXN`, 'm'));
  expect(done.out).toContain('May apply     yes');
  const raw = JSON.parse((await lending('client', 'show', client, '--on', '2026-03-20', '--json')).out);
  expect(raw).toEqual(await lender.read(`/clients/${client}/book?on=2026-03-20`));
});

test('a Client nobody registered is told as one before anything else', async () => {
  const done = await lending('client', 'show', 'nobody', '--on', '2026-03-20');
  expect(done).toMatchObject({ code: 0, err: '' });
  expect(done.out).toMatch(/^Client nobody on 2026-03-20: nobody registered this Client\n/);
  expect(done.out).toContain('May apply     not before it is registered');
  const raw = await lending('client', 'show', 'nobody', '--on', '2026-03-20', '--json');
  expect(raw).toMatchObject({ code: 0, err: 'nobody registered this Client\n' });
  expect(JSON.parse(raw.out)).toEqual(await lender.read('/clients/nobody/book?on=2026-03-20'));
});

describe('events followed', () => {
  test('are printed as they come, and from where they were left', async () => {
    const all = calling(lender.tenant, 'events', 'follow', '--json');
    const { id } = await lender.loan(client);
    const told = () => all.lines.map((line) => JSON.parse(line));
    await all.prints(() => told().at(-1)?.loan_id === id);
    expect(told().map(({ cursor: _, ...row }) => row)).toEqual((await lender.read('/loan-events?limit=200')).events);
    all.process.kill('SIGINT');
    const { code, err } = await all.done;
    const { cursor } = told().at(-1);
    expect([code, err.trim()]).toEqual([0, `To go on: lending events follow --from ${cursor}`]);

    await lender.act(id, 'cancel', '2026-01-15');
    const rest = calling(lender.tenant, 'events', 'follow', '--from', cursor);
    await rest.prints(() => rest.lines.length === 1);
    expect(rest.lines[0]).toMatch(new RegExp(`^2026-01-15 {2}cancelled {9}${id} {2}`));
    rest.process.kill('SIGINT');
    expect((await rest.done).code).toBe(0);
  });

  test('are refused from a place that is none, and end with who reads them', async () => {
    for (const place of ['nowhere', '-nowhere']) {
      const done = await lending('events', 'follow', '--from', place);
      expect(done).toMatchObject({ code: 1, err: expect.stringContaining('field: Last-Event-ID') });
    }
    const unread = calling(lender.tenant, 'events', 'follow');
    unread.process.stdout.destroy();
    expect((await unread.done).code).toBe(0);
  });
});
