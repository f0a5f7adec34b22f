/** Where a figure comes from, its evidence, and simulations, in a real browser. */
import { expect, test } from '@jest/globals';
import type { BrowserContext, Page } from 'playwright-core';
import { verifyEvidence } from '#libs/verify/audit/verify-evidence.ts';
import { Lender, lastEventOfKind, pesos, requireStatus } from '../support/lender.ts';
import { testEnvironment } from '../support/tenant.ts';
import {
  browserTestTimeoutMs,
  checkPage,
  createInvitation,
  describeInBrowser,
  openVisitor,
  signInByLink,
} from './browser.ts';

const on = '2026-03-05';
const basis = 'agreed <b>by</b> phone & "mail"';

/** 10,000.00 at 36 % with a penalty of 72 %: the first payment was missed and paid in part, and of its penalty 2.00 waived. */
async function lateLoan(lender: Lender) {
  const product = await lender.createProduct('instalment', { terms: [6, 12], penalty_rate_max: '100' });
  const client = await lender.client();
  const over = { penalty_rate: '72', tax: { rate: '16', on: ['interest', 'penalty'] } };
  const loan = await lender.loan(client, over, product);
  const { receipt } = await lender.pay(client, 500_00, '2026-02-20');
  const waiver = { on: '2026-03-01', period: 1, charge: 'penalty' };
  await lender.act(loan.id, 'waiver', { ...waiver, amount: pesos(2_00), basis });
  const mistaken = await lender.act(loan.id, 'waiver', { ...waiver, amount: pesos(1_00) });
  const { id: event_id } = lastEventOfKind(mistaken, 'waived');
  await lender.act(loan.id, 'retraction', { on: '2026-03-02', event_id, basis: 'wrong <i>Loan</i>' });
  return {
    client,
    id: loan.id as string,
    reference: loan.terms.reference as string,
    receipt: receipt.reference as string,
  };
}

/** The rows of a table, each with the text of its cells. */
async function rowsOf(page: Page, name: string): Promise<string[][]> {
  const rows = await page.getByRole('region', { name, exact: true }).locator('tbody tr').all();
  return Promise.all(rows.map((row) => row.locator('td').allInnerTexts()));
}

/** The same page, with the body of its answer changed on the way. */
async function openTampered(context: BrowserContext, url: string, change: (html: string) => string): Promise<Page> {
  const page = await context.newPage();
  await page.route(url, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: change(await response.text()) });
  });
  await page.goto(url);
  return page;
}

