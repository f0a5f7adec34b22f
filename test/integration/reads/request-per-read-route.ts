/** A request for every read route, and records of each kind that they answer. */
import { expect } from '@jest/globals';
import { CreditWorkflow } from '#test/support/credit-workflow.ts';
import { type Lender, pesos, requireStatus } from '#test/support/lender.ts';

/** By route: the path below the Tenancy, and the body if it has one. */
export interface ReadRequests {
  readonly [route: string]: readonly [path: string, body?: object];
}

const everyThirtyDays = { kind: 'anchored_every_n_days', interval_days: 30 };
const values = { schedule: everyThirtyDays };
const on = '2026-03-20';

/** Records a rescinded Loan, one closed by a payoff, Decisions, a facility and so on, so that every member occurs. */
export async function prepareReadRequests(lender: Lender): Promise<ReadRequests> {
  const { tenant } = lender;
  const pin = await lender.createProduct('instalment', values);
  const configuration = `/product-configurations/${pin.id}`;
  const pointing = { configuration_id: pin.id, configuration_version: pin.version };
  requireStatus(await tenant.put('/product-lookup-keys/sold', pointing), 201);
  requireStatus(await tenant.put('/company-profile', { legal_name: 'Prestamos' }), 200);

  const client = await lender.client();
  const undone = await lender.loan(client, { schedule: everyThirtyDays }, pin);
  await lender.pay(client, 1_000, '2026-01-20');
  await lender.act(undone.id, 'rescind', { on: '2026-01-25' });
  const over = { schedule: everyThirtyDays, anchor: '2026-02-01', merchant_ref: 'shop' };
  const { id } = await lender.loan(client, over, pin);
  const quote = requireStatus(await lender.sendAct(id, 'payoff-quotes', quoting('2026-02-10')), 201).body;
  const paid = { payoff_intent: true, designated_loan_id: id, rail: 'wallet', quote_id: quote.id };
  const { receipt } = await lender.pay(client, quote.owed.total.minor_units, '2026-02-10', paid);
  expect(requireStatus(await tenant.get(`/loans/${id}`), 200).body.state).toBe('closed');

  const credit = new CreditWorkflow(lender, pin);
  const policy = await credit.adopt();
  const minor = await credit.decide(client, 'minor');
  expect(minor.outcome).toBe('not_offered');
  const referred = await credit.decide(client, 'unsure');
  requireStatus(await credit.resolve(referred.id, { outcome: 'refuse' }), 201);
  const { id: approved } = await credit.decide(client, 'good');
  const facility = await credit.openFacility(client, approved);

  const { facts } = requireStatus(await tenant.get(`/clients/${client}/book-version`), 200).body;
  const [ofLoan, ofClient, ofReceipt] = [`/loans/${id}`, `/clients/${client}`, `/receipts/${receipt.reference}`];
  const period = 'from=2026-01-01&to=2026-03-31';
  const dearer = { ...requireStatus(await tenant.get(configuration), 200).body.values, origination_fee: pesos(50_000) };
  return {
    listLoans: ['/loans'],
    readLoan: [ofLoan],
    listPayoffQuotes: [`${ofLoan}/payoff-quotes`],
    readPayoffQuote: [`${ofLoan}/payoff-quotes/${quote.id}`],
    readSchedule: [`${ofLoan}/schedule?on=${on}`],
    readDelinquency: [`${ofLoan}/delinquency?on=${on}`],
    explainLoan: [`${ofLoan}/explanation?on=${on}`],
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
    readAdoptedPolicy: [`${configuration}/policy`],
    readPolicyVersion: [`/credit-policies/retail/versions/${policy}`],
    listDecisions: ['/credit-decisions'],
    readDecision: [`/credit-decisions/${minor.id}`],
    readResolution: [`/credit-decisions/${referred.id}/resolution`],
    readBar: [`/credit-bar/${client}?on=${on}`],
    listFacilities: ['/facilities'],
    readFacility: [`/facilities/${facility.id}`],
    // A filter that matches nothing: every read of this test is logged as well.
    listRequests: ['/requests?code=loan_voided'],
    readDues: [`/dues?on=${on}`],
    readMarket: ['/markets/MX'],
    readCompanyProfile: ['/company-profile'],
  };
}

function quoting(day: string): object {
  return { on: day, reference: `quote-${day}`, actor: 'ana', basis: 'asked by the borrower' };
}
