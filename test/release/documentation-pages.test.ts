/** The pages of the documentation that a template makes of other data, judged by all rules in light and dark. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { BrowserContext, Page } from 'playwright-core';
import { findInLightAndDark } from '#test/browser/accessibility.ts';
import { browserTestTimeoutMs, describeInBrowser, desk, phone } from '#test/browser/browser.ts';
import { openDocumentation, pagesOfReleaseRun } from '#test/browser/documentation-pages.ts';

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

  test.each(pagesOfReleaseRun)(
    '%s is accessible in light and dark, and not wider than a phone',
    async (url) => {
      await page.goto(url, { waitUntil: 'domcontentloaded' });
      expect(await findInLightAndDark(page)).toEqual({ inLight: [], inDark: [] });
      await page.setViewportSize(phone);
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
      await page.setViewportSize(desk);
    },
    browserTestTimeoutMs,
  );
});
