/**
 * The pictures of the guide to the console, of a lender whose names and amounts are like those of a real one.
 * `UPDATE_PICTURES=1 npm test -- test/browser/guide-pictures.test.ts` takes them; without it only the files are checked.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { projectDir } from '#deploy/dev/dev-files.ts';
import { Lender, pesos, requireStatus } from '../support/lender.ts';
import { loanBody } from '../support/request-bodies.ts';
import { testEnvironment } from '../support/tenant.ts';
import { browserTestTimeoutMs, createInvitation, describeInBrowser, openVisitor, signInByLink } from './browser.ts';
import { rawRequest, sign } from './raw-request.ts';

const names = ['client', 'explanation', 'simulation', 'signature'] as const;
type PictureName = (typeof names)[number];

/** The page of the guide shows pictures of this ratio. */
const size = { width: 1200, height: 750 };
/** The Loans of a Client are a wide table. */
const wideSize = { width: 1440, height: 900 };
const id = 'prestamos-luna';
const on = '2026-05-20';
const client = 'rosa-mendez';

function fileOf(name: PictureName): string {
  return join(projectDir, 'docs', 'guide', 'pictures', `console-${name}.jpeg`);
}

/** Waits for fonts and plots by itself. `top` is scrolled to the top of the picture. */
async function takePicture(page: Page, name: PictureName, top?: Locator): Promise<void> {
  if (top === undefined) await page.evaluate('scrollTo(0, 0)');
  else await top.evaluate((element) => element.scrollIntoView());
  await page.screenshot({ path: fileOf(name), type: 'jpeg', quality: 75 });
}

/** Two Loans: the third payment of the first came late and in part, and the fourth is missing. */
async function recordBook(lender: Lender): Promise<string> {
  const { tenant } = lender;
  const account = { actor: 'lucia', basis: 'Contract PL-2026-0147, signed at the branch in Puebla' };
  requireStatus(await tenant.put(`/clients/${client}`, account), 201);
  const product = await lender.createProduct('instalment', { terms: [6, 12], penalty_rate_max: '100' });
  const issue = async (reference: string, over: object) =>
    requireStatus(await tenant.post('/loans', loanBody(product, client, reference, over)), 201).body;
  const law = { penalty_rate: '72', tax: { rate: '16', on: ['interest', 'penalty'] } };
  const first = await issue('PL-2026-0147', { ...law, principal: pesos(18_000_00), anchor: '2026-01-15' });
  await issue('PL-2026-0391', { ...law, principal: pesos(6_500_00), term_periods: 6, anchor: '2026-04-22' });
  const receipts = [
    ['SPEI-4471-0213', 1_864_10, '2026-02-13'],
    ['SPEI-4471-0313', 1_864_10, '2026-03-13'],
    ['SPEI-4471-0420', 900_00, '2026-04-20'],
  ] as const;
  for (const [reference, amount, value_date] of receipts) {
    const receipt = { reference, client_id: client, amount: pesos(amount), value_date, rail: 'bank_transfer' };
    requireStatus(await tenant.post('/receipts', { ...receipt, designated_loan_id: first.id }), 201);
  }
  return first.id;
}

test.each(names)('the picture of the console %s has the ratio that the guide shows', (name) => {
  const { width, height } = jpegSize(readFileSync(fileOf(name)));
  expect(width / height).toBe(size.width / size.height);
});

/** From the first frame header. */
function jpegSize(bytes: Buffer): { readonly width: number; readonly height: number } {
  let at = 2;
  while (bytes[at + 1] !== 0xc0 && bytes[at + 1] !== 0xc2) at += 2 + bytes.readUInt16BE(at + 2);
  return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
}

if (process.env['UPDATE_PICTURES'] !== undefined) {
  await describeInBrowser('the pictures of the guide', (browser) => {
    let lender: Lender;
    let page: Page;
    let loanId: string;
    const open = (path: string) => page.goto(`/tenancies/${id}${path}`);
    beforeAll(async () => {
      lender = await Lender.open(testEnvironment(), { id, name: 'Préstamos Luna' });
      loanId = await recordBook(lender);
      ({ page } = await openVisitor(browser));
      const role = { tenantId: id, role: 'support' } as const;
      await signInByLink(page, await createInvitation('lucia.ortiz@prestamos-luna.example', role));
      await page.setViewportSize(size);
    }, browserTestTimeoutMs);
    afterAll(async () => {
      await page.context().close();
      await lender.close();
    });

    test(
      'a Client with its Loans',
      async () => {
        await page.setViewportSize(wideSize);
        await open(`/clients/${client}?on=${on}`);
        await page.locator('.plot-area canvas').first().waitFor();
        await takePicture(page, 'client');
        await page.setViewportSize(size);
      },
      browserTestTimeoutMs,
    );

    test(
      'why an amount is overdue',
      async () => {
        await open(`/clients/${client}/explanation?loan=${loanId}&figure=overdue&on=${on}`);
        await page.getByRole('heading', { name: 'What it consists of' }).waitFor();
        await takePicture(page, 'explanation');
      },
      browserTestTimeoutMs,
    );

    test(
      'a Receipt that is simulated',
      async () => {
        await open(`/loans/${loanId}?on=${on}`);
        await page.getByRole('link', { name: 'What if' }).click();
        await page.getByLabel('Amount').fill('2,500.00');
        await page.getByRole('button', { name: 'Simulate' }).click();
        await page.getByText('Would be recorded (201).').waitFor();
        await takePicture(page, 'simulation', page.locator('fieldset').first());
      },
      browserTestTimeoutMs,
    );

    test(
      'a signature that is checked',
      async () => {
        const body = '{"actor":"lucia","basis":"Contract PL-2026-0412, signed online"}';
        const signed = { method: 'PUT', target: `/v1/tenants/${id}/clients/hector-ruiz`, body };
        const authorization = sign(lender.tenant.signer, signed, String(Math.floor(Date.now() / 1_000)));
        await open('/signature');
        await page.getByLabel('Request line and headers').fill(rawRequest({ ...signed, authorization, body: '' }));
        await page.getByLabel('Body', { exact: false }).first().fill(body.replaceAll(':', ': '));
        await page.getByRole('button', { name: 'Check' }).click();
        const verdict = page.getByRole('heading', { name: 'refuses this request' });
        await verdict.waitFor();
        await takePicture(page, 'signature', verdict);
      },
      browserTestTimeoutMs,
    );
  });
}
