/**
 * What the API answers whole is shown by pages: facilities of a Client, lookup keys of a product, evidence of a Loan. And lists
 * of Clients with long books.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { inputsOf } from '#services/console/products/rehearsal-form-values.ts';
import { openTestDatabases } from '#test/support/test-databases.ts';
import { addConsolePerson, openConsoleSession } from '../support/console-person.ts';
import { CreditWorkflow } from '../support/credit-workflow.ts';
import { Lender, pesos, requireStatus } from '../support/lender.ts';
import type { ProductVersion } from '../support/request-bodies.ts';
import { eventually, testEnvironment } from '../support/tenant.ts';
import { testPassword } from './browser.ts';
import { ConsoleVisitor } from './console-visitor.ts';

let lender: Lender;
let visitor: ConsoleVisitor;
beforeAll(async () => {
  lender = await Lender.open(testEnvironment());
  const { databases, close } = await openTestDatabases(testEnvironment(), { name: 'lists', connections: 1 });
  const as = { tenantId: lender.tenant.id, role: 'support' } as const;
  const email = `lists-${Date.now()}@lender.example`;
  const person = await addConsolePerson(databases, { email, as, password: testPassword });
  visitor = new ConsoleVisitor({ session: await openConsoleSession(databases.home, person) });
  await close();
});
afterAll(() => lender.close());

async function pageAt(path: string): Promise<string> {
  const { status, text } = await visitor.get(path);
  expect([path, status]).toEqual([path, 200]);
  return text;
}

function matchesIn(text: string, pattern: RegExp): readonly string[] {
  return [...text.matchAll(pattern)].map(([, found = '']) => found);
}

/** What each page lists, from the first one by its links to the next. */
async function walk(path: string, item: RegExp): Promise<readonly (readonly string[])[]> {
  const pages: (readonly string[])[] = [];
  for (let next: string | undefined = path; next !== undefined; ) {
    const text = await pageAt(next);
    pages.push(matchesIn(text, item));
    next = matchesIn(text, /rel="next" href="([^"]*)"/g)[0]?.replaceAll('&amp;', '&');
  }
  return pages;
}

test('lookup keys are listed in their order, a page at a time, beside the versions that were chosen', async () => {
  const product = await lender.createProduct('instalment');
  const other = await lender.createProduct('instalment');
  const names = Array.from({ length: 30 }, (_, index) => `shop-${String(index).padStart(2, '0')}`);
  for (const name of names) await pointKey(name, product);
  await pointKey('other', other);
  const path = `/tenancies/${lender.tenant.id}/products/${product.id}`;
  const pages = await walk(`${path}?version=1`, /<td[^>]*>\s*(shop-\d\d|other)\s*<\/td>/g);
  expect(pages).toEqual([names.slice(0, 25), names.slice(25)]);
});

async function pointKey(name: string, { id, version }: { readonly id: string; readonly version: number }) {
  const target = { configuration_id: id, configuration_version: version };
  requireStatus(await lender.tenant.put(`/product-lookup-keys/${name}`, target), 201);
}

