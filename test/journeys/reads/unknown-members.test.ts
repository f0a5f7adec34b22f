/**
 * Every read there is, asked by a caller who does not know members that the records behind it are in: none of them is
 * served. A read that is new is missed here until it is asked too.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type RouteName, routes } from '#libs/contract/routes.ts';
import { Desk, mustBe, pesos } from '../desk.ts';
import { house } from '../tenant.ts';
import { Underwriter } from '../underwriter.ts';
import { NextVersion, next, required } from './next-version.ts';

/** Words that no open enumeration holds, but the last: it is an event's kind as well. */
const unknown = {
  loan_state: ['closed'],
  rail: ['wallet'],
  schedule_kind: ['anchored_every_n_days'],
  decision_outcome: ['not_offered'],
  undoing_kind: ['rescinded'],
} as const;

const everyThirtyDays = { kind: 'anchored_every_n_days', interval_days: 30 };
const values = { schedule: everyThirtyDays };
const on = '2026-03-20';

let desk: Desk;
let versions: NextVersion;
/** What is asked of each read: its path below the Tenancy, and its body where it takes one. */
let asked: { readonly [route: string]: readonly [path: string, body?: object] };

beforeAll(async () => {
  desk = await Desk.open(house());
  asked = await everyQuestion(desk);
  versions = await NextVersion.open(house(), desk.tenant.id, unknown);
});
afterAll(async () => {
  await versions.close();
  await desk.close();
});

/** A Loan undone, one closed by a payoff on the rail, a Decision in the outcome: every member is in some record. */
async function everyQuestion(lender: Desk): Promise<typeof asked> {
  const { tenant } = lender;
  const pin = await lender.product('instalment', values);
  const configuration = `/product-configurations/${pin.id}`;
  const pointing = { configuration_id: pin.id, configuration_version: pin.version };
  mustBe(await tenant.put('/product-lookup-keys/sold', pointing), 201);
  mustBe(await tenant.put('/company-profile', { legal_name: 'Prestamos' }), 200);

  const client = await lender.client();
  const undone = await lender.loan(client, { schedule: everyThirtyDays }, pin);
  await lender.pay(client, 1_000, '2026-01-20');
  await lender.act(undone.id, 'rescind', { on: '2026-01-25' });
  const over = { schedule: everyThirtyDays, anchor: '2026-02-01', merchant_ref: 'shop' };
  const { id } = await lender.loan(client, over, pin);
  const quote = mustBe(await lender.send(id, 'payoff-quotes', quoting('2026-02-10')), 201).body;
  const paid = { payoff_intent: true, designated_loan_id: id, rail: 'wallet', quote_id: quote.id };
  const { receipt } = await lender.pay(client, quote.owed.total.minor_units, '2026-02-10', paid);
  expect(mustBe(await tenant.get(`/loans/${id}`), 200).body.state).toBe('closed');

  const credit = new Underwriter(lender, pin);
  const policy = await credit.adopt();
  const minor = await credit.decided(client, 'minor');
  expect(minor.outcome).toBe('not_offered');
  const referred = await credit.decided(client, 'unsure');
  mustBe(await credit.resolve(referred.id, { outcome: 'refuse' }), 201);
  const { id: approved } = await credit.decided(client, 'good');
  const facility = await credit.opened(client, approved);

  const { facts } = mustBe(await tenant.get(`/clients/${client}/book-version`), 200).body;
  const [ofLoan, ofClient, ofReceipt] = [`/loans/${id}`, `/clients/${client}`, `/receipts/${receipt.reference}`];
  const period = 'from=2026-01-01&to=2026-03-31';
  const dearer = { ...mustBe(await tenant.get(configuration), 200).body.values, origination_fee: pesos(50_000) };
  return {
    listLoans: ['/loans'],
    readLoan: [ofLoan],
    listPayoffQuotes: [`${ofLoan}/payoff-quotes`],
    readPayoffQuote: [`${ofLoan}/payoff-quotes/${quote.id}`],
    readSchedule: [`${ofLoan}/schedule?on=${on}`],
    readDelinquency: [`${ofLoan}/delinquency?on=${on}`],
    readLoanStatement: [`${ofLoan}/statement?${period}`],
    readLoanEvidence: [`${ofLoan}/evidence`],
    readFeed: ['/loan-events'],
    listClients: ['/clients'],
    readClient: [ofClient],
    readPaymentOptions: [`${ofClient}/payment-options?on=${on}`],
    readStatement: [`${ofClient}/statement?${period}`],
    listReceipts: [`${ofClient}/receipts`],
    readObligations: [`${ofClient}/obligations`],
    readBookVersion: [`${ofClient}/book-version`],
    readClientBook: [`${ofClient}/book?on=${on}`],
    readChanges: [`${ofClient}/changes?on=${on}&from_facts=0&to_facts=${facts}`],
    simulate: [`${ofClient}/simulate`, { on, facts: [] }],
    readMerchantBook: [`/merchants/shop/book?on=${on}`],
    readReceipt: [ofReceipt],
    readReceiptEvidence: [`${ofReceipt}/evidence`],
    listConfigurations: ['/product-configurations'],
    readConfiguration: [configuration],
    listConfigurationVersions: [`${configuration}/versions`],
    readConfigurationVersion: [`${configuration}/versions/1`],
    rehearse: [`${configuration}/rehearsal`, { values: dearer, on }],
    listLookupKeys: ['/product-lookup-keys?lookup_key=sold'],
    readLookupKey: ['/product-lookup-keys/sold'],
    listPolicies: ['/credit-policies'],
    readPolicy: ['/credit-policies/retail'],
    readPolicyVersion: [`/credit-policies/retail/versions/${policy}`],
    listDecisions: ['/credit-decisions'],
    readDecision: [`/credit-decisions/${minor.id}`],
    readResolution: [`/credit-decisions/${referred.id}/resolution`],
    readBar: [`/credit-bar/${client}?on=${on}`],
    listFacilities: ['/facilities'],
    readFacility: [`/facilities/${facility.id}`],
    readDues: [`/dues?on=${on}`],
    readMarket: ['/markets/MX'],
    readCompanyProfile: ['/company-profile'],
  };
}

