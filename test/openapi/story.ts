/** One short story of a lender that asks every route once: what the document shows as examples. */

import type { Examples } from '#libs/api/openapi/document.ts';
import type { Method } from '#libs/api/route.ts';
import { type RouteName, routes } from '#libs/api/routes.ts';
import { content, earning } from '#libs/credit/testing/example.ts';
import type { Json, JsonObject } from '#libs/schema/json.ts';

export interface Sent {
  readonly status: number;
  readonly body: Json;
}

export type Send = (method: Method, path: string, body?: Json) => Promise<Sent>;

type Params = { readonly [name: string]: string | number };

/** Asks, and keeps what was asked and answered as the example of its route: the first time is the one that is shown. */
class Teller {
  readonly examples: { [route: string]: Examples[string] } = {};
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  async ask(route: RouteName, params: Params = {}, { body, query = '' }: { body?: Json; query?: string } = {}) {
    const { method, path } = routes[route];
    const named = path
      .replace('/v1/tenants/{tenant_id}', '')
      .replace(/\{([a-z_]+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])));
    const { status, body: answer } = await this.#send(method, named + query, body);
    if (status >= 300) throw new Error(`${route} was answered ${status}: ${JSON.stringify(answer)}`);
    this.examples[route] ??= { status, ...(body === undefined ? {} : { body }), answer };
    return answer as JsonObject & { readonly id: string; readonly events: readonly { id: string; kind: string }[] };
  }
}

const pesos = (minor_units: number) => ({ minor_units, currency: 'MXN' });

