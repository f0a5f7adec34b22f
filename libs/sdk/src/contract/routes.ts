/** The routes of the contract. Generated from schemas/openapi.json: npm run schemas:sdk. */
import type { Answer } from '../http-client.ts';
import type {
  AccelerationAct,
  ActOnADay,
  Application,
  Bar,
  BnplValues,
  BookChanges,
  BookVersion,
  Bounds,
  Client,
  ClientBook,
  ClientPage,
  ClientToRegister,
  CompanyProfile,
  CompanyProfileToPut,
  Configuration,
  ConfigurationPage,
  ConfigurationPreview,
  ConfigurationVersionPage,
  Decision,
  DecisionPage,
  Delinquency,
  DuesPage,
  Facility,
  FacilityDrawn,
  FacilityList,
  FacilityToOpen,
  Feed,
  InstalmentValues,
  Loan,
  LoanEvidence,
  LoanPage,
  LoanPreview,
  LoanSchedule,
  LoanStatement,
  LoanToIssue,
  LoanToPreview,
  LookupKey,
  LookupKeyList,
  LookupKeyPointing,
  Market,
  MerchantBook,
  Obligations,
  PaydayValues,
  PaymentOptions,
  PayoffQuote,
  PayoffQuotePage,
  Policy,
  PolicyAdoption,
  PolicyAdoptionAct,
  PolicyContent,
  PolicyPage,
  PolicyValidation,
  PolicyVersion,
  PolicyVersionWhole,
  ProductValues,
  PublicationAct,
  Readiness,
  Receipt,
  ReceiptBatch,
  ReceiptBatchOutcomes,
  ReceiptEvidence,
  ReceiptPage,
  ReceiptToReport,
  Rehearsal,
  Resolution,
  ResolutionAct,
  RestructureAct,
  RetractionAct,
  ReturnAct,
  ReversalAct,
  SettlementAct,
  Simulation,
  SimulationToRun,
  Statement,
  SuspensionAct,
  SuspensionEndAct,
  WaiverAct,
} from './shapes.ts';

/** The version of the contract of these routes. */
export const contractVersion = '2026-10-16';

export const streamPath = '/v1/tenants/{tenant_id}/loan-events/stream';

export const routes = {
  listLoans: { method: 'GET', path: '/v1/tenants/{tenant_id}/loans', query: ['client_id', 'configuration_id', 'merchant_ref', 'state', 'on', 'limit', 'cursor'] },
  issueLoan: { method: 'POST', path: '/v1/tenants/{tenant_id}/loans', query: [] },
  previewLoan: { method: 'POST', path: '/v1/tenants/{tenant_id}/loans/preview', query: [] },
  readLoan: { method: 'GET', path: '/v1/tenants/{tenant_id}/loans/{loan_id}', query: [] },
  confirmLoan: { method: 'POST', path: '/v1/tenants/{tenant_id}/loans/{loan_id}/confirm', query: [] },
  voidLoan: { method: 'POST', path: '/v1/tenants/{tenant_id}/loans/{loan_id}/void', query: [] },
  cancelLoan: { method: 'POST', path: '/v1/tenants/{tenant_id}/loans/{loan_id}/cancel', query: [] },
  rescindLoan: { method: 'POST', path: '/v1/tenants/{tenant_id}/loans/{loan_id}/rescind', query: [] },
  withdrawLoan: { method: 'POST', path: '/v1/tenants/{tenant_id}/loans/{loan_id}/withdraw', query: [] },
  suspendLoan: { method: 'POST', path: '/v1/tenants/{tenant_id}/loans/{loan_id}/suspension', query: [] },
  endSuspension: { method: 'POST', path: '/v1/tenants/{tenant_id}/loans/{loan_id}/suspension-end', query: [] },
  waiveCharge: { method: 'POST', path: '/v1/tenants/{tenant_id}/loans/{loan_id}/waiver', query: [] },
  returnGoods: { method: 'POST', path: '/v1/tenants/{tenant_id}/loans/{loan_id}/return', query: [] },
  rollOverLoan: { method: 'POST', path: '/v1/tenants/{tenant_id}/loans/{loan_id}/rollover', query: [] },
  restructureLoan: { method: 'POST', path: '/v1/tenants/{tenant_id}/loans/{loan_id}/restructure', query: [] },
  accelerateLoan: { method: 'POST', path: '/v1/tenants/{tenant_id}/loans/{loan_id}/acceleration', query: [] },
  settleLoan: { method: 'POST', path: '/v1/tenants/{tenant_id}/loans/{loan_id}/settlement', query: [] },
  writeOffLoan: { method: 'POST', path: '/v1/tenants/{tenant_id}/loans/{loan_id}/write-off', query: [] },
  cedeLoan: { method: 'POST', path: '/v1/tenants/{tenant_id}/loans/{loan_id}/cession', query: [] },
  retractFact: { method: 'POST', path: '/v1/tenants/{tenant_id}/loans/{loan_id}/retraction', query: [] },
  quotePayoff: { method: 'POST', path: '/v1/tenants/{tenant_id}/loans/{loan_id}/payoff-quotes', query: [] },
  listPayoffQuotes: { method: 'GET', path: '/v1/tenants/{tenant_id}/loans/{loan_id}/payoff-quotes', query: ['limit', 'cursor'] },
  readPayoffQuote: { method: 'GET', path: '/v1/tenants/{tenant_id}/loans/{loan_id}/payoff-quotes/{quote_id}', query: [] },
  readSchedule: { method: 'GET', path: '/v1/tenants/{tenant_id}/loans/{loan_id}/schedule', query: ['on', 'known_at'] },
  readDelinquency: { method: 'GET', path: '/v1/tenants/{tenant_id}/loans/{loan_id}/delinquency', query: ['on', 'known_at'] },
  readLoanStatement: { method: 'GET', path: '/v1/tenants/{tenant_id}/loans/{loan_id}/statement', query: ['from', 'to', 'known_at'] },
  readLoanEvidence: { method: 'GET', path: '/v1/tenants/{tenant_id}/loans/{loan_id}/evidence', query: [] },
  readFeed: { method: 'GET', path: '/v1/tenants/{tenant_id}/loan-events', query: ['limit', 'cursor'] },
  listClients: { method: 'GET', path: '/v1/tenants/{tenant_id}/clients', query: ['limit', 'cursor'] },
  registerClient: { method: 'PUT', path: '/v1/tenants/{tenant_id}/clients/{client_id}', query: [] },
  readClient: { method: 'GET', path: '/v1/tenants/{tenant_id}/clients/{client_id}', query: [] },
  readPaymentOptions: { method: 'GET', path: '/v1/tenants/{tenant_id}/clients/{client_id}/payment-options', query: ['on', 'known_at'] },
  readStatement: { method: 'GET', path: '/v1/tenants/{tenant_id}/clients/{client_id}/statement', query: ['from', 'to', 'known_at'] },
  listReceipts: { method: 'GET', path: '/v1/tenants/{tenant_id}/clients/{client_id}/receipts', query: ['limit', 'cursor'] },
  readObligations: { method: 'GET', path: '/v1/tenants/{tenant_id}/clients/{client_id}/obligations', query: ['limit', 'cursor'] },
  readBookVersion: { method: 'GET', path: '/v1/tenants/{tenant_id}/clients/{client_id}/book-version', query: [] },
  readClientBook: { method: 'GET', path: '/v1/tenants/{tenant_id}/clients/{client_id}/book', query: ['on', 'known_at'] },
  readChanges: { method: 'GET', path: '/v1/tenants/{tenant_id}/clients/{client_id}/changes', query: ['on', 'from_facts', 'to_facts', 'known_at'] },
  simulate: { method: 'POST', path: '/v1/tenants/{tenant_id}/clients/{client_id}/simulate', query: [] },
  readMerchantBook: { method: 'GET', path: '/v1/tenants/{tenant_id}/merchants/{merchant_ref}/book', query: ['on', 'limit', 'cursor'] },
  reportReceipt: { method: 'POST', path: '/v1/tenants/{tenant_id}/receipts', query: [] },
  reportReceipts: { method: 'POST', path: '/v1/tenants/{tenant_id}/receipts/batch', query: [] },
  reverseReceipt: { method: 'POST', path: '/v1/tenants/{tenant_id}/receipts/{receipt_reference}/reversal', query: [] },
  readReceipt: { method: 'GET', path: '/v1/tenants/{tenant_id}/receipts/{receipt_reference}', query: [] },
  readReceiptEvidence: { method: 'GET', path: '/v1/tenants/{tenant_id}/receipts/{receipt_reference}/evidence', query: [] },
  createConfiguration: { method: 'POST', path: '/v1/tenants/{tenant_id}/product-configurations', query: [], keyed: true },
  listConfigurations: { method: 'GET', path: '/v1/tenants/{tenant_id}/product-configurations', query: ['limit', 'cursor'] },
  previewConfiguration: { method: 'POST', path: '/v1/tenants/{tenant_id}/product-configurations/preview', query: [] },
  readConfiguration: { method: 'GET', path: '/v1/tenants/{tenant_id}/product-configurations/{configuration_id}', query: [] },
  listConfigurationVersions: { method: 'GET', path: '/v1/tenants/{tenant_id}/product-configurations/{configuration_id}/versions', query: ['limit', 'cursor'] },
  writeConfigurationVersion: { method: 'POST', path: '/v1/tenants/{tenant_id}/product-configurations/{configuration_id}/versions', query: [], keyed: true },
  readConfigurationVersion: { method: 'GET', path: '/v1/tenants/{tenant_id}/product-configurations/{configuration_id}/versions/{configuration_version}', query: [] },
  adoptPolicy: { method: 'PUT', path: '/v1/tenants/{tenant_id}/product-configurations/{configuration_id}/policy', query: [] },
  rehearse: { method: 'POST', path: '/v1/tenants/{tenant_id}/product-configurations/{configuration_id}/rehearsal', query: [] },
  listLookupKeys: { method: 'GET', path: '/v1/tenants/{tenant_id}/product-lookup-keys', query: ['lookup_key'] },
  readLookupKey: { method: 'GET', path: '/v1/tenants/{tenant_id}/product-lookup-keys/{lookup_key}', query: [] },
  pointLookupKey: { method: 'PUT', path: '/v1/tenants/{tenant_id}/product-lookup-keys/{lookup_key}', query: [] },
  removeLookupKey: { method: 'DELETE', path: '/v1/tenants/{tenant_id}/product-lookup-keys/{lookup_key}', query: [] },
  listPolicies: { method: 'GET', path: '/v1/tenants/{tenant_id}/credit-policies', query: ['limit', 'cursor'] },
  readPolicy: { method: 'GET', path: '/v1/tenants/{tenant_id}/credit-policies/{policy}', query: ['limit', 'cursor'] },
  readPolicyVersion: { method: 'GET', path: '/v1/tenants/{tenant_id}/credit-policies/{policy}/versions/{policy_version}', query: [] },
  validatePolicy: { method: 'POST', path: '/v1/tenants/{tenant_id}/credit-policies/{policy}/validate', query: [] },
  draftPolicyVersion: { method: 'POST', path: '/v1/tenants/{tenant_id}/credit-policies/{policy}/versions', query: [] },
  publishPolicyVersion: { method: 'POST', path: '/v1/tenants/{tenant_id}/credit-policies/{policy}/versions/{policy_version}/publication', query: [] },
  decide: { method: 'POST', path: '/v1/tenants/{tenant_id}/credit-decisions', query: [] },
  listDecisions: { method: 'GET', path: '/v1/tenants/{tenant_id}/credit-decisions', query: ['client', 'limit', 'cursor'] },
  readDecision: { method: 'GET', path: '/v1/tenants/{tenant_id}/credit-decisions/{decision_id}', query: [] },
  resolveDecision: { method: 'POST', path: '/v1/tenants/{tenant_id}/credit-decisions/{decision_id}/resolution', query: [] },
  readResolution: { method: 'GET', path: '/v1/tenants/{tenant_id}/credit-decisions/{decision_id}/resolution', query: [] },
  readBar: { method: 'GET', path: '/v1/tenants/{tenant_id}/credit-bar/{client_id}', query: ['on', 'known_at'] },
  openFacility: { method: 'POST', path: '/v1/tenants/{tenant_id}/facilities', query: [] },
  listFacilities: { method: 'GET', path: '/v1/tenants/{tenant_id}/facilities', query: ['client'] },
  readFacility: { method: 'GET', path: '/v1/tenants/{tenant_id}/facilities/{facility_id}', query: [] },
  readDues: { method: 'GET', path: '/v1/tenants/{tenant_id}/dues', query: ['on', 'only', 'min_days_past_due', 'limit', 'cursor'] },
  readBounds: { method: 'GET', path: '/v1/tenants/{tenant_id}/bounds', query: [] },
  readMarket: { method: 'GET', path: '/v1/tenants/{tenant_id}/markets/{jurisdiction}', query: [] },
  putCompanyProfile: { method: 'PUT', path: '/v1/tenants/{tenant_id}/company-profile', query: [] },
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
} as const;

