/** Every page of the console, found in its routers: a page that is added is checked without being listed here. */
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { type Database, query } from '#libs/database/database.ts';
import { openPendingSignIn } from '#libs/people/pending-sign-ins.ts';
import { newTotpSecret } from '#libs/people/totp.ts';
import { type OpenedDatabases, openTestDatabases, queryAll } from '#test/support/test-databases.ts';
import { addConsolePerson, openConsoleSession } from '../support/console-person.ts';
import { eventually, testEnvironment } from '../support/tenant.ts';
import { writeUndecodable } from '../support/undecodable-record.ts';
import { findInaccessible, findWrongColours } from './accessibility.ts';
import {
  browserTestTimeoutMs,
  consoleUrl,
  createInvitation,
  describeInBrowser,
  desk,
  openVisitor,
  phone,
  testPassword,
} from './browser.ts';
import { consoleRoutes, fillPath } from './console-routes.ts';
import { type ConsoleAnswer, ConsoleVisitor } from './console-visitor.ts';
import { freeTextNames, namesHolding } from './free-texts.ts';
import { type MarkedLender, markup, openMarkedLender } from './marked-lender.ts';
import { routeScreenshotDir, saveScreenshot } from './screenshots.ts';

const email = `pages-${Date.now()}@lender.example`;
const passkeyId = `passkey-of-${email}`;
const pageRoutes = consoleRoutes()
  .filter(({ method, path }) => method === 'GET' && !path.startsWith('/assets/'))
  .map(({ path }) => path);
let opened: OpenedDatabases;
/** Of the persons. */
let database: Database;
let marked: MarkedLender;
let session: string;
/** Of a browser that has yet to enter the code of an authenticator app. */
let pendingToken: string;
let parkedBook: { readonly tenantId: string; readonly bookId: string };
/** What the parameters of paths name. */
let values: Readonly<Record<string, string>>;
/** By address: what a signed-in operator, or before sign-in a guest, gets in Spanish. */
const answers = new Map<string, ConsoleAnswer>();

beforeAll(async () => {
  opened = await openTestDatabases(testEnvironment(), { name: 'pages' });
  database = opened.databases.home;
  marked = await openMarkedLender('pages');
  const person = await addConsolePerson(opened.databases, { email, as: 'operator', password: testPassword });
  const tenantId = marked.lender.tenant.id;
  const { id } = await addConsolePerson(opened.databases, {
    email: `other-${email}`,
    as: { tenantId, role: 'support' },
    password: testPassword,
  });
  session = await openConsoleSession(database, person);
  await addPasskey(person.id);
  pendingToken = await beginSignInWithCode(tenantId);
  const link = await createInvitation(`link-${email}`, 'operator');
  values = { ...marked.ids, person: id, token: link.split('/').at(-1) ?? '', book: await parkBook() };
  const [visitor, guest] = [new ConsoleVisitor({ session }), new ConsoleVisitor()];
  guest.cookies.set('lending_pending', pendingToken);
  for (const each of [visitor, guest]) await each.post('/language', { language: 'es', path: '/' });
  for (const path of pagePaths()) answers.set(path, await (isForGuests(path) ? guest : visitor).get(path));
});
afterAll(async () => {
  const { tenant } = marked.lender;
  const parked = (await tenant.administration.parkedBooks(tenant.id)).find(
    ({ bookId }) => bookId === parkedBook.bookId,
  );
  const drop = parked?.submissions.map(({ place }) => place) ?? [];
  await tenant.administration.releaseBook('test', parkedBook, { basis: 'the test is over', drop });
  await Promise.all([marked.lender.close(), opened.close()]);
});

/** As one that a browser would add. */
async function addPasskey(ofPerson: string): Promise<void> {
  const text = `INSERT INTO console.passkeys
      (credential_id, person_id, name, public_key, sign_count, transports, created_at)
    VALUES ($1, $2, $3, '', 0, '', $4)`;
  await query(database, 'test_passkey', text, [passkeyId, ofPerson, `phone ${markup}`, Date.now()]);
}

/** Returns the token of a sign-in that waits for the code of an authenticator app. */
async function beginSignInWithCode(tenantId: string): Promise<string> {
  const as = { tenantId, role: 'support' } as const;
  const { id } = await addConsolePerson(opened.databases, { email: `coded-${email}`, as, password: testPassword });
  const text = 'UPDATE console.persons SET totp_secret = $2 WHERE person_id = $1';
  await query(database, 'test_totp', text, [id, newTotpSecret()]);
  return openPendingSignIn(database, id);
}

