/** The routes of the contract. Generated from schemas/openapi.json: npm run schemas:sdk. */
import type { Listing } from '../listing.ts';
import type { AnswerOf, BodyOf, Options, ParametersOf } from '../route-arguments.ts';

/** The version of the contract of these routes. */
export const contractVersion = '2026-10-16';

export const streamPath = '/v1/tenants/{tenant_id}/loan-events/stream';

export const routes = {
  listLoans: { method: 'GET', path: '/v1/tenants/{tenant_id}/loans', query: ['client_id', 'configuration_id', 'merchant_ref', 'state', 'on', 'limit', 'cursor'] },
  issueLoan: { method: 'POST', path: '/v1/tenants/{tenant_id}/loans', query: [], body: true },
  previewLoan: { method: 'POST', path: '/v1/tenants/{tenant_id}/loans/preview', query: [], body: true },
  readLoan: { method: 'GET', path: '/v1/tenants/{tenant_id}/loans/{loan_id}', query: [] },
  confirmLoan: { method: 'POST', path: '/v1/tenants/{tenant_id}/loans/{loan_id}/confirm', query: [], body: true },
  voidLoan: { method: 'POST', path: '/v1/tenants/{tenant_id}/loans/{loan_id}/void', query: [], body: true },
  cancelLoan: { method: 'POST', path: '/v1/tenants/{tenant_id}/loans/{loan_id}/cancel', query: [], body: true },
  rescindLoan: { method: 'POST', path: '/v1/tenants/{tenant_id}/loans/{loan_id}/rescind', query: [], body: true },
  withdrawLoan: { method: 'POST', path: '/v1/tenants/{tenant_id}/loans/{loan_id}/withdraw', query: [], body: true },
  suspendLoan: { method: 'POST', path: '/v1/tenants/{tenant_id}/loans/{loan_id}/suspension', query: [], body: true },
  endSuspension: { method: 'POST', path: '/v1/tenants/{tenant_id}/loans/{loan_id}/suspension-end', query: [], body: true },
  waiveCharge: { method: 'POST', path: '/v1/tenants/{tenant_id}/loans/{loan_id}/waiver', query: [], body: true },
  returnGoods: { method: 'POST', path: '/v1/tenants/{tenant_id}/loans/{loan_id}/return', query: [], body: true },
  rollOverLoan: { method: 'POST', path: '/v1/tenants/{tenant_id}/loans/{loan_id}/rollover', query: [], body: true },
  restructureLoan: { method: 'POST', path: '/v1/tenants/{tenant_id}/loans/{loan_id}/restructure', query: [], body: true },
  accelerateLoan: { method: 'POST', path: '/v1/tenants/{tenant_id}/loans/{loan_id}/acceleration', query: [], body: true },
  settleLoan: { method: 'POST', path: '/v1/tenants/{tenant_id}/loans/{loan_id}/settlement', query: [], body: true },
  writeOffLoan: { method: 'POST', path: '/v1/tenants/{tenant_id}/loans/{loan_id}/write-off', query: [], body: true },
  cedeLoan: { method: 'POST', path: '/v1/tenants/{tenant_id}/loans/{loan_id}/cession', query: [], body: true },
  retractFact: { method: 'POST', path: '/v1/tenants/{tenant_id}/loans/{loan_id}/retraction', query: [], body: true },
  quotePayoff: { method: 'POST', path: '/v1/tenants/{tenant_id}/loans/{loan_id}/payoff-quotes', query: [], body: true },
  listPayoffQuotes: { method: 'GET', path: '/v1/tenants/{tenant_id}/loans/{loan_id}/payoff-quotes', query: ['limit', 'cursor'] },
  readPayoffQuote: { method: 'GET', path: '/v1/tenants/{tenant_id}/loans/{loan_id}/payoff-quotes/{quote_id}', query: [] },
  readSchedule: { method: 'GET', path: '/v1/tenants/{tenant_id}/loans/{loan_id}/schedule', query: ['on', 'known_at'] },
  readDelinquency: { method: 'GET', path: '/v1/tenants/{tenant_id}/loans/{loan_id}/delinquency', query: ['on', 'known_at'] },
  explainLoan: { method: 'GET', path: '/v1/tenants/{tenant_id}/loans/{loan_id}/explanation', query: ['on', 'known_at'] },
  readLoanStatement: { method: 'GET', path: '/v1/tenants/{tenant_id}/loans/{loan_id}/statement', query: ['from', 'to', 'known_at'] },
  readLoanEvidence: { method: 'GET', path: '/v1/tenants/{tenant_id}/loans/{loan_id}/evidence', query: [] },
  readFeed: { method: 'GET', path: '/v1/tenants/{tenant_id}/loan-events', query: ['limit', 'cursor'] },
  listClients: { method: 'GET', path: '/v1/tenants/{tenant_id}/clients', query: ['limit', 'cursor'] },
  registerClient: { method: 'PUT', path: '/v1/tenants/{tenant_id}/clients/{client_id}', query: [], body: true },
  readClient: { method: 'GET', path: '/v1/tenants/{tenant_id}/clients/{client_id}', query: [] },
  readPaymentOptions: { method: 'GET', path: '/v1/tenants/{tenant_id}/clients/{client_id}/payment-options', query: ['on', 'known_at'] },
  readStatement: { method: 'GET', path: '/v1/tenants/{tenant_id}/clients/{client_id}/statement', query: ['from', 'to', 'known_at'] },
  listReceipts: { method: 'GET', path: '/v1/tenants/{tenant_id}/clients/{client_id}/receipts', query: ['limit', 'cursor'] },
  readObligations: { method: 'GET', path: '/v1/tenants/{tenant_id}/clients/{client_id}/obligations', query: ['limit', 'cursor'] },
  readBookVersion: { method: 'GET', path: '/v1/tenants/{tenant_id}/clients/{client_id}/book-version', query: [] },
  readClientBook: { method: 'GET', path: '/v1/tenants/{tenant_id}/clients/{client_id}/book', query: ['on', 'known_at'] },
  readChanges: { method: 'GET', path: '/v1/tenants/{tenant_id}/clients/{client_id}/changes', query: ['on', 'from_facts', 'to_facts', 'known_at'] },
  simulate: { method: 'POST', path: '/v1/tenants/{tenant_id}/clients/{client_id}/simulate', query: [], body: true },
  readMerchantBook: { method: 'GET', path: '/v1/tenants/{tenant_id}/merchants/{merchant_ref}/book', query: ['on', 'limit', 'cursor'] },
  reportReceipt: { method: 'POST', path: '/v1/tenants/{tenant_id}/receipts', query: [], body: true },
  reportReceipts: { method: 'POST', path: '/v1/tenants/{tenant_id}/receipts/batch', query: [], body: true },
  reverseReceipt: { method: 'POST', path: '/v1/tenants/{tenant_id}/receipts/{receipt_reference}/reversal', query: [], body: true },
  readReceipt: { method: 'GET', path: '/v1/tenants/{tenant_id}/receipts/{receipt_reference}', query: [] },
  readReceiptEvidence: { method: 'GET', path: '/v1/tenants/{tenant_id}/receipts/{receipt_reference}/evidence', query: [] },
  createConfiguration: { method: 'POST', path: '/v1/tenants/{tenant_id}/product-configurations', query: [], body: true, keyed: true },
  listConfigurations: { method: 'GET', path: '/v1/tenants/{tenant_id}/product-configurations', query: ['limit', 'cursor'] },
  previewConfiguration: { method: 'POST', path: '/v1/tenants/{tenant_id}/product-configurations/preview', query: [], body: true },
  readConfiguration: { method: 'GET', path: '/v1/tenants/{tenant_id}/product-configurations/{configuration_id}', query: [] },
  listConfigurationVersions: { method: 'GET', path: '/v1/tenants/{tenant_id}/product-configurations/{configuration_id}/versions', query: ['limit', 'cursor'] },
  writeConfigurationVersion: { method: 'POST', path: '/v1/tenants/{tenant_id}/product-configurations/{configuration_id}/versions', query: [], body: true, keyed: true },
  readConfigurationVersion: { method: 'GET', path: '/v1/tenants/{tenant_id}/product-configurations/{configuration_id}/versions/{configuration_version}', query: [] },
  adoptPolicy: { method: 'PUT', path: '/v1/tenants/{tenant_id}/product-configurations/{configuration_id}/policy', query: [], body: true },
  readAdoptedPolicy: { method: 'GET', path: '/v1/tenants/{tenant_id}/product-configurations/{configuration_id}/policy', query: [] },
  rehearse: { method: 'POST', path: '/v1/tenants/{tenant_id}/product-configurations/{configuration_id}/rehearsal', query: [], body: true },
  listLookupKeys: { method: 'GET', path: '/v1/tenants/{tenant_id}/product-lookup-keys', query: ['lookup_key'] },
  readLookupKey: { method: 'GET', path: '/v1/tenants/{tenant_id}/product-lookup-keys/{lookup_key}', query: [] },
  pointLookupKey: { method: 'PUT', path: '/v1/tenants/{tenant_id}/product-lookup-keys/{lookup_key}', query: [], body: true },
  removeLookupKey: { method: 'DELETE', path: '/v1/tenants/{tenant_id}/product-lookup-keys/{lookup_key}', query: [] },
  listPolicies: { method: 'GET', path: '/v1/tenants/{tenant_id}/credit-policies', query: ['limit', 'cursor'] },
  readPolicy: { method: 'GET', path: '/v1/tenants/{tenant_id}/credit-policies/{policy}', query: ['limit', 'cursor'] },
  readPolicyVersion: { method: 'GET', path: '/v1/tenants/{tenant_id}/credit-policies/{policy}/versions/{policy_version}', query: [] },
  validatePolicy: { method: 'POST', path: '/v1/tenants/{tenant_id}/credit-policies/{policy}/validate', query: [], body: true },
  draftPolicyVersion: { method: 'POST', path: '/v1/tenants/{tenant_id}/credit-policies/{policy}/versions', query: [], body: true },
  publishPolicyVersion: { method: 'POST', path: '/v1/tenants/{tenant_id}/credit-policies/{policy}/versions/{policy_version}/publication', query: [], body: true },
  decide: { method: 'POST', path: '/v1/tenants/{tenant_id}/credit-decisions', query: [], body: true },
  listDecisions: { method: 'GET', path: '/v1/tenants/{tenant_id}/credit-decisions', query: ['client', 'limit', 'cursor'] },
  readDecision: { method: 'GET', path: '/v1/tenants/{tenant_id}/credit-decisions/{decision_id}', query: [] },
  resolveDecision: { method: 'POST', path: '/v1/tenants/{tenant_id}/credit-decisions/{decision_id}/resolution', query: [], body: true },
  readResolution: { method: 'GET', path: '/v1/tenants/{tenant_id}/credit-decisions/{decision_id}/resolution', query: [] },
  readBar: { method: 'GET', path: '/v1/tenants/{tenant_id}/credit-bar/{client_id}', query: ['on', 'known_at'] },
  openFacility: { method: 'POST', path: '/v1/tenants/{tenant_id}/facilities', query: [], body: true },
  listFacilities: { method: 'GET', path: '/v1/tenants/{tenant_id}/facilities', query: ['client'] },
  readFacility: { method: 'GET', path: '/v1/tenants/{tenant_id}/facilities/{facility_id}', query: [] },
  readDues: { method: 'GET', path: '/v1/tenants/{tenant_id}/dues', query: ['on', 'only', 'min_days_past_due', 'limit', 'cursor'] },
  readBounds: { method: 'GET', path: '/v1/tenants/{tenant_id}/bounds', query: [] },
  listRequests: { method: 'GET', path: '/v1/tenants/{tenant_id}/requests', query: ['request_id', 'caller_request_id', 'day', 'fp', 'method', 'route', 'target', 'status', 'code', 'limit', 'cursor'] },
  readMarket: { method: 'GET', path: '/v1/tenants/{tenant_id}/markets/{jurisdiction}', query: [] },
  putCompanyProfile: { method: 'PUT', path: '/v1/tenants/{tenant_id}/company-profile', query: [], body: true },
  readCompanyProfile: { method: 'GET', path: '/v1/tenants/{tenant_id}/company-profile', query: [] },
  readLiveness: { method: 'GET', path: '/livez', query: [] },
  readReadiness: { method: 'GET', path: '/readyz', query: [] },
  readOpenApi: { method: 'GET', path: '/v1/openapi.json', query: [] },
  readDocs: { method: 'GET', path: '/docs', query: [], reads: 'text' },
  readChangelog: { method: 'GET', path: '/changelog', query: [], reads: 'text' },
} as const;

