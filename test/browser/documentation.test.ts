/** The documentation in a real browser: readable in light and dark, at a desk and on a phone, with and without scripts. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { BrowserContext, Page } from 'playwright-core';
import { testEnvironment } from '../support/tenant.ts';
import { findInLightAndDark } from './accessibility.ts';
import { browserTestTimeoutMs, checkPage, describeInBrowser, desk, phone } from './browser.ts';
import { openDocumentation, pagesOfEachRun } from './documentation-pages.ts';

await describeInBrowser('the documentation', (browser) => {
  let context: BrowserContext;
  let page: Page;
  beforeAll(async () => {
    ({ context, page } = await openDocumentation(browser));
  }, browserTestTimeoutMs);
  afterAll(async () => {
    await page?.close();
    await context?.close();
  });

  test.each(pagesOfEachRun)(
    '%s is accessible and fits the screen in light and dark, at a desk and on a phone',
    async (path) => {
      await page.goto(path);
      await checkPage(page, path.slice(1).replaceAll('/', '-'), { fullPage: false });
      await page.setViewportSize(phone);
      const onPhone = await findInLightAndDark(page);
      await page.setViewportSize(desk);
      expect(onPhone).toEqual({ inLight: [], inDark: [] });
    },
    browserTestTimeoutMs,
  );

  test(
    'the search finds a guide, an operation and a code, and opens them from the keyboard',
    async () => {
      for (const [words, address] of [
        ['idempotency retr', '/docs/guide/idempotency'],
        ['waive charge', '/docs/reference/acts#waiveCharge'],
        ['notice_too_short', '/docs/reference/errors#notice_too_short'],
      ] as const) {
        await page.goto('/docs');
        await page.keyboard.press('/');
        await page.getByRole('combobox').fill(words);
        await page.getByRole('option').first().waitFor();
        await page.keyboard.press('Enter');
        await page.waitForURL(`**${address}`);
      }
    },
    browserTestTimeoutMs,
  );

  test(
    'open results of the search and the open menu of a phone are accessible in light and dark',
    async () => {
      await page.goto('/docs');
      await page.getByRole('combobox').fill('receipt');
      await page.getByRole('option').first().waitFor();
      const results = await findInLightAndDark(page);
      await page.getByRole('combobox').fill('zzzzzz');
      await page.getByText('Nothing found').waitFor();
      const noResults = await findInLightAndDark(page);
      await page.setViewportSize(phone);
      await page.goto('/docs/reference/objects/credit-policies');
      await page.locator('.phone-menu > summary').click();
      const menu = await findInLightAndDark(page);
      await page.getByRole('combobox').fill('receipt');
      await page.getByRole('option').first().waitFor();
      const resultsOnPhone = await findInLightAndDark(page);
      await page.setViewportSize(desk);
      const none = { inLight: [], inDark: [] };
      expect({ results, noResults, menu, resultsOnPhone }).toEqual({
        results: none,
        noResults: none,
        menu: none,
        resultsOnPhone: none,
      });
    },
    browserTestTimeoutMs,
  );

  test(
    'an object is found at the address that it had when all objects were on one page',
    async () => {
      await page.goto('/docs/reference/objects#StatedPolicyContent');
      await page.waitForURL('**/docs/reference/objects/credit-policies#StatedPolicyContent');
      await page.getByRole('heading', { name: 'StatedPolicyContent' }).waitFor();
    },
    browserTestTimeoutMs,
  );

  test(
    'the chosen language of samples and the chosen theme stay on other pages',
    async () => {
      await page.goto('/docs/reference/receipts');
      await page.getByLabel('Python').first().check({ force: true });
      await page.getByRole('button', { name: 'Change between light and dark' }).click();
      await page.goto('/docs/reference/loans');
      const samples = page.locator('#content .samples').first();
      expect(await samples.getByText('from lending import Lending').isVisible()).toBe(true);
      expect(await samples.getByText('lending_sign').first().isVisible()).toBe(false);
      expect(await page.evaluate('document.documentElement.dataset.theme')).toBe('dark');
    },
    browserTestTimeoutMs,
  );

  test(
    'scripts go on where an address, the clipboard or the search records fail',
    async () => {
      const limited = await browser.newContext({ baseURL: testEnvironment().services.baseUrl });
      const limitedPage = await limited.newPage();
      const problems: string[] = [];
      limitedPage.on('pageerror', ({ message }) => problems.push(message));
      // As on a page that is served without HTTPS.
      await limitedPage.addInitScript("Object.defineProperty(navigator, 'clipboard', { value: undefined })");
      let isDown = true;
      await limitedPage.route('**/search.json', (route) => (isDown ? route.abort() : route.continue()));
      await limitedPage.goto('/docs/guide/signing#100%');
      const copy = limitedPage.locator('.copy').first();
      await copy.click();
      expect(await copy.textContent()).toMatch(/Copied|Selected/);

      const search = limitedPage.getByRole('combobox');
      await search.fill('idempotency');
      await limitedPage.getByText('The search could not be loaded').waitFor();
      isDown = false;
      await search.fill('idempotency retr');
      await limitedPage.getByRole('option').getByText('Idempotency').first().waitFor();
      await search.press('Escape');
      await search.press('Enter');
      expect(new URL(limitedPage.url()).pathname).toBe('/docs/guide/signing');
      expect(problems).toEqual([]);
      await limited.close();
    },
    browserTestTimeoutMs,
  );

  test(
    'without scripts the samples can be chosen and every page is linked',
    async () => {
      const withoutScripts = await browser.newContext({
        javaScriptEnabled: false,
        baseURL: testEnvironment().services.baseUrl,
      });
      const plain = await withoutScripts.newPage();
      await plain.goto('/docs/reference/receipts');
      const samples = plain.locator('#content .samples').first();
      await samples.getByLabel('TypeScript').check({ force: true });
      expect(await samples.getByText('await lending.reportReceipt').isVisible()).toBe(true);
      await plain.locator('.sidebar').getByRole('link', { name: 'Two clocks' }).click();
      await plain.getByRole('heading', { name: 'Two clocks', level: 1 }).waitFor();
      await withoutScripts.close();
    },
    browserTestTimeoutMs,
  );
});