/** Of a Client of its own: the other pages of the lender are read as ever. Returns the id of the book. */
async function parkBook(): Promise<string> {
  const { tenant } = marked.lender;
  parkedBook = { tenantId: tenant.id, bookId: `c/${await marked.lender.client()}` };
  await writeUndecodable(parkedBook.tenantId, parkedBook.bookId);
  await eventually(async () => (await tenant.administration.parkedBooks(tenant.id)).length === 1);
  return parkedBook.bookId;
}

/** Each page once, those with choices in the query once more, and one that does not exist. */
function pagePaths(): readonly string[] {
  const { tenant, client, loan } = marked.ids;
  const explanation = `/tenancies/${tenant}/clients/${client}/explanation?loan=${loan}&figure=payoff`;
  return [...pageRoutes.map(pathOf), explanation, '/no-such-page'];
}

function pathOf(route: string): string {
  return `${fillPath(route, values)}${route === '/account/passkeys/removal' ? `?id=${passkeyId}` : ''}`;
}

function isForGuests(path: string): boolean {
  return path.startsWith('/sign-in');
}

function isPage({ status, headers }: ConsoleAnswer): boolean {
  return status !== 303 && String(headers['content-type']).startsWith('text/html');
}

test('every page is answered, and none is an error', () => {
  const failed = [...answers].filter(([, { status }]) => status !== 200 && status !== 303);
  // These name nothing: a fact that is not of the Receipt, a page that does not exist.
  const unnamed = ['/bodies/1', '/no-such-page'];
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
  const facts = await queryAll<{ body: object }>(opened.databases, 'test_facts', text, [marked.lender.tenant.id]);
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

const appearances = [phone, desk].flatMap((viewport) =>
  (['light', 'dark'] as const).map((colorScheme) => ({ viewport, colorScheme })),
);

function screenshotName(route: string, { viewport, colorScheme }: (typeof appearances)[number]): string {
  return `${route.replace(/[^a-z]+/g, '-').replace(/^-|-$/g, '')}-${colorScheme}-${viewport.width}.jpeg`;
}

async function takeScreenshots(page: Page, route: string): Promise<void> {
  for (const appearance of appearances) {
    await page.setViewportSize(appearance.viewport);
    await page.emulateMedia({ colorScheme: appearance.colorScheme });
    await saveScreenshot(page, join(routeScreenshotDir, screenshotName(route, appearance)));
  }
  await page.emulateMedia({ colorScheme: 'light' });
}

/** Of a person that is signed in. */
const leadElsewhere = ['/'];
const isDownload = (route: string): boolean => /\.csv$|\/answer$|\/bodies\/:sequence$/.test(route);

await describeInBrowser('in a browser', (browser) => {
  test(
    'every page is accessible in Spanish on a phone, and runs no text of the book as a script',
    async () => {
      const { context, page } = await openVisitor(browser);
      const guest = await openVisitor(browser);
      await guest.context.addCookies([
        { name: 'lending_language', value: 'es', url: consoleUrl() },
        { name: 'lending_pending', value: pendingToken, url: consoleUrl() },
      ]);
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
      rmSync(routeScreenshotDir, { recursive: true, force: true });
      const routeOf = new Map(pageRoutes.map((route) => [pathOf(route), route]));
      for (const [path, answer] of answers) {
        if (!isPage(answer)) continue;
        const visited = isForGuests(path) ? guest.page : page;
        await visited.setViewportSize(phone);
        await visited.goto(path);
        expect([path, await visited.locator('html').getAttribute('lang')]).toEqual([path, 'es']);
        problems.push(...(await judge(visited, path)));
        const route = routeOf.get(path);
        if (route !== undefined && answer.status === 200) await takeScreenshots(visited, route);
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

  test('screenshots of every page are left, as wide as a desk and as a phone, in light and in dark', () => {
    const expected = pageRoutes
      .filter((route) => !leadElsewhere.includes(route) && !isDownload(route))
      .flatMap((route) => appearances.map((appearance) => screenshotName(route, appearance)));
    expect(readdirSync(routeScreenshotDir).sort()).toEqual(expected.sort());
    expect(expected.length).toBeGreaterThan(40 * appearances.length);
  });

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
