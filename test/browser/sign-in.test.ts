/** How people get into the console, in a real browser. */
import { expect, test } from '@jest/globals';
import { Tenant, testEnvironment } from '../support/tenant.ts';
import {
  browserTestTimeoutMs,
  checkPage,
  consoleUrl,
  createInvitation,
  describeInBrowser,
  openVisitor,
  signInByLink,
  testPassword,
} from './browser.ts';

await describeInBrowser('the first operator', (browser) => {
  test(
    'chooses a password by a one-time link, signs in and sees the Tenancies',
    async () => {
      const tenant = await Tenant.open(testEnvironment());
      const { context, page } = await openVisitor(browser);
      const link = await createInvitation('first@lender.example', 'operator');
      await page.goto(link);
      await checkPage(page, 'sign-in-link');
      await signInByLink(page, link);
      await checkPage(page, 'tenancies');
      await page.goto(`/tenancies/${tenant.id}`);
      await page.getByRole('heading', { name: 'Bounds of requests' }).waitFor();
      await checkPage(page, 'tenancy');
      await tenant.close();

      // The link works once.
      expect((await page.goto(link))?.status()).toBe(404);
      await page.goto('/');
      await page.getByRole('button', { name: 'Sign out' }).click();
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
      await checkPage(page, 'sign-in');

      await page.getByLabel('E-mail').fill('first@lender.example');
      await page.getByLabel('Password').fill('a wrong password');
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('alert').waitFor();
      await checkPage(page, 'sign-in-refused');
      await page.getByLabel('Password').fill(testPassword);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('heading', { name: 'Tenancies' }).waitFor();

      await page.getByRole('button', { name: 'Español' }).click();
      await page.getByRole('heading', { name: 'Tenencias' }).waitFor();
      await checkPage(page, 'tenancies-es');
      await context.close();
    },
    browserTestTimeoutMs,
  );

  test(
    'is signed out for good: a copy of the cookie is worth nothing afterwards',
    async () => {
      const { context, page } = await openVisitor(browser);
      await signInByLink(page, await createInvitation('cookie@lender.example', 'operator'));
      const cookies = await context.cookies();
      await page.getByRole('button', { name: 'Sign out' }).click();
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
      await context.clearCookies();
      await context.addCookies(cookies);
      await page.goto('/tenancies');
      expect(page.url()).toBe(`${consoleUrl()}/sign-in`);
      await context.close();
    },
    browserTestTimeoutMs,
  );
});
