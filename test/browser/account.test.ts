/** What people change about their own account, and how they sign in afterwards. */
import { expect, test } from '@jest/globals';
import type { BrowserContext, Page } from 'playwright-core';
import { totpCode } from '#libs/people/totp.ts';
import { eventually } from '../support/tenant.ts';
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

/** Browsers know no passkeys for an address of numbers. */
const localhost = () => consoleUrl().replace('127.0.0.1', 'localhost');
const otherPassword = 'some other words instead';

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
}

async function enterPassword(page: Page, email: string, password: string): Promise<void> {
  await page.goto('/sign-in');
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

async function enterCode(page: Page, code: string): Promise<void> {
  await page.getByLabel('Code').fill(code);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

/** An authenticator of the browser itself, which confirms every request. */
async function addAuthenticator(context: BrowserContext, page: Page): Promise<void> {
  const devtools = await context.newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  const options = {
    protocol: 'ctap2',
    transport: 'internal',
    hasResidentKey: true,
    hasUserVerification: true,
    isUserVerified: true,
    automaticPresenceSimulation: true,
  } as const;
  await devtools.send('WebAuthn.addVirtualAuthenticator', { options });
}

await describeInBrowser('a person', (browser) => {
  test(
    'changes the password, with the present one, and is signed out in other browsers only',
    async () => {
      const email = 'password@lender.example';
      const { context, page } = await openVisitor(browser);
      const other = await openVisitor(browser);
      await signInByLink(other.page, await createInvitation(email, 'operator'));
      await enterPassword(page, email, testPassword);
      await page.getByRole('link', { name: email }).click();
      await page.getByRole('heading', { name: 'Your account' }).waitFor();
      expect(await page.locator('tbody tr').count()).toBe(2);
      await checkPage(page, 'account');

      const change = async (present: string) => {
        await page.getByLabel('Present password').fill(present);
        await page.getByLabel('New password', { exact: false }).first().fill(otherPassword);
        await page.getByLabel('New password again').fill(otherPassword);
        await page.getByRole('button', { name: 'Change the password' }).click();
      };
      await change('a wrong password');
      expect(await page.getByRole('alert').textContent()).toContain('Your present password is wrong.');
      await change(testPassword);
      await page.getByRole('status').waitFor();
      expect(await page.locator('tbody tr').count()).toBe(1);
      await other.page.goto('/tenancies');
      expect(other.page.url()).toBe(`${consoleUrl()}/sign-in`);
      await enterPassword(other.page, email, testPassword);
      expect(await other.page.getByRole('alert').textContent()).toContain('E-mail or password is wrong.');
      await enterPassword(other.page, email, otherPassword);
      await other.page.getByRole('heading', { name: 'Tenancies' }).waitFor();

      await page.getByRole('button', { name: 'Sign out everywhere' }).click();
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
      await other.page.goto('/account');
      expect(other.page.url()).toBe(`${consoleUrl()}/sign-in?next=%2Faccount`);
      await other.context.close();
      await context.close();
    },
    browserTestTimeoutMs,
  );

  test(
    'sets up an authenticator app, and then signs in with a code or a recovery code, each of them once',
    async () => {
      const email = 'app@lender.example';
      const { context, page } = await openVisitor(browser);
      await signInByLink(page, await createInvitation(email, 'operator'));
      await page.goto('/account');
      await page.getByRole('link', { name: 'Set up an app' }).click();
      await checkPage(page, 'account-authenticator');
      const secret = await page.locator('[name=secret]').inputValue();
      const code = (distance: number) => totpCode(secret, Math.floor(Date.now() / 30_000) + distance);
      const turnOn = async (entered: string) => {
        await page.getByLabel('Code that the app shows').fill(entered);
        await page.getByLabel('Present password').fill(testPassword);
        await page.getByRole('button', { name: 'Turn on' }).click();
      };
      await turnOn('000000' === code(0) ? '000001' : '000000');
      await page.getByText('The code does not fit.').waitFor();
      // The present code, and later the next one: both are still accepted when they arrive a step late.
      await turnOn(code(0));
      await page.getByRole('heading', { name: 'Recovery codes' }).waitFor();
      await checkPage(page, 'account-recovery-codes');
      const [recoveryCode = ''] = await page.locator('.recovery-codes li').allTextContents();
      await page.getByRole('link', { name: 'I have stored them' }).click();
      await checkPage(page, 'account-with-authenticator');
      await signOut(page);

      await enterPassword(page, email, testPassword);
      await page.getByRole('heading', { name: 'Enter your code' }).waitFor();
      await checkPage(page, 'sign-in-code');
      // The password alone opens nothing.
      await page.goto('/tenancies');
      expect(page.url()).toBe(`${consoleUrl()}/sign-in`);
      await page.goto('/sign-in/code');
      const next = code(1);
      await enterCode(page, next);
      await page.getByRole('heading', { name: 'Tenancies' }).waitFor();
      await signOut(page);

      await enterPassword(page, email, testPassword);
      await enterCode(page, next);
      expect(await page.getByRole('alert').textContent()).toContain('This code is wrong, or has been used already.');
      await enterCode(page, recoveryCode);
      await page.getByRole('heading', { name: 'Tenancies' }).waitFor();
      await page.goto('/account');
      await page.getByText('9 recovery codes are unused.').waitFor();
      await page
        .getByRole('article')
        .filter({ hasText: 'Authenticator app' })
        .getByLabel('Present password')
        .fill(testPassword);
      await page.getByRole('button', { name: 'Turn off' }).click();
      await page.getByText('The authenticator app is no longer asked for.').waitFor();
      await eventually(async () => {
        await page.goto(`/audit-list?person=${email}`);
        return (await page.getByText('authenticator app changed').count()) >= 3;
      });
      expect(await page.getByRole('cell', { name: 'password and recovery code' }).count()).toBe(1);
      await context.close();
    },
    browserTestTimeoutMs,
  );

  test(
    'adds a passkey, signs in with it alone, and removes it',
    async () => {
      const email = 'passkey@lender.example';
      const { context, page } = await openVisitor(browser, localhost());
      await addAuthenticator(context, page);
      await signInByLink(page, await createInvitation(email, 'operator'));
      await page.goto('/account');
      const passkeys = page.getByRole('article').filter({ hasText: 'Passkeys' });
      await passkeys.getByLabel('Name of the passkey').fill('<b>Laptop</b>');
      const add = async (password: string) => {
        await passkeys.getByLabel('Present password').fill(password);
        await passkeys.getByRole('button', { name: 'Add a passkey' }).click();
      };
      await add('a wrong password');
      await passkeys.getByText('Your present password is wrong.').waitFor();
      await add(testPassword);
      await page.getByText('The passkey is added.').waitFor();
      await checkPage(page, 'account-with-passkey');
      await signOut(page);

      await checkPage(page, 'sign-in-with-passkeys');
      await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
      await page.getByRole('heading', { name: 'Tenancies' }).waitFor();
      await eventually(async () => {
        await page.goto(`/audit-list?person=${email}`);
        const cell = (name: string) => page.getByRole('cell', { name, exact: true });
        const rows = (action: string, value: string) =>
          page
            .getByRole('row')
            .filter({ has: cell(action) })
            .filter({ has: cell(value) });
        const added = await rows('passkey added', '<b>Laptop</b>').count();
        return added === 1 && (await rows('signed in', 'passkey').count()) === 1;
      });
      await page.goto('/account');
      await page.getByRole('link', { name: 'Remove: <b>Laptop</b>' }).click();
      await checkPage(page, 'account-passkey-removal');
      const remove = async (password: string) => {
        await page.getByLabel('Present password').fill(password);
        await page.getByRole('button', { name: 'Remove' }).click();
      };
      await remove('a wrong password');
      expect(await page.getByRole('alert').textContent()).toContain('Your present password is wrong.');
      await remove(testPassword);
      await page.getByText('The passkey is removed.').waitFor();
      await signOut(page);
      await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
      await page.getByText('This passkey belongs to no account here.').waitFor();
      await context.close();
    },
    browserTestTimeoutMs,
  );
});