/** The paged routes, and the list of their pages. */
export const pages = {
  listLoans: 'loans',
  listPayoffQuotes: 'quotes',
  listClients: 'clients',
  listReceipts: 'receipts',
  readObligations: 'receipts',
  readMerchantBook: 'loans',
  listConfigurations: 'configurations',
  listConfigurationVersions: 'versions',
  rehearse: 'loans',
  listPolicies: 'policies',
  readPolicy: 'versions',
  listDecisions: 'decisions',
  readDues: 'clients',
  listRequests: 'requests',
} as const;

export type PagedRoute = keyof typeof pages;
type ListOf<Name extends PagedRoute> = AnswerOf<Name>[(typeof pages)[Name] & keyof AnswerOf<Name>];
/** What the list of a page holds. */
export type ItemOf<Name extends PagedRoute> = NonNullable<ListOf<Name>> extends readonly (infer Item)[] ? Item : never;

/** A method for each route. */
export interface RouteMethods {
  /**
   * List Loans: `GET /v1/tenants/{tenant_id}/loans`
   *
   * Reads the books of the Clients whose Loans are on the page, all as of one moment. With `state` or `client_id`, at most ten times `limit` Loans are examined for a page, so a page may be short or empty and still have a `cursor`. A Loan issued with a hold and not confirmed is listed only if `state` is `held`, `expired` or `voided`. Its position is that of its issuance: if it is confirmed while a caller reads the pages, it may or may not appear. If the book of a Client cannot be computed, the other Clients are not affected: its Loans are listed from their own recorded facts alone, with `book_not_derivable` in their `anomalies`. Read your write: yes.
   */
  listLoans(at?: ParametersOf<'listLoans'>, options?: Options): Listing<AnswerOf<'listLoans'>, ItemOf<'listLoans'>>;
  /**
   * Issue a Loan: `POST /v1/tenants/{tenant_id}/loans`
   *
   * Reads the configuration version, the market's law and the book of the Client. Records an `issued` fact with the terms, plan, disclosure and regime, which never change. Every read shows it as soon as this is answered.
   */
  issueLoan(body: BodyOf<'issueLoan'>, options?: Options): Promise<AnswerOf<'issueLoan'>>;
  /**
   * Preview a Loan: `POST /v1/tenants/{tenant_id}/loans/preview`
   *
   * Runs every check of issuance in the same order, on the same facts, and records nothing. `reference` is ignored. Read your write: yes.
   */
  previewLoan(body: BodyOf<'previewLoan'>, options?: Options): Promise<AnswerOf<'previewLoan'>>;
  /**
   * Read a Loan: `GET /v1/tenants/{tenant_id}/loans/{loan_id}`
   *
   * Reads the book of the Loan's Client: every fact recorded about the Client. The state is computed from all recorded facts. The read takes no day. Read your write: yes.
   */
  readLoan(at: ParametersOf<'readLoan'>, options?: Options): Promise<AnswerOf<'readLoan'>>;
  /**
   * Confirm a held Loan: `POST /v1/tenants/{tenant_id}/loans/{loan_id}/confirm`
   *
   * The hold ends, and the Loan is in force from this day on. Records a `confirmed` fact about the Loan, and answers the whole Loan. Every read shows it as soon as this is answered.
   */
  confirmLoan(at: ParametersOf<'confirmLoan'>, body: BodyOf<'confirmLoan'>, options?: Options): Promise<AnswerOf<'confirmLoan'>>;
  /**
   * Void a held Loan: `POST /v1/tenants/{tenant_id}/loans/{loan_id}/void`
   *
   * The Loan counts as not issued. Records a `voided` fact about the Loan, and answers the whole Loan. Every read shows it as soon as this is answered.
   */
  voidLoan(at: ParametersOf<'voidLoan'>, body: BodyOf<'voidLoan'>, options?: Options): Promise<AnswerOf<'voidLoan'>>;
  /**
   * Cancel a Loan: `POST /v1/tenants/{tenant_id}/loans/{loan_id}/cancel`
   *
   * Only while no Receipt has settled anything on it. Records a `cancelled` fact about the Loan, and answers the whole Loan. Every read shows it as soon as this is answered.
   */
  cancelLoan(at: ParametersOf<'cancelLoan'>, body: BodyOf<'cancelLoan'>, options?: Options): Promise<AnswerOf<'cancelLoan'>>;
  /**
   * Rescind a Loan: `POST /v1/tenants/{tenant_id}/loans/{loan_id}/rescind`
   *
   * The Loan is undone, and what it received goes back to the Client. Records a `rescinded` fact about the Loan, and answers the whole Loan. Every read shows it as soon as this is answered.
   */
  rescindLoan(at: ParametersOf<'rescindLoan'>, body: BodyOf<'rescindLoan'>, options?: Options): Promise<AnswerOf<'rescindLoan'>>;
  /**
   * Withdraw from a Loan: `POST /v1/tenants/{tenant_id}/loans/{loan_id}/withdraw`
   *
   * The borrower withdraws within the days the product or the law gives. Records a `withdrawn` fact about the Loan, and answers the whole Loan. Every read shows it as soon as this is answered.
   */
  withdrawLoan(at: ParametersOf<'withdrawLoan'>, body: BodyOf<'withdrawLoan'>, options?: Options): Promise<AnswerOf<'withdrawLoan'>>;
  /**
   * Suspend a Loan: `POST /v1/tenants/{tenant_id}/loans/{loan_id}/suspension`
   *
   * The days from `on` to `to` do not count for lateness or penalty. Records a `suspended` fact about the Loan, and answers the whole Loan. Every read shows it as soon as this is answered.
   */
  suspendLoan(at: ParametersOf<'suspendLoan'>, body: BodyOf<'suspendLoan'>, options?: Options): Promise<AnswerOf<'suspendLoan'>>;
  /**
   * End a suspension early: `POST /v1/tenants/{tenant_id}/loans/{loan_id}/suspension-end`
   *
   * Days count for lateness and penalty again from `on`. Records a `suspension_ended` fact about the Loan, and answers the whole Loan. Every read shows it as soon as this is answered.
   */
  endSuspension(at: ParametersOf<'endSuspension'>, body: BodyOf<'endSuspension'>, options?: Options): Promise<AnswerOf<'endSuspension'>>;
  /**
   * Waive a charge: `POST /v1/tenants/{tenant_id}/loans/{loan_id}/waiver`
   *
   * Releases part of a charge of one period. Records a `waived` fact about the Loan, and answers the whole Loan. Every read shows it as soon as this is answered.
   */
  waiveCharge(at: ParametersOf<'waiveCharge'>, body: BodyOf<'waiveCharge'>, options?: Options): Promise<AnswerOf<'waiveCharge'>>;
  /**
   * Return goods: `POST /v1/tenants/{tenant_id}/loans/{loan_id}/return`
   *
   * Splits the value of what went back by what the Loan still owed. Records a `returned` fact about the Loan, and answers the whole Loan. Every read shows it as soon as this is answered.
   */
  returnGoods(at: ParametersOf<'returnGoods'>, body: BodyOf<'returnGoods'>, options?: Options): Promise<AnswerOf<'returnGoods'>>;
  /**
   * Roll a payday Loan over: `POST /v1/tenants/{tenant_id}/loans/{loan_id}/rollover`
   *
   * Opens another period for its principal. Records a `rolled_over` fact about the Loan, and answers the whole Loan. Every read shows it as soon as this is answered.
   */
  rollOverLoan(at: ParametersOf<'rollOverLoan'>, body: BodyOf<'rollOverLoan'>, options?: Options): Promise<AnswerOf<'rollOverLoan'>>;
  /**
   * Restructure a Loan: `POST /v1/tenants/{tenant_id}/loans/{loan_id}/restructure`
   *
   * Makes a new plan of what is owed. Records a `restructured` fact about the Loan, and answers the whole Loan. Every read shows it as soon as this is answered.
   */
  restructureLoan(at: ParametersOf<'restructureLoan'>, body: BodyOf<'restructureLoan'>, options?: Options): Promise<AnswerOf<'restructureLoan'>>;
  /**
   * Call the whole balance: `POST /v1/tenants/{tenant_id}/loans/{loan_id}/acceleration`
   *
   * Everything owed falls due on `on`. Records a `accelerated` fact about the Loan, and answers the whole Loan. Every read shows it as soon as this is answered.
   */
  accelerateLoan(at: ParametersOf<'accelerateLoan'>, body: BodyOf<'accelerateLoan'>, options?: Options): Promise<AnswerOf<'accelerateLoan'>>;
  /**
   * Agree a settlement for less: `POST /v1/tenants/{tenant_id}/loans/{loan_id}/settlement`
   *
   * The agreed sum discharges the Loan where it comes in time. Records a `settled_for_less` fact about the Loan, and answers the whole Loan. Every read shows it as soon as this is answered.
   */
  settleLoan(at: ParametersOf<'settleLoan'>, body: BodyOf<'settleLoan'>, options?: Options): Promise<AnswerOf<'settleLoan'>>;
  /**
   * Write a Loan off: `POST /v1/tenants/{tenant_id}/loans/{loan_id}/write-off`
   *
   * Charging stops; the debt stays on record at its cost. Records a `written_off` fact about the Loan, and answers the whole Loan. Every read shows it as soon as this is answered.
   */
  writeOffLoan(at: ParametersOf<'writeOffLoan'>, body: BodyOf<'writeOffLoan'>, options?: Options): Promise<AnswerOf<'writeOffLoan'>>;
  /**
   * Cede a Loan: `POST /v1/tenants/{tenant_id}/loans/{loan_id}/cession`
   *
   * The debt is the assignee’s from the cut-off on. Records a `ceded` fact about the Loan, and answers the whole Loan. Every read shows it as soon as this is answered.
   */
  cedeLoan(at: ParametersOf<'cedeLoan'>, body: BodyOf<'cedeLoan'>, options?: Options): Promise<AnswerOf<'cedeLoan'>>;
  /**
   * Withdraw a fact: `POST /v1/tenants/{tenant_id}/loans/{loan_id}/retraction`
   *
   * The fact named by `event_id` has no effect any more, on any day, and stays readable. Answers the whole Loan. Every read shows it as soon as this is answered.
   */
  retractFact(at: ParametersOf<'retractFact'>, body: BodyOf<'retractFact'>, options?: Options): Promise<AnswerOf<'retractFact'>>;
  /**
   * Quote a payoff: `POST /v1/tenants/{tenant_id}/loans/{loan_id}/payoff-quotes`
   *
   * Records the amount that discharges the Loan on the day, as the book is now. A quote does not bind, and does not change the book version. Every read shows it as soon as this is answered.
   */
  quotePayoff(at: ParametersOf<'quotePayoff'>, body: BodyOf<'quotePayoff'>, options?: Options): Promise<AnswerOf<'quotePayoff'>>;
  /**
   * List the payoff quotes of a Loan: `GET /v1/tenants/{tenant_id}/loans/{loan_id}/payoff-quotes`
   *
   * Reads the book of the Loan's Client: every fact recorded about the Client. Read your write: yes.
   */
  listPayoffQuotes(at: ParametersOf<'listPayoffQuotes'>, options?: Options): Listing<AnswerOf<'listPayoffQuotes'>, ItemOf<'listPayoffQuotes'>>;
  /**
   * Read a payoff quote: `GET /v1/tenants/{tenant_id}/loans/{loan_id}/payoff-quotes/{quote_id}`
   *
   * Reads the book of the Loan's Client: every fact recorded about the Client. Read your write: yes.
   */
  readPayoffQuote(at: ParametersOf<'readPayoffQuote'>, options?: Options): Promise<AnswerOf<'readPayoffQuote'>>;
  /**
   * Read a Loan's schedule on a day: `GET /v1/tenants/{tenant_id}/loans/{loan_id}/schedule`
   *
   * Reads the book of the Loan's Client: every fact recorded about the Client. The figures on the day. Read your write: yes.
   */
  readSchedule(at: ParametersOf<'readSchedule'>, options?: Options): Promise<AnswerOf<'readSchedule'>>;
  /**
   * Read a Loan's delays on a day: `GET /v1/tenants/{tenant_id}/loans/{loan_id}/delinquency`
   *
   * Reads the book of the Loan's Client: every fact recorded about the Client. The figures on the day. Read your write: yes.
   */
  readDelinquency(at: ParametersOf<'readDelinquency'>, options?: Options): Promise<AnswerOf<'readDelinquency'>>;
  /**
   * Explain the figures of a Loan on a day: `GET /v1/tenants/{tenant_id}/loans/{loan_id}/explanation`
   *
   * Reads the book of the Loan's Client: every fact recorded about the Client. The Loan, its payment options and its schedule on the day as of one moment, the part of each period in every figure, and the newest fifty Receipts that settled something by the day. Read your write: yes.
   */
  explainLoan(at: ParametersOf<'explainLoan'>, options?: Options): Promise<AnswerOf<'explainLoan'>>;
  /**
   * Read one Loan's statement: `GET /v1/tenants/{tenant_id}/loans/{loan_id}/statement`
   *
   * Reads the book of the Loan's Client: every fact recorded about the Client. Every change of what the Loan owes, both days included. Read your write: yes.
   */
  readLoanStatement(at: ParametersOf<'readLoanStatement'>, options?: Options): Promise<AnswerOf<'readLoanStatement'>>;
  /**
   * Prove the facts of a Loan: `GET /v1/tenants/{tenant_id}/loans/{loan_id}/evidence`
   *
   * Reads the book of the Loan's Client: every fact recorded about the Client. Each fact comes with the signed submission that caused it, so that it can be verified without the service. Read your write: yes.
   */
  readLoanEvidence(at: ParametersOf<'readLoanEvidence'>, options?: Options): Promise<AnswerOf<'readLoanEvidence'>>;
  /**
   * Follow the events of all Loans: `GET /v1/tenants/{tenant_id}/loan-events`
   *
   * Reads the facts of all Loans of the Tenancy in the order of commit. A page without events and with an unchanged cursor is the end of the feed so far. Cursors never expire. Read your write: yes.
   */
  readFeed(at?: ParametersOf<'readFeed'>, options?: Options): Promise<AnswerOf<'readFeed'>>;
  /**
   * List the registered Clients: `GET /v1/tenants/{tenant_id}/clients`
   *
   * Reads the registrations of the Tenancy. Read your write: yes.
   */
  listClients(at?: ParametersOf<'listClients'>, options?: Options): Listing<AnswerOf<'listClients'>, ItemOf<'listClients'>>;
  /**
   * Register a Client: `PUT /v1/tenants/{tenant_id}/clients/{client_id}`
   *
   * Records the registration. The same registration again answers 200. A registration does not change the book version. Every read shows it as soon as this is answered.
   */
  registerClient(at: ParametersOf<'registerClient'>, body: BodyOf<'registerClient'>, options?: Options): Promise<AnswerOf<'registerClient'>>;
  /**
   * Read a Client's registration: `GET /v1/tenants/{tenant_id}/clients/{client_id}`
   *
   * Reads the book of the Client: every fact recorded about the Client. Read your write: yes.
   */
  readClient(at: ParametersOf<'readClient'>, options?: Options): Promise<AnswerOf<'readClient'>>;
  /**
   * Read what a Client can pay on a day: `GET /v1/tenants/{tenant_id}/clients/{client_id}/payment-options`
   *
   * Reads the book of the Client: every fact recorded about the Client. The figures on the day. The `ETag` changes with every fact about the Client and with every release of the service; if it is sent in `If-None-Match` and still current, the answer is 304 without a body. For a Client that is not registered the answer is empty. Read your write: yes.
   */
  readPaymentOptions(at: ParametersOf<'readPaymentOptions'>, options?: Options): Promise<AnswerOf<'readPaymentOptions'>>;
  /**
   * Read a Client's statement: `GET /v1/tenants/{tenant_id}/clients/{client_id}/statement`
   *
   * Reads the book of the Client: every fact recorded about the Client. From `from` to `to`, both included. For a Client that is not registered the answer is empty. Read your write: yes.
   */
  readStatement(at: ParametersOf<'readStatement'>, options?: Options): Promise<AnswerOf<'readStatement'>>;
  /**
   * List a Client's Receipts: `GET /v1/tenants/{tenant_id}/clients/{client_id}/receipts`
   *
   * Reads the book of the Client: every fact recorded about the Client. For a Client that is not registered the answer is empty. Read your write: yes.
   */
  listReceipts(at: ParametersOf<'listReceipts'>, options?: Options): Listing<AnswerOf<'listReceipts'>, ItemOf<'listReceipts'>>;
  /**
   * Read what is owed back to a Client: `GET /v1/tenants/{tenant_id}/clients/{client_id}/obligations`
   *
   * Reads the book of the Client: every fact recorded about the Client. `limit` applies to `receipts` only; all other members are complete. The service records what is owed and moves no money. For a Client that is not registered the answer is empty. Read your write: yes.
   */
  readObligations(at: ParametersOf<'readObligations'>, options?: Options): Listing<AnswerOf<'readObligations'>, ItemOf<'readObligations'>>;
  /**
   * Read the version of a Client's book: `GET /v1/tenants/{tenant_id}/clients/{client_id}/book-version`
   *
   * Reads the number of facts recorded about the Client and the moment of the last one. Compare both. Payoff quotes do not change them. Read your write: yes.
   */
  readBookVersion(at: ParametersOf<'readBookVersion'>, options?: Options): Promise<AnswerOf<'readBookVersion'>>;
  /**
   * Read a Client's whole book on a day: `GET /v1/tenants/{tenant_id}/clients/{client_id}/book`
   *
   * Reads the book of the Client: every fact recorded about the Client. Everything that the other reads answer, as of one moment. For a Client that is not registered the answer is empty. Read your write: yes.
   */
  readClientBook(at: ParametersOf<'readClientBook'>, options?: Options): Promise<AnswerOf<'readClientBook'>>;
  /**
   * Explain why figures changed: `GET /v1/tenants/{tenant_id}/clients/{client_id}/changes`
   *
   * Reads the book of the Client: every fact recorded about the Client. Compares the figures of a day in two book versions, and names the facts that changed each figure. Read your write: yes.
   */
  readChanges(at: ParametersOf<'readChanges'>, options?: Options): Promise<AnswerOf<'readChanges'>>;
  /**
   * Simulate acts and Receipts: `POST /v1/tenants/{tenant_id}/clients/{client_id}/simulate`
   *
   * Reads the book of the Client: every fact recorded about the Client. Decides each supposed fact as its own route would, one after the other, and records nothing. A Loan issued earlier in the simulation is named by the reference of its issuance: `loan_reference` instead of `loan_id`, and for a Receipt `designated_loan_reference` instead of `designated_loan_id`. Read your write: yes.
   */
  simulate(at: ParametersOf<'simulate'>, body: BodyOf<'simulate'>, options?: Options): Promise<AnswerOf<'simulate'>>;
  /**
   * Read a merchant's book on a day: `GET /v1/tenants/{tenant_id}/merchants/{merchant_ref}/book`
   *
   * Reads the books of the Clients whose Loans name the merchant, all as of one moment. If the book of a Client cannot be computed, the other Clients are not affected: its Loans are listed from their own recorded facts alone, with `book_not_derivable` in their `anomalies`, and are not included in totals. Read your write: yes.
   */
  readMerchantBook(at: ParametersOf<'readMerchantBook'>, options?: Options): Listing<AnswerOf<'readMerchantBook'>, ItemOf<'readMerchantBook'>>;
  /**
   * Report a Receipt: `POST /v1/tenants/{tenant_id}/receipts`
   *
   * Records money that arrived, by its value date, and answers how it was allocated. Money without a designated Loan is allocated over all Loans of the Client in its currency. Every read shows it as soon as this is answered.
   */
  reportReceipt(body: BodyOf<'reportReceipt'>, options?: Options): Promise<AnswerOf<'reportReceipt'>>;
  /**
   * Report many Receipts: `POST /v1/tenants/{tenant_id}/receipts/batch`
   *
   * Records each Receipt by itself, those of one Client in the order of the batch. `outcomes` has for each what `POST /receipts` would have answered. Sending the batch again is safe for each Receipt. Every read shows it as soon as this is answered.
   */
  reportReceipts(body: BodyOf<'reportReceipts'>, options?: Options): Promise<AnswerOf<'reportReceipts'>>;
  /**
   * Reverse a Receipt: `POST /v1/tenants/{tenant_id}/receipts/{receipt_reference}/reversal`
   *
   * Records that the money was returned. Its allocation is undone as if the money had never arrived. A reversal is accepted in every state of a Loan. Every read shows it as soon as this is answered.
   */
  reverseReceipt(at: ParametersOf<'reverseReceipt'>, body: BodyOf<'reverseReceipt'>, options?: Options): Promise<AnswerOf<'reverseReceipt'>>;
  /**
   * Read a Receipt: `GET /v1/tenants/{tenant_id}/receipts/{receipt_reference}`
   *
   * Reads the book of the Receipt's Client: every fact recorded about the Client. How the money of the Receipt is allocated, by all recorded facts. Read your write: yes.
   */
  readReceipt(at: ParametersOf<'readReceipt'>, options?: Options): Promise<AnswerOf<'readReceipt'>>;
  /**
   * Prove the facts of a Receipt: `GET /v1/tenants/{tenant_id}/receipts/{receipt_reference}/evidence`
   *
   * Reads the book of the Receipt's Client: every fact recorded about the Client. Each fact comes with the signed submission that caused it. Read your write: yes.
   */
  readReceiptEvidence(at: ParametersOf<'readReceiptEvidence'>, options?: Options): Promise<AnswerOf<'readReceiptEvidence'>>;
  /**
   * Create a configuration: `POST /v1/tenants/{tenant_id}/product-configurations`
   *
   * Records a configuration at version 1. With an `Idempotency-Key`, identical requests get the first outcome for 24 hours; without one, every request records a new one. Every read shows it as soon as this is answered.
   */
  createConfiguration(body: BodyOf<'createConfiguration'>, options?: Options): Promise<AnswerOf<'createConfiguration'>>;
  /**
   * List the configurations: `GET /v1/tenants/{tenant_id}/product-configurations`
   *
   * Reads the Tenancy's own book: every fact recorded about its products. Read your write: yes.
   */
  listConfigurations(at?: ParametersOf<'listConfigurations'>, options?: Options): Listing<AnswerOf<'listConfigurations'>, ItemOf<'listConfigurations'>>;
  /**
   * Preview a configuration: `POST /v1/tenants/{tenant_id}/product-configurations/preview`
   *
   * Runs every check of creation in the same order and records nothing. Read your write: yes.
   */
  previewConfiguration(body: BodyOf<'previewConfiguration'>, options?: Options): Promise<AnswerOf<'previewConfiguration'>>;
  /**
   * Read a configuration at its latest version: `GET /v1/tenants/{tenant_id}/product-configurations/{configuration_id}`
   *
   * Reads the Tenancy's own book: every fact recorded about its products. Read your write: yes.
   */
  readConfiguration(at: ParametersOf<'readConfiguration'>, options?: Options): Promise<AnswerOf<'readConfiguration'>>;
  /**
   * List the versions of a configuration: `GET /v1/tenants/{tenant_id}/product-configurations/{configuration_id}/versions`
   *
   * Reads the Tenancy's own book: every fact recorded about its products. Read your write: yes.
   */
  listConfigurationVersions(at: ParametersOf<'listConfigurationVersions'>, options?: Options): Listing<AnswerOf<'listConfigurationVersions'>, ItemOf<'listConfigurationVersions'>>;
  /**
   * Write a new version of a configuration: `POST /v1/tenants/{tenant_id}/product-configurations/{configuration_id}/versions`
   *
   * Records all values as the next version. Issued Loans do not change. With an `Idempotency-Key`, identical requests get the first outcome for 24 hours; without one, every request records a new one. Every read shows it as soon as this is answered.
   */
  writeConfigurationVersion(at: ParametersOf<'writeConfigurationVersion'>, body: BodyOf<'writeConfigurationVersion'>, options?: Options): Promise<AnswerOf<'writeConfigurationVersion'>>;
  /**
   * Read one version of a configuration: `GET /v1/tenants/{tenant_id}/product-configurations/{configuration_id}/versions/{configuration_version}`
   *
   * Reads the Tenancy's own book: every fact recorded about its products. Read your write: yes.
   */
  readConfigurationVersion(at: ParametersOf<'readConfigurationVersion'>, options?: Options): Promise<AnswerOf<'readConfigurationVersion'>>;
  /**
   * Adopt a policy for a configuration: `PUT /v1/tenants/{tenant_id}/product-configurations/{configuration_id}/policy`
   *
   * Records which published policy version decides for all versions of the configuration from the next Decision on. Every read shows it as soon as this is answered.
   */
  adoptPolicy(at: ParametersOf<'adoptPolicy'>, body: BodyOf<'adoptPolicy'>, options?: Options): Promise<AnswerOf<'adoptPolicy'>>;
  /**
   * Read which policy a configuration has adopted: `GET /v1/tenants/{tenant_id}/product-configurations/{configuration_id}/policy`
   *
   * Reads the Tenancy's own book: every fact recorded about its products. `not_found` where no policy was adopted. Read your write: yes.
   */
  readAdoptedPolicy(at: ParametersOf<'readAdoptedPolicy'>, options?: Options): Promise<AnswerOf<'readAdoptedPolicy'>>;
  /**
   * Rehearse other values of a product: `POST /v1/tenants/{tenant_id}/product-configurations/{configuration_id}/rehearsal`
   *
   * Reads the books of the Clients that hold Loans of the product, computes them with the other values and lists what would change. A page with long books may end before its limit; `examined` is the number of Loans examined. If the book of a Client cannot be computed, its Loans are listed without changes, with `book_not_derivable` in their `anomalies`; if it is too large for one request, with `book_too_large`. Records nothing. Read your write: yes.
   */
  rehearse(at: ParametersOf<'rehearse'>, body: BodyOf<'rehearse'>, options?: Options): Listing<AnswerOf<'rehearse'>, ItemOf<'rehearse'>>;
  /**
   * List the lookup keys: `GET /v1/tenants/{tenant_id}/product-lookup-keys`
   *
   * Reads the Tenancy's own book: every fact recorded about its products. Read your write: yes.
   */
  listLookupKeys(at?: ParametersOf<'listLookupKeys'>, options?: Options): Promise<AnswerOf<'listLookupKeys'>>;
  /**
   * Read a lookup key: `GET /v1/tenants/{tenant_id}/product-lookup-keys/{lookup_key}`
   *
   * Reads the Tenancy's own book: every fact recorded about its products. Read your write: yes.
   */
  readLookupKey(at: ParametersOf<'readLookupKey'>, options?: Options): Promise<AnswerOf<'readLookupKey'>>;
  /**
   * Point a lookup key at a version: `PUT /v1/tenants/{tenant_id}/product-lookup-keys/{lookup_key}`
   *
   * Records which version the key names: 201 if the key is new, 200 if it names that version already or was moved by `transfer`. Agents cannot do this on a live Tenancy. Every read shows it as soon as this is answered.
   */
  pointLookupKey(at: ParametersOf<'pointLookupKey'>, body: BodyOf<'pointLookupKey'>, options?: Options): Promise<AnswerOf<'pointLookupKey'>>;
  /**
   * Remove a lookup key: `DELETE /v1/tenants/{tenant_id}/product-lookup-keys/{lookup_key}`
   *
   * Records the removal and answers the key as it was. Agents cannot do this on a live Tenancy. Every read shows it as soon as this is answered.
   */
  removeLookupKey(at: ParametersOf<'removeLookupKey'>, options?: Options): Promise<AnswerOf<'removeLookupKey'>>;
  /**
   * List the policies: `GET /v1/tenants/{tenant_id}/credit-policies`
   *
   * Reads the Tenancy's own book: all drafted policy versions, and which of them were published. Read your write: yes.
   */
  listPolicies(at?: ParametersOf<'listPolicies'>, options?: Options): Listing<AnswerOf<'listPolicies'>, ItemOf<'listPolicies'>>;
  /**
   * Read a policy and its versions: `GET /v1/tenants/{tenant_id}/credit-policies/{policy}`
   *
   * Reads the Tenancy's own book: all drafted policy versions, and which of them were published. Read your write: yes.
   */
  readPolicy(at: ParametersOf<'readPolicy'>, options?: Options): Listing<AnswerOf<'readPolicy'>, ItemOf<'readPolicy'>>;
  /**
   * Read a policy version: `GET /v1/tenants/{tenant_id}/credit-policies/{policy}/versions/{policy_version}`
   *
   * Reads the Tenancy's own book: all drafted policy versions, and which of them were published. Read your write: yes.
   */
  readPolicyVersion(at: ParametersOf<'readPolicyVersion'>, options?: Options): Promise<AnswerOf<'readPolicyVersion'>>;
  /**
   * Validate the content of a policy: `POST /v1/tenants/{tenant_id}/credit-policies/{policy}/validate`
   *
   * Records nothing. Content that passes is not refused at drafting or publication. Read your write: yes.
   */
  validatePolicy(at: ParametersOf<'validatePolicy'>, body: BodyOf<'validatePolicy'>, options?: Options): Promise<AnswerOf<'validatePolicy'>>;
  /**
   * Draft a policy version: `POST /v1/tenants/{tenant_id}/credit-policies/{policy}/versions`
   *
   * Records the content under the next version number. A draft never changes. Every read shows it as soon as this is answered.
   */
  draftPolicyVersion(at: ParametersOf<'draftPolicyVersion'>, body: BodyOf<'draftPolicyVersion'>, options?: Options): Promise<AnswerOf<'draftPolicyVersion'>>;
  /**
   * Publish a policy version: `POST /v1/tenants/{tenant_id}/credit-policies/{policy}/versions/{policy_version}/publication`
   *
   * Records who published the version. `self_confirmed` is true if the same actor drafted it. Every read shows it as soon as this is answered.
   */
  publishPolicyVersion(at: ParametersOf<'publishPolicyVersion'>, body: BodyOf<'publishPolicyVersion'>, options?: Options): Promise<AnswerOf<'publishPolicyVersion'>>;
  /**
   * Decide an application: `POST /v1/tenants/{tenant_id}/credit-decisions`
   *
   * Decides by the policy version adopted for the configuration, or in a trial by the named one, and records the Decision with its trace. Every read shows it as soon as this is answered.
   */
  decide(body: BodyOf<'decide'>, options?: Options): Promise<AnswerOf<'decide'>>;
  /**
   * List the Decisions: `GET /v1/tenants/{tenant_id}/credit-decisions`
   *
   * Reads the Decisions of the Tenancy, or of one Client. Decisions with an outcome that is newer than the requested version are left out, so a page may be short or empty and still have a `cursor`. Read your write: yes.
   */
  listDecisions(at?: ParametersOf<'listDecisions'>, options?: Options): Listing<AnswerOf<'listDecisions'>, ItemOf<'listDecisions'>>;
  /**
   * Read a Decision: `GET /v1/tenants/{tenant_id}/credit-decisions/{decision_id}`
   *
   * Reads the book of the Client: every fact recorded about the Client. The Decision as it was recorded. Read your write: yes.
   */
  readDecision(at: ParametersOf<'readDecision'>, options?: Options): Promise<AnswerOf<'readDecision'>>;
  /**
   * Resolve a referred Decision: `POST /v1/tenants/{tenant_id}/credit-decisions/{decision_id}/resolution`
   *
   * Records what a person decided on a referred Decision. A Decision is resolved once. Every read shows it as soon as this is answered.
   */
  resolveDecision(at: ParametersOf<'resolveDecision'>, body: BodyOf<'resolveDecision'>, options?: Options): Promise<AnswerOf<'resolveDecision'>>;
  /**
   * Read the resolution of a Decision: `GET /v1/tenants/{tenant_id}/credit-decisions/{decision_id}/resolution`
   *
   * Reads the book of the Client: every fact recorded about the Client. Read your write: yes.
   */
  readResolution(at: ParametersOf<'readResolution'>, options?: Options): Promise<AnswerOf<'readResolution'>>;
  /**
   * Read whether a Client is barred on a day: `GET /v1/tenants/{tenant_id}/credit-bar/{client_id}`
   *
   * Reads the book of the Client: every fact recorded about the Client. A Client that is not registered is not barred. Read your write: yes.
   */
  readBar(at: ParametersOf<'readBar'>, options?: Options): Promise<AnswerOf<'readBar'>>;
  /**
   * Open a facility: `POST /v1/tenants/{tenant_id}/facilities`
   *
   * Records how much may be lent to the Client under an approving Decision, and when. Every read shows it as soon as this is answered.
   */
  openFacility(body: BodyOf<'openFacility'>, options?: Options): Promise<AnswerOf<'openFacility'>>;
  /**
   * List the facilities: `GET /v1/tenants/{tenant_id}/facilities`
   *
   * Reads the facilities of the Tenancy, or of one Client. Read your write: yes.
   */
  listFacilities(at?: ParametersOf<'listFacilities'>, options?: Options): Promise<AnswerOf<'listFacilities'>>;
  /**
   * Read a facility with what is drawn of it: `GET /v1/tenants/{tenant_id}/facilities/{facility_id}`
   *
   * Reads the book of the Client: every fact recorded about the Client. Read your write: yes.
   */
  readFacility(at: ParametersOf<'readFacility'>, options?: Options): Promise<AnswerOf<'readFacility'>>;
  /**
   * List the Clients that owe something on a day: `GET /v1/tenants/{tenant_id}/dues`
   *
   * Reads the books of the Clients that may have something due on the day, found by an index that is updated with every fact. At most twice `limit` Clients are examined for a page. A Client whose book cannot be computed is listed without figures, whatever the filters, with `book_not_derivable` in its `anomalies`, and is not included in totals. Read your write: yes.
   */
  readDues(at: ParametersOf<'readDues'>, options?: Options): Listing<AnswerOf<'readDues'>, ItemOf<'readDues'>>;
  /**
   * Read the bounds of the Tenancy: `GET /v1/tenants/{tenant_id}/bounds`
   *
   * Reads the bounds that the answering instance applies. A change takes effect within a second. Read your write: yes.
   */
  readBounds(options?: Options): Promise<AnswerOf<'readBounds'>>;
  /**
   * Search the requests of the Tenancy: `GET /v1/tenants/{tenant_id}/requests`
   *
   * Lists the answered requests of the Tenancy whose signature was verified, reads and refused ones too, without their bodies, for thirty days. A request appears within seconds of its answer, a stream after its end. Under overload or a failure of the database requests may be missing. `day` is a day in UTC. Read your write: yes.
   */
  listRequests(at?: ParametersOf<'listRequests'>, options?: Options): Listing<AnswerOf<'listRequests'>, ItemOf<'listRequests'>>;
  /**
   * Read a market's rules: `GET /v1/tenants/{tenant_id}/markets/{jurisdiction}`
   *
   * Reads the market's law as this release has it. It does not depend on recorded facts. Read your write: yes.
   */
  readMarket(at: ParametersOf<'readMarket'>, options?: Options): Promise<AnswerOf<'readMarket'>>;
  /**
   * Put the company profile: `PUT /v1/tenants/{tenant_id}/company-profile`
   *
   * Records the profile and replaces the previous one. Every read shows it as soon as this is answered.
   */
  putCompanyProfile(body: BodyOf<'putCompanyProfile'>, options?: Options): Promise<AnswerOf<'putCompanyProfile'>>;
  /**
   * Read the company profile: `GET /v1/tenants/{tenant_id}/company-profile`
   *
   * Reads the Tenancy's own book. Read your write: yes.
   */
  readCompanyProfile(options?: Options): Promise<AnswerOf<'readCompanyProfile'>>;
  /**
   * Check that the process is alive: `GET /livez`
   *
   * No credential is needed.
   */
  readLiveness(options?: Options): Promise<AnswerOf<'readLiveness'>>;
  /**
   * Check that the process can serve requests: `GET /readyz`
   *
   * 503 lists what is not ready. `degraded` lists what does not answer and is not needed to serve requests. No credential is needed.
   */
  readReadiness(options?: Options): Promise<AnswerOf<'readReadiness'>>;
  /**
   * This document: `GET /v1/openapi.json`
   *
   * No credential is needed.
   */
  readOpenApi(options?: Options): Promise<AnswerOf<'readOpenApi'>>;
  /**
   * The documentation: `GET /docs`
   *
   * Guides, the reference and every error. Its pages and what they load have paths below this one. No credential is needed.
   */
  readDocs(options?: Options): Promise<AnswerOf<'readDocs'>>;
  /**
   * Changes and deprecations of the contract: `GET /changelog`
   *
   * No credential is needed.
   */
  readChangelog(options?: Options): Promise<AnswerOf<'readChangelog'>>;
}
