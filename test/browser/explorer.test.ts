/** Clients, Loans and Receipts in the console, in a real browser, compared with what the API answers. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { formatSecret } from '#libs/auth/signer.ts';
import type { LoanToIssue, Money, ReceiptToReport } from '#libs/sdk/src/contract/shapes.ts';
import { Lending } from '#libs/sdk/src/lending.ts';
import { formatMoney } from '#services/console/amounts.ts';
import { loadAssets } from '#services/console/assets.ts';
import { en } from '#services/console/texts/en.ts';
import { eventually, Tenant, testEnvironment } from '../support/tenant.ts';
import {
  browserTestTimeoutMs,
  checkPage,
  createInvitation,
  describeInBrowser,
  openVisitor,
  signInByLink,
} from './browser.ts';
import { screenshotDir } from './screenshots.ts';

const clientId = 'maria';
const on = '2026-05-20';
const mxn = (minor_units: number): Money => ({ minor_units, currency: 'MXN' });
const account = (reference: string) => ({ reference, actor: 'ana', basis: '<b>agreed</b> by phone' });
const shown = (money: Money): string => formatMoney(en, money);

/** Two Loans, a reversed Receipt, a waiver that was retracted, a payoff quote. */
async function recordBook(tenant: Tenant) {
  const key = formatSecret({ environment: 'test', seed: tenant.signer.seed });
  const api = new Lending({ baseUrl: testEnvironment().services.baseUrl, tenant: tenant.id, key });
  await api.putCompanyProfile({
    legal_name: 'Créditos & Cía. <S.A.>',
    tax_id: 'CCI010203AB4',
    address: 'Av. Reforma 1',
  });
  const { id } = await api.createConfiguration({
    archetype: 'instalment',
    values: {
      principal_min: mxn(100_00),
      principal_max: mxn(50_000_00),
      rate_min: '12',
      rate_max: '60',
      penalty_rate_max: '60',
      terms: [6, 12],
    },
  });
  await api.pointLookupKey({ lookup_key: 'standard' }, { configuration_id: id, configuration_version: 1 });
  await api.registerClient({ client_id: clientId }, { actor: 'ana', basis: 'signed <i>here</i>' });
  const terms = {
    client_id: clientId,
    configuration_id: id,
    configuration_version: 1,
    rate: '36',
    penalty_rate: '54',
    jurisdiction: 'MX',
    tax: { rate: '16', on: ['interest'] },
  } satisfies Partial<LoanToIssue>;
  const long = { reference: 'loan/1 & more', principal: mxn(10_000_00), term_periods: 12, anchor: '2026-01-15' };
  const first = await api.issueLoan({ ...terms, ...long });
  await api.issueLoan({
    ...terms,
    reference: 'loan-2',
    principal: mxn(3_000_00),
    term_periods: 6,
    anchor: '2026-04-01',
  });
  const receipt = (reference: string, value_date: string, more: Partial<ReceiptToReport> = {}) =>
    api.reportReceipt({
      reference,
      client_id: clientId,
      amount: mxn(1_050_00),
      value_date,
      rail: 'bank_transfer',
      ...more,
    });
  await receipt('r/1', '2026-02-15', { designated_loan_id: first.id });
  await receipt('r-2', '2026-03-15', { designated_loan_id: first.id });
  const beforeReversal = (await api.readReceipt({ receipt_reference: 'r-2' })).receipt.reported_at;
  await api.reverseReceipt({ receipt_reference: 'r-2' }, { ...account('reversal-1'), reason: 'returned_by_bank' });
  const waiver = { on: '2026-05-10', period: 4, charge: 'interest', amount: mxn(20_00) };
  const waived = await api.waiveCharge({ loan_id: first.id }, { ...account('waiver-1'), ...waiver });
  const event = waived.events.find(({ kind }) => kind === 'waived')?.id ?? '';
  await api.retractFact({ loan_id: first.id }, { ...account('retraction-1'), on: '2026-05-12', event_id: event });
  await api.quotePayoff({ loan_id: first.id }, { ...account('quote-1'), on });
  return { api, loanId: first.id, beforeReversal, terms };
}

