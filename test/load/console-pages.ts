/** The pages and downloads that are measured: all of the console, and those that need more than a path. */
import { addDays, dayOf, formatDay } from '#libs/calendar/civil-day.ts';
import { inputsOf } from '#services/console/products/rehearsal-form-values.ts';
import { consoleRoutes, fillPath } from '#test/browser/console-routes.ts';
import type { ConsoleVisitor } from '#test/browser/console-visitor.ts';
import { requestBytes } from '#test/support/signed-request.ts';
import { type BenchClient, type ConsoleLender, productValues } from './console-lender.ts';

export interface MeasuredPage {
  /** Stands for all paths of the page. */
  readonly name: string;
  /** Of each read. Figures of another day or moment are not in memory. */
  readonly pathOf: (read: number) => string;
  /** Unless it is 200 alone. */
  readonly statuses?: readonly number[];
  /** Posted where it is stated. */
  readonly form?: Readonly<Record<string, string>>;
}

/** Pages that are not measured, with the reason. */
const notMeasured: ReadonlyMap<string, string> = new Map([
  ['/', 'leads to another page'],
  ['/sign-in', 'reads nothing of a Tenancy'],
  ['/sign-in/link/:token', 'reads nothing of a Tenancy'],
  ['/sign-in/code', 'reads nothing of a Tenancy'],
  ['/health/parked/:tenant/:book', 'no book is parked'],
  ['/account/passkeys/removal', 'the person has no passkey'],
]);

/** A day on which some Loans are late, some are not yet due and some are paid so far. */
const on = '2026-06-30';
/** Before it: of most of these days the figures are computed from an earlier state of the book. */
const dayOfRead = (read: number): string => formatDay(addDays(dayOf('2026-03-01'), read * 5));
/** A later moment in the same stretch between two facts. */
const momentOfRead = (knownAt: string, read: number): string =>
  knownAt.replace('Z', `${String(read).padStart(3, '0')}Z`);

export async function measuredPages(
  lender: ConsoleLender,
  visitor: ConsoleVisitor,
  person: string,
): Promise<readonly MeasuredPage[]> {
  const { id, signer, configuration, policy, large } = lender;
  const base = `/tenancies/${id}`;
  const log = await visitor.get(`${base}/requests`);
  const request = /\/requests\/([0-9a-f-]{36})/.exec(log.text)?.[1] ?? '';
  const names = { tenant: id, client: large.id, loan: large.loan, reference: large.receipt };
  const evidence = { kind: 'loans', name: large.loan, sequence: '2' };
  const ids = { ...names, ...evidence, configuration, policy, request, person, fp: signer.fp };
  const ofRoutes = getPaths()
    .filter((path) => !notMeasured.has(path))
    // Of a Client with very many Loans these are refused.
    .map((path) => page(fillPath(path, ids), ...(/:client\/(statement\.csv|changes)$/.test(path) ? [200, 422] : [])));
  const others = [
    ...pagesOfTenancy(base, lender),
    ...[large, lender.busy, lender.whole].flatMap((client) => pagesOfClient(base, client)),
    ...formPages(base, lender),
  ];
  return [...ofRoutes, ...others];
}

function getPaths(): readonly string[] {
  return consoleRoutes().flatMap(({ method, path }) => (method === 'GET' ? [path] : []));
}

function page(path: string, ...statuses: number[]): MeasuredPage {
  return { name: path, pathOf: () => path, ...(statuses.length === 0 ? {} : { statuses }) };
}

/** `D` and `M` in the path stand for the day and the moment of the read. */
function datedPage(path: string, knownAt: string, ...statuses: number[]): MeasuredPage {
  const pathOf = (read: number): string =>
    path.replace('=D', `=${dayOfRead(read)}`).replace('=M', `=${momentOfRead(knownAt, read)}`);
  return { name: path, pathOf, ...(statuses.length === 0 ? {} : { statuses }) };
}

function pagesOfTenancy(base: string, { configuration, large }: ConsoleLender): readonly MeasuredPage[] {
  const values = inputsOf({ ...productValues, terms: [6, 12], rate_max: '30' });
  const rehearsal = new URLSearchParams({ version: '1', on, ...values });
  return [
    page(`${base}/audit-list?person=nobody`),
    page(`${base}/audit-list?action=key_minted`),
    page(`${base}/audit-list?before=3000`),
    page(`${base}/clients?q=client-777`, 303),
    page(`${base}/clients?q=borrower-777`, 303),
    page(`${base}/clients?q=${large.lastReceipt}`, 303),
    page(`${base}/clients?q=loan-client-large-7`, 303),
    page(`${base}/clients?q=no-such-name`),
    page(`${base}/dues?on=${on}`),
    page(`${base}/dues?on=${on}&min_days_past_due=90`),
    page(`${base}/dues?on=${on}&min_days_past_due=9999`),
    page(`${base}/dues?on=2026-02-20&cursor=borrower-5`),
    datedPage(`${base}/dues?on=D`, ''),
    page(`${base}/dues.csv?on=${on}`),
    page(`${base}/loans?state=active`),
    page(`${base}/loans?state=ceded`),
    page(`${base}/loans?configuration_id=${configuration}&state=closed`),
    page(`${base}/loans.csv?state=ceded`),
    page(`${base}/requests?status=404`),
    page(`${base}/requests?target=no-such-target`),
    page(`${base}/products/${configuration}?keys_after=shop-2`),
    page(`${base}/products/${configuration}/rehearsal?${rehearsal}`),
    datedPage(`${base}/products/${configuration}/rehearsal?${rehearsal}`.replace(`on=${on}`, 'on=D'), ''),
  ];
}