test('the page of a Client shows its newest facilities, and leads to all of them; with very many it omits other parts', async () => {
  const product = await lender.createProduct('instalment');
  const credit = new CreditWorkflow(lender, product);
  await credit.adopt();
  const client = await lender.client();
  const { id: decision } = await credit.decide(client, 'good');
  const references = Array.from({ length: 51 }, (_, index) => `facility-${index}`);
  const open = async (some: readonly string[]) => {
    for (const reference of some) await credit.openFacility(client, decision, { reference, amount: pesos(100_000) });
  };
  await open(references.slice(0, 30));
  const { body: drawn } = await credit.draw(client, (await newestFacility(client)).id, { principal: pesos(30_000) });
  expect(drawn.state).toBe('active');

  const path = `/tenancies/${lender.tenant.id}/clients/${client}`;
  const item = /<td[^>]*>\s*(facility-\d+)\s*<\/td>/g;
  const checkFirst = (text: string, newestFirst: readonly string[]) => {
    expect(matchesIn(text, item)).toEqual(newestFirst.slice(0, 10));
    expect(text).toContain(`href="${path}/facilities"`);
  };
  const parts = (text: string) => ['<h2>History</h2>', 'too many Loans'].map((part) => text.includes(part));
  const newestFirst = references.slice(0, 30).toReversed();
  const text = await pageAt(path);
  checkFirst(text, newestFirst);
  expect(text).toContain('$300.00');
  expect(parts(text)).toEqual([true, false]);
  expect(await walk(`${path}/facilities`, item)).toEqual([newestFirst.slice(0, 25), newestFirst.slice(25)]);

  await open(references.slice(30));
  const ofMany = await pageAt(path);
  checkFirst(ofMany, references.toReversed());
  expect(parts(ofMany)).toEqual([false, true]);
});

async function newestFacility(client: string): Promise<{ readonly id: string }> {
  return requireStatus(await lender.tenant.get(`/facilities?client=${client}`), 200).body.facilities[0];
}

test('a page of evidence has ten facts, of which each follows the one before it, also that of the page before', async () => {
  const loan = await lender.loan(await lender.client());
  let events: readonly { readonly id: string }[] = [];
  for (let count = 0; count < 12; count += 1) {
    const waiver = { on: '2026-02-20', period: 1, charge: 'interest', amount: pesos(1) };
    ({ events } = await lender.act(loan.id, 'waiver', waiver));
  }
  const path = `/tenancies/${lender.tenant.id}/evidence/loans/${loan.id}`;
  const [first = [], second = [], ...others] = await walk(path, /id="event-([0-9a-f-]{36})"/g);
  expect([first.length, second.length, others.length]).toEqual([10, 3, 0]);
  expect([...first, ...second]).toEqual(events.map(({ id }) => id));
  const atEvent = await pageAt(`${path}?event=${second[1]}`);
  expect(atEvent).toContain('All checks of the facts on this page passed (3 of 13).');
  expect(matchesIn(atEvent, /id="event-([0-9a-f-]{36})"/g)).toEqual(second);
});

/** More facts than a page waits for. The Loan stays due. */
async function recordLongBook(product: ProductVersion): Promise<string> {
  const client = await lender.client();
  await lender.loan(client, {}, product);
  for (let batch = 0; batch < 6; batch += 1) {
    const receipts = Array.from({ length: 100 }, (_, index) => ({
      reference: `long-${client}-${batch}-${index}`,
      client_id: client,
      amount: pesos(1),
      value_date: '2026-02-20',
    }));
    requireStatus(await lender.tenant.post('/receipts/batch', { receipts }), 200);
  }
  return client;
}

test('a list of Clients with long books answers at once that they are loaded, and then the list', async () => {
  const product = await lender.createProduct('instalment');
  const { values } = requireStatus(await lender.tenant.get(`/product-configurations/${product.id}`), 200).body;
  const rehearsal = new URLSearchParams({ version: '1', on: '2026-05-20', ...inputsOf(values), rate_max: '30' });
  const lists = [
    `/loans?configuration_id=${product.id}`,
    '/dues?on=2026-05-20',
    `/products/${product.id}/rehearsal?${rehearsal}`,
  ];
  for (const list of lists) {
    const client = await recordLongBook(product);
    const path = `/tenancies/${lender.tenant.id}${list}`;
    const { status, headers, text } = await visitor.get(path);
    expect([list, status, headers['retry-after']]).toEqual([list, 202, '1']);
    expect(text).toContain('The Clients of this page have many records.');
    await eventually(async () => (await visitor.get(path)).status !== 202);
    const shown = await pageAt(path);
    if (!list.includes('rehearsal')) expect(shown).toContain(`/clients/${client}`);
  }
});
