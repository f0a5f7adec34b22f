/** The pages that are measured, with the status that each answers. */

import { inputsOf } from '#services/console/products/rehearsal-form-values.ts';
import { type ConsoleRoute, consoleRoutes, fillPath } from '#test/browser/console-routes.ts';
import type { ConsoleVisitor } from '#test/browser/console-visitor.ts';
import { type BenchClient, type ConsoleLender, productValues } from './console-lender.ts';

export interface MeasuredPage {
  readonly path: string;
  /** Unless it is 200. */
  readonly status?: number;
  /** Posted where it is stated. */
  readonly form?: Readonly<Record<string, string>>;
}

/** A day on which some Loans are late, some are not yet due and some are paid so far. */
const on = '2026-06-30';

/** Every page of the console but those without a subject here, with the large Client; and those that need more than a path. */
export async function measuredPages(
  lender: ConsoleLender,
  visitor: ConsoleVisitor,
  person: string,
): Promise<readonly MeasuredPage[]> {
  const { id, signer, configuration, policy, large } = lender;
  const base = `/tenancies/${id}`;
  const log = await visitor.get(`${base}/requests`);
  const request = /\/requests\/([0-9a-f-]{36})/.exec(log.text)?.[1] ?? '';
  const { loan, receipt: reference } = large;
  const ids = { tenant: id, client: large.id, loan, reference, configuration, policy, request, person, fp: signer.fp };
  return [
    ...consoleRoutes()
      .filter(hasSubject)
      .map(({ path }) => ({ path: fillPath(path, ids) })),
    ...pagesOfTenancy(base, lender),
    ...[large, lender.busy, lender.whole].flatMap((client) => pagesOfClient(base, client)),
    { path: `${base}/clients/${large.id}/simulation`, status: 422, form: simulation(large) },
    { path: `${base}/clients/${lender.busy.id}/simulation`, status: 422, form: simulation(lender.busy) },
    { path: `${base}/clients/${lender.whole.id}/simulation`, form: simulation(lender.whole) },
  ];
}

function hasSubject({ method, path }: ConsoleRoute): boolean {
  const isShown = method === 'GET' && /^\/(tenancies|account|people|health|audit-list)/.test(path);
  // Evidence is listed below; no book is parked, and the person has no passkey. A download takes as long as its list.
  return isShown && !/:(kind|book)|passkeys\/removal|\.csv$/.test(path);
}

function pagesOfTenancy(base: string, { configuration }: ConsoleLender): readonly MeasuredPage[] {
  const values = inputsOf({ ...productValues, terms: [6, 12], rate_max: '30' });
  const rehearsal = new URLSearchParams({ version: '1', on, ...values });
  return [
    { path: `${base}/clients?q=client-777`, status: 303 },
    { path: `${base}/clients?q=receipt-client-large-0`, status: 303 },
    { path: `${base}/dues?on=${on}` },
    { path: `${base}/dues?on=${on}&min_days_past_due=90` },
    { path: `${base}/loans?state=active` },
    { path: `${base}/loans?state=ceded` },
    { path: `${base}/requests?status=404` },
    { path: `${base}/products/${configuration}?keys_after=shop-2` },
    { path: `${base}/products/${configuration}/rehearsal?${rehearsal}` },
  ];
}

function pagesOfClient(base: string, { id, loan, receipt, knownAt }: BenchClient): readonly MeasuredPage[] {
  const known = `on=${on}&known_at=${knownAt}`;
  return [
    `/clients/${id}?on=${on}`,
    `/clients/${id}?${known}`,
    `/clients/${id}/statement?from=2026-01-01&to=${on}`,
    `/clients/${id}/changes?on=${on}`,
    `/clients/${id}/explanation?on=${on}&loan=${loan}`,
    `/clients/${id}/explanation?${known}&loan=${loan}&figure=paid`,
    `/loans?client_id=${id}`,
    `/loans/${loan}?on=${on}`,
    `/loans/${loan}?${known}`,
    `/loans/${loan}/statement?from=2026-01-01&to=${on}`,
    `/evidence/loans/${loan}`,
    `/evidence/loans/${loan}/answer`,
    // The first fact registers the Client, the second issues this Loan.
    `/evidence/loans/${loan}/bodies/2`,
    `/evidence/receipts/${receipt}`,
  ].map((path) => ({ path: base + path }));
}

function simulation({ loan }: BenchClient): Readonly<Record<string, string>> {
  const receipt = { act: 'receipt', loan, currency: 'MXN', amount: '500.00', value_date: on };
  const fields = Object.entries(receipt).map(([name, value]) => [`fact-0-${name}`, value]);
  return { on, do: 'simulate', ...Object.fromEntries(fields) };
}
