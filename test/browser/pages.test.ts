/** Every page of the console, found in its routers: a page that is added is checked without being listed here. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { type Database, query } from '#libs/database/database.ts';
import { openDatabase } from '#libs/database/pool.ts';
import { addConsolePerson, openConsoleSession } from '../support/console-person.ts';
import { testEnvironment } from '../support/tenant.ts';
import { findInaccessible, findWrongColours } from './accessibility.ts';
import {
  browserTestTimeoutMs,
  consoleUrl,
  describeInBrowser,
  openVisitor,
  screenshots,
  takesPictures,
  testPassword,
} from './browser.ts';
import { consoleRoutes, fillPath } from './console-routes.ts';
import { type ConsoleAnswer, ConsoleVisitor } from './console-visitor.ts';
import { freeTextNames, namesHolding } from './free-texts.ts';
import { type MarkedLender, openMarkedLender } from './marked-lender.ts';

const email = `pages-${Date.now()}@lender.example`;
let database: Database;
let marked: MarkedLender;
let session: string;
let personId: string;
/** By address: what a signed-in operator, or before sign-in a guest, gets in Spanish. */
const answers = new Map<string, ConsoleAnswer>();
/** By address: the words of its route. */
const pictureNames = new Map<string, string>();

beforeAll(async () => {
  database = openDatabase({ url: testEnvironment().stack.servicesDatabaseUrl, name: 'pages', connections: 2 });
  marked = await openMarkedLender('pages');
  const person = await addConsolePerson(database, { email, as: 'operator', password: testPassword });
  const tenantId = marked.lender.tenant.id;
  const { id } = await addConsolePerson(database, {
    email: `other-${email}`,
    as: { tenantId, role: 'support' },
    password: testPassword,
  });
  personId = id;
  session = await openConsoleSession(database, person);
  const [visitor, guest] = [new ConsoleVisitor({ session }), new ConsoleVisitor()];
  for (const each of [visitor, guest]) await each.post('/language', { language: 'es', path: '/' });
  for (const [path, route] of pagePaths()) {
    answers.set(path, await (isForGuests(path) ? guest : visitor).get(path));
    pictureNames.set(path, route.replace(/[^a-z]+/g, '-').replace(/^-|-$/g, ''));
  }
});
afterAll(async () => {
  await Promise.all([marked.lender.close(), database.end()]);
});

/** Each page once with its route, those with choices in the query once more, and one that does not exist. */
function pagePaths(): readonly (readonly [path: string, route: string])[] {
  const values = { ...marked.ids, person: personId };
  const paths = consoleRoutes()
    .filter(({ method, path }) => method === 'GET' && !path.startsWith('/assets/'))
    .map(({ path }): readonly [string, string] => [fillPath(path, values), path]);
  const { tenant = '', client = '', loan = '' } = marked.ids;
  const explanation = `/tenancies/${tenant}/clients/${client}/explanation?loan=${loan}&figure=payoff`;
  return [...paths, [explanation, '/explanation-of-payoff'], ['/no-such-page', '/no-such-page']];
}

function isForGuests(path: string): boolean {
  return path.startsWith('/sign-in');
}

function isPage({ status, headers }: ConsoleAnswer): boolean {
  return status !== 303 && String(headers['content-type']).startsWith('text/html');
}

test('every page is answered, and none is an error', () => {
  const failed = [...answers].filter(([, { status }]) => status !== 200 && status !== 303);
  // These name nothing: a made-up link, a fact that is not of the Receipt, a book that is not parked.
  const unnamed = ['/sign-in/link/', '/bodies/1', '/health/parked/', '/no-such-page'];
  expect(failed.map(([path, { status }]) => [path, status])).toEqual(
    unnamed.map((part) => [expect.stringContaining(part), 404]),
  );
  expect([...answers.values()].filter(isPage).length).toBeGreaterThan(30);
});

test('no page with its scripts and styles is larger than 150 kB compressed', async () => {
  const visitor = new ConsoleVisitor({ session });
  const bytesOf = new Map<string, number>();
  for (const [path, answer] of answers) {
    if (!isPage(answer)) continue;
    let bytes = gzipSync(answer.text).length;
    for (const [asset] of answer.text.matchAll(/(?<=(?:src|href)=")\/assets\/[^"]*/g)) {
      if (!bytesOf.has(asset)) {
        const { status, headers } = await visitor.get(asset, { 'Accept-Encoding': 'gzip' });
        expect([asset, status]).toEqual([asset, 200]);
        bytesOf.set(asset, Number(headers['content-length']));
      }
      bytes += bytesOf.get(asset) ?? 0;
    }
    expect([path, bytes > 5_000 && bytes <= 150_000]).toEqual([path, true]);
  }
});