function quoting(day: string): object {
  return { on: day, reference: `quote-${day}`, actor: 'ana', basis: 'asked by the borrower' };
}

/** The unknown members in an answer, with where they stand. */
function unknownIn(value: unknown, at = ''): string[] {
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value).flatMap(([name, inner]) => unknownIn(inner, `${at}/${name}`));
  }
  const { undoing_kind: undoing, ...others } = unknown;
  const isUndone = /\/undone\/|\/obligations\/undone/.test(at) && undoing.some((member) => member === value);
  const isOther = Object.values(others).some((members) => (members as readonly unknown[]).includes(value));
  return isUndone || isOther ? [`${at} ${value}`] : [];
}

function ask(route: string, version?: string) {
  const [path, body] = asked[route] as (typeof asked)[string];
  const { method } = routes[route as RouteName];
  return versions.ask(path, { version, method, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
}

/** The stream tells the feed's own rows, and the bounds are told at the door. */
const alike: readonly RouteName[] = ['streamFeed'];

/** They leave records out, and are refused for none. */
const lists: readonly RouteName[] = [
  'listLoans',
  'listReceipts',
  'readMerchantBook',
  'listConfigurations',
  'listConfigurationVersions',
  'rehearse',
  'listLookupKeys',
  'listDecisions',
];

test('every read there is is asked here', () => {
  const reads = (Object.keys(routes) as RouteName[]).filter(
    (name) => routes[name].by === 'query' && !routes[name].open,
  );
  expect([...Object.keys(asked), ...alike].sort()).toEqual(reads.sort());
});

test('no read serves a member to a caller who does not know it: a listing leaves the record out, a read of it is 406', async () => {
  const served: string[] = [];
  const withheld: string[] = [];
  for (const route of Object.keys(asked)) {
    const known = await ask(route, next);
    expect([route, known.status]).toEqual([route, 200]);
    const holds = unknownIn(known.json);
    const got = await ask(route);
    if (holds.length > 0) withheld.push(route);
    if (got.status === 406) {
      expect(got).toMatchObject(required);
      expect([route, lists.includes(route as RouteName)]).toEqual([route, false]);
    } else {
      expect([route, got.status]).toEqual([route, 200]);
      served.push(...unknownIn(got.json).map((found) => `${route} ${found}`));
    }
    // Nothing is withheld from who may read all of it.
    if (holds.length === 0) expect([route, got.status]).toEqual([route, 200]);
  }
  expect(served).toEqual([]);
  // What none of the answers held would not have been missed.
  expect(withheld.length).toBeGreaterThan(15);
});