function pagesOfClient(base: string, client: BenchClient): readonly MeasuredPage[] {
  const { id, loan, receipt, lastReceipt, knownAt, facts } = client;
  const changes = (from: number): string => `/clients/${id}/changes?on=${on}&from_facts=${from}&to_facts=${facts}`;
  const days = `from=2026-01-01&to=${on}`;
  // Of a book that is too large, some of these are refused.
  const fixed: readonly [path: string, ...statuses: number[]][] = [
    [`/clients/${id}?on=${on}`],
    [`/clients/${id}/receipts`],
    [`/clients/${id}/receipts.csv`],
    [`/clients/${id}/facilities`],
    [`/clients/${id}/statement?${days}`],
    [`/clients/${id}/statement.csv?${days}`, 200, 422],
    [`/clients/${id}/changes?on=${on}`, 200, 422],
    ...[1, 5, 20, 100].map((back): [string, number, number] => [changes(facts - back), 200, 422]),
    [changes(0), 200, 422],
    [`/clients/${id}/explanation?on=${on}&loan=${loan}`],
    [`/clients/${id}/simulation?loan=${loan}`],
    [`/loans?client_id=${id}`],
    [`/loans.csv?client_id=${id}`],
    [`/loans/${loan}?on=${on}`],
    [`/loans/${loan}/schedule?on=${on}`],
    [`/loans/${loan}/statement?${days}`],
    [`/loans/${loan}/statement.csv?${days}`, 200, 422],
    [`/receipts/${receipt}`],
    [`/receipts/${lastReceipt}`],
    [`/evidence/loans/${loan}`],
    [`/evidence/loans/${loan}/answer`],
    // The first fact registers the Client, the second issues this Loan.
    [`/evidence/loans/${loan}/bodies/2`],
    [`/evidence/receipts/${receipt}`],
  ];
  const dated: readonly [path: string, ...statuses: number[]][] = [
    [`/clients/${id}?on=D`],
    [`/clients/${id}?on=D&known_at=M`],
    [`/clients/${id}/statement?from=2026-02-01&to=D&known_at=M`],
    [`/clients/${id}/changes?on=D&since=M`, 200, 422],
    [`/clients/${id}/explanation?on=D&loan=${loan}`, 200, 422],
    [`/clients/${id}/explanation?on=D&known_at=M&loan=${loan}&figure=paid`, 200, 422],
    [`/loans/${loan}?on=D`],
    [`/loans/${loan}?on=D&known_at=M`],
    [`/loans/${loan}/schedule?on=D&known_at=M`],
    [`/loans/${loan}/statement?from=2026-01-01&to=D`],
    [`/receipts/${lastReceipt}?known_at=M`],
  ];
  return [
    ...fixed.map(([path, ...statuses]) => page(base + path, ...statuses)),
    ...dated.map(([path, ...statuses]) => datedPage(base + path, knownAt, ...statuses)),
  ];
}

/** What is posted and records nothing. */
function formPages(base: string, { id, signer, large, busy, whole }: ConsoleLender): readonly MeasuredPage[] {
  const post = (path: string, form: Readonly<Record<string, string>>, ...statuses: number[]): MeasuredPage => ({
    ...page(base + path, ...statuses),
    form,
  });
  const message = requestBytes(signer, 'GET', `/v1/tenants/${id}/clients`, {}).toString();
  return [
    post(`/clients/${large.id}/simulation`, simulation(large), 422),
    post(`/clients/${busy.id}/simulation`, simulation(busy), 422),
    post(`/clients/${whole.id}/simulation`, simulation(whole)),
    post('/signature', { message, body_as: 'text' }),
  ];
}

function simulation({ loan }: BenchClient): Readonly<Record<string, string>> {
  const receipt = { act: 'receipt', loan, currency: 'MXN', amount: '500.00', value_date: on };
  const fields = Object.entries(receipt).map(([name, value]) => [`fact-0-${name}`, value]);
  return { on, do: 'simulate', ...Object.fromEntries(fields) };
}

/** Fails where a page of the console is neither measured nor left out with a reason. */
export function requireAllMeasured(pages: readonly MeasuredPage[]): void {
  const paths = pages.filter(({ form }) => form === undefined).map(({ pathOf }) => pathOf(0).split('?', 1)[0] ?? '');
  const missing = getPaths().filter((route) => {
    const pattern = new RegExp(`^${route.replaceAll('.', '\\.').replace(/:[a-z]+/g, '[^/]+')}$`);
    return !notMeasured.has(route) && !paths.some((path) => pattern.test(path));
  });
  if (missing.length > 0) throw new Error(`these pages are not measured: ${missing.join(', ')}`);
}