test('every free text of the API is recorded with markup, so that no page escapes the checks below', async () => {
  const text = 'SELECT body FROM facts WHERE tenant_id = $1';
  const facts = await query<{ body: object }>(database, 'test_facts', text, [marked.lender.tenant.id]);
  const names = new Set(facts.flatMap(({ body }) => namesHolding('data-xss', body)));
  // The name of the Tenancy and labels of keys are stated by operators.
  expect([...freeTextNames(), 'label'].filter((name) => !names.has(name))).toEqual([]);
});

test('the pages of a Client with more Loans than are read at once are answered', async () => {
  const { lender } = marked;
  const client = await lender.client();
  const product = await lender.createProduct('instalment');
  const loans = await Promise.all(Array.from({ length: 101 }, () => lender.loan(client, { term_periods: 1 }, product)));
  const reference = 'receipt-of-many';
  await lender.pay(client, 100_00, '2026-02-15', { reference });
  const [{ id }] = loans as [{ id: string }];
  const values = { ...marked.ids, client, loan: id, reference };
  const ofBook = consoleRoutes().filter(
    ({ method, path }) => method === 'GET' && /:(client|loan|reference)/.test(path),
  );
  const visitor = new ConsoleVisitor({ session });
  for (const { path } of ofBook) {
    const { status, text } = await visitor.get(`${fillPath(path, values)}?on=2026-05-20`);
    // The page of the statement says so instead, and offers other days.
    const expected = path.endsWith('/clients/:client/statement.csv') ? 422 : 200;
    expect([path, status, text.length < 1_000_000]).toEqual([path, expected, true]);
  }
  const then = new URLSearchParams({ on: '2026-05-20', known_at: new Date().toISOString() });
  const { text } = await visitor.get(`${fillPath('/tenancies/:tenant/receipts/:reference', values)}?${then}`);
  expect(text).toContain('demasiado grande');
});

/** A field of the form of a simulation, with the acts in rows. */
async function simulate(act: string, fields: Readonly<Record<string, string>>): Promise<string> {
  const { tenant = '', client = '', loan = '' } = marked.ids;
  const row = { act, loan, ...fields };
  const rows = Object.entries(row).map(([name, value]) => [`fact-0-${name}`, value]);
  const visitor = new ConsoleVisitor({ session });
  const form = { on: '2026-03-20', do: 'simulate', ...Object.fromEntries(rows) };
  const { status, text } = await visitor.post(`/tenancies/${tenant}/clients/${client}/simulation`, form);
  expect(status).toBe(200);
  return text;
}

test('a simulated settlement for less and a simulated restructure are accepted, and change the figures', async () => {
  for (const text of [
    await simulate('settlement', { on: '2026-03-20', agreed: '5000' }),
    await simulate('restructure', { on: '2026-03-20', term_periods: '6', rate: '24' }),
  ]) {
    expect(text).toContain('Se registraría (201).');
    expect(text).toContain('Todos los Préstamos en MXN');
    expect(text).not.toContain('Ningún Préstamo cambiaría');
  }
});

/** On a phone: by all rules in light, by those about colours in dark. The pages of other tests are judged wide, too. */
async function judge(page: Page, path: string): Promise<readonly string[]> {
  // A rule of WCAG 2.2.
  const light = await findInaccessible(page, ['target-size']);
  await page.emulateMedia({ colorScheme: 'dark' });
  const dark = await findWrongColours(page);
  await page.emulateMedia({ colorScheme: 'light' });
  const problems = [...light, ...dark].map((problem) => `${path}: ${problem}`);
  const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
  if (Number(overflow) > 0) problems.push(`${path} is wider than a phone by ${overflow} px`);
  if ((await page.locator('[data-xss]').count()) > 0) problems.push(`${path} holds an element of the book`);
  return problems;
}