/** The path and query parameters, body and answer of each route. */
export interface Operations {
  listLoans: { at: { readonly client_id?: string | undefined; readonly configuration_id?: string | undefined; readonly merchant_ref?: string | undefined; readonly state?: 'active' | 'closed' | 'cancelled' | 'written_off' | 'ceded' | 'held' | 'expired' | 'voided' | 'rescinded' | 'withdrawn' | 'restructured' | undefined; readonly on?: string | undefined; readonly limit?: number | undefined; readonly cursor?: string | undefined }; body: undefined; answer: LoanPage };
  issueLoan: { at: Record<never, never>; body: LoanToIssue; answer: Loan };
  previewLoan: { at: Record<never, never>; body: LoanToPreview; answer: LoanPreview };
  readLoan: { at: { readonly loan_id: string }; body: undefined; answer: Loan };
  confirmLoan: { at: { readonly loan_id: string }; body: ActOnADay; answer: Loan };
  voidLoan: { at: { readonly loan_id: string }; body: ActOnADay; answer: Loan };
  cancelLoan: { at: { readonly loan_id: string }; body: ActOnADay; answer: Loan };
  rescindLoan: { at: { readonly loan_id: string }; body: ActOnADay; answer: Loan };
  withdrawLoan: { at: { readonly loan_id: string }; body: ActOnADay; answer: Loan };
  suspendLoan: { at: { readonly loan_id: string }; body: SuspensionAct; answer: Loan };
  endSuspension: { at: { readonly loan_id: string }; body: SuspensionEndAct; answer: Loan };
  waiveCharge: { at: { readonly loan_id: string }; body: WaiverAct; answer: Loan };
  returnGoods: { at: { readonly loan_id: string }; body: ReturnAct; answer: Loan };
  rollOverLoan: { at: { readonly loan_id: string }; body: ActOnADay; answer: Loan };
  restructureLoan: { at: { readonly loan_id: string }; body: RestructureAct; answer: Loan };
  accelerateLoan: { at: { readonly loan_id: string }; body: AccelerationAct; answer: Loan };
  settleLoan: { at: { readonly loan_id: string }; body: SettlementAct; answer: Loan };
  writeOffLoan: { at: { readonly loan_id: string }; body: ActOnADay; answer: Loan };
  cedeLoan: { at: { readonly loan_id: string }; body: ActOnADay; answer: Loan };
  retractFact: { at: { readonly loan_id: string }; body: RetractionAct; answer: Loan };
  quotePayoff: { at: { readonly loan_id: string }; body: ActOnADay; answer: PayoffQuote };
  listPayoffQuotes: { at: { readonly loan_id: string; readonly limit?: number | undefined; readonly cursor?: string | undefined }; body: undefined; answer: PayoffQuotePage };
  readPayoffQuote: { at: { readonly loan_id: string; readonly quote_id: string }; body: undefined; answer: PayoffQuote };
  readSchedule: { at: { readonly loan_id: string; readonly on: string; readonly known_at?: string | undefined }; body: undefined; answer: LoanSchedule };
  readDelinquency: { at: { readonly loan_id: string; readonly on: string; readonly known_at?: string | undefined }; body: undefined; answer: Delinquency };
  readLoanStatement: { at: { readonly loan_id: string; readonly from: string; readonly to: string; readonly known_at?: string | undefined }; body: undefined; answer: LoanStatement };
  readLoanEvidence: { at: { readonly loan_id: string }; body: undefined; answer: LoanEvidence };
  readFeed: { at: { readonly limit?: number | undefined; readonly cursor?: string | undefined }; body: undefined; answer: Feed };
  listClients: { at: { readonly limit?: number | undefined; readonly cursor?: string | undefined }; body: undefined; answer: ClientPage };
  registerClient: { at: { readonly client_id: string }; body: ClientToRegister; answer: Client };
  readClient: { at: { readonly client_id: string }; body: undefined; answer: Client };
  readPaymentOptions: { at: { readonly client_id: string; readonly on: string; readonly known_at?: string | undefined }; body: undefined; answer: PaymentOptions };
  readStatement: { at: { readonly client_id: string; readonly from: string; readonly to: string; readonly known_at?: string | undefined }; body: undefined; answer: Statement };
  listReceipts: { at: { readonly client_id: string; readonly limit?: number | undefined; readonly cursor?: string | undefined }; body: undefined; answer: ReceiptPage };
  readObligations: { at: { readonly client_id: string; readonly limit?: number | undefined; readonly cursor?: string | undefined }; body: undefined; answer: Obligations };
  readBookVersion: { at: { readonly client_id: string }; body: undefined; answer: BookVersion };
  readClientBook: { at: { readonly client_id: string; readonly on: string; readonly known_at?: string | undefined }; body: undefined; answer: ClientBook };
  readChanges: { at: { readonly client_id: string; readonly on: string; readonly from_facts: number; readonly to_facts: number; readonly known_at?: string | undefined }; body: undefined; answer: BookChanges };
  simulate: { at: { readonly client_id: string }; body: SimulationToRun; answer: Simulation };
  readMerchantBook: { at: { readonly merchant_ref: string; readonly on: string; readonly limit?: number | undefined; readonly cursor?: string | undefined }; body: undefined; answer: MerchantBook };
  reportReceipt: { at: Record<never, never>; body: ReceiptToReport; answer: Receipt };
  reportReceipts: { at: Record<never, never>; body: ReceiptBatch; answer: ReceiptBatchOutcomes };
  reverseReceipt: { at: { readonly receipt_reference: string }; body: ReversalAct; answer: Receipt };
  readReceipt: { at: { readonly receipt_reference: string }; body: undefined; answer: Receipt };
  readReceiptEvidence: { at: { readonly receipt_reference: string }; body: undefined; answer: ReceiptEvidence };
  createConfiguration: { at: Record<never, never>; body: {
    readonly archetype: 'instalment';
    readonly values: InstalmentValues;
  } | {
    readonly archetype: 'bnpl';
    readonly values: BnplValues;
  } | {
    readonly archetype: 'payday';
    readonly values: PaydayValues;
  }; answer: Configuration };
  listConfigurations: { at: { readonly limit?: number | undefined; readonly cursor?: string | undefined }; body: undefined; answer: ConfigurationPage };
  previewConfiguration: { at: Record<never, never>; body: {
    readonly archetype: 'instalment';
    readonly values: InstalmentValues;
  } | {
    readonly archetype: 'bnpl';
    readonly values: BnplValues;
  } | {
    readonly archetype: 'payday';
    readonly values: PaydayValues;
  }; answer: ConfigurationPreview };
  readConfiguration: { at: { readonly configuration_id: string }; body: undefined; answer: Configuration };
  listConfigurationVersions: { at: { readonly configuration_id: string; readonly limit?: number | undefined; readonly cursor?: string | undefined }; body: undefined; answer: ConfigurationVersionPage };
  writeConfigurationVersion: { at: { readonly configuration_id: string }; body: {
    /** All values, by the archetype of the configuration. */
    readonly values: ProductValues;
  }; answer: Configuration };
  readConfigurationVersion: { at: { readonly configuration_id: string; readonly configuration_version: number }; body: undefined; answer: Configuration };
  adoptPolicy: { at: { readonly configuration_id: string }; body: PolicyAdoptionAct; answer: PolicyAdoption };
  rehearse: { at: { readonly configuration_id: string }; body: {
    /** All values, by the archetype of the configuration. */
    readonly values: ProductValues;
    readonly on: string;
    readonly limit?: number;
    readonly cursor?: string;
  }; answer: Rehearsal };
  listLookupKeys: { at: { readonly lookup_key?: readonly string[] | undefined }; body: undefined; answer: LookupKeyList };
  readLookupKey: { at: { readonly lookup_key: string }; body: undefined; answer: LookupKey };
  pointLookupKey: { at: { readonly lookup_key: string }; body: LookupKeyPointing; answer: LookupKey };
  removeLookupKey: { at: { readonly lookup_key: string }; body: undefined; answer: LookupKey };
  listPolicies: { at: { readonly limit?: number | undefined; readonly cursor?: string | undefined }; body: undefined; answer: PolicyPage };
  readPolicy: { at: { readonly policy: string; readonly limit?: number | undefined; readonly cursor?: string | undefined }; body: undefined; answer: Policy };
  readPolicyVersion: { at: { readonly policy: string; readonly policy_version: number }; body: undefined; answer: PolicyVersionWhole };
  validatePolicy: { at: { readonly policy: string }; body: {
    readonly content: PolicyContent;
  }; answer: PolicyValidation };
  draftPolicyVersion: { at: { readonly policy: string }; body: {
    readonly content: PolicyContent;
    readonly reference: string;
    readonly actor: string;
    readonly basis: string;
    readonly context?: { readonly [name: string]: unknown };
  }; answer: PolicyVersion };
  publishPolicyVersion: { at: { readonly policy: string; readonly policy_version: number }; body: PublicationAct; answer: PolicyVersion };
  decide: { at: Record<never, never>; body: Application; answer: Decision };
  listDecisions: { at: { readonly client?: string | undefined; readonly limit?: number | undefined; readonly cursor?: string | undefined }; body: undefined; answer: DecisionPage };
  readDecision: { at: { readonly decision_id: string }; body: undefined; answer: Decision };
  resolveDecision: { at: { readonly decision_id: string }; body: ResolutionAct; answer: Resolution };
  readResolution: { at: { readonly decision_id: string }; body: undefined; answer: Resolution };
  readBar: { at: { readonly client_id: string; readonly on: string; readonly known_at?: string | undefined }; body: undefined; answer: Bar };
  openFacility: { at: Record<never, never>; body: FacilityToOpen; answer: Facility };
  listFacilities: { at: { readonly client?: string | undefined }; body: undefined; answer: FacilityList };
  readFacility: { at: { readonly facility_id: string }; body: undefined; answer: FacilityDrawn };
  readDues: { at: { readonly on: string; readonly only?: 'late' | undefined; readonly min_days_past_due?: number | undefined; readonly limit?: number | undefined; readonly cursor?: string | undefined }; body: undefined; answer: DuesPage };
  readBounds: { at: Record<never, never>; body: undefined; answer: Bounds };
  readMarket: { at: { readonly jurisdiction: string }; body: undefined; answer: Market };
  putCompanyProfile: { at: Record<never, never>; body: CompanyProfileToPut; answer: CompanyProfile };
  readCompanyProfile: { at: Record<never, never>; body: undefined; answer: CompanyProfile };
  readLiveness: { at: Record<never, never>; body: undefined; answer: {
    readonly status: 'alive';
  } };
  readReadiness: { at: Record<never, never>; body: undefined; answer: Readiness };
  readOpenApi: { at: Record<never, never>; body: undefined; answer: Record<string, never> };
  readDocs: { at: Record<never, never>; body: undefined; answer: string };
  readChangelog: { at: Record<never, never>; body: undefined; answer: string };
}

