/** Products and policies: versions side by side, and the rehearsal of other values. */
import { expect, test } from '@jest/globals';
import { policyContent } from '#libs/credit/testing/example.ts';
import { CreditWorkflow } from '../support/credit-workflow.ts';
import { Lender, pesos, requireStatus } from '../support/lender.ts';
import { testEnvironment } from '../support/tenant.ts';
import {
  browserTestTimeoutMs,
  checkPage,
  createInvitation,
  describeInBrowser,
  openVisitor,
  signInByLink,
} from './browser.ts';

const [low, high] = policyContent.knockouts.slice(0, 2).map((knockout) => ({ ...knockout, bound: 21 }));

await describeInBrowser('a person of a Tenancy', (browser) => {
  test(
    'compares versions of products and policies, and rehearses other values on the recorded Loans',
    async () => {
      const lender = await Lender.open(testEnvironment());
      const { tenant } = lender;
      const product = await lender.createProduct('instalment');
      const client = await lender.client();
      const loan = await lender.loan(client, {}, product);
      await lender.createVersion(product.id, 'instalment', { late_fee: pesos(50_00), tolerance_days: 3 });
      const pointing = { configuration_id: product.id, configuration_version: 1 };
      requireStatus(await tenant.put('/product-lookup-keys/sold-in-shops', pointing), 201);
      const credit = new CreditWorkflow(lender, product);
      await credit.adopt({ policy: 'retail' });
      const knockouts = [low, high, ...policyContent.knockouts.slice(2)];
      await credit.draft('retail', { ...policyContent, knockouts });

      const { context, page } = await openVisitor(browser);
      const role = { tenantId: tenant.id, role: 'support' } as const;
      await signInByLink(page, await createInvitation('products@lender.example', role));
      const base = `/tenancies/${tenant.id}`;
      await page.goto(`${base}/products`);
      await checkPage(page, 'products');
      await page.getByRole('link', { name: product.id }).click();
      await page.getByRole('heading', { level: 1, name: product.id }).waitFor();
      const rowOf = (title: string) => page.getByRole('row').filter({ hasText: new RegExp(`^\\s*${title}`) });
      expect(await rowOf('Late fee').locator('td').allTextContents()).toEqual([
        'Late fee differs',
        expect.stringContaining('50.00'),
        expect.stringContaining('by default'),
      ]);
      expect(await page.locator('.differs').count()).toBe(2);
      expect(await page.getByText('Fields that differ: 2').count()).toBe(1);
      expect(await rowOf('sold-in-shops').getByRole('link').getAttribute('href')).toBe(
        `${base}/products/${product.id}?version=1`,
      );
      expect(await page.getByRole('link', { name: 'retail, version 1' }).count()).toBe(1);
      await checkPage(page, 'product');
      expect((await page.goto(`${base}/products/${product.id}?version=9`))?.status()).toBe(404);
      expect((await page.goto(`${base}/products/ins-999999`))?.status()).toBe(404);

      await page.goto(`${base}/policies`);
      await page.getByRole('link', { name: 'retail' }).click();
      expect(await rowOf('age').first().textContent()).toContain('differs');
      expect(await page.locator('mark').allTextContents()).toContain('age below 21');
      await checkPage(page, 'policy');
      await page.goto(`${base}/policies`);
      await checkPage(page, 'policies');

      await page.goto(`${base}/products/${product.id}`);
      await page.getByRole('link', { name: 'Rehearse other values' }).click();
      await page.getByLabel('Figures on').fill('2026-06-30');
      await page.getByLabel('Origination fee').fill('500');
      await page.getByRole('button', { name: 'Rehearse other values' }).click();
      await page.getByText('Changed: Origination fee.').waitFor();
      const { values } = requireStatus(await tenant.get(`/product-configurations/${product.id}`), 200).body;
      const body = { values: { ...values, origination_fee: pesos(500_00) }, on: '2026-06-30' };
      const path = `/product-configurations/${product.id}/rehearsal`;
      const rehearsal = requireStatus(await tenant.post(path, body), 200).body;
      expect(rehearsal.loans).toHaveLength(1);
      const shown = await page.locator('tbody tr').evaluateAll((rows) => rows.map((row) => row.textContent ?? ''));
      const amount = ({ minor_units }: { readonly minor_units: number }): string =>
        new Intl.NumberFormat('en', { minimumFractionDigits: 2 }).format(minor_units / 100);
      const { changes } = rehearsal.loans[0];
      expect(shown).toHaveLength(changes.length);
      for (const [index, { is, would_be, difference }] of changes.entries()) {
        for (const value of [is, would_be, difference]) {
          if (typeof value === 'object') expect(shown[index]).toContain(amount(value));
        }
      }
      expect(await page.getByRole('link', { name: rehearsal.loans[0].reference }).getAttribute('href')).toBe(
        `${base}/loans/${loan.id}?on=2026-06-30`,
      );
      expect(requireStatus(await tenant.get(`/product-configurations/${product.id}`), 200).body.version).toBe(2);
      await checkPage(page, 'rehearsal');

      await page.getByLabel('Lowest rate').fill('70');
      await page.getByRole('button', { name: 'Rehearse other values' }).click();
      await page.getByRole('alert').getByText('inconsistent_values').waitFor();
      expect(await page.getByLabel('Lowest rate').inputValue()).toBe('70');
      expect(await page.getByLabel('Origination fee').inputValue()).toBe('500');
      await context.close();
      await lender.close();
    },
    browserTestTimeoutMs,
  );
});
