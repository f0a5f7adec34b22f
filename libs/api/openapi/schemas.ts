/** The named schemas of the OpenAPI document, and the references to them. */

import { undescribed } from '#libs/api/answers/answer-schema.ts';
import * as clients from '#libs/api/answers/clients.ts';
import * as figures from '#libs/api/answers/common.ts';
import { refusalCodes, refusalDetails, refusalSchema, retry } from '#libs/api/answers/common.ts';
import * as credit from '#libs/api/answers/credit.ts';
import * as evidence from '#libs/api/answers/evidence.ts';
import * as explanations from '#libs/api/answers/explanation.ts';
import * as loanEvents from '#libs/api/answers/loan-events.ts';
import * as days from '#libs/api/answers/loan-figures.ts';
import * as loans from '#libs/api/answers/loans.ts';
import * as products from '#libs/api/answers/products.ts';
import * as receipts from '#libs/api/answers/receipts.ts';
import * as tenancy from '#libs/api/answers/tenancy.ts';
import type { BreakingEntry, Contract } from '#libs/api/contract-versions.ts';
import { withMemberDescriptions } from '#libs/api/openapi/member-descriptions.ts';
import { readiness } from '#libs/api/openapi/operations/service.ts';
import type { Route } from '#libs/api/route.ts';
import { type RouteName, routes } from '#libs/api/routes.ts';
import { applicationBody } from '#libs/credit/application.ts';
import { facilityBody } from '#libs/credit/facility.ts';
import { rateFraction } from '#libs/credit/numbers.ts';
import { policyContent } from '#libs/credit/read-policy.ts';
import { resolutionBody } from '#libs/credit/resolution.ts';
import { dayOnlyBody } from '#libs/ledger/act.ts';
import { acts } from '#libs/ledger/acts/manifest.ts';
import {
  batchBody,
  clientBody,
  issuanceBody,
  previewBody,
  receiptBody,
  retractionBody,
  reversalBody,
  simulationBody,
} from '#libs/ledger/request-bodies.ts';
import { schedule } from '#libs/product/field-schemas.ts';
import type { Json } from '#libs/schema/json.ts';
import { money, moneyOrZero } from '#libs/schema/objects.ts';
import type { JsonSchema } from '#libs/schema/schema.ts';
import { companyProfileBody } from '#libs/tenant/company-profile.ts';
import { lookupKeyBody } from '#libs/tenant/configuration-acts.ts';
import { adoptionBody, publicationBody } from '#libs/tenant/policy-acts.ts';

const answers: { readonly [name: string]: { readonly jsonSchema: JsonSchema } } = {
  Refusal: refusalSchema(refusalCodes),
  RefusalDetails: refusalDetails,
  Retry: retry,

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
  LoanExplanation: explanations.explanation,
  PeriodParts: explanations.periodParts,
  ExplainedReceipt: explanations.explainedReceipt,
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
  ProductConfiguration: products.configuration,
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
  FacilityDrawn: credit.facilityWithBalance,
  FacilityList: credit.facilityList,
  Policy: credit.policy,
  PolicyPage: credit.policyPage,
  PolicyVersion: credit.policyVersion,
  PolicyVersionWhole: credit.policyVersionWithContent,
  PolicyContent: policyContent,
  PolicyValidation: credit.validation,
  PolicyAdoption: credit.adoption,

  MerchantBook: tenancy.merchantBook,
  MerchantRow: tenancy.merchantRow,
  FeedEvent: loanEvents.feedEvent,
  Feed: loanEvents.feed,
  StreamedEvent: loanEvents.streamedEvent,
  Bounds: tenancy.bounds,
  LoggedRequest: tenancy.loggedRequest,
  LoggedRequestPage: tenancy.requestPage,
  Market: tenancy.market,
  CompanyProfile: tenancy.companyProfile,
  Readiness: readiness,
  LoanEvidence: evidence.loanEvidence,
  ReceiptEvidence: evidence.receiptEvidence,
  ProvenFact: evidence.provenFact,
};

/** Bodies of acts that state more than a day, named after the last segment of the path: `SuspensionEndAct`. */
const actBodies = Object.fromEntries(
  acts.flatMap(({ route, requestBody }) =>
    requestBody.jsonSchema === dayOnlyBody.jsonSchema ? [] : [[actBodyName(route.segment), requestBody] as const],
  ),
);

function actBodyName(segment: string): string {
  const words = segment.split('-').map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return `${words.join('')}Act`;
}

