/** Who may do what: operators and admins of a Tenancy, in a real browser. */
import { expect, test } from '@jest/globals';
import { eventually, Tenant, testEnvironment } from '../support/tenant.ts';
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

await describeInBrowser('people', (browser) => {
  test(
    'an admin invites a person by a link that is shown once, changes the role, and takes it away',
    async () => {
      const tenant = await Tenant.open(testEnvironment());
      const [admin, invited, other] = await Promise.all([1, 2, 3].map(() => openVisitor(browser)));
      if (admin === undefined || invited === undefined || other === undefined) throw new Error('no browser opened');
      const as = { tenantId: tenant.id, role: 'admin' } as const;
      await signInByLink(admin.page, await createInvitation('admin@lender.example', as));
      const { page } = admin;
      await page.goto(`/tenancies/${tenant.id}`);
      await page.getByRole('link', { name: 'People' }).click();
      const press = async (name: string) => {
        await page.getByLabel('Your present password').fill(testPassword);
        await page.getByRole('button', { name }).click();
      };
      await page.getByLabel('E-mail').fill('invited@lender.example');
      await page.getByLabel('Role').selectOption('finance');
      await press('Invite');
      await page.getByRole('heading', { name: 'Sign-in link' }).waitFor();
      await checkPage(page, 'people-link');
      const link = (await page.locator('.one-time-link').textContent()) ?? '';
      await signInByLink(invited.page, link);
      await page.getByRole('link', { name: 'I have copied it' }).click();
      await page.getByRole('cell', { name: 'active' }).nth(1).waitFor();
      // An account of another lender looks like that of a new person.
      const elsewhere = await Tenant.open(testEnvironment());
      const known = 'known@lender.example';
      await signInByLink(other.page, await createInvitation(known, { tenantId: elsewhere.id, role: 'support' }));
      const pages = [];
      for (const email of [known, 'new@lender.example']) {
        await page.getByLabel('E-mail').fill(email);
        await press('Invite');
        const sent = (await page.locator('.one-time-link').textContent()) ?? '';
        pages.push((await page.locator('main').innerText()).replaceAll(email, '').replace(sent, ''));
        await page.getByRole('link', { name: 'I have copied it' }).click();
        const [row] = await page.getByRole('row', { name: email }).allInnerTexts();
        pages.push(row?.replace(email, ''));
        if (email === known) {
          await other.page.goto(sent);
          await other.page.getByLabel('New password', { exact: false }).first().fill('a password of the admin');
          await other.page.getByLabel('New password again').fill('a password of the admin');
          await other.page.getByRole('button', { name: 'Save and sign in' }).click();
          expect(await other.page.getByRole('alert').textContent()).toContain('This account has a password already.');
        }
      }
      expect(pages.slice(2)).toEqual(pages.slice(0, 2));
      expect(pages[1]).toContain('added');
      await checkPage(page, 'people-of-tenancy');

      expect((await invited.page.goto(`/tenancies/${tenant.id}/people`))?.status()).toBe(403);
      await page.getByRole('link', { name: 'invited@lender.example' }).click();
      await checkPage(page, 'person-in-tenancy');
      await page.getByLabel('Role').selectOption('admin');
      await press('Change the role');
      await page.getByRole('heading', { name: 'People of' }).waitFor();
      expect((await invited.page.goto(`/tenancies/${tenant.id}/people`))?.status()).toBe(200);
      await page.getByRole('link', { name: 'invited@lender.example' }).click();
      await press('Take the role away');
      await page.getByRole('heading', { name: 'People of' }).waitFor();
      expect((await invited.page.goto(`/tenancies/${tenant.id}`))?.status()).toBe(404);

      const rows = page.locator('tbody tr');
      await eventually(async () => {
        await page.goto(`/tenancies/${tenant.id}/audit-list?person=invited@lender.example`);
        return (await rows.count()) === 3;
      });
      const acts = await Promise.all((await rows.all()).map((row) => row.locator('td').allTextContents()));
      expect(acts.map(([, actor, , ...act]) => [actor, ...act])).toEqual([
        ['admin@lender.example', 'role changed', 'invited@lender.example', 'admin', ''],
        ['admin@lender.example', 'role changed', 'invited@lender.example', 'finance', 'admin'],
        ['admin@lender.example', 'invited', 'invited@lender.example', '', 'finance'],
      ]);
      await Promise.all([tenant.close(), elsewhere.close()]);
      await Promise.all([admin, invited, other].map(({ context }) => context.close()));
    },
    browserTestTimeoutMs,
  );

  test(
    'an operator sees all persons, makes one an operator, ends sessions, and disables a person',
    async () => {
      const [operator, other] = await Promise.all([openVisitor(browser), openVisitor(browser)]);
      const { page } = operator;
      const email = 'made-operator@lender.example';
      await signInByLink(page, await createInvitation('people-operator@lender.example', 'operator'));
      const tenant = await Tenant.open(testEnvironment());
      await signInByLink(other.page, await createInvitation(email, { tenantId: tenant.id, role: 'support' }));
      expect((await other.page.goto('/people'))?.status()).toBe(403);
      await page.getByRole('link', { name: 'People', exact: true }).click();
      await page.getByLabel('Part of an e-mail').fill('operator@');
      await page.getByRole('button', { name: 'Search' }).click();
      await page.getByRole('cell', { name: `support in ${tenant.id}` }).waitFor();
      await checkPage(page, 'people');
      await page.getByRole('link', { name: email }).click();
      await checkPage(page, 'person');

      const confirm = async (name: string) => {
        await page.getByRole('link', { name }).click();
        await page.getByLabel('Present password').fill(testPassword);
        await page.getByRole('button', { name }).click();
      };
      const press = async (name: string) => {
        await confirm(name);
        await page.getByRole('status').waitFor();
      };
      await page.getByRole('link', { name: 'Make operator' }).click();
      await checkPage(page, 'person-confirmation');
      await page.getByRole('link', { name: 'Back' }).click();
      await press('Make operator');
      expect((await other.page.goto('/people'))?.status()).toBe(200);
      await press('Take the operator right away');
      expect((await other.page.goto('/people'))?.status()).toBe(403);
      await press('End all sessions');
      await other.page.goto('/tenancies');
      expect(other.page.url()).toBe(`${consoleUrl()}/sign-in`);
      await confirm('Make a sign-in link');
      const link = (await page.locator('.one-time-link').textContent()) ?? '';
      await signInByLink(other.page, link);
      await page.getByRole('link', { name: 'I have copied it' }).click();
      await press('Disable');
      await other.page.goto('/tenancies');
      expect(other.page.url()).toBe(`${consoleUrl()}/sign-in`);
      await page.getByText('This person cannot sign in.').waitFor();
      const actions = page.locator('tbody tr td:nth-child(4)');
      await eventually(async () => {
        await page.goto(`/audit-list?person=${email}`);
        return (await actions.count()) === 9;
      });
      expect(await actions.allTextContents()).toEqual([
        'access changed',
        'signed in',
        'password set',
        'sign-in link made',
        'signed out everywhere',
        'operator right changed',
        'operator right changed',
        'signed in',
        'password set',
      ]);
      await tenant.close();
      await Promise.all([operator.context.close(), other.context.close()]);
    },
    browserTestTimeoutMs,
  );
});