let acts = 0;
function account(stated: JsonObject): JsonObject {
  acts += 1;
  return { ...stated, reference: `act-${acts}`, actor: 'ana', basis: 'As agreed with the borrower.' };
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

export async function tellStory(send: Send): Promise<Examples> {
  acts = 0;
  const teller = new Teller(send);
  const products = await makeProducts(teller);
  await decideCredit(teller, products);
  await lendAndCollect(teller, products);
  await changeCourses(teller, products);
  await lookAround(teller, products);
  return teller.examples;
}

interface Products {
  readonly instalment: string;
  readonly payday: string;
}

async function makeProducts(teller: Teller): Promise<Products> {
  const body = { archetype: 'instalment', values: instalment };
  await teller.ask('previewConfiguration', {}, { body });
  const { id } = await teller.ask('createConfiguration', {}, { body });
  const other = await teller.ask('createConfiguration', {}, { body: { archetype: 'payday', values: payday } });
  const named = { configuration_id: id, configuration_version: 2 };
  const values = { ...instalment, late_fee: pesos(15_000), penalty_rate_min: '0', penalty_rate_max: '0' };
  await teller.ask('writeConfigurationVersion', named, { body: { values } });
  await teller.ask('readConfiguration', named);
  await teller.ask('listConfigurationVersions', named);
  await teller.ask('readConfigurationVersion', named);
  await teller.ask('listConfigurations', {}, { query: '?limit=1' });
  const key = { lookup_key: 'three-months' };
  await teller.ask('pointLookupKey', key, { body: { configuration_id: id, configuration_version: 1 } });
  await teller.ask('readLookupKey', key);
  await teller.ask('listLookupKeys');
  await teller.ask('removeLookupKey', key);
  return { instalment: id, payday: other.id };
}

async function decideCredit(teller: Teller, products: Products): Promise<void> {
  const named = { policy: 'retail', policy_version: 1, configuration_id: products.instalment };
  await teller.ask('validatePolicy', named, { body: { content } });
  await teller.ask('draftPolicyVersion', named, { body: account({ content }) });
  await teller.ask('publishPolicyVersion', named, { body: { ...account({}), actor: 'head-of-risk' } });
  await teller.ask('adoptPolicy', named, { body: account({ policy: 'retail', version: 1, enforce_bar: true }) });
  await teller.ask('listPolicies');
  await teller.ask('readPolicy', named);
  await teller.ask('readPolicyVersion', named);
  const client_id = 'carla';
  await teller.ask('registerClient', { client_id }, { body: registration });
  const application = (over: JsonObject): JsonObject => ({
    ...account({}),
    client_id,
    configuration_id: products.instalment,
    configuration_version: 1,
    principal: pesos(1_000_000),
    submitted_on: '2026-01-10',
    sources: ['bureau', 'payslip'],
    ...over,
  });
  const approved = await teller.ask(
    'decide',
    {},
    {
      body: application({ attributes: earning(30_000, 24).attributes, limit: true }),
    },
  );
  const referred = await teller.ask('decide', {}, { body: application({ attributes: earning(5_000, 24).attributes }) });
  await teller.ask(
    'resolveDecision',
    { decision_id: referred.id },
    {
      body: account({ outcome: 'approve', rate: '42', principal_max: pesos(500_000) }),
    },
  );
  await teller.ask('readDecision', { decision_id: approved.id });
  await teller.ask('readResolution', { decision_id: referred.id });
  await teller.ask('listDecisions', {}, { query: `?client=${client_id}&limit=1` });
  await teller.ask('readBar', { client_id }, { query: '?on=2026-02-01' });
  const line = { client_id, decision_id: approved.id, amount: pesos(1_000_000), line: true };
  const days = { opens_on: '2026-01-15', expires_on: '2026-12-31' };
  const facility = await teller.ask('openFacility', {}, { body: account({ ...line, ...days }) });
  await teller.ask('listFacilities', {}, { query: `?client=${client_id}` });
  await teller.ask('readFacility', { facility_id: facility.id });
}

async function lendAndCollect(teller: Teller, products: Products): Promise<void> {
  const client_id = 'ada';
  await teller.ask('registerClient', { client_id }, { body: registration });
  await teller.ask('readClient', { client_id });
  await teller.ask('listClients', {}, { query: '?limit=1' });
  const body = terms(products.instalment, client_id, { merchant_ref: 'corner-shop', context: { branch: 'centre' } });
  await teller.ask('previewLoan', {}, { body });
  const { id: loan_id } = await teller.ask('issueLoan', {}, { body: { ...body, reference: 'loan-1' } });
  const quote = await teller.ask('quotePayoff', { loan_id }, { body: account({ on: '2026-03-01' }) });
  await teller.ask('listPayoffQuotes', { loan_id });
  await teller.ask('readPayoffQuote', { loan_id, quote_id: quote.id });
  const receipt = (reference: string, minor: number, value_date: string): JsonObject => ({
    reference,
    client_id,
    amount: pesos(minor),
    value_date,
    rail: 'bank_transfer',
  });
  const first = receipt('spei-1', 107_000, '2026-02-16');
  await teller.ask('reportReceipt', {}, { body: first });
  const wrong = { ...receipt('spei-3', 5_000, '2026-02-20'), client_id: 'nobody' };
  await teller.ask('reportReceipts', {}, { body: { receipts: [receipt('spei-2', 1_000, '2026-02-18'), wrong] } });
  await teller.ask(
    'reverseReceipt',
    { receipt_reference: 'spei-2' },
    { body: account({ reason: 'returned_by_bank' }) },
  );
  await teller.ask('readReceipt', { receipt_reference: 'spei-1' });
  await teller.ask('readReceiptEvidence', { receipt_reference: 'spei-1' });
  await teller.ask('readLoan', { loan_id });
  await teller.ask('readSchedule', { loan_id }, { query: '?on=2026-03-20' });
  await teller.ask('readDelinquency', { loan_id }, { query: '?on=2026-03-20' });
  await teller.ask('readLoanStatement', { loan_id }, { query: '?from=2026-02-01&to=2026-02-28' });
  await teller.ask('readLoanEvidence', { loan_id });
  await teller.ask('readPaymentOptions', { client_id }, { query: '?on=2026-03-20' });
  await teller.ask('readStatement', { client_id }, { query: '?from=2026-02-01&to=2026-02-28' });
  await teller.ask('listReceipts', { client_id }, { query: '?limit=1' });
  await teller.ask('readObligations', { client_id });
  await teller.ask('readBookVersion', { client_id });
  await teller.ask('readClientBook', { client_id }, { query: '?on=2026-03-20' });
  await teller.ask('readChanges', { client_id }, { query: '?on=2026-03-20&from_facts=3&to_facts=4' });
  const supposed = { act: 'receipt', body: receipt('spei-9', 50_000, '2026-03-20') };
  await teller.ask('simulate', { client_id }, { body: { on: '2026-03-20', facts: [supposed] } });
}

/** A Loan of its own for each act. */
async function changeCourses(teller: Teller, products: Products): Promise<void> {
  const client_id = 'bruno';
  await teller.ask('registerClient', { client_id }, { body: registration });
  let issued = 0;
  const loan = async (over: JsonObject = {}): Promise<{ readonly loan_id: string }> => {
    issued += 1;
    const body = { ...terms(products.instalment, client_id, over), reference: `bruno-${issued}` };
    return { loan_id: (await teller.ask('issueLoan', {}, { body })).id };
  };
  const act = async (route: RouteName, stated: JsonObject, of?: { readonly loan_id: string }) =>
    teller.ask(route, of ?? (await loan()), { body: account(stated) });

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
  await teller.ask('reportReceipt', {}, { body: { reference: 'spei-bruno', ...owed } });
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

async function lookAround(teller: Teller, products: Products): Promise<void> {
  await teller.ask('listLoans', {}, { query: '?client_id=ada' });
  await teller.ask('readFeed', {}, { query: '?limit=2' });
  await teller.ask('readMerchantBook', { merchant_ref: 'corner-shop' }, { query: '?on=2026-03-20' });
  await teller.ask('readDues', {}, { query: '?on=2026-03-20&limit=1' });
  await teller.ask('readBounds');
  await teller.ask('readMarket', { jurisdiction: 'MX' });
  const values = { ...instalment, rate_max: '30' };
  const rehearsal = { values, on: '2026-03-20', limit: 1 };
  await teller.ask('rehearse', { configuration_id: products.instalment }, { body: rehearsal });
  const profile = { legal_name: 'Prestamos del Centro, S.A. de C.V.', trade_name: 'Centro', tax_id: 'PCE010101AB1' };
  await teller.ask('putCompanyProfile', {}, { body: profile });
  await teller.ask('readCompanyProfile');
}