await describeInBrowser('a person of support', (browser) => {
  test(
    'sees what a figure consists of, by which rules and facts, and verifies the signed requests',
    async () => {
      const lender = await Lender.open(testEnvironment());
      const { client, id, reference, receipt } = await lateLoan(lender);
      const { context, page } = await openVisitor(browser);
      await signInByLink(
        page,
        await createInvitation('explanation@lender.example', { tenantId: lender.tenant.id, role: 'support' }),
      );
      const tenancy = `/tenancies/${lender.tenant.id}`;
      await page.goto(`${tenancy}/clients/${client}/explanation`);
      await page.getByRole('link', { name: `Show: payoff, ${reference}` }).click();
      await page.getByLabel('Figure').selectOption('overdue');
      await page.getByLabel('Day').fill(on);
      await page.getByRole('button', { name: 'Show' }).click();
      await page.getByRole('heading', { name: `Why: overdue of Loan ${reference}` }).waitFor();

      const options = requireStatus(await lender.tenant.get(`/clients/${client}/payment-options?on=${on}`), 200).body;
      expect(options.loans[0].overdue.total).toEqual(pesos(555_91));
      expect(await page.locator('.hero').innerText()).toBe('$555.91');
      expect(await rowsOf(page, 'What it consists of')).toEqual([
        ['principal', '$541.89', '$0.00', '$541.89'],
        ['penalty', '$12.09', '$1.93', '$14.02'],
        ['Total', '', '', '$555.91'],
      ]);
      // 676.01 for four days and 541.89 for thirteen; × 72 % / 360.
      expect(await rowsOf(page, 'Penalty of each period')).toEqual([
        ['1', '$541.89', '17', '$9,748.61', '72 %', '$19.50'],
      ]);
      const [received] = await rowsOf(page, 'Receipts that settled something');
      expect(received).toEqual([
        receipt,
        'Feb 20, 2026',
        'Period 1: principal $134.12\nPeriod 1: interest $310.00 + $49.60 tax\nPeriod 1: penalty $5.41 + $0.87 tax',
        '$500.00',
      ]);
      const acts = (await rowsOf(page, 'Acts on the Loan')).map(([, act, , , effect]) => [act, effect]);
      expect(acts).toEqual([
        ['charge waived', 'retracted on Mar 2, 2026 by ana: wrong <i>Loan</i>'],
        ['charge waived', 'in force'],
        ['issued', 'in force'],
      ]);
      await page.getByText(basis).waitFor();
      await page.getByText('Market MX: ').first().waitFor();
      await checkPage(page, 'explanation');
      const spanish = await context.request.get(page.url(), { headers: { 'Accept-Language': 'es-MX' } });
      expect(await spanish.text()).toContain(`Por qué: vencido del Préstamo ${reference}`);
      const foreign = `${tenancy}/clients/${await lender.client()}/explanation?loan=${id}&figure=paid`;
      expect((await context.request.get(foreign)).status()).toBe(404);

      await page.getByRole('link', { name: 'Evidence' }).nth(1).click();
      const verdict = page.locator('[data-browser-verdict]');
      await page.getByText('All checks passed (facts: 4).').waitFor();
      await expectText(verdict, 'The fingerprints, digests and signatures of all facts on this page are right.');
      expect(await currentArea(page)).toBe('Loans');
      expect(await page.locator('[data-browser-check].passed').count()).toBe(12);
      await page.getByText('Body as sent', { exact: true }).nth(1).click();
      await page.getByText(JSON.stringify(basis)).first().waitFor();
      await checkPage(page, 'evidence-loan');
      const evidenceUrl = `${tenancy}/evidence/loans/${id}`;
      const answer = await context.request.get(`${evidenceUrl}/answer`);
      expect(verifyEvidence(await answer.json()).facts).toBe(4);

      const forged = await openTampered(context, evidenceUrl, (html) => html.replaceAll('/waiver', '/Waiver'));
      await expectText(
        forged.locator('[data-browser-verdict]'),
        'A fingerprint, digest or signature on this page is wrong.',
      );
      expect(await forged.locator('[data-browser-check=signature].failed').count()).toBe(2);
      expect(await forged.locator('[data-browser-check=key].failed').count()).toBe(0);
      const late = await openTampered(context, evidenceUrl, (html) =>
        html.replaceAll(/data-taken-in-at="\d{4}/g, 'data-taken-in-at="2020'),
      );
      await expectText(
        late.locator('[data-browser-verdict]'),
        'A fingerprint, digest or signature on this page is wrong.',
      );
      expect(await late.locator('[data-browser-check=signature].failed').count()).toBe(4);
      expect(await late.locator('[data-browser-check].failed').count()).toBe(4);
      await context.close();
      await lender.close();
    },
    browserTestTimeoutMs,
  );

  test(
    'verifies a Receipt of a long batch, and simulates facts that are not recorded',
    async () => {
      const lender = await Lender.open(testEnvironment());
      const { client, id, reference } = await lateLoan(lender);
      const { context, page } = await openVisitor(browser);
      await signInByLink(
        page,
        await createInvitation('simulation@lender.example', { tenantId: lender.tenant.id, role: 'support' }),
      );
      const tenancy = `/tenancies/${lender.tenant.id}`;
      const payer = await lender.client();
      const note = { note: '</pre><script>alert(1)</script>'.repeat(300) };
      const receipts = [1, 2].map((each) => ({
        reference: `batch/${each}`,
        client_id: payer,
        amount: pesos(1),
        value_date: '2026-03-20',
        context: note,
      }));
      requireStatus(await lender.tenant.post('/receipts/batch', { receipts }), 200);
      await page.goto(`${tenancy}/evidence/receipts/${encodeURIComponent('batch/2')}`);
      await page.getByText('is not shown here.').waitFor();
      await expectText(
        page.locator('[data-browser-verdict]'),
        'The fingerprints, digests and signatures of all facts on this page are right.',
      );
      expect(await currentArea(page)).toBe('Clients');
      await checkPage(page, 'evidence-receipt');

      const version = () => lender.tenant.get(`/clients/${client}/book-version`);
      const before = (await version()).body;
      const ignored = page.getByText('A simulation counts every fact recorded so far.');
      await page.goto(`${tenancy}/loans/${id}?on=${on}&known_at=${new Date().toISOString()}`);
      await page.getByRole('link', { name: 'What if' }).click();
      await ignored.waitFor();
      await page.getByRole('button', { name: 'Add' }).click();
      await page.locator('fieldset').nth(1).waitFor();
      await ignored.waitFor();
      await page.goto(`${tenancy}/loans/${id}?on=${on}`);
      await page.getByRole('link', { name: 'What if' }).click();
      await page.getByLabel('Amount').waitFor();
      expect(await ignored.count()).toBe(0);
      await page.getByLabel('Amount').fill('555.91');
      await page.getByLabel('Another fact').selectOption('settlement');
      await page.getByRole('button', { name: 'Add' }).click();
      await page.getByLabel('Agreed amount').fill('20,00');
      await page.getByRole('button', { name: 'Simulate' }).click();
      await page.getByText('Fact 2, Agreed amount: write the amount as 1035.61.').waitFor();
      await page.getByLabel('Agreed amount').fill('20,000');
      await page.getByRole('button', { name: 'Simulate' }).click();
      await page.getByText('Would be recorded (201).').waitFor();
      const result = page.locator('#result:focus');
      await result.waitFor();
      expect(await result.evaluate((element) => getComputedStyle(element).outlineStyle)).toBe('none');
      await page.getByText('The agreed amount is not below what discharges the Loan.').waitFor();
      await page.getByText('stated or found: $20,000.00').waitFor();
      const figures = await rowsOf(page, `Loan ${reference}`);
      expect(figures.slice(0, 2)).toEqual([
        ['overdue', '$555.91', '$0.00', '-$555.91'],
        ['late', '$555.91', '$0.00', '-$555.91'],
      ]);
      expect(figures.at(-1)).toEqual(['paid, of any day', '$500.00', '$1,055.91', '+$555.91']);
      expect(await rowsOf(page, 'All Loans MXN')).toEqual(figures);
      await checkPage(page, 'simulation');
      await page.getByRole('button', { name: 'Remove: 2. Settlement for less' }).click();
      expect(await page.locator('fieldset').count()).toBe(1);
      expect((await version()).body).toEqual(before);
      await context.close();
      await lender.close();
    },
    browserTestTimeoutMs,
  );
});

function currentArea(page: Page): Promise<string> {
  return page.locator('.tenancy-areas [aria-current=page]').innerText();
}

async function expectText(element: ReturnType<Page['locator']>, text: string): Promise<void> {
  await element
    .getByText(text)
    .or(element.filter({ hasText: text }))
    .first()
    .waitFor();
}
