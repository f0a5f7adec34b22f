/** The schemas that have a name in the document, and how a schema that holds one refers to it. */
import * as clients from '#libs/api/answers/clients.ts';
import * as credit from '#libs/api/answers/credit.ts';
import * as evidence from '#libs/api/answers/evidence.ts';
import * as figures from '#libs/api/answers/figures.ts';
import * as days from '#libs/api/answers/loan-days.ts';
import * as loans from '#libs/api/answers/loans.ts';
import { undescribed } from '#libs/api/answers/part.ts';
import * as products from '#libs/api/answers/products.ts';
import * as receipts from '#libs/api/answers/receipts.ts';
import { codes, detailsPart, refusalOfCodes, retryPart } from '#libs/api/answers/refusal.ts';
import * as tenancy from '#libs/api/answers/tenancy.ts';
import * as acts from '#libs/api/bodies/acts.ts';
import { clientBody, companyProfileBody, simulationBody } from '#libs/api/bodies/clients.ts';
import { decisionBody, facilityBody, publicationBody, ratio, resolutionBody } from '#libs/api/bodies/credit.ts';
import { issuanceBody, previewBody } from '#libs/api/bodies/loans.ts';
import { policyContent } from '#libs/api/bodies/policy-content.ts';
import { adoptionBody, lookupKeyBody } from '#libs/api/bodies/products.ts';
import { batchBody, receiptBody, reversalBody } from '#libs/api/bodies/receipts.ts';
import { withMembersSaid } from '#libs/api/openapi/members.ts';
import type { Route } from '#libs/api/route.ts';
import { routes } from '#libs/api/routes.ts';
import type { Contract, Window } from '#libs/api/versions.ts';
import { schedule } from '#libs/product/schedule-schema.ts';
import type { JsonSchema } from '#libs/schema/form.ts';
import type { Json } from '#libs/schema/json.ts';
import { money, moneyOrNothing } from '#libs/schema/shape.ts';

const answers: { readonly [name: string]: { readonly jsonSchema: JsonSchema } } = {
  Refusal: refusalOfCodes(codes),
  RefusalDetails: detailsPart,
  Retry: retryPart,

  Money: figures.amount,
  Owed: figures.owed,
  ChargeLine: figures.chargeLine,
  ConfigurationPin: figures.pin,
  ActAccount: figures.actAccount,
  FactName: figures.factName,
  Anomaly: figures.anomaly,

  Loan: loans.loan,
  LoanTerms: loans.terms,
  LoanPreview: loans.preview,
  LoanRow: loans.loanRow,
  RecordedLoanRow: loans.recordedLoanRow,
  LoanPage: loans.loanPage,
  LoanEvent: loans.event,
  IssuedPeriod: loans.issuedPeriod,
  Disclosure: loans.disclosure,
  Regime: loans.regime,
  Acceleration: loans.acceleration,
  Return: loans.returned,
  PayoffQuote: loans.quote,
  PayoffQuotePage: loans.quotePage,

  PaymentOptions: days.paymentOptions,
  LoanPaymentOptions: days.loanOptions,
  Late: days.late,
  Suspension: days.suspension,
  Waiver: days.waiver,
  Instalment: days.instalment,
  LoanSchedule: days.schedule,
  ScheduledPeriod: days.scheduledPeriod,
  Delinquency: days.delinquency,
  Statement: days.statement,
  LoanStatement: days.loanStatement,
  StatementLine: days.movement,
  DuesPage: days.duesPage,
  ClientDues: days.clientDues,
  DueLoan: days.dueLoan,

  Client: clients.client,
  ClientPage: clients.clientPage,
  BookVersion: clients.bookVersion,
  Obligations: clients.obligations,
  ClientBook: clients.book,
  BookChanges: clients.changes,
  Simulation: clients.simulation,
  Bar: clients.bar,

  Receipt: receipts.receipt,
  ReceiptRow: receipts.receiptRow,
  ReceiptLoan: receipts.receiptLoan,
  ReceiptPage: receipts.receiptPage,
  ReceiptBatchOutcomes: receipts.batch,
  ReceiptBatchOutcome: receipts.batchOutcome,

  InstalmentValues: products.productValues.instalment,
  BnplValues: products.productValues.bnpl,
  PaydayValues: products.productValues.payday,
  ProductValues: products.anyValues,
  EffectiveValues: products.effective,
  Advisories: products.advisories,
  Configuration: products.configuration,
  ConfigurationVersion: products.configurationVersion,
  ConfigurationPreview: products.configurationPreview,
  ConfigurationPage: products.configurationPage,
  ConfigurationVersionPage: products.versionPage,
  LookupKey: products.lookupKey,
  LookupKeyList: products.lookupKeyList,
  Rehearsal: products.rehearsal,

  Decision: credit.decision,
  DecisionPage: credit.decisionPage,
  DecisionTrace: credit.trace,
  QuotedRate: credit.quotedRate,
  Resolution: credit.resolution,
  Facility: credit.facility,
  FacilityDrawn: credit.facilityDrawn,
  FacilityList: credit.facilityList,
  Policy: credit.policy,
  PolicyPage: credit.policyPage,
  PolicyVersion: credit.policyVersion,
  PolicyVersionWhole: credit.policyVersionWhole,
  PolicyContent: policyContent,
  PolicyValidation: credit.validation,
  PolicyAdoption: credit.adoption,

  MerchantBook: tenancy.merchantBook,
  MerchantRow: tenancy.merchantRow,
  FeedEvent: tenancy.feedEvent,
  Feed: tenancy.feed,
  StreamedEvent: tenancy.streamedEvent,
  Bounds: tenancy.bounds,
  Market: tenancy.market,
  CompanyProfile: tenancy.companyProfile,
  Readiness: tenancy.readiness,
  LoanEvidence: evidence.loanEvidence,
  ReceiptEvidence: evidence.receiptEvidence,
  ProvenFact: evidence.provenFact,
};

