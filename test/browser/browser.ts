/** A real browser for tests of pages: Chromium from an npm package, and what is checked on every page. */
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import chromiumPackage from '@sparticuz/chromium';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import type { Invitation } from '#libs/people/invitations.ts';
import { inviteToConsole } from '#test/support/console-person.ts';
import { openTestDatabases } from '#test/support/test-databases.ts';
import { testEnvironment } from '../support/tenant.ts';
import { findByRules, findInaccessible, findWrongColours } from './accessibility.ts';
import { saveScreenshot, screenshotDir } from './screenshots.ts';

export const desk = { width: 1440, height: 900 };
export const phone = { width: 390, height: 844 };

/** Undefined, with the reason on standard error, where the machine cannot run Chromium; with `CI` set that is a failure. */
async function startBrowser(): Promise<Browser | undefined> {
  try {
    // Not the package's own arguments: they switch off what the tests check, such as the same-origin policy.
    const args = ['--no-sandbox', '--disable-gpu', '--font-render-hinting=none'];
    const executablePath = await chromiumPackage.executablePath();
    return await chromium.launch({ executablePath, args, headless: true });
  } catch (cause) {
    if (process.env['CI'] !== undefined) throw new Error('Chromium cannot start, and CI is set', { cause });
    console.error(`Browser tests are skipped: Chromium cannot start here: ${(cause as Error).message}`);
    return undefined;
  }
}

/** Tests in a browser, which is closed after them. Without Chromium they are skipped, except in CI. */
export async function describeInBrowser(title: string, tests: (browser: Browser) => void): Promise<void> {
  const browser = await startBrowser();
  if (browser === undefined) {
    describe.skip(title, () => test('needs Chromium', () => undefined));
    return;
  }
  describe(title, () => {
    tests(browser);
    afterAll(() => browser.close());
  });
}

/** A browser without cookies, in English. Fails the test at requests to other hosts and at errors of scripts. */
export async function openVisitor(
  browser: Browser,
  baseURL: string = consoleUrl(),
): Promise<{ readonly context: BrowserContext; readonly page: Page }> {
  const context = await browser.newContext({
    locale: 'en-GB',
    viewport: desk,
    baseURL,
    // Axe would judge colours in the middle of a transition.
    reducedMotion: 'reduce',
  });
  context.setDefaultTimeout(60_000);
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('request', (request) => {
    if (!request.url().startsWith(baseURL) && !request.url().startsWith('data:')) problems.push(request.url());
  });
  page.on('close', () => expect(problems).toEqual([]));
  return { context, page };
}

export function consoleUrl(): string {
  return testEnvironment().services.consoleUrl;
}

/** Returns the path of the sign-in link. */
export async function createInvitation(email: string, as: Invitation['as']): Promise<string> {
  const { databases, close } = await openTestDatabases(testEnvironment(), { name: 'test-invitation', connections: 1 });
  try {
    return await inviteToConsole(databases, { email, as });
  } finally {
    await close();
  }
}

/** axe and the pictures of each page take their time on a busy machine. */
export const browserTestTimeoutMs = 240_000;

export const testPassword = 'four unrelated words here';

/** Opens a one-time link and chooses a password: the person is signed in afterwards. */
export async function signInByLink(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await page.getByLabel('New password', { exact: false }).first().fill(testPassword);
  await page.getByLabel('New password again').fill(testPassword);
  await page.getByRole('button', { name: 'Save and sign in' }).click();
  await page.getByRole('heading', { name: 'Tenancies' }).waitFor();
}

/**
 * What is judged of each page. Only colours differ in dark, and they do not depend on the width; on a phone the layout
 * differs. pages.test.ts and documentation.test.ts judge pages on a phone by all rules.
 */
const appearances = [
  { colorScheme: 'light', viewport: desk, find: (page: Page) => findInaccessible(page) },
  {
    colorScheme: 'light',
    viewport: phone,
    find: (page: Page) => findByRules(page, ['scrollable-region-focusable', 'target-size']),
  },
  { colorScheme: 'dark', viewport: desk, find: findWrongColours },
] as const;

/** Accessible in light and dark, not wider than the screen. Leaves screenshots. */
export async function checkPage(page: Page, name: string, { fullPage = true } = {}): Promise<void> {
  for (const { colorScheme, viewport, find } of appearances) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize(viewport);
    const found = await find(page);
    expect({ name, colorScheme, found }).toEqual({ name, colorScheme, found: [] });
    const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
    expect(overflow).toBeLessThanOrEqual(0);
    await saveScreenshot(page, join(screenshotDir, `${name}-${colorScheme}-${viewport.width}.jpeg`), { fullPage });
  }
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize(desk);
}
