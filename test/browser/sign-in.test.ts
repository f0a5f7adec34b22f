/** How people get into the console, in a real browser. */
import { expect, test } from '@jest/globals';
import { query } from '#libs/database/database.ts';
import { openDatabase } from '#libs/database/pool.ts';
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

/** As after half an hour without a request. */
async function expireSessions(email: string): Promise<void> {
  const url = testEnvironment().stack.servicesDatabaseUrl;
  const database = openDatabase({ url, name: 'test-sessions', connections: 1 });
  const text = `UPDATE console.sessions SET last_seen_at = 0
    WHERE person_id = (SELECT person_id FROM console.persons WHERE email = $1)`;
  await query(database, 'test_expire', text, [email]);
  await database.end();
}

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
      await page.getByRole('heading', { name: 'Organizaciones' }).waitFor();
      await checkPage(page, 'tenancies-es');
      await context.close();
    },
    browserTestTimeoutMs,
  );

  test(
    'is warned before the session ends, stays signed in, and later sends what was entered after signing in again',
    async () => {
      const email = 'absent@lender.example';
      const tenant = await Tenant.open(testEnvironment());
      const { context, page } = await openVisitor(browser);
      await signInByLink(page, await createInvitation(email, 'operator'));
      await page.clock.install();
      await page.goto(`/tenancies/${tenant.id}`);
      await page.getByLabel('Requests at once').fill('11');
      const notice = page.locator('.session-notice');
      await page.clock.fastForward('26:30');
      expect(await notice.isVisible()).toBe(false);
      await page.clock.fastForward('01:00');
      await notice.getByText('Without activity your session ends in 3 min.').waitFor();
      await checkPage(page, 'session-ends');
      await notice.getByRole('button', { name: 'Stay signed in' }).click();
      await notice.waitFor({ state: 'hidden' });
      await page.clock.fastForward('31:00');
      await notice.getByText('Your session has ended.').waitFor();

      await expireSessions(email);
      await page.getByRole('button', { name: 'Set the bounds' }).click();
      await page.getByRole('heading', { name: 'Your session has ended' }).waitFor();
      await checkPage(page, 'session-ended');
      const [tab] = await Promise.all([
        context.waitForEvent('page'),
        page.getByRole('link', { name: 'Sign in in a new tab' }).click(),
      ]);
      await tab.getByLabel('E-mail').fill(email);
      await tab.getByLabel('Password').fill(testPassword);
      await tab.getByRole('button', { name: 'Sign in' }).click();
      await tab.getByRole('heading', { name: 'Tenancies' }).waitFor();
      await page.getByRole('button', { name: 'Send what I entered' }).click();
      await page.getByText('Set for this Tenancy.').waitFor();
      expect(await page.getByLabel('Requests at once').inputValue()).toBe('11');
      await tenant.close();
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