/** As a phone and as a wide screen show the page. */
async function takePictures(page: Page, path: string): Promise<void> {
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 844 });
    const file = join(screenshots, `page-${pictureNames.get(path)}-${width}.jpeg`);
    await page.screenshot({ path: file, type: 'jpeg', quality: 60, fullPage: true });
  }
}

await describeInBrowser('in a browser', (browser) => {
  test(
    'every page is accessible in Spanish on a phone, and runs no text of the book as a script',
    async () => {
      const { context, page } = await openVisitor(browser);
      const guest = await openVisitor(browser);
      await guest.context.addCookies([{ name: 'lending_language', value: 'es', url: consoleUrl() }]);
      await context.addCookies([{ name: 'lending_session', value: session, url: consoleUrl() }]);
      const problems: string[] = [];
      page.on('dialog', (dialog) => {
        problems.push(`${page.url()} opened a dialog`);
        void dialog.dismiss();
      });
      page.on('console', (message) => {
        if (/content security policy/i.test(message.text())) problems.push(`${page.url()}: ${message.text()}`);
      });
      let shown = 0;
      if (takesPictures) mkdirSync(screenshots, { recursive: true });
      for (const [path, answer] of answers) {
        if (!isPage(answer)) continue;
        const visited = isForGuests(path) ? guest.page : page;
        await visited.setViewportSize({ width: 390, height: 844 });
        await visited.goto(path);
        expect([path, await visited.locator('html').getAttribute('lang')]).toEqual([path, 'es']);
        problems.push(...(await judge(visited, path)));
        if (takesPictures) await takePictures(visited, path);
        if (answer.text.includes('&lt;img src=x')) shown += 1;
      }
      expect(problems).toEqual([]);
      // The texts are on the pages, as text.
      expect(shown).toBeGreaterThan(5);
      await Promise.all([context.close(), guest.context.close()]);
    },
    // Forty pages, each judged by axe.
    3 * browserTestTimeoutMs,
  );

  test(
    'the check of colours finds one text in a long list that cannot be read, also in dark alone',
    async () => {
      const { context, page } = await openVisitor(browser);
      await page.goto('/sign-in');
      await page.evaluate(() => {
        const rows = Array.from({ length: 30 }, () => document.createElement('p'));
        for (const row of rows) row.textContent = 'a row of a list';
        document.querySelector('main')?.append(...rows);
        for (const [index, colour] of [['20', '#999'] as const, ['25', '#444'] as const]) {
          const row = rows[Number(index)];
          if (row !== undefined) row.style.color = colour;
        }
      });
      const found = async () => (await findWrongColours(page)).map((problem) => problem.replace(/<p[^>]*>/g, '<p>'));
      expect(await found()).toEqual(['color-contrast: <p>a row of a list</p>']);
      expect(await findInaccessible(page)).toHaveLength(1);
      await page.emulateMedia({ colorScheme: 'dark' });
      expect(await found()).toEqual(['color-contrast: <p>a row of a list</p>']);
      await context.close();
    },
    browserTestTimeoutMs,
  );

  test(
    'a person signs in and comes to a Loan with the keyboard alone',
    async () => {
      const { context, page } = await openVisitor(browser);
      const { tenant = '', client = '' } = marked.ids;
      /** Presses Tab until the element has the focus. */
      const tabTo = async (selector: string): Promise<void> => {
        for (let presses = 0; presses < 80; presses += 1) {
          await page.keyboard.press('Tab');
          if (await page.evaluate((css) => document.activeElement?.matches(css) ?? false, selector)) return;
        }
        throw new Error(`Tab does not reach ${selector} on ${page.url()}`);
      };
      const enter = async (url: RegExp): Promise<void> => {
        await page.keyboard.press('Enter');
        await page.waitForURL(url);
      };
      await page.goto('/sign-in');
      await tabTo('[name=email]');
      await page.keyboard.type(`other-${email}`);
      await tabTo('[name=password]');
      await page.keyboard.type(testPassword);
      await enter(/\/tenancies$/);
      await tabTo(`main [href="/tenancies/${tenant}/clients"]`);
      await enter(/\/clients$/);
      await tabTo('[type=search]');
      await page.keyboard.type(client);
      await enter(new RegExp(`/clients/${client}$`));
      await tabTo(`main a[href*="/loans/"]`);
      await enter(/\/loans\//);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await context.close();
    },
    browserTestTimeoutMs,
  );
});