const bodies: { readonly [name: string]: { readonly jsonSchema: JsonSchema } } = {
  StatedMoney: money,
  StatedMoneyOrNothing: moneyOrZero,
  Schedule: schedule,
  Ratio: rateFraction,
  ActOnADay: dayOnlyBody,
  ...actBodies,
  RetractionAct: retractionBody,
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
  ConfigurationToCreate: products.configurationToCreate,
  InstalmentToConfigure: products.toConfigure.instalment,
  BnplToConfigure: products.toConfigure.bnpl,
  PaydayToConfigure: products.toConfigure.payday,
  LookupKeyPointing: lookupKeyBody,
  Application: applicationBody,
  ResolutionAct: resolutionBody,
  FacilityToOpen: facilityBody,
};

/** Where a schema is used. Every enumeration is open where a request states it, whatever an answer says of it. */
export type SchemaPlace = 'request' | 'answer';

/** Schemas with closed enumerations that requests and answers share: requests refer to them as `Stated…`. */
const sharedNames: ReadonlySet<string> = new Set([
  'Schedule',
  'InstalmentValues',
  'BnplValues',
  'PaydayValues',
  'ProductValues',
  'PolicyContent',
]);

const namesOf = new Map(Object.entries({ ...answers, ...bodies }).map(([name, { jsonSchema }]) => [jsonSchema, name]));

/** The schema as the document writes it: every named schema becomes a reference. */
export function withReferences(schema: JsonSchema, place: SchemaPlace): JsonSchema {
  const original = undescribed(schema);
  const name = namesOf.get(original);
  if (name === undefined) return withInnerReferences(schema, place);
  const $ref = `#/components/schemas/${place === 'request' && sharedNames.has(name) ? `Stated${name}` : name}`;
  return original === schema ? { $ref } : { $ref, description: schema['description'] as string };
}

function withInnerReferences(schema: JsonSchema, place: SchemaPlace): JsonSchema {
  return Object.fromEntries(
    Object.entries(forGenerators(schema)).map(([keyword, value]) => [
      keyword,
      keyword === 'x-enum-open' ? place === 'request' || value : referencesIn(value, place),
    ]),
  );
}

/** Generators of clients take a whole number for one of 32 bits, and write invalid code for a default that is no plain value. */
function forGenerators(schema: JsonSchema): JsonSchema {
  const { default: fallback, ...rest } = schema;
  const { type, maximum, anyOf } = rest;
  if (type === 'integer' && !(Number(maximum) < 2 ** 31)) return { ...schema, format: 'int64' };
  const isOfOneType = typeof type === 'string' && anyOf === undefined;
  if (fallback === undefined || (isOfOneType && typeof fallback !== 'object')) return schema;
  return { ...rest, 'x-default': fallback };
}

function referencesIn(value: Json, place: SchemaPlace): Json {
  if (Array.isArray(value)) return value.map((item) => referencesIn(item, place));
  return typeof value === 'object' && value !== null ? withReferences(value as JsonSchema, place) : value;
}

export function schemaComponents({ entries }: Contract): JsonSchema {
  const removals = entries.filter(
    (entry): entry is BreakingEntry<'request_field'> => entry.kind === 'request_field' && 'window' in entry,
  );
  const withDeprecations = (schema: JsonSchema) =>
    removals
      .filter(({ route, change }) => change === 'removed' && bodySchemaOf(route) === schema)
      .reduce(markDeprecated, schema);
  const body = (schema: JsonSchema, place: SchemaPlace) =>
    withMemberDescriptions(withInnerReferences(withDeprecations(schema), place));
  return Object.fromEntries([
    ...Object.entries(answers).flatMap(([name, { jsonSchema }]) => [
      [name, withInnerReferences(jsonSchema, 'answer')],
      ...(sharedNames.has(name) ? [[`Stated${name}`, withInnerReferences(jsonSchema, 'request')]] : []),
    ]),
    ...Object.entries(bodies).flatMap(([name, { jsonSchema }]) =>
      sharedNames.has(name)
        ? [
            [name, body(jsonSchema, 'answer')],
            [`Stated${name}`, body(jsonSchema, 'request')],
          ]
        : [[name, body(jsonSchema, 'request')]],
    ),
  ]);
}

function bodySchemaOf(name: RouteName): JsonSchema | undefined {
  const route: Route = routes[name];
  return route.body?.jsonSchema;
}

function markDeprecated(schema: JsonSchema, { field, window }: BreakingEntry<'request_field'>): JsonSchema {
  const properties = schema['properties'] as { readonly [name: string]: JsonSchema };
  const description = `Accepted and ignored. Refused from ${window.endsOn}.`;
  return { ...schema, properties: { ...properties, [field]: { ...properties[field], deprecated: true, description } } };
}