/** Options of every request. */
export interface Options {
  /** Recorded with the service's own identifier of the request. */
  readonly callerRequestId?: string;
  /** Makes a repeat safe on routes without a reference; generated for each call where it is left out. */
  readonly idempotencyKey?: string;
  /** An answer that still has this entity tag is a 304 without a body. */
  readonly ifNoneMatch?: string;
  readonly signal?: AbortSignal;
}

export type RouteName = keyof Operations;

export abstract class Routes {
  /** Calls a route by its name and returns status and headers as well. */
  abstract ask<Name extends RouteName>(
    name: Name,
    at: Operations[Name]['at'],
    body: Operations[Name]['body'],
    options?: Options,
  ): Promise<Answer<Operations[Name]['answer']>>;

  async #body<Name extends RouteName>(
    name: Name,
    at: Operations[Name]['at'],
    body: Operations[Name]['body'],
    options?: Options,
  ): Promise<Operations[Name]['answer']> {
    return (await this.ask(name, at, body, options)).body;
  }

  /**
   * List Loans: `GET /v1/tenants/{tenant_id}/loans`
   *
   * Reads the books of the Clients whose Loans are on the page, all as of one moment. With `state` or `client_id`, at most ten times `limit` Loans are examined for a page, so a page may be short or empty and still have a `cursor`. A Loan issued with a hold and not confirmed is listed only if `state` is `held`, `expired` or `voided`. Its position is that of its issuance: if it is confirmed while a caller reads the pages, it may or may not appear. If the book of a Client cannot be computed, the other Clients are not affected: its Loans are listed from their own recorded facts alone, with `book_not_derivable` in their `anomalies`.
   *
   * Read your write: yes.
   */
  listLoans(at: Operations['listLoans']['at'] = {}, options?: Options): Promise<Operations['listLoans']['answer']> {
    return this.#body('listLoans', at, undefined, options);
  }

  /**
   * Issue a Loan: `POST /v1/tenants/{tenant_id}/loans`
   *
   * Reads the configuration version, the market's law and the book of the Client. Records an `issued` fact with the terms, plan, disclosure and regime, which never change.
   *
   * Every read shows it as soon as this is answered.
   */
  issueLoan(body: Operations['issueLoan']['body'], options?: Options): Promise<Operations['issueLoan']['answer']> {
    return this.#body('issueLoan', {}, body, options);
  }

  /**
   * Preview a Loan: `POST /v1/tenants/{tenant_id}/loans/preview`
   *
   * Runs every check of issuance in the same order, on the same facts, and records nothing. `reference` is ignored.
   *
   * Read your write: yes.
   */
  previewLoan(body: Operations['previewLoan']['body'], options?: Options): Promise<Operations['previewLoan']['answer']> {
    return this.#body('previewLoan', {}, body, options);
  }

  /**
   * Read a Loan: `GET /v1/tenants/{tenant_id}/loans/{loan_id}`
   *
   * Reads the book of the Loan's Client: every fact recorded about the Client. The state is computed from all recorded facts. The read takes no day.
   *
   * Read your write: yes.
   */
  readLoan(at: Operations['readLoan']['at'], options?: Options): Promise<Operations['readLoan']['answer']> {
    return this.#body('readLoan', at, undefined, options);
  }

  /**
   * Confirm a held Loan: `POST /v1/tenants/{tenant_id}/loans/{loan_id}/confirm`
   *
   * The hold ends, and the Loan is in force from this day on. Records a `confirmed` fact about the Loan, and answers the whole Loan.
   *
   * Every read shows it as soon as this is answered.
   */
  confirmLoan(at: Operations['confirmLoan']['at'], body: Operations['confirmLoan']['body'], options?: Options): Promise<Operations['confirmLoan']['answer']> {
    return this.#body('confirmLoan', at, body, options);
  }

  /**
   * Void a held Loan: `POST /v1/tenants/{tenant_id}/loans/{loan_id}/void`
   *
   * The Loan counts as not issued. Records a `voided` fact about the Loan, and answers the whole Loan.
   *
   * Every read shows it as soon as this is answered.
   */
  voidLoan(at: Operations['voidLoan']['at'], body: Operations['voidLoan']['body'], options?: Options): Promise<Operations['voidLoan']['answer']> {
    return this.#body('voidLoan', at, body, options);
  }

  /**
   * Cancel a Loan: `POST /v1/tenants/{tenant_id}/loans/{loan_id}/cancel`
   *
   * Only while no Receipt has settled anything on it. Records a `cancelled` fact about the Loan, and answers the whole Loan.
   *
   * Every read shows it as soon as this is answered.
   */
  cancelLoan(at: Operations['cancelLoan']['at'], body: Operations['cancelLoan']['body'], options?: Options): Promise<Operations['cancelLoan']['answer']> {
    return this.#body('cancelLoan', at, body, options);
  }

  /**
   * Rescind a Loan: `POST /v1/tenants/{tenant_id}/loans/{loan_id}/rescind`
   *
   * The Loan is undone, and what it received goes back to the Client. Records a `rescinded` fact about the Loan, and answers the whole Loan.
   *
   * Every read shows it as soon as this is answered.
   */
  rescindLoan(at: Operations['rescindLoan']['at'], body: Operations['rescindLoan']['body'], options?: Options): Promise<Operations['rescindLoan']['answer']> {
    return this.#body('rescindLoan', at, body, options);
  }

  /**
   * Withdraw from a Loan: `POST /v1/tenants/{tenant_id}/loans/{loan_id}/withdraw`
   *
   * The borrower withdraws within the days the product or the law gives. Records a `withdrawn` fact about the Loan, and answers the whole Loan.
   *
   * Every read shows it as soon as this is answered.
   */
  withdrawLoan(at: Operations['withdrawLoan']['at'], body: Operations['withdrawLoan']['body'], options?: Options): Promise<Operations['withdrawLoan']['answer']> {
    return this.#body('withdrawLoan', at, body, options);
  }

  /**
   * Suspend a Loan: `POST /v1/tenants/{tenant_id}/loans/{loan_id}/suspension`
   *
   * The days from `on` to `to` do not count for lateness or penalty. Records a `suspended` fact about the Loan, and answers the whole Loan.
   *
   * Every read shows it as soon as this is answered.
   */
  suspendLoan(at: Operations['suspendLoan']['at'], body: Operations['suspendLoan']['body'], options?: Options): Promise<Operations['suspendLoan']['answer']> {
    return this.#body('suspendLoan', at, body, options);
  }

  /**
   * End a suspension early: `POST /v1/tenants/{tenant_id}/loans/{loan_id}/suspension-end`
   *
   * Days count for lateness and penalty again from `on`. Records a `suspension_ended` fact about the Loan, and answers the whole Loan.
   *
   * Every read shows it as soon as this is answered.
   */
  endSuspension(at: Operations['endSuspension']['at'], body: Operations['endSuspension']['body'], options?: Options): Promise<Operations['endSuspension']['answer']> {
    return this.#body('endSuspension', at, body, options);
  }

  /**
   * Waive a charge: `POST /v1/tenants/{tenant_id}/loans/{loan_id}/waiver`
   *
   * Releases part of a charge of one period. Records a `waived` fact about the Loan, and answers the whole Loan.
   *
   * Every read shows it as soon as this is answered.
   */
  waiveCharge(at: Operations['waiveCharge']['at'], body: Operations['waiveCharge']['body'], options?: Options): Promise<Operations['waiveCharge']['answer']> {
    return this.#body('waiveCharge', at, body, options);
  }

  /**
   * Return goods: `POST /v1/tenants/{tenant_id}/loans/{loan_id}/return`
   *
   * Splits the value of what went back by what the Loan still owed. Records a `returned` fact about the Loan, and answers the whole Loan.
   *
   * Every read shows it as soon as this is answered.
   */
  returnGoods(at: Operations['returnGoods']['at'], body: Operations['returnGoods']['body'], options?: Options): Promise<Operations['returnGoods']['answer']> {
    return this.#body('returnGoods', at, body, options);
  }

  /**
   * Roll a payday Loan over: `POST /v1/tenants/{tenant_id}/loans/{loan_id}/rollover`
   *
   * Opens another period for its principal. Records a `rolled_over` fact about the Loan, and answers the whole Loan.
   *
   * Every read shows it as soon as this is answered.
   */
  rollOverLoan(at: Operations['rollOverLoan']['at'], body: Operations['rollOverLoan']['body'], options?: Options): Promise<Operations['rollOverLoan']['answer']> {
    return this.#body('rollOverLoan', at, body, options);
  }

  /**
   * Restructure a Loan: `POST /v1/tenants/{tenant_id}/loans/{loan_id}/restructure`
   *
   * Makes a new plan of what is owed. Records a `restructured` fact about the Loan, and answers the whole Loan.
   *
   * Every read shows it as soon as this is answered.
   */
  restructureLoan(at: Operations['restructureLoan']['at'], body: Operations['restructureLoan']['body'], options?: Options): Promise<Operations['restructureLoan']['answer']> {
    return this.#body('restructureLoan', at, body, options);
  }

  /**
   * Call the whole balance: `POST /v1/tenants/{tenant_id}/loans/{loan_id}/acceleration`
   *
   * Everything owed falls due on `on`. Records a `accelerated` fact about the Loan, and answers the whole Loan.
   *
   * Every read shows it as soon as this is answered.
   */
  accelerateLoan(at: Operations['accelerateLoan']['at'], body: Operations['accelerateLoan']['body'], options?: Options): Promise<Operations['accelerateLoan']['answer']> {
    return this.#body('accelerateLoan', at, body, options);
  }

  /**
   * Agree a settlement for less: `POST /v1/tenants/{tenant_id}/loans/{loan_id}/settlement`
   *
   * The agreed sum discharges the Loan where it comes in time. Records a `settled_for_less` fact about the Loan, and answers the whole Loan.
   *
   * Every read shows it as soon as this is answered.
   */
  settleLoan(at: Operations['settleLoan']['at'], body: Operations['settleLoan']['body'], options?: Options): Promise<Operations['settleLoan']['answer']> {
    return this.#body('settleLoan', at, body, options);
  }

  /**
   * Write a Loan off: `POST /v1/tenants/{tenant_id}/loans/{loan_id}/write-off`
   *
   * Charging stops; the debt stays on record at its cost. Records a `written_off` fact about the Loan, and answers the whole Loan.
   *
   * Every read shows it as soon as this is answered.
   */
  writeOffLoan(at: Operations['writeOffLoan']['at'], body: Operations['writeOffLoan']['body'], options?: Options): Promise<Operations['writeOffLoan']['answer']> {
    return this.#body('writeOffLoan', at, body, options);
  }

  /**
   * Cede a Loan: `POST /v1/tenants/{tenant_id}/loans/{loan_id}/cession`
   *
   * The debt is the assignee’s from the cut-off on. Records a `ceded` fact about the Loan, and answers the whole Loan.
   *
   * Every read shows it as soon as this is answered.
   */
  cedeLoan(at: Operations['cedeLoan']['at'], body: Operations['cedeLoan']['body'], options?: Options): Promise<Operations['cedeLoan']['answer']> {
    return this.#body('cedeLoan', at, body, options);
  }

  /**
   * Withdraw a fact: `POST /v1/tenants/{tenant_id}/loans/{loan_id}/retraction`
   *
   * The fact named by `event_id` has no effect any more, on any day, and stays readable. Answers the whole Loan.
   *
   * Every read shows it as soon as this is answered.
   */
  retractFact(at: Operations['retractFact']['at'], body: Operations['retractFact']['body'], options?: Options): Promise<Operations['retractFact']['answer']> {
    return this.#body('retractFact', at, body, options);
  }

  /**
   * Quote a payoff: `POST /v1/tenants/{tenant_id}/loans/{loan_id}/payoff-quotes`
   *
   * Records the amount that discharges the Loan on the day, as the book is now. A quote does not bind, and does not change the book version.
   *
   * Every read shows it as soon as this is answered.
   */
  quotePayoff(at: Operations['quotePayoff']['at'], body: Operations['quotePayoff']['body'], options?: Options): Promise<Operations['quotePayoff']['answer']> {
    return this.#body('quotePayoff', at, body, options);
  }

  /**
   * List the payoff quotes of a Loan: `GET /v1/tenants/{tenant_id}/loans/{loan_id}/payoff-quotes`
   *
   * Reads the book of the Loan's Client: every fact recorded about the Client.
   *
   * Read your write: yes.
   */
  listPayoffQuotes(at: Operations['listPayoffQuotes']['at'], options?: Options): Promise<Operations['listPayoffQuotes']['answer']> {
    return this.#body('listPayoffQuotes', at, undefined, options);
  }

  /**
   * Read a payoff quote: `GET /v1/tenants/{tenant_id}/loans/{loan_id}/payoff-quotes/{quote_id}`
   *
   * Reads the book of the Loan's Client: every fact recorded about the Client.
   *
   * Read your write: yes.
   */
  readPayoffQuote(at: Operations['readPayoffQuote']['at'], options?: Options): Promise<Operations['readPayoffQuote']['answer']> {
    return this.#body('readPayoffQuote', at, undefined, options);
  }

  /**
   * Read a Loan's schedule on a day: `GET /v1/tenants/{tenant_id}/loans/{loan_id}/schedule`
   *
   * Reads the book of the Loan's Client: every fact recorded about the Client. The figures on the day.
   *
   * Read your write: yes.
   */
  readSchedule(at: Operations['readSchedule']['at'], options?: Options): Promise<Operations['readSchedule']['answer']> {
    return this.#body('readSchedule', at, undefined, options);
  }

  /**
   * Read a Loan's delays on a day: `GET /v1/tenants/{tenant_id}/loans/{loan_id}/delinquency`
   *
   * Reads the book of the Loan's Client: every fact recorded about the Client. The figures on the day.
   *
   * Read your write: yes.
   */
  readDelinquency(at: Operations['readDelinquency']['at'], options?: Options): Promise<Operations['readDelinquency']['answer']> {
    return this.#body('readDelinquency', at, undefined, options);
  }

  /**
   * Read one Loan's statement: `GET /v1/tenants/{tenant_id}/loans/{loan_id}/statement`
   *
   * Reads the book of the Loan's Client: every fact recorded about the Client. Every change of what the Loan owes, both days included.
   *
   * Read your write: yes.
   */
  readLoanStatement(at: Operations['readLoanStatement']['at'], options?: Options): Promise<Operations['readLoanStatement']['answer']> {
    return this.#body('readLoanStatement', at, undefined, options);
  }

  /**
   * Prove the facts of a Loan: `GET /v1/tenants/{tenant_id}/loans/{loan_id}/evidence`
   *
   * Reads the book of the Loan's Client: every fact recorded about the Client. Each fact comes with the signed submission that caused it, so that it can be verified without the service.
   *
   * Read your write: yes.
   */
  readLoanEvidence(at: Operations['readLoanEvidence']['at'], options?: Options): Promise<Operations['readLoanEvidence']['answer']> {
    return this.#body('readLoanEvidence', at, undefined, options);
  }

  /**
   * Follow the events of all Loans: `GET /v1/tenants/{tenant_id}/loan-events`
   *
   * Reads the facts of all Loans of the Tenancy in the order of commit. A page without events and with an unchanged cursor is the end of the feed so far. Cursors never expire.
   *
   * Read your write: yes.
   */
  readFeed(at: Operations['readFeed']['at'] = {}, options?: Options): Promise<Operations['readFeed']['answer']> {
    return this.#body('readFeed', at, undefined, options);
  }

  /**
   * List the registered Clients: `GET /v1/tenants/{tenant_id}/clients`
   *
   * Reads the registrations of the Tenancy.
   *
   * Read your write: yes.
   */
  listClients(at: Operations['listClients']['at'] = {}, options?: Options): Promise<Operations['listClients']['answer']> {
    return this.#body('listClients', at, undefined, options);
  }

  /**
   * Register a Client: `PUT /v1/tenants/{tenant_id}/clients/{client_id}`
   *
   * Records the registration. The same registration again answers 200. A registration does not change the book version.
   *
   * Every read shows it as soon as this is answered.
   */
  registerClient(at: Operations['registerClient']['at'], body: Operations['registerClient']['body'], options?: Options): Promise<Operations['registerClient']['answer']> {
    return this.#body('registerClient', at, body, options);
  }

  /**
   * Read a Client's registration: `GET /v1/tenants/{tenant_id}/clients/{client_id}`
   *
   * Reads the book of the Client: every fact recorded about the Client.
   *
   * Read your write: yes.
   */
  readClient(at: Operations['readClient']['at'], options?: Options): Promise<Operations['readClient']['answer']> {
    return this.#body('readClient', at, undefined, options);
  }

  /**
   * Read what a Client can pay on a day: `GET /v1/tenants/{tenant_id}/clients/{client_id}/payment-options`
   *
   * Reads the book of the Client: every fact recorded about the Client. The figures on the day. The `ETag` changes with every fact about the Client and with every release of the service; if it is sent in `If-None-Match` and still current, the answer is 304 without a body. For a Client that is not registered the answer is empty.
   *
   * Read your write: yes.
   */
  readPaymentOptions(at: Operations['readPaymentOptions']['at'], options?: Options): Promise<Operations['readPaymentOptions']['answer']> {
    return this.#body('readPaymentOptions', at, undefined, options);
  }

  /**
   * Read a Client's statement: `GET /v1/tenants/{tenant_id}/clients/{client_id}/statement`
   *
   * Reads the book of the Client: every fact recorded about the Client. From `from` to `to`, both included. For a Client that is not registered the answer is empty.
   *
   * Read your write: yes.
   */
  readStatement(at: Operations['readStatement']['at'], options?: Options): Promise<Operations['readStatement']['answer']> {
    return this.#body('readStatement', at, undefined, options);
  }

  /**
   * List a Client's Receipts: `GET /v1/tenants/{tenant_id}/clients/{client_id}/receipts`
   *
   * Reads the book of the Client: every fact recorded about the Client. For a Client that is not registered the answer is empty.
   *
   * Read your write: yes.
   */
  listReceipts(at: Operations['listReceipts']['at'], options?: Options): Promise<Operations['listReceipts']['answer']> {
    return this.#body('listReceipts', at, undefined, options);
  }

  /**
   * Read what is owed back to a Client: `GET /v1/tenants/{tenant_id}/clients/{client_id}/obligations`
   *
   * Reads the book of the Client: every fact recorded about the Client. `limit` applies to `receipts` only; all other members are complete. The service records what is owed and moves no money. For a Client that is not registered the answer is empty.
   *
   * Read your write: yes.
   */
  readObligations(at: Operations['readObligations']['at'], options?: Options): Promise<Operations['readObligations']['answer']> {
    return this.#body('readObligations', at, undefined, options);
  }

  /**
   * Read the version of a Client's book: `GET /v1/tenants/{tenant_id}/clients/{client_id}/book-version`
   *
   * Reads the number of facts recorded about the Client and the moment of the last one. Compare both. Payoff quotes do not change them.
   *
   * Read your write: yes.
   */
  readBookVersion(at: Operations['readBookVersion']['at'], options?: Options): Promise<Operations['readBookVersion']['answer']> {
    return this.#body('readBookVersion', at, undefined, options);
  }

  /**
   * Read a Client's whole book on a day: `GET /v1/tenants/{tenant_id}/clients/{client_id}/book`
   *
   * Reads the book of the Client: every fact recorded about the Client. Everything that the other reads answer, as of one moment. For a Client that is not registered the answer is empty.
   *
   * Read your write: yes.
   */
  readClientBook(at: Operations['readClientBook']['at'], options?: Options): Promise<Operations['readClientBook']['answer']> {
    return this.#body('readClientBook', at, undefined, options);
  }

  /**
   * Explain why figures changed: `GET /v1/tenants/{tenant_id}/clients/{client_id}/changes`
   *
   * Reads the book of the Client: every fact recorded about the Client. Compares the figures of a day in two book versions, and names the facts that changed each figure.
   *
   * Read your write: yes.
   */
  readChanges(at: Operations['readChanges']['at'], options?: Options): Promise<Operations['readChanges']['answer']> {
    return this.#body('readChanges', at, undefined, options);
  }

  /**
   * Simulate acts and Receipts: `POST /v1/tenants/{tenant_id}/clients/{client_id}/simulate`
   *
   * Reads the book of the Client: every fact recorded about the Client. Decides each supposed fact as its own route would, one after the other, and records nothing.
   *
   * Read your write: yes.
   */
  simulate(at: Operations['simulate']['at'], body: Operations['simulate']['body'], options?: Options): Promise<Operations['simulate']['answer']> {
    return this.#body('simulate', at, body, options);
  }

  /**
   * Read a merchant's book on a day: `GET /v1/tenants/{tenant_id}/merchants/{merchant_ref}/book`
   *
   * Reads the books of the Clients whose Loans name the merchant, all as of one moment. If the book of a Client cannot be computed, the other Clients are not affected: its Loans are listed from their own recorded facts alone, with `book_not_derivable` in their `anomalies`, and are not included in totals.
   *
   * Read your write: yes.
   */
  readMerchantBook(at: Operations['readMerchantBook']['at'], options?: Options): Promise<Operations['readMerchantBook']['answer']> {
    return this.#body('readMerchantBook', at, undefined, options);
  }

  /**
   * Report a Receipt: `POST /v1/tenants/{tenant_id}/receipts`
   *
   * Records money that arrived, by its value date, and answers how it was allocated. Money without a designated Loan is allocated over all Loans of the Client in its currency.
   *
   * Every read shows it as soon as this is answered.
   */
  reportReceipt(body: Operations['reportReceipt']['body'], options?: Options): Promise<Operations['reportReceipt']['answer']> {
    return this.#body('reportReceipt', {}, body, options);
  }

  /**
   * Report many Receipts: `POST /v1/tenants/{tenant_id}/receipts/batch`
   *
   * Records each Receipt by itself, those of one Client in the order of the batch. `outcomes` has for each what `POST /receipts` would have answered. Sending the batch again is safe for each Receipt.
   *
   * Every read shows it as soon as this is answered.
   */
  reportReceipts(body: Operations['reportReceipts']['body'], options?: Options): Promise<Operations['reportReceipts']['answer']> {
    return this.#body('reportReceipts', {}, body, options);
  }

  /**
   * Reverse a Receipt: `POST /v1/tenants/{tenant_id}/receipts/{receipt_reference}/reversal`
   *
   * Records that the money was returned. Its allocation is undone as if the money had never arrived. A reversal is accepted in every state of a Loan.
   *
   * Every read shows it as soon as this is answered.
   */
  reverseReceipt(at: Operations['reverseReceipt']['at'], body: Operations['reverseReceipt']['body'], options?: Options): Promise<Operations['reverseReceipt']['answer']> {
    return this.#body('reverseReceipt', at, body, options);
  }

  /**
   * Read a Receipt: `GET /v1/tenants/{tenant_id}/receipts/{receipt_reference}`
   *
   * Reads the book of the Receipt's Client: every fact recorded about the Client. How the money of the Receipt is allocated, by all recorded facts.
   *
   * Read your write: yes.
   */
  readReceipt(at: Operations['readReceipt']['at'], options?: Options): Promise<Operations['readReceipt']['answer']> {
    return this.#body('readReceipt', at, undefined, options);
  }

  /**
   * Prove the facts of a Receipt: `GET /v1/tenants/{tenant_id}/receipts/{receipt_reference}/evidence`
   *
   * Reads the book of the Receipt's Client: every fact recorded about the Client. Each fact comes with the signed submission that caused it.
   *
   * Read your write: yes.
   */
  readReceiptEvidence(at: Operations['readReceiptEvidence']['at'], options?: Options): Promise<Operations['readReceiptEvidence']['answer']> {
    return this.#body('readReceiptEvidence', at, undefined, options);
  }

  /**
   * Create a configuration: `POST /v1/tenants/{tenant_id}/product-configurations`
   *
   * Records a configuration at version 1. With an `Idempotency-Key`, identical requests get the first outcome for 24 hours; without one, every request records a new one.
   *
   * Every read shows it as soon as this is answered.
   */
  createConfiguration(body: Operations['createConfiguration']['body'], options?: Options): Promise<Operations['createConfiguration']['answer']> {
    return this.#body('createConfiguration', {}, body, options);
  }

  /**
   * List the configurations: `GET /v1/tenants/{tenant_id}/product-configurations`
   *
   * Reads the Tenancy's own book: every fact recorded about its products.
   *
   * Read your write: yes.
   */
  listConfigurations(at: Operations['listConfigurations']['at'] = {}, options?: Options): Promise<Operations['listConfigurations']['answer']> {
    return this.#body('listConfigurations', at, undefined, options);
  }

  /**
   * Preview a configuration: `POST /v1/tenants/{tenant_id}/product-configurations/preview`
   *
   * Runs every check of creation in the same order and records nothing.
   *
   * Read your write: yes.
   */
  previewConfiguration(body: Operations['previewConfiguration']['body'], options?: Options): Promise<Operations['previewConfiguration']['answer']> {
    return this.#body('previewConfiguration', {}, body, options);
  }

  /**
   * Read a configuration at its latest version: `GET /v1/tenants/{tenant_id}/product-configurations/{configuration_id}`
   *
   * Reads the Tenancy's own book: every fact recorded about its products.
   *
   * Read your write: yes.
   */
  readConfiguration(at: Operations['readConfiguration']['at'], options?: Options): Promise<Operations['readConfiguration']['answer']> {
    return this.#body('readConfiguration', at, undefined, options);
  }

  /**
   * List the versions of a configuration: `GET /v1/tenants/{tenant_id}/product-configurations/{configuration_id}/versions`
   *
   * Reads the Tenancy's own book: every fact recorded about its products.
   *
   * Read your write: yes.
   */
  listConfigurationVersions(at: Operations['listConfigurationVersions']['at'], options?: Options): Promise<Operations['listConfigurationVersions']['answer']> {
    return this.#body('listConfigurationVersions', at, undefined, options);
  }

  /**
   * Write a new version of a configuration: `POST /v1/tenants/{tenant_id}/product-configurations/{configuration_id}/versions`
   *
   * Records all values as the next version. Issued Loans do not change. With an `Idempotency-Key`, identical requests get the first outcome for 24 hours; without one, every request records a new one.
   *
   * Every read shows it as soon as this is answered.
   */
  writeConfigurationVersion(at: Operations['writeConfigurationVersion']['at'], body: Operations['writeConfigurationVersion']['body'], options?: Options): Promise<Operations['writeConfigurationVersion']['answer']> {
    return this.#body('writeConfigurationVersion', at, body, options);
  }

  /**
   * Read one version of a configuration: `GET /v1/tenants/{tenant_id}/product-configurations/{configuration_id}/versions/{configuration_version}`
   *
   * Reads the Tenancy's own book: every fact recorded about its products.
   *
   * Read your write: yes.
   */
  readConfigurationVersion(at: Operations['readConfigurationVersion']['at'], options?: Options): Promise<Operations['readConfigurationVersion']['answer']> {
    return this.#body('readConfigurationVersion', at, undefined, options);
  }

  /**
   * Adopt a policy for a configuration: `PUT /v1/tenants/{tenant_id}/product-configurations/{configuration_id}/policy`
   *
   * Records which published policy version decides for all versions of the configuration from the next Decision on.
   *
   * Every read shows it as soon as this is answered.
   */
  adoptPolicy(at: Operations['adoptPolicy']['at'], body: Operations['adoptPolicy']['body'], options?: Options): Promise<Operations['adoptPolicy']['answer']> {
    return this.#body('adoptPolicy', at, body, options);
  }

  /**
   * Rehearse other values of a product: `POST /v1/tenants/{tenant_id}/product-configurations/{configuration_id}/rehearsal`
   *
   * Reads the books of the Clients that hold Loans of the product, computes them with the other values and lists what would change. A page with long books may end before its limit; `examined` is the number of Loans examined. If the book of a Client cannot be computed, its Loans are listed without changes, with `book_not_derivable` in their `anomalies`. Records nothing.
   *
   * Read your write: yes.
   */
  rehearse(at: Operations['rehearse']['at'], body: Operations['rehearse']['body'], options?: Options): Promise<Operations['rehearse']['answer']> {
    return this.#body('rehearse', at, body, options);
  }

  /**
   * List the lookup keys: `GET /v1/tenants/{tenant_id}/product-lookup-keys`
   *
   * Reads the Tenancy's own book: every fact recorded about its products.
   *
   * Read your write: yes.
   */
  listLookupKeys(at: Operations['listLookupKeys']['at'] = {}, options?: Options): Promise<Operations['listLookupKeys']['answer']> {
    return this.#body('listLookupKeys', at, undefined, options);
  }

  /**
   * Read a lookup key: `GET /v1/tenants/{tenant_id}/product-lookup-keys/{lookup_key}`
   *
   * Reads the Tenancy's own book: every fact recorded about its products.
   *
   * Read your write: yes.
   */
  readLookupKey(at: Operations['readLookupKey']['at'], options?: Options): Promise<Operations['readLookupKey']['answer']> {
    return this.#body('readLookupKey', at, undefined, options);
  }

  /**
   * Point a lookup key at a version: `PUT /v1/tenants/{tenant_id}/product-lookup-keys/{lookup_key}`
   *
   * Records which version the key names: 201 if the key is new, 200 if it names that version already or was moved by `transfer`. Agents cannot do this on a live Tenancy.
   *
   * Every read shows it as soon as this is answered.
   */
  pointLookupKey(at: Operations['pointLookupKey']['at'], body: Operations['pointLookupKey']['body'], options?: Options): Promise<Operations['pointLookupKey']['answer']> {
    return this.#body('pointLookupKey', at, body, options);
  }

  /**
   * Remove a lookup key: `DELETE /v1/tenants/{tenant_id}/product-lookup-keys/{lookup_key}`
   *
   * Records the removal and answers the key as it was. Agents cannot do this on a live Tenancy.
   *
   * Every read shows it as soon as this is answered.
   */
  removeLookupKey(at: Operations['removeLookupKey']['at'], options?: Options): Promise<Operations['removeLookupKey']['answer']> {
    return this.#body('removeLookupKey', at, undefined, options);
  }

  /**
   * List the policies: `GET /v1/tenants/{tenant_id}/credit-policies`
   *
   * Reads the Tenancy's own book: all drafted policy versions, and which of them were published.
   *
   * Read your write: yes.
   */
  listPolicies(at: Operations['listPolicies']['at'] = {}, options?: Options): Promise<Operations['listPolicies']['answer']> {
    return this.#body('listPolicies', at, undefined, options);
  }

  /**
   * Read a policy and its versions: `GET /v1/tenants/{tenant_id}/credit-policies/{policy}`
   *
   * Reads the Tenancy's own book: all drafted policy versions, and which of them were published.
   *
   * Read your write: yes.
   */
  readPolicy(at: Operations['readPolicy']['at'], options?: Options): Promise<Operations['readPolicy']['answer']> {
    return this.#body('readPolicy', at, undefined, options);
  }

  /**
   * Read a policy version: `GET /v1/tenants/{tenant_id}/credit-policies/{policy}/versions/{policy_version}`
   *
   * Reads the Tenancy's own book: all drafted policy versions, and which of them were published.
   *
   * Read your write: yes.
   */
  readPolicyVersion(at: Operations['readPolicyVersion']['at'], options?: Options): Promise<Operations['readPolicyVersion']['answer']> {
    return this.#body('readPolicyVersion', at, undefined, options);
  }

  /**
   * Validate the content of a policy: `POST /v1/tenants/{tenant_id}/credit-policies/{policy}/validate`
   *
   * Records nothing. Content that passes is not refused at drafting or publication.
   *
   * Read your write: yes.
   */
  validatePolicy(at: Operations['validatePolicy']['at'], body: Operations['validatePolicy']['body'], options?: Options): Promise<Operations['validatePolicy']['answer']> {
    return this.#body('validatePolicy', at, body, options);
  }

  /**
   * Draft a policy version: `POST /v1/tenants/{tenant_id}/credit-policies/{policy}/versions`
   *
   * Records the content under the next version number. A draft never changes.
   *
   * Every read shows it as soon as this is answered.
   */
  draftPolicyVersion(at: Operations['draftPolicyVersion']['at'], body: Operations['draftPolicyVersion']['body'], options?: Options): Promise<Operations['draftPolicyVersion']['answer']> {
    return this.#body('draftPolicyVersion', at, body, options);
  }

  /**
   * Publish a policy version: `POST /v1/tenants/{tenant_id}/credit-policies/{policy}/versions/{policy_version}/publication`
   *
   * Records who published the version. `self_confirmed` is true if the same actor drafted it.
   *
   * Every read shows it as soon as this is answered.
   */
  publishPolicyVersion(at: Operations['publishPolicyVersion']['at'], body: Operations['publishPolicyVersion']['body'], options?: Options): Promise<Operations['publishPolicyVersion']['answer']> {
    return this.#body('publishPolicyVersion', at, body, options);
  }

  /**
   * Decide an application: `POST /v1/tenants/{tenant_id}/credit-decisions`
   *
   * Decides by the policy version adopted for the configuration, or in a trial by the named one, and records the Decision with its trace.
   *
   * Every read shows it as soon as this is answered.
   */
  decide(body: Operations['decide']['body'], options?: Options): Promise<Operations['decide']['answer']> {
    return this.#body('decide', {}, body, options);
  }

  /**
   * List the Decisions: `GET /v1/tenants/{tenant_id}/credit-decisions`
   *
   * Reads the Decisions of the Tenancy, or of one Client. Decisions with an outcome that is newer than the requested version are left out, so a page may be short or empty and still have a `cursor`.
   *
   * Read your write: yes.
   */
  listDecisions(at: Operations['listDecisions']['at'] = {}, options?: Options): Promise<Operations['listDecisions']['answer']> {
    return this.#body('listDecisions', at, undefined, options);
  }

  /**
   * Read a Decision: `GET /v1/tenants/{tenant_id}/credit-decisions/{decision_id}`
   *
   * Reads the book of the Client: every fact recorded about the Client. The Decision as it was recorded.
   *
   * Read your write: yes.
   */
  readDecision(at: Operations['readDecision']['at'], options?: Options): Promise<Operations['readDecision']['answer']> {
    return this.#body('readDecision', at, undefined, options);
  }

  /**
   * Resolve a referred Decision: `POST /v1/tenants/{tenant_id}/credit-decisions/{decision_id}/resolution`
   *
   * Records what a person decided on a referred Decision. A Decision is resolved once.
   *
   * Every read shows it as soon as this is answered.
   */
  resolveDecision(at: Operations['resolveDecision']['at'], body: Operations['resolveDecision']['body'], options?: Options): Promise<Operations['resolveDecision']['answer']> {
    return this.#body('resolveDecision', at, body, options);
  }

  /**
   * Read the resolution of a Decision: `GET /v1/tenants/{tenant_id}/credit-decisions/{decision_id}/resolution`
   *
   * Reads the book of the Client: every fact recorded about the Client.
   *
   * Read your write: yes.
   */
  readResolution(at: Operations['readResolution']['at'], options?: Options): Promise<Operations['readResolution']['answer']> {
    return this.#body('readResolution', at, undefined, options);
  }

  /**
   * Read whether a Client is barred on a day: `GET /v1/tenants/{tenant_id}/credit-bar/{client_id}`
   *
   * Reads the book of the Client: every fact recorded about the Client. A Client that is not registered is not barred.
   *
   * Read your write: yes.
   */
  readBar(at: Operations['readBar']['at'], options?: Options): Promise<Operations['readBar']['answer']> {
    return this.#body('readBar', at, undefined, options);
  }

  /**
   * Open a facility: `POST /v1/tenants/{tenant_id}/facilities`
   *
   * Records how much may be lent to the Client under an approving Decision, and when.
   *
   * Every read shows it as soon as this is answered.
   */
  openFacility(body: Operations['openFacility']['body'], options?: Options): Promise<Operations['openFacility']['answer']> {
    return this.#body('openFacility', {}, body, options);
  }

  /**
   * List the facilities: `GET /v1/tenants/{tenant_id}/facilities`
   *
   * Reads the facilities of the Tenancy, or of one Client.
   *
   * Read your write: yes.
   */
  listFacilities(at: Operations['listFacilities']['at'] = {}, options?: Options): Promise<Operations['listFacilities']['answer']> {
    return this.#body('listFacilities', at, undefined, options);
  }

  /**
   * Read a facility with what is drawn of it: `GET /v1/tenants/{tenant_id}/facilities/{facility_id}`
   *
   * Reads the book of the Client: every fact recorded about the Client.
   *
   * Read your write: yes.
   */
  readFacility(at: Operations['readFacility']['at'], options?: Options): Promise<Operations['readFacility']['answer']> {
    return this.#body('readFacility', at, undefined, options);
  }

  /**
   * List the Clients that owe something on a day: `GET /v1/tenants/{tenant_id}/dues`
   *
   * Reads the books of the Clients that may have something due on the day, found by an index that is updated with every fact. At most twice `limit` Clients are examined for a page. A Client whose book cannot be computed is listed without figures, whatever the filters, with `book_not_derivable` in its `anomalies`, and is not included in totals.
   *
   * Read your write: yes.
   */
  readDues(at: Operations['readDues']['at'], options?: Options): Promise<Operations['readDues']['answer']> {
    return this.#body('readDues', at, undefined, options);
  }

  /**
   * Read the bounds of the Tenancy: `GET /v1/tenants/{tenant_id}/bounds`
   *
   * Reads the bounds that the answering instance applies. A change takes effect within a second.
   *
   * Read your write: yes.
   */
  readBounds(options?: Options): Promise<Operations['readBounds']['answer']> {
    return this.#body('readBounds', {}, undefined, options);
  }

  /**
   * Read a market's rules: `GET /v1/tenants/{tenant_id}/markets/{jurisdiction}`
   *
   * Reads the market's law as this release has it. It does not depend on recorded facts.
   *
   * Read your write: yes.
   */
  readMarket(at: Operations['readMarket']['at'], options?: Options): Promise<Operations['readMarket']['answer']> {
    return this.#body('readMarket', at, undefined, options);
  }

  /**
   * Put the company profile: `PUT /v1/tenants/{tenant_id}/company-profile`
   *
   * Records the profile and replaces the previous one.
   *
   * Every read shows it as soon as this is answered.
   */
  putCompanyProfile(body: Operations['putCompanyProfile']['body'], options?: Options): Promise<Operations['putCompanyProfile']['answer']> {
    return this.#body('putCompanyProfile', {}, body, options);
  }

  /**
   * Read the company profile: `GET /v1/tenants/{tenant_id}/company-profile`
   *
   * Reads the Tenancy's own book.
   *
   * Read your write: yes.
   */
  readCompanyProfile(options?: Options): Promise<Operations['readCompanyProfile']['answer']> {
    return this.#body('readCompanyProfile', {}, undefined, options);
  }

  /**
   * Check that the process is alive: `GET /livez`
   *
   * No credential is needed.
   */
  readLiveness(options?: Options): Promise<Operations['readLiveness']['answer']> {
    return this.#body('readLiveness', {}, undefined, options);
  }

  /**
   * Check that the process can serve requests: `GET /readyz`
   *
   * 503 lists what is not ready. No credential is needed.
   */
  readReadiness(options?: Options): Promise<Operations['readReadiness']['answer']> {
    return this.#body('readReadiness', {}, undefined, options);
  }

  /**
   * This document: `GET /v1/openapi.json`
   *
   * No credential is needed.
   */
  readOpenApi(options?: Options): Promise<Operations['readOpenApi']['answer']> {
    return this.#body('readOpenApi', {}, undefined, options);
  }

  /**
   * This document as a page: `GET /docs`
   *
   * No credential is needed.
   */
  readDocs(options?: Options): Promise<Operations['readDocs']['answer']> {
    return this.#body('readDocs', {}, undefined, options);
  }

  /**
   * Changes and deprecations of the contract: `GET /changelog`
   *
   * No credential is needed.
   */
  readChangelog(options?: Options): Promise<Operations['readChangelog']['answer']> {
    return this.#body('readChangelog', {}, undefined, options);
  }
}