const bodies: { readonly [name: string]: { readonly jsonSchema: JsonSchema } } = {
  StatedMoney: money,
  StatedMoneyOrNothing: moneyOrNothing,
  Schedule: schedule,
  Ratio: ratio,
  ActOnADay: acts.dayBody,
  SuspensionAct: acts.suspensionBody,
  SuspensionEndAct: acts.suspensionEndBody,
  WaiverAct: acts.waiverBody,
  ReturnAct: acts.returnBody,
  RestructureAct: acts.restructureBody,
  AccelerationAct: acts.accelerationBody,
  SettlementAct: acts.settlementBody,
  RetractionAct: acts.retractionBody,
  LoanToIssue: issuanceBody,
  LoanToPreview: previewBody,
  ClientToRegister: clientBody,
  SimulationToRun: simulationBody,
  CompanyProfileToPut: companyProfileBody,
  ReceiptToReport: receiptBody,
  ReceiptBatch: batchBody,
  ReversalAct: reversalBody,
  PolicyAdoptionAct: adoptionBody,
  PublicationAct: publicationBody,
  LookupKeyPointing: lookupKeyBody,
  Application: decisionBody,
  ResolutionAct: resolutionBody,
  FacilityToOpen: facilityBody,
};

const named = { ...answers, ...bodies };

const names = new Map(Object.entries(named).map(([name, { jsonSchema }]) => [jsonSchema, name]));

/** The schema as it stands in the document: what has a name is referred to by it. */
export function referred(schema: JsonSchema): JsonSchema {
  const whole = undescribed(schema);
  const name = names.get(whole);
  if (name === undefined) return within(schema);
  const $ref = `#/components/schemas/${name}`;
  return whole === schema ? { $ref } : { $ref, description: schema['description'] as string };
}

function within(schema: JsonSchema): JsonSchema {
  return Object.fromEntries(Object.entries(schema).map(([keyword, value]) => [keyword, inner(value)]));
}

function inner(value: Json): Json {
  if (Array.isArray(value)) return value.map(inner);
  return typeof value === 'object' && value !== null ? referred(value as JsonSchema) : value;
}

export function schemaComponents({ windows }: Contract): JsonSchema {
  const told = (schema: JsonSchema) => windows.filter(({ route }) => bodyOf(route) === schema).reduce(leaving, schema);
  return Object.fromEntries([
    ...Object.entries(answers).map(([name, { jsonSchema }]) => [name, within(jsonSchema)]),
    ...Object.entries(bodies).map(([name, { jsonSchema }]) => [name, withMembersSaid(within(told(jsonSchema)))]),
  ]);
}

function bodyOf(name: string): JsonSchema | undefined {
  return (routes as { readonly [route: string]: Route })[name]?.body?.jsonSchema;
}

/** A member on its way out is marked so. */
function leaving(schema: JsonSchema, { field, until }: Window): JsonSchema {
  const properties = schema['properties'] as { readonly [name: string]: JsonSchema };
  const description = `Accepted and ignored until ${until}, then refused.`;
  return { ...schema, properties: { ...properties, [field]: { ...properties[field], deprecated: true, description } } };
}
