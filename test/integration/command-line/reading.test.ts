/** Reads by the command line: a Loan on a day, a Client on a day, and the events as they are recorded. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type CliResult, startCallerCommand } from '#test/support/cli-process.ts';
import { OneProductLender } from '#test/support/one-product-lender.ts';
import { testEnvironment } from '#test/support/tenant.ts';

let lender: OneProductLender;
let client: string;
beforeAll(async () => {
  lender = await OneProductLender.open(testEnvironment());
  client = await lender.client();
});
afterAll(() => lender.tenant.close());

const runCommand = (...args: string[]): Promise<CliResult> => startCallerCommand(lender.tenant, ...args).result;

describe('a Loan shown on a day', () => {
  test('has its plan, payments and debt, found by id or reference', async () => {
    const loan = await lender.loan(client);
    await lender.pay(client, 1_000_00, '2026-02-10');
    const byId = await runCommand('loan', 'show', loan.id, '--on', '2026-03-20');
    expect(byId).toMatchObject({ code: 0, err: '' });
    const { reference } = loan.terms;
    expect(byId.out).toContain(`Loan ${reference} of ${client}: active, owed to the tenant`);
    expect(byId.out).toContain('On 2026-03-20, in MXN');
    const schedule = await lender.read(`/loans/${loan.id}/schedule?on=2026-03-20`);
    const rows = byId.out.split('\n').filter((line) => /^ ?[0-9]+ {2}20/.test(line));
    expect(rows.map((row) => row.trim().split(/ +/).slice(0, 2))).toEqual(
      schedule.periods.map(({ index, due_on }: { index: number; due_on: string }) => [String(index), due_on]),
    );
    expect(await runCommand('loan', 'show', '--reference', reference, '--on', '2026-03-20')).toEqual(byId);
    const narrowed = ['--reference', reference, '--client', client, '--on', '2026-03-20'];
    expect(await runCommand('loan', 'show', ...narrowed)).toEqual(byId);
    const raw = JSON.parse((await runCommand('loan', 'show', loan.id, '--on', '2026-03-20', '--json')).out);
    expect(raw.schedule).toEqual(schedule);
  });

  test('is found by its reference although the listing leaves it out', async () => {
    const held = await lender.loan(client, { hold_until: '2026-01-20' });
    await lender.act(held.id, 'void', '2026-01-16');
    const shown = await runCommand('loan', 'show', '--reference', held.terms.reference, '--on', '2026-02-01');
    expect(shown).toMatchObject({ code: 0, out: expect.stringContaining('voided, owes nothing') });
  });

  test.each([
    [['loan', 'show', '--on', '2026-03-20'], 2, 'name the Loan by its id or by --reference'],
    [['loan', 'show', randomUUID()], 2, "required option '--on <day>' not specified"],
    [['loan', 'show', randomUUID(), '--on', '2026-03-20'], 1, '(404 not_found)'],
    [['loan', 'show', 'loan-1', '--on', '2026-03-20'], 2, 'use --reference loan-1.'],
    [['loan', 'show', 'my loan', '--on', '2026-03-20'], 2, "use --reference 'my loan'."],
    [['loan', 'show', '--reference', 'unknown', '--on', '2026-03-20'], 1, 'no Loan has the reference "unknown"'],
  ])('is refused with an explanation for %j', async (args, code, message) => {
    expect(await runCommand(...args)).toMatchObject({ code, out: '', err: expect.stringContaining(message) });
  });

  test('is refused for an impossible day', async () => {
    const { id } = await lender.loan(client);
    const done = await runCommand('loan', 'show', id, '--on', '2026-02-30');
    expect(done).toMatchObject({ code: 1, err: expect.stringContaining('(400 invalid_query)') });
    expect(done.err).toContain('field: on');
  });
});

test('a Client shown on a day has one line for each Loan', async () => {
  const [one, two] = [await lender.loan(client), await lender.loan(client)];
  const done = await runCommand('client', 'show', client, '--on', '2026-03-20');
  expect(done).toMatchObject({ code: 0, err: '' });
  for (const { terms } of [one, two]) expect(done.out).toMatch(new RegExp(`^${terms.reference} +active +MXN`, 'm'));
  expect(done.out).toContain('May apply     yes');
  const raw = JSON.parse((await runCommand('client', 'show', client, '--on', '2026-03-20', '--json')).out);
  expect(raw).toEqual(await lender.read(`/clients/${client}/book?on=2026-03-20`));
});

test('a Client that is registered and has no Loan yet is shown', async () => {
  const registered = `new-${randomUUID()}`;
  await lender.tenant.put(`/clients/${registered}`, { actor: 'test', basis: 'test' });
  const done = await runCommand('client', 'show', registered, '--on', '2026-03-20');
  expect(done).toMatchObject({ code: 0, err: '' });
  expect(done.out).toContain(`Client ${registered} on 2026-03-20: nothing but its registration\n\nno Loans\n`);
});

test.each([[], ['--json']])('a Client that is not registered is an error %p', async (...options) => {
  const done = await runCommand('client', 'show', 'unknown', '--on', '2026-03-20', ...options);
  const err = expect.stringContaining(`there is no Client unknown in the Tenancy ${lender.tenant.id}`);
  expect(done).toEqual({ code: 1, out: '', err });
});

describe('followed events', () => {
  test('are printed as they are recorded, and continue from a cursor', async () => {
    const all = startCallerCommand(lender.tenant, 'events', 'follow', '--json');
    const { id } = await lender.loan(client);
    const response = () => all.lines.map((line) => JSON.parse(line));
    await all.waitForOutput(() => response().at(-1)?.loan_id === id);
    expect(response().map(({ cursor: _, ...row }) => row)).toEqual(
      (await lender.read('/loan-events?limit=200')).events,
    );
    all.process.kill('SIGINT');
    const { code, err } = await all.result;
    const { cursor } = response().at(-1);
    expect([code, err.trim()]).toEqual([0, `To continue: lending events follow --from ${cursor}`]);

    await lender.act(id, 'cancel', '2026-01-15');
    const rest = startCallerCommand(lender.tenant, 'events', 'follow', '--from', cursor);
    await rest.waitForOutput(() => rest.lines.length === 1);
    expect(rest.lines[0]).toMatch(new RegExp(`^2026-01-15 {2}cancelled {9}${id} {2}`));
    rest.process.kill('SIGINT');
    expect((await rest.result).code).toBe(0);
  });

  test('are refused for an invalid cursor, and end when the output is closed', async () => {
    for (const place of ['nowhere', '-nowhere']) {
      const done = await runCommand('events', 'follow', '--from', place);
      expect(done).toMatchObject({ code: 1, err: expect.stringContaining('field: Last-Event-ID') });
    }
    const unread = startCallerCommand(lender.tenant, 'events', 'follow');
    unread.process.stdout.destroy();
    expect((await unread.result).code).toBe(0);
  });
});