/** Of six hundred Receipts. */
async function recordLongBook(api: Lending, client_id: string) {
  await api.registerClient({ client_id }, { actor: 'ana', basis: 'signed' });
  for (let batch = 0; batch < 6; batch += 1) {
    const receipts = Array.from({ length: 100 }, (_, index) => ({
      reference: `${client_id}-${batch}-${index}`,
      client_id,
      amount: mxn(1_00),
      value_date: on,
    }));
    await api.reportReceipts({ receipts });
  }
}

/** One Loan more than the page of dues computes; the oldest is late. */
async function recordLargeBook({ api, terms }: Awaited<ReturnType<typeof recordBook>>, client_id: string) {
  await api.registerClient({ client_id }, { actor: 'ana', basis: 'signed' });
  const issue = (index: number) =>
    api.issueLoan({
      ...terms,
      client_id,
      reference: `many-${index}`,
      principal: mxn(1_000_00),
      term_periods: 6,
      anchor: '2026-02-15',
    });
  const late = await issue(0);
  await Promise.all(Array.from({ length: 100 }, (_, index) => issue(index + 1)));
  return late;
}

await describeInBrowser('support', (browser) => {
  let tenant: Tenant;
  let page: Page;
  let book: Awaited<ReturnType<typeof recordBook>>;
  const pathOf = (path: string): string => `/tenancies/${tenant.id}${path}`;
  beforeAll(async () => {
    tenant = await Tenant.open(testEnvironment());
    book = await recordBook(tenant);
    ({ page } = await openVisitor(browser));
    const link = await createInvitation(`explorer@${tenant.id}.example`, { tenantId: tenant.id, role: 'support' });
    await signInByLink(page, link);
  }, browserTestTimeoutMs);
  afterAll(async () => {
    await page.context().close();
    await tenant.close();
  });

  test(
    'finds a Client, a Loan, a Receipt, an act and a product by their exact names',
    async () => {
      const found = async (name: string): Promise<string> => {
        await page.goto(pathOf('/clients'));
        await page.getByLabel('Find a Client').fill(name);
        await page.getByRole('button', { name: 'Find' }).click();
        return decodeURIComponent(new URL(page.url()).pathname).slice(pathOf('').length);
      };
      expect(await found(clientId)).toBe(`/clients/${clientId}`);
      expect(await found(book.loanId)).toBe(`/loans/${book.loanId}`);
      expect(await found('loan/1 & more')).toBe(`/loans/${book.loanId}`);
      expect(await found('r/1')).toBe('/receipts/r/1');
      await checkPage(page, 'receipt');
      expect(await found('waiver-1')).toBe(`/clients/${clientId}`);
      expect(await found('standard')).toMatch(/^\/products\//);
      expect(await found('<script>')).toBe('/clients');
      await page.getByText('No Client, Loan, Receipt, act or lookup key of a product is named “<script>”').waitFor();
      await checkPage(page, 'clients');
      // Every other page of the Tenancy has the search in its navigation.
      await page.goto(pathOf(`/loans/${book.loanId}`));
      await page.getByRole('navigation').getByLabel('Find').fill(clientId);
      await page.keyboard.press('Enter');
      await page.waitForURL(`**${pathOf(`/clients/${clientId}`)}`);
      await page.goto(pathOf('/loans?state=active'));
      expect(await page.locator('tbody tr').count()).toBe(2);
      await checkPage(page, 'loans');
    },
    browserTestTimeoutMs,
  );

  test(
    'sees on the page of a Client what the API answers for the day and the knowledge that both clocks state',
    async () => {
      const at = { client_id: clientId, on };
      for (const known of [{}, { known_at: book.beforeReversal }]) {
        const { loans, book_version } = await book.api.readClientBook({ ...at, ...known });
        await page.goto(pathOf(`/clients/${clientId}?${new URLSearchParams({ on, ...known })}`));
        const rows = page.getByRole('region', { name: 'Loans', exact: true }).locator('tbody tr');
        const cells = (row: number) => rows.nth(row).locator('td');
        for (const [index, { loan, payment_options: options }] of loans.entries()) {
          const texts = await cells(index).allTextContents();
          const [, , principal, paid, overdue, late, instalment, payoff] = texts;
          expect(principal).toBe(shown(loan.terms.principal));
          expect(paid).toContain(shown(loan.paid ?? mxn(0)));
          expect(overdue).toContain(shown(options.overdue?.total ?? mxn(0)));
          expect(late).toContain(options.late === undefined ? 'not late' : shown(options.late.owed.total));
          expect(instalment).toContain(shown(options.instalment?.owed.total ?? mxn(0)));
          expect(payoff).toContain(shown(options.payoff.owed.total));
        }
        await page.getByText(`Recorded facts`).waitFor();
        expect(await page.locator('dt:text-is("Recorded facts") + dd').textContent()).toBe(String(book_version.facts));
      }
      await page.getByText('from what was recorded by').waitFor();
      await page.getByLabel('Day', { exact: true }).fill('2026-02-20');
      await page.getByLabel('As known at (UTC)').fill('');
      await page.getByRole('button', { name: 'Show' }).click();
      await page.getByText('Figures on Feb 20, 2026').waitFor();
      await page.goto(pathOf(`/clients/${clientId}?on=${on}`));
      await page.locator('.plot-area canvas').first().waitFor();
      expect(await page.getByRole('main').locator('h2').first().textContent()).toBe('Loans');
      const { currencies } = await book.api.readStatement({ client_id: clientId, from: '2026-01-15', to: on });
      const owedByAll = await page.getByText('Owed on the day, all Loans together').textContent();
      expect(currencies.map(({ closing }) => owedByAll?.includes(shown(closing)))).toEqual([true]);
      await checkPage(page, 'client');
    },
    browserTestTimeoutMs,
  );

  test(
    'sees on the page of a Loan its plan, its balance and what was retracted',
    async () => {
      const at = { loan_id: book.loanId, on };
      const [schedule, delinquency, statement] = await Promise.all([
        book.api.readSchedule(at),
        book.api.readDelinquency(at),
        book.api.readLoanStatement({ loan_id: book.loanId, from: '2026-01-15', to: on }),
      ]);
      await page.goto(pathOf(`/loans/${book.loanId}?on=${on}`));
      const plan = page.getByRole('region', { name: 'Plan', exact: true }).locator('tbody tr');
      expect(await plan.count()).toBe(schedule.periods.length + 1);
      expect(await plan.last().locator('td').nth(5).textContent()).toContain(shown(schedule.totals.owed.total));
      expect(await page.locator('dt:text-is("Owed") + dd').textContent()).toBe(shown(statement.closing));
      expect(await page.locator('dt:text-is("Days past due") + dd').textContent()).toBe(
        String(delinquency.days_past_due),
      );
      const figures = page.getByRole('region', { name: 'Balance over time' }).locator('tbody tr');
      await page.getByText('The figures as a table').first().click();
      expect(await figures.last().locator('td').last().textContent()).toBe(shown(statement.closing));
      await page.getByText('retracted', { exact: true }).waitFor();
      expect(await page.locator('.plot-area canvas').count()).toBe(3);
      const why = page.getByRole('link', { name: 'Why: payoff of Loan loan/1 & more' });
      expect(await why.getAttribute('href')).toContain(`loan=${book.loanId}&figure=payoff`);
      await checkPage(page, 'loan');
      await page.goto(pathOf(`/loans/${book.loanId}?on=${on}&known_at=2020-01-01T00:00`));
      await page.getByText('This Loan was not recorded yet at that moment.').waitFor();
    },
    browserTestTimeoutMs,
  );

  test(
    'sees the newest payoff quotes of a Loan, of those that were recorded by the moment chosen',
    async () => {
      const { api, loanId: loan_id } = book;
      for (let index = 0; index < 20; index += 1)
        await api.quotePayoff({ loan_id }, { ...account(`more-quotes-${index}`), on });
      const { quotes } = await api.listPayoffQuotes({ loan_id });
      const [first, last] = [quotes.at(0), quotes.at(-1)];
      const ids = page.getByRole('region', { name: 'Payoff quotes' }).locator('tbody td:first-child');
      await page.goto(pathOf(`/loans/${loan_id}?on=${on}`));
      expect([quotes.length, await ids.count(), await ids.first().textContent()]).toEqual([21, 20, last?.id]);
      await page.getByText('The newest 20 are shown.').waitFor();
      const then = new URLSearchParams({ on, known_at: first?.quoted_at ?? '' });
      await page.goto(pathOf(`/loans/${loan_id}?${then}`));
      expect(await ids.allTextContents()).toEqual([first?.id]);
    },
    browserTestTimeoutMs,
  );

  test(
    'sees what is overdue and what a payoff costs on a Loan of a Client with very many Loans, as known at any moment',
    async () => {
      const { id } = await recordLargeBook(book, 'many');
      const { payment_options: options } = await book.api.explainLoan({ loan_id: id, on });
      const visible = async (query: Record<string, string>): Promise<string> => {
        const answer = await page
          .context()
          .request.get(pathOf(`/loans/${id}?${new URLSearchParams({ on, ...query })}`));
        return await answer.text();
      };
      const text = await visible({});
      for (const owed of [options.overdue, options.late?.owed, options.instalment?.owed, options.payoff.owed]) {
        expect(text).toContain(`<span class="amount">${shown(owed?.total ?? mxn(0))}</span>`);
      }
      expect(text).toContain('Why: late of Loan many-0');
      expect(text).toContain('Balance over time');
      const simulation = await page.context().request.get(pathOf('/clients/many/simulation'));
      expect(await simulation.text()).toContain('too many Loans or facts to simulate on a page');
      const [issued] = (await book.api.readLoan({ loan_id: id })).events;
      await book.api.writeOffLoan({ loan_id: id }, { ...account('written-off-1'), on: '2026-05-19' });
      const then = await visible({ known_at: issued?.recorded_at ?? '' });
      expect(then).not.toContain('written-off-1');
      expect(then).toContain('<dd>active</dd>');
      expect(await visible({})).toContain('written-off-1');
      const clientThen = new URLSearchParams({ on, known_at: issued?.recorded_at ?? '' });
      const client = await (await page.context().request.get(pathOf(`/clients/many?${clientThen}`))).text();
      expect(client).toContain('not the moment chosen');
      expect(client).toContain('Receipts, what is owed back and the facilities are those of now.');
      expect(client).not.toContain('from what was recorded by');
    },
    browserTestTimeoutMs,
  );

  test(
    'sees who owes something on a day, as the API answers it, and downloads it',
    async () => {
      const { clients } = await book.api.readDues({ on });
      const due = clients.find(({ client_id }) => client_id === clientId);
      await page.goto(pathOf('/clients'));
      await page.getByRole('link', { name: 'Dues' }).click();
      await page.getByLabel('Day', { exact: true }).fill(on);
      await page.getByRole('button', { name: 'Show' }).click();
      await page.getByText('Figures on May 20, 2026').waitFor();
      const rows = page.getByRole('region', { name: 'Due Loans' }).locator('tbody tr').filter({ hasText: clientId });
      // A row for each Loan, and one for their sum.
      expect(await rows.count()).toBe((due?.loans.length ?? 0) + 1);
      const cellsOf = (row: number) => rows.nth(row).locator('td').allTextContents();
      for (const [index, { reference, overdue, late, instalment }] of (due?.loans ?? []).entries()) {
        const cells = await cellsOf(index);
        expect(cells.slice(0, 2)).toEqual([clientId, reference]);
        expect(cells[2]).toContain(shown(overdue.total));
        expect(cells[3]).toContain(late === undefined ? 'not late' : shown(late.owed.total));
        expect(cells[4]).toContain(shown(instalment?.owed.total ?? mxn(0)));
      }
      const [total] = due?.totals ?? [];
      expect((await cellsOf(2)).slice(2, 4)).toEqual([total?.overdue, total?.late].map((sum) => shown(sum ?? mxn(0))));
      // One Loan more than is computed.
      const large = page.getByRole('row').filter({ hasText: 'many' });
      expect(await large.textContent()).toContain('More than 100 Loans');
      const totals = page.getByRole('region', { name: 'Totals' }).locator('tbody td');
      expect(await totals.allTextContents()).toEqual(['MXN', '1', ...(await cellsOf(2)).slice(2, 4)]);
      await page.getByText('One Client is left out of the totals.').waitFor();
      await checkPage(page, 'dues');

      const csv = await page.context().request.get(pathOf(`/dues.csv?on=${on}&only=late`));
      const lines = (await csv.text()).trim().split('\r\n');
      expect(lines.length).toBe(1 + clients.reduce((sum, { loans }) => sum + loans.length, 0));
      expect(
        lines.filter((line) => line.startsWith(`${on},${clientId},${book.loanId},loan/1 & more,MXN,`)),
      ).toHaveLength(1);

      await page.getByRole('link', { name: '60 days' }).click();
      await page.getByText('Figures on May 20, 2026').waitFor();
      expect((await rows.allTextContents()).map((text) => text.includes('loan/1 & more'))).toEqual([true]);
      await rows.getByRole('link', { name: 'Why: late of Loan loan/1 & more' }).click();
      await page.getByText('Figures on May 20, 2026').waitFor();
      const wrong = await page.context().request.get(pathOf('/dues?on=2026-02-30&min_days_past_due=0'));
      expect([wrong.status(), await wrong.text()]).toEqual([422, expect.stringContaining('Days past due are a whole')]);
      await page.goto(pathOf('/dues?on=2020-01-01'));
      await page.getByText('Nothing is due and unpaid on this day.').waitFor();
    },
    browserTestTimeoutMs,
  );

  test(
    'compares two versions of a book, and sees which facts changed each figure',
    async () => {
      // The first Receipt, on the day after it.
      const early = '2026-02-16';
      const range = { from_facts: 2, to_facts: 3 };
      const { changes } = await book.api.readChanges({ client_id: clientId, on: early, ...range });
      await page.goto(pathOf(`/clients/${clientId}/changes?on=${early}&from_facts=2&to_facts=3`));
      expect(await page.locator('tbody tr').count()).toBe(changes.length);
      const payoff = changes.find(({ figure }) => figure.endsWith('/payoff/owed/total'));
      const { from, to } = payoff as { from: Money; to: Money };
      const row = page.getByRole('row', { name: 'payment options › payoff › owed › total' });
      const cells = await row.locator('td').allTextContents();
      expect(cells.slice(1, 3)).toEqual([shown(from), shown(to)]);
      expect(cells[3]).toContain('Fact 3: Receipt r/1');
      await page.getByRole('heading', { name: 'Loan loan/1 & more' }).waitFor();
      await checkPage(page, 'changes');

      await page.goto(pathOf(`/clients/${clientId}?on=${on}`));
      const history = page.getByRole('region', { name: 'History' }).locator('tbody tr');
      await history.filter({ hasText: 'Receipt reversed' }).getByRole('link', { name: 'what it changed' }).click();
      await page.getByText('Fact 5: Receipt reversed').first().waitFor();
      await page.goto(pathOf(`/clients/${clientId}/changes?on=${on}&from_facts=0&to_facts=9999`));
      await page.getByRole('alert').getByText('invalid_query').waitFor();

      const moment = changes[0]?.facts[0]?.recorded_at ?? '';
      const known = `/clients/${clientId}/changes?known_at=${encodeURIComponent(moment)}`;
      const { facts: latest } = await book.api.readBookVersion({ client_id: clientId });
      await page.goto(pathOf(known));
      await page.getByRole('heading', { name: `between version 3 and version ${latest}` }).waitFor();
      await page.goto(pathOf(`${known}&until=${encodeURIComponent(moment)}`));
      await page.getByRole('heading', { name: 'between version 3 and version 3' }).waitFor();
    },
    browserTestTimeoutMs,
  );

  test(
    'prints a statement and a schedule under the letterhead of the lender',
    async () => {
      mkdirSync(screenshotDir, { recursive: true });
      const papers = {
        'client-statement': `/clients/${clientId}/statement?from=2026-01-01&to=${on}`,
        'loan-statement': `/loans/${book.loanId}/statement?to=${on}`,
        schedule: `/loans/${book.loanId}/schedule?on=${on}`,
      };
      for (const [name, path] of Object.entries(papers)) {
        await page.goto(pathOf(path));
        await page.getByText('Créditos & Cía. <S.A.>').waitFor();
        // The statements of a Client and of a Loan have the same parts.
        if (name !== 'loan-statement') await checkPage(page, name);
        await page.emulateMedia({ media: 'print' });
        expect(await page.getByRole('navigation').locator('visible=true').count()).toBe(0);
        expect(await page.locator('form').locator('visible=true').count()).toBe(0);
        await page.pdf({ path: join(screenshotDir, `${name}.pdf`), format: 'Letter', preferCSSPageSize: true });
        await page.emulateMedia({ media: 'screen' });
      }
    },
    browserTestTimeoutMs,
  );

  test(
    'stays at the chosen day and knowledge on every link between pages of the book',
    async () => {
      const clocks = { on: '2026-03-20', known_at: book.beforeReversal };
      const query = String(new URLSearchParams(clocks));
      const range = String(new URLSearchParams({ from: '2026-01-01', to: clocks.on, known_at: clocks.known_at }));
      const paths = [
        `/clients/${clientId}?${query}`,
        `/clients/${clientId}/receipts?${query}`,
        `/clients/${clientId}/statement?${range}`,
        `/clients/${clientId}/changes?on=${clocks.on}&known_at=${encodeURIComponent(clocks.known_at)}`,
        `/clients/${clientId}/explanation?${query}`,
        `/clients/${clientId}/explanation?${query}&loan=${book.loanId}&figure=payoff`,
        `/loans/${book.loanId}?${query}`,
        `/loans/${book.loanId}/schedule?${query}`,
        `/loans/${book.loanId}/statement?${range}`,
        `/receipts/r-2?${query}`,
      ];
      for (const path of paths) {
        const answer = await page.context().request.get(pathOf(path));
        // Only the sentence of the clocks leads to a page without them.
        const anchors = (await answer.text()).matchAll(/<a (?!class="screen-only")[^>]*?href="([^"]*)"/g);
        const links = [...anchors].map(([, href = '']) => new URL(href.replaceAll('&amp;', '&'), 'http://console'));
        const ofBook = links.filter(({ pathname }) => /\/tenancies\/[^/]+\/(clients|loans|receipts)\/./.test(pathname));
        expect([path, ofBook.length > 0]).toEqual([path, true]);
        const leaving = ofBook.filter(({ searchParams }) => {
          const day = searchParams.get('on') ?? searchParams.get('to');
          // A comparison states the versions that it knows.
          const isKnown = ['known_at', 'fact_at', 'to_facts'].some((name) => searchParams.has(name));
          return day !== clocks.on || !isKnown;
        });
        expect([path, leaving.map(String)]).toEqual([path, []]);
      }
      // The Receipt as it was known before its reversal, and before it was reported.
      await page.goto(pathOf(`/receipts/r-2?${query}`));
      expect(await page.getByRole('heading', { name: 'Reversal' }).count()).toBe(0);
      expect(await page.locator('tbody tr').count()).toBeGreaterThan(0);
      await page.goto(pathOf(`/receipts/r-2?on=${clocks.on}`));
      await page.getByText('nothing of it counts').waitFor();
      // A Receipt has no figures of a day.
      expect(await page.getByText('Figures on').count()).toBe(0);
      await page.getByText('Shown from everything recorded so far.').waitFor();
      await page.getByLabel('As known at (UTC)').fill('2020-01-01T00:00');
      await page.getByRole('button', { name: 'Show' }).click();
      await page.getByText('was not recorded yet at that moment').waitFor();
      expect(new URL(page.url()).searchParams.get('on')).toBe(clocks.on);
      // Lists of now say so, and lead back.
      await page.goto(pathOf(`/clients/${clientId}/receipts?known_at=${encodeURIComponent(clocks.known_at)}`));
      await page.getByText('All Receipts recorded so far are listed').waitFor();
      await page.goto(pathOf(`/clients/many?known_at=${encodeURIComponent(clocks.known_at)}`));
      await page.getByRole('link', { name: 'Back to today' }).click();
      await page.waitForURL(`**${pathOf('/clients/many')}`);
      expect(await page.getByText('those of now').count()).toBe(0);
    },
    browserTestTimeoutMs,
  );

  test(
    'sees a page that cannot be answered yet as soon as the service answers it',
    async () => {
      const path = pathOf(`/clients/${clientId}`);
      const script = loadAssets().url('try-again.js');
      const body = `<!doctype html><p data-try-again="503" hidden>asks again</p><p data-gave-up hidden></p><script type="module" src="${script}"></script>`;
      let unanswered = 2;
      await page.route(`**${path}`, async (route) => {
        unanswered -= 1;
        if (unanswered < 0) await route.continue();
        else await route.fulfill({ status: 503, contentType: 'text/html', body });
      });
      await page.goto(path);
      await page.getByText('asks again').waitFor();
      await page.getByRole('heading', { name: `Client ${clientId}` }).waitFor();
      expect(unanswered).toBeLessThan(0);
      await page.unroute(`**${path}`);
    },
    browserTestTimeoutMs,
  );

  test(
    'sees why a page that was being prepared cannot be answered',
    async () => {
      const path = pathOf(`/clients/${clientId}`);
      const script = loadAssets().url('try-again.js');
      const body = `<!doctype html><p data-try-again="202" hidden>is prepared</p><p data-gave-up hidden></p><script type="module" src="${script}"></script>`;
      const answers = [
        { status: 202, contentType: 'text/html', body },
        { status: 202, contentType: 'text/html', body },
        { status: 503, contentType: 'text/html', body: '<!doctype html><p>cannot be answered</p>' },
      ];
      await page.route(`**${path}`, (route) => route.fulfill(answers.length > 1 ? answers.shift() : answers[0]));
      await page.goto(path);
      await page.getByText('is prepared').waitFor();
      await page.getByText('cannot be answered').waitFor();
      await page.unroute(`**${path}`);
    },
    browserTestTimeoutMs,
  );

  test(
    'simulates in a long book what was entered before the book was prepared',
    async () => {
      await recordLongBook(book.api, 'long-5');
      const path = pathOf('/clients/long-5/simulation');
      await page.goto(pathOf('/clients'));
      const _csrf = await page.locator('main [name=_csrf], footer [name=_csrf]').first().inputValue();
      const entered = { 'fact-0-act': 'receipt', 'fact-0-amount': '12.34', 'fact-0-currency': 'MXN' };
      const form = { _csrf, on, do: 'simulate', ...entered, 'fact-0-value_date': on };
      const waiting = await page.context().request.post(path, { form });
      expect(waiting.status()).toBe(202);
      await page.route(`**${path}`, (route) => route.fulfill({ response: waiting }), { times: 1 });
      await page.goto(path);
      await page.locator('input:not([type=hidden])[name=fact-0-amount]').waitFor();
      expect(await page.locator('[name=fact-0-amount]').inputValue()).toBe('12.34');
      expect(await page.getByRole('heading', { level: 2 }).count()).toBeGreaterThan(0);
    },
    browserTestTimeoutMs,
  );

  test(
    'sees at once that a long book is being prepared, and then sees the page',
    async () => {
      // A page, or a search, of a book that is not in memory: each in a book of its own.
      const paths = {
        'long-1': ['/clients?q=long-1', '/clients/long-1'],
        'long-2': ['/clients?q=long-2-5-99', '/receipts/long-2-5-99'],
        'long-3': ['/evidence/receipts/long-3-0-0', '/evidence/receipts/long-3-0-0'],
        'long-4': ['/loans?client_id=long-4', '/loans?client_id=long-4'],
      };
      const { request } = page.context();
      for (const [client_id, [asked = '', shown = '']] of Object.entries(paths)) {
        await recordLongBook(book.api, client_id);
        const waiting = await request.get(pathOf(asked));
        expect([new URL(waiting.url()).pathname, waiting.status()]).toEqual([pathOf(shown).split('?', 1)[0], 202]);
        expect(waiting.headers()['retry-after']).toBe('1');
        const notice = `**${pathOf(shown)}`;
        if (client_id === 'long-1') {
          await page.route(notice, (route) => route.fulfill({ response: waiting }));
          await page.goto(pathOf(shown));
          await page.getByText('The page opens by itself when that is done.').waitFor();
          await checkPage(page, 'page-being-prepared');
          await page.unroute(notice);
          await page.getByRole('heading', { name: `Client ${client_id}` }).waitFor();
        }
        await eventually(async () => (await request.get(pathOf(shown))).status() === 200);
      }
    },
    browserTestTimeoutMs,
  );

  test('gets 404 for names that no Client, Loan or Receipt of the Tenancy has', async () => {
    const paths = [
      ...['/clients/unknown', '/clients/unknown/statement', '/clients/unknown/statement.csv'],
      ...['/loans/1', '/receipts/none', `/loans/${crypto.randomUUID()}`],
    ];
    for (const path of paths) expect((await page.context().request.get(pathOf(path))).status()).toBe(404);
    const receipts = await page.context().request.get(pathOf(`/clients/${clientId}/receipts`));
    expect(await receipts.text()).toContain('reversed');
  });
});
