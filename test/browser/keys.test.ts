/** Tenancies and their keys, in a real browser. */
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import type { Route } from 'playwright-core';
import { parseSigner } from '#libs/auth/signer.ts';
import { sendSigned } from '#libs/cli/caller.ts';
import { eventually, testEnvironment } from '../support/tenant.ts';
import {
  browserTestTimeoutMs,
  checkPage,
  createInvitation,
  describeInBrowser,
  openVisitor,
  signInByLink,
  testPassword,
} from './browser.ts';

await describeInBrowser('an operator', (browser) => {
  test(
    'opens a Tenancy, sets its bounds, mints a key in the page, signs with it and revokes it',
    async () => {
      const { context, page } = await openVisitor(browser);
      await signInByLink(page, await createInvitation('keys@lender.example', 'operator'));
      const id = `opened-${Date.now()}`;
      await page.getByRole('link', { name: 'Open a Tenancy' }).click();
      await checkPage(page, 'open-tenancy');
      await page.getByLabel('Id').fill(id);
      await page.getByLabel('Name').fill('<b>Opened & named</b>');
      await page.getByLabel('Your present password').fill(testPassword);
      await page.getByRole('button', { name: 'Open a Tenancy' }).click();
      await page.getByRole('heading', { name: id }).waitFor();

      await page.getByLabel('Requests at once').fill('7');
      await page.getByRole('button', { name: 'Set the bounds' }).click();
      await page.getByText('Set for this Tenancy.').waitFor();
      await page.getByText('The bounds are in force.').waitFor();
      expect(await page.getByLabel('Requests at once').inputValue()).toBe('7');

      const sent: string[] = [];
      page.on('request', (request) => sent.push(request.postData() ?? ''));
      await page.getByLabel('Label').fill('made in the page');
      const mint = async (password: string) => {
        await page.getByLabel('Your present password').fill(password);
        await page.getByRole('button', { name: 'Mint a key' }).click();
      };
      await mint('a wrong password');
      await page.getByText('Your present password is wrong.').waitFor();
      // A page instead of the answer, as after the end of a session; then an answer that is lost on its way.
      const html = { status: 401, contentType: 'text/html', body: '<p>Sign in</p>' };
      const lost = page.getByRole('alert').getByText('No answer arrived');
      await page.route('**/keys', (route) => route.fulfill(html), { times: 1 });
      await mint(testPassword);
      await lost.waitFor();
      const dropAnswer = async (route: Route) => {
        await route.fetch();
        await route.abort();
      };
      await page.route('**/keys', dropAnswer, { times: 1 });
      await mint(testPassword);
      await lost.waitFor();
      expect(await page.getByLabel('Label').isDisabled()).toBe(true);
      await mint(testPassword);
      await page.getByText('The secret of the new key').waitFor();
      const secret = (await page.locator('[data-secret]').textContent()) ?? '';
      const signer = parseSigner(secret);
      if (signer === undefined) throw new Error(`${secret} is not a secret`);
      const publicKeys = sent.flatMap((body) => new URLSearchParams(body).get('public_key') ?? []);
      // One was refused, and the other one was sent until it was answered.
      expect([publicKeys.length, new Set(publicKeys).size]).toEqual([4, 2]);
      for (const body of sent) expect(body).not.toContain(secret.slice('lsk_test_'.length));

      const { baseUrl } = testEnvironment().services;
      const status = async () => (await sendSigned({ baseUrl, signer }, 'GET', `/v1/tenants/${id}/bounds`)).status;
      await eventually(async () => (await status()) === 200);
      await page.getByRole('link', { name: 'I have stored it' }).click();
      await eventually(async () => {
        await page.reload();
        return (await page.getByRole('cell', { name: '1', exact: true }).count()) === 1;
      });
      await checkPage(page, 'tenancy-keys');

      await page.getByRole('link', { name: 'Revoke: made in the page' }).click();
      await checkPage(page, 'revoke-key');
      await page.getByRole('button', { name: 'Revoke' }).click();
      await page.getByText('revoked').waitFor();
      await page.getByText('Requests that are signed with this key are refused').waitFor();
      // Within a second: each but the last of ten requests, a tenth of a second apart, may still be accepted.
      const statuses: number[] = [];
      while (statuses.at(-1) !== 401 && statuses.length < 10) {
        if (statuses.length > 0) await delay(100);
        statuses.push(await status());
      }
      expect(statuses.at(-1)).toBe(401);

      const main = page.getByRole('main');
      await main.getByRole('link', { name: 'Audit list' }).click();
      const cells = page.locator('tbody tr td:nth-child(4)');
      expect(await cells.allTextContents()).toEqual(['key revoked', 'key minted', 'bounds set', 'Tenancy opened']);
      await checkPage(page, 'audit-list');
      await page.goto(`/tenancies/${id}/audit-list?person=${signer.fp}`);
      expect(await cells.allTextContents()).toEqual(['key revoked', 'key minted']);
      await page.getByLabel('Person, key or book').fill('');
      await page.getByLabel('Action').selectOption('bounds set');
      await page.getByRole('button', { name: 'Search' }).click();
      expect(await cells.allTextContents()).toEqual(['bounds set']);
      const csv = await context.request.get(`/tenancies/${id}/audit-list.csv`);
      expect((await csv.text()).trim().split('\r\n')).toHaveLength(5);
      await eventually(async () => {
        await page.goto('/audit-list?person=keys@lender.example');
        return (await cells.count()) === 3;
      });
      expect(await cells.allTextContents()).toEqual(['signed in', 'password set', 'invited']);
      await checkPage(page, 'audit-list-installation');
      await context.close();
    },
    browserTestTimeoutMs,
  );

  test(
    'sees other Tenancies than support does, who cannot change the one that is seen',
    async () => {
      const { context, page } = await openVisitor(browser);
      const operator = await openVisitor(browser);
      await signInByLink(operator.page, await createInvitation('opener@lender.example', 'operator'));
      const [own, other] = [`own-${Date.now()}`, `other-${Date.now()}`];
      for (const id of [own, other]) {
        await operator.page.goto('/open-tenancy');
        await operator.page.getByLabel('Id').fill(id);
        await operator.page.getByLabel('Name').fill(id);
        await operator.page.getByLabel('Your present password').fill(testPassword);
        await operator.page.getByRole('button', { name: 'Open a Tenancy' }).click();
        await operator.page.getByRole('heading', { name: id }).waitFor();
      }
      await signInByLink(page, await createInvitation('support@lender.example', { tenantId: own, role: 'support' }));
      expect(await page.getByRole('link', { name: own }).count()).toBe(1);
      expect(await page.getByRole('link', { name: other }).count()).toBe(0);
      expect((await page.goto(`/tenancies/${other}`))?.status()).toBe(404);
      expect((await page.goto('/open-tenancy'))?.status()).toBe(403);
      expect((await page.goto(`/tenancies/${own}`))?.status()).toBe(200);
      await checkPage(page, 'tenancy-support');
      expect(await page.getByRole('button', { name: 'Set the bounds' }).count()).toBe(0);
      const refused = await page.evaluate(
        `fetch('/tenancies/${own}/bounds', { method: 'POST', body: new URLSearchParams({
        _csrf: document.querySelector('[name=_csrf]').value, concurrent: 1, patience_ms: 1, per_second: 1, burst: 1 }) })
        .then(({ status }) => status)`,
      );
      expect(refused).toBe(403);
      await operator.context.close();
      await context.close();
    },
    browserTestTimeoutMs,
  );
});
