/** The pages of the documentation that tests open in a browser, of each run and of a release, and that browser. */
import type { Browser } from 'playwright-core';
import { sitePages } from '#libs/site/site.ts';
import { testEnvironment } from '#test/support/tenant.ts';
import { openVisitor } from './browser.ts';

/**
 * One page of each template, and those with content that no other page has: each `npm test` checks them, at 1440 and 390 pixels.
 * The others, which a template makes of other data, are checked before a release; their links and ids are checked in site.test.ts.
 */
export const pagesOfEachRun = [
  // Samples beside text, cards and an index.
  '/docs',
  // Guides: tabs of samples; pictures; tables; boxes to tick; long lines of code.
  '/docs/guide/quick-start',
  '/docs/guide/receipts',
  '/docs/guide/limits',
  '/docs/guide/going-live',
  '/docs/sdk/java',
  // Resources: bodies, parameters and answers; samples in curl alone.
  '/docs/reference/facilities',
  '/docs/reference/service',
  '/docs/reference/errors',
  '/docs/reference/objects',
  // Members inside members and alternatives, and pages of the navigation that are shown only here.
  '/docs/reference/objects/credit-policies',
  '/changelog',
];

export const pagesOfReleaseRun = sitePages().flatMap(({ url }) => (pagesOfEachRun.includes(url) ? [] : [url]));

export async function openDocumentation(browser: Browser): ReturnType<typeof openVisitor> {
  const { baseUrl } = testEnvironment().services;
  // The service renders the site at the first request, which takes longer than a page may on a busy machine.
  await fetch(`${baseUrl}/docs`);
  return openVisitor(browser, baseUrl);
}
