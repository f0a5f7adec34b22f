/** The pages of the documentation that a template makes of other data, judged by all rules in light and dark. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { BrowserContext, Page } from 'playwright-core';
import { findInBothColours } from '#test/browser/accessibility.ts';
import { browserTestTimeoutMs, describeInBrowser, desk, openVisitor, phone } from '#test/browser/browser.ts';
import { otherPages } from '#test/browser/documentation-pages.ts';
import { testEnvironment } from '#test/support/tenant.ts';

await describeInBrowser('the documentation', (browser) => {
  let context: BrowserContext;
  let page: Page;
  beforeAll(async () => {
    const { baseUrl } = testEnvironment().services;
    // The service renders the site at the first request, which takes longer than a page may on a busy machine.
    await fetch(`${baseUrl}/docs`);
    ({ context, page } = await openVisitor(browser, baseUrl));
  }, browserTestTimeoutMs);
  afterAll(async () => {
    await page?.close();
    await context?.close();
  });

  test.each(otherPages)(
    '%s is accessible in light and dark, and not wider than a phone',
    async (url) => {
      await page.goto(url, { waitUntil: 'domcontentloaded' });
      expect(await findInBothColours(page)).toEqual({ inLight: [], inDark: [] });
      await page.setViewportSize(phone);
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
      await page.setViewportSize(desk);
    },
    browserTestTimeoutMs,
  );
});
