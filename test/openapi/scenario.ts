/** A short scenario that calls every route once. Its requests and answers are the examples of the document. */

import type { Example, Examples } from '#libs/api/openapi/document.ts';
import { pathNamesIn } from '#libs/api/openapi/route-refusals.ts';
import type { Method } from '#libs/api/route.ts';
import { type RouteName, routes } from '#libs/api/routes.ts';
import { policyContent, withIncome } from '#libs/credit/testing/example.ts';
import type { Json, JsonObject } from '#libs/schema/json.ts';

export interface SentAnswer {
  readonly status: number;
  readonly body: Json;
}

/** The operation of a request and what its path and query hold. */
export interface ScenarioRequest extends Pick<Example, 'params' | 'query' | 'body'> {
  readonly operation: RouteName;
}

export type SendRequest = (
  method: Method,
  path: string,
  body: Json | undefined,
  request: ScenarioRequest,
) => Promise<SentAnswer>;

type Params = { readonly [name: string]: string | number };

/** Calls routes and keeps the first request and answer of each as its example. */
class ExampleRecorder {
  readonly examples: { [route: string]: Examples[string] } = {};
  readonly #send: SendRequest;

  constructor(send: SendRequest) {
    this.#send = send;
  }

  async call(route: RouteName, params: Params = {}, { body, query = '' }: { body?: Json; query?: string } = {}) {
    const { method, path } = routes[route];
    const named = path
      .replace('/v1/tenants/{tenant_id}', '')
      .replace(/\{([a-z_]+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])));
    const pathNames = pathNamesIn(path).filter((name) => name !== 'tenant_id');
    const request = {
      params: Object.fromEntries(pathNames.map((name) => [name, params[name] as string | number])),
      ...(query === '' ? {} : { query: query.slice(1) }),
      ...(body === undefined ? {} : { body }),
    };
    const sent = await this.#send(method, named + query, body, { operation: route, ...request });
    const { status, body: answer } = sent;
    if (status >= 300) throw new Error(`${route} answered ${status}: ${JSON.stringify(answer)}; expected 2xx`);
    this.examples[route] ??= { status, ...request, answer };
    return answer as JsonObject & { readonly id: string; readonly events: readonly { id: string; kind: string }[] };
  }

  /** The next request of the route is its example. */
  forget(route: RouteName): void {
    delete this.examples[route];
  }

  /** Repeats a read until its answer shows what earlier calls have caused, and keeps that answer. */
  async callUntil(route: RouteName, options: { query: string }, isShown: (answer: JsonObject) => boolean) {
    for (;;) {
      const answer = await this.call(route, {}, options);
      if (isShown(answer)) return;
      this.forget(route);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

const pesos = (minor_units: number) => ({ minor_units, currency: 'MXN' });

let actCount = 0;
function withAccount(members: JsonObject): JsonObject {
  actCount += 1;
  return { ...members, reference: `act-${actCount}`, actor: 'ana', basis: 'As agreed with the borrower.' };
}

const registration = { actor: 'ana', basis: 'Signed the contract at the branch.' };

const instalment = {
  principal_min: pesos(100_000),
  principal_max: pesos(5_000_000),
  rate_min: '12',
  rate_max: '60',
  penalty_rate_min: '72',
  penalty_rate_max: '72',
  terms: [3, 6],
  withdrawal_days: 14,
};

const payday = {
  principal_min: pesos(100_000),
  principal_max: pesos(1_000_000),
  rate_min: '12',
  rate_max: '120',
  max_rollovers: 1,
};

/** Three months over 3,000 pesos at 36 per cent, from the middle of January. */
function terms(configuration_id: string, client_id: string, over: JsonObject = {}): JsonObject {
  return {
    client_id,
    configuration_id,
    configuration_version: 1,
    principal: pesos(300_000),
    term_periods: 3,
    rate: '36',
    anchor: '2026-01-15',
    jurisdiction: 'MX',
    tax: { rate: '16', on: ['interest', 'penalty'] },
    ...over,
  };
}

export async function runScenario(send: SendRequest): Promise<Examples> {
  actCount = 0;
  const recorder = new ExampleRecorder(send);
  const products = await makeProducts(recorder);
  await decideCredit(recorder, products);
  await lendAndCollect(recorder, products);
  await recordActs(recorder, products);
  await readListings(recorder, products);
  return recorder.examples;
}

interface Products {
  readonly instalment: string;
  readonly payday: string;
}

async function makeProducts(recorder: ExampleRecorder): Promise<Products> {
  const body = { archetype: 'instalment', values: instalment };
  await recorder.call('previewConfiguration', {}, { body });
  const { id } = await recorder.call('createConfiguration', {}, { body });
  const other = await recorder.call('createConfiguration', {}, { body: { archetype: 'payday', values: payday } });
  const named = { configuration_id: id, configuration_version: 2 };
  const values = { ...instalment, late_fee: pesos(15_000), penalty_rate_min: '0', penalty_rate_max: '0' };
  await recorder.call('writeConfigurationVersion', named, { body: { values } });
  await recorder.call('readConfiguration', named);
  await recorder.call('listConfigurationVersions', named);
  await recorder.call('readConfigurationVersion', named);
  await recorder.call('listConfigurations', {}, { query: '?limit=1' });
  const key = { lookup_key: 'three-months' };
  await recorder.call('pointLookupKey', key, { body: { configuration_id: id, configuration_version: 1 } });
  await recorder.call('readLookupKey', key);
  await recorder.call('listLookupKeys');
  await recorder.call('removeLookupKey', key);
  return { instalment: id, payday: other.id };
}

async function decideCredit(recorder: ExampleRecorder, products: Products): Promise<void> {
  const named = { policy: 'retail', policy_version: 1, configuration_id: products.instalment };
  await recorder.call('validatePolicy', named, { body: { content: policyContent } });
  await recorder.call('draftPolicyVersion', named, { body: withAccount({ content: policyContent }) });
  await recorder.call('publishPolicyVersion', named, { body: { ...withAccount({}), actor: 'head-of-risk' } });
  await recorder.call('adoptPolicy', named, { body: withAccount({ policy: 'retail', version: 1, enforce_bar: true }) });
  await recorder.call('readAdoptedPolicy', named);
  await recorder.call('listPolicies');
  await recorder.call('readPolicy', named);
  await recorder.call('readPolicyVersion', named);
  const client_id = 'carla';
  await recorder.call('registerClient', { client_id }, { body: registration });
  const application = (over: JsonObject): JsonObject => ({
    ...withAccount({}),
    client_id,
    configuration_id: products.instalment,
    configuration_version: 1,
    principal: pesos(1_000_000),
    submitted_on: '2026-01-10',
    sources: ['bureau', 'payslip'],
    ...over,
  });
  const approved = await recorder.call(
    'decide',
    {},
    {
      body: application({ attributes: withIncome(30_000, 24).attributes, limit: true }),
    },
  );
  const referred = await recorder.call(
    'decide',
    {},
    { body: application({ attributes: withIncome(5_000, 24).attributes }) },
  );
  await recorder.call(
    'resolveDecision',
    { decision_id: referred.id },
    {
      body: withAccount({ outcome: 'approve', rate: '42', principal_max: pesos(500_000) }),
    },
  );
  await recorder.call('readDecision', { decision_id: approved.id });
  await recorder.call('readResolution', { decision_id: referred.id });
  await recorder.call('listDecisions', {}, { query: `?client=${client_id}&limit=1` });
  await recorder.call('readBar', { client_id }, { query: '?on=2026-02-01' });
  const line = { client_id, decision_id: approved.id, amount: pesos(1_000_000), line: true };
  const days = { opens_on: '2026-01-15', expires_on: '2026-12-31' };
  const facility = await recorder.call('openFacility', {}, { body: withAccount({ ...line, ...days }) });
  await recorder.call('listFacilities', {}, { query: `?client=${client_id}` });
  await recorder.call('readFacility', { facility_id: facility.id });
}

async function lendAndCollect(recorder: ExampleRecorder, products: Products): Promise<void> {
  const client_id = 'ada';
  // The quick start registers the Client that it lends to.
  recorder.forget('registerClient');
  await recorder.call('registerClient', { client_id }, { body: registration });
  await recorder.call('readClient', { client_id });
  await recorder.call('listClients', {}, { query: '?limit=1' });
  const body = terms(products.instalment, client_id, { merchant_ref: 'corner-shop', context: { branch: 'centre' } });
  await recorder.call('previewLoan', {}, { body });
  const { id: loan_id } = await recorder.call('issueLoan', {}, { body: { ...body, reference: 'loan-1' } });
  const quote = await recorder.call('quotePayoff', { loan_id }, { body: withAccount({ on: '2026-03-01' }) });
  await recorder.call('listPayoffQuotes', { loan_id });
  await recorder.call('readPayoffQuote', { loan_id, quote_id: quote.id });
  const receipt = (reference: string, minor: number, value_date: string): JsonObject => ({
    reference,
    client_id,
    amount: pesos(minor),
    value_date,
    rail: 'bank_transfer',
  });
  const first = receipt('spei-1', 107_000, '2026-02-16');
  await recorder.call('reportReceipt', {}, { body: first });
  const wrong = { ...receipt('spei-3', 5_000, '2026-02-20'), client_id: 'unregistered' };
  await recorder.call('reportReceipts', {}, { body: { receipts: [receipt('spei-2', 1_000, '2026-02-18'), wrong] } });
  await recorder.call(
    'reverseReceipt',
    { receipt_reference: 'spei-2' },
    { body: withAccount({ reason: 'returned_by_bank' }) },
  );
  await recorder.call('readReceipt', { receipt_reference: 'spei-1' });
  await recorder.call('readReceiptEvidence', { receipt_reference: 'spei-1' });
  await recorder.call('readLoan', { loan_id });
  await recorder.call('readSchedule', { loan_id }, { query: '?on=2026-03-20' });
  await recorder.call('readDelinquency', { loan_id }, { query: '?on=2026-03-20' });
  await recorder.call('explainLoan', { loan_id }, { query: '?on=2026-03-20' });
  await recorder.call('readLoanStatement', { loan_id }, { query: '?from=2026-02-01&to=2026-02-28' });
  await recorder.call('readLoanEvidence', { loan_id });
  await recorder.call('readPaymentOptions', { client_id }, { query: '?on=2026-03-20' });
  await recorder.call('readStatement', { client_id }, { query: '?from=2026-02-01&to=2026-02-28' });
  await recorder.call('listReceipts', { client_id }, { query: '?limit=1' });
  await recorder.call('readObligations', { client_id });
  await recorder.call('readBookVersion', { client_id });
  await recorder.call('readClientBook', { client_id }, { query: '?on=2026-03-20' });
  await recorder.call('readChanges', { client_id }, { query: '?on=2026-03-20&from_facts=3&to_facts=4' });
  const supposed = { act: 'receipt', body: receipt('spei-9', 50_000, '2026-03-20') };
  await recorder.call('simulate', { client_id }, { body: { on: '2026-03-20', facts: [supposed] } });
}

/** A Loan of its own for each act. */
async function recordActs(recorder: ExampleRecorder, products: Products): Promise<void> {
  const client_id = 'bruno';
  await recorder.call('registerClient', { client_id }, { body: registration });
  let issued = 0;
  const loan = async (over: JsonObject = {}): Promise<{ readonly loan_id: string }> => {
    issued += 1;
    const body = { ...terms(products.instalment, client_id, over), reference: `bruno-${issued}` };
    return { loan_id: (await recorder.call('issueLoan', {}, { body })).id };
  };
  const act = async (route: RouteName, members: JsonObject, of?: { readonly loan_id: string }) =>
    recorder.call(route, of ?? (await loan()), { body: withAccount(members) });

  const hold_until = '2026-01-31';
  await act('confirmLoan', { on: '2026-01-20' }, await loan({ hold_until }));
  await act('voidLoan', { on: '2026-01-20' }, await loan({ hold_until }));
  await act('cancelLoan', { on: '2026-01-20' });
  await act('rescindLoan', { on: '2026-01-20' });
  await act('withdrawLoan', { on: '2026-01-20' });
  const suspended = await loan();
  const { events } = await act('suspendLoan', { on: '2026-02-01', to: '2026-02-28' }, suspended);
  const suspension_id = events.find(({ kind }) => kind === 'suspended')?.id as string;
  await act('endSuspension', { on: '2026-02-14', suspension_id }, suspended);
  await act('waiveCharge', { on: '2026-02-10', period: 1, charge: 'interest', amount: pesos(1_000) });
  await act('returnGoods', { on: '2026-02-10', amount: pesos(100_000) });
  const short = { configuration_id: products.payday, term_periods: 1, principal: pesos(100_000) };
  const { anchor: _, ...paid } = terms(products.payday, client_id, { ...short, anchor: '2026-01-15' });
  const rolling = await loan({ ...paid, penalty_rate: '0', anchor: '2026-01-15' });
  const owed = { client_id, amount: pesos(3_480), value_date: '2026-02-14', designated_loan_id: rolling.loan_id };
  await recorder.call('reportReceipt', {}, { body: { reference: 'spei-bruno', ...owed } });
  await act('rollOverLoan', { on: '2026-02-14' }, rolling);
  await act('restructureLoan', { on: '2026-03-20', term_periods: 6, rate: '30' });
  await act('accelerateLoan', { on: '2026-06-30', notified_on: '2026-05-01' });
  await act('settleLoan', { on: '2026-03-20', agreed: pesos(250_000), until: '2026-04-15' });
  const writtenOff = await loan();
  const judged = await act('writeOffLoan', { on: '2026-06-30' }, writtenOff);
  await act('cedeLoan', { on: '2026-06-30' });
  const event_id = judged.events.find(({ kind }) => kind === 'written_off')?.id as string;
  await act('retractFact', { on: '2026-07-01', event_id }, writtenOff);
}

async function readListings(recorder: ExampleRecorder, products: Products): Promise<void> {
  await recorder.call('listLoans', {}, { query: '?client_id=ada' });
  await recorder.call('readFeed', {}, { query: '?limit=2' });
  await recorder.call('readMerchantBook', { merchant_ref: 'corner-shop' }, { query: '?on=2026-03-20' });
  await recorder.call('readDues', {}, { query: '?on=2026-03-20&limit=1' });
  await recorder.call('readBounds');
  await recorder.call('readMarket', { jurisdiction: 'MX' });
  await recorder.callUntil(
    'listRequests',
    { query: '?route=readMarket' },
    ({ requests }) => (requests as Json[]).length > 0,
  );
  const values = { ...instalment, rate_max: '30' };
  const rehearsal = { values, on: '2026-03-20', limit: 1 };
  await recorder.call('rehearse', { configuration_id: products.instalment }, { body: rehearsal });
  const profile = { legal_name: 'Prestamos del Centro, S.A. de C.V.', trade_name: 'Centro', tax_id: 'PCE010101AB1' };
  await recorder.call('putCompanyProfile', {}, { body: profile });
  await recorder.call('readCompanyProfile');
}
