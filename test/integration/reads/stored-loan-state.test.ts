/** A wrong `loans.state`: listings follow the fold of the book, and the audit reports each Loan. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { clientBookId } from '#libs/ledger/book-id.ts';
import { auditFindings } from '#test/support/audit-findings.ts';
import { requireStatus } from '#test/support/lender.ts';
import { OneProductLender, readAllPages } from '#test/support/one-product-lender.ts';
import { instalmentProduct } from '#test/support/request-bodies.ts';
import { type TestEnvironment, testEnvironment } from '#test/support/tenant.ts';
import { type OpenedDatabases, openTestDatabases } from '#test/support/test-databases.ts';

interface Row {
  readonly id: string;
  readonly state: string;
}

let environment: TestEnvironment;
let lender: OneProductLender;
let opened: OpenedDatabases;
/** Loans of one Client, by the state that the fold gives. */
let active: string;
let writtenOff: string;
let voided: string;
let client: string;

beforeAll(async () => {
  environment = testEnvironment();
  opened = await openTestDatabases(environment, { name: 'stored states', as: 'owner' });
  lender = await OneProductLender.open(environment);
  client = await lender.client();
  const sale = { merchant_ref: 'shop' };
  active = (await lender.loan(client, sale)).id;
  writtenOff = (await lender.loan(client, sale)).id;
  voided = (await lender.loan(client, { ...sale, hold_until: '2026-01-25' })).id;
  await lender.act(writtenOff, 'write-off', '2026-05-01');
  await lender.act(voided, 'void', '2026-01-20');
  await setStoredState(active, 'written_off');
  await setStoredState(writtenOff, 'active');
  await setStoredState(voided, 'closed');
});
afterAll(async () => {
  await opened.close();
  await lender.tenant.close();
});

async function setStoredState(loanId: string, state: string): Promise<void> {
  const owner = opened.databases.ofBook({ tenantId: lender.tenant.id, bookId: clientBookId(client) });
  const { rowCount } = await owner.query('UPDATE loans SET state = $3 WHERE tenant_id = $1 AND loan_id = $2', [
    lender.tenant.id,
    loanId,
    state,
  ]);
  expect(rowCount).toBe(1);
}

async function listed(query: string): Promise<[string, string][]> {
  const rows: Row[] = await readAllPages(lender, `/loans?client_id=${client}${query}`, 'loans', 1);
  return rows.map(({ id, state }) => [id, state]);
}

async function countMismatches(): Promise<number> {
  const text = await (await fetch(`${environment.services.operations.gateway}/metrics`)).text();
  const row = text.split('\n').find((line) => line.startsWith('lending_loan_state_mismatches_total'));
  return Number(row?.split(' ').at(-1) ?? 0);
}

test('a listing by state leaves out a Loan whose folded state is another one', async () => {
  for (const state of ['active', 'written_off', 'closed', 'voided']) {
    expect([state, await listed(`&state=${state}`)]).toEqual([state, []]);
  }
});

test('a listing without a state shows the folded states, and no Loan that is voided by the fold', async () => {
  const expected = [
    [writtenOff, 'written_off'],
    [active, 'active'],
  ];
  expect(await listed('')).toEqual(expected);
  const shop = await lender.read('/merchants/shop/book?on=2026-05-02');
  expect(shop.loans.map(({ id, state }: Row) => [id, state])).toEqual(expected);
});

test('a rehearsal does not examine a Loan that is voided by the fold', async () => {
  const fee = { minor_units: 10_000, currency: 'MXN' };
  const values = { ...instalmentProduct.values, origination_fee: fee };
  const path = `/product-configurations/${lender.product.id}/rehearsal`;
  const ids: string[] = [];
  let examined = 0;
  let cursor: string | undefined;
  do {
    const start = cursor === undefined ? {} : { cursor };
    const body = { on: '2026-03-20', values, limit: 1, ...start };
    const page = requireStatus(await lender.tenant.post(path, body), 200).body;
    examined += page.examined;
    ids.push(...page.loans.map(({ loan_id }: { loan_id: string }) => loan_id));
    cursor = page.cursor;
  } while (cursor !== undefined);
  expect(examined).toBe(2);
  expect(ids).toEqual([writtenOff, active]);
});

test('each mismatch of an answer is counted', async () => {
  const before = await countMismatches();
  await lender.read(`/loans?client_id=${client}`);
  expect((await countMismatches()) - before).toBeGreaterThanOrEqual(3);
});

test('the audit reports each Loan with both states, until they are corrected', async () => {
  const finding = (loanId: string, expected: string, found: string) =>
    `${lender.tenant.id}/c/${client} loan ${loanId}: the stored state differs from the fold of the facts: expected "${expected}", found "${found}"`;
  const expected = [
    finding(active, 'active', 'written_off'),
    finding(writtenOff, 'written_off', 'active'),
    finding(voided, 'voided', 'closed'),
  ];
  expect((await auditFindings(environment, lender.tenant.id)).sort()).toEqual(expected.sort());
  await setStoredState(active, 'active');
  await setStoredState(writtenOff, 'written_off');
  await setStoredState(voided, 'voided');
  expect(await auditFindings(environment, lender.tenant.id)).toEqual([]);
  expect(await listed('&state=written_off')).toEqual([[writtenOff, 'written_off']]);
});
