/** The table of routes. The OpenAPI document, the SDK and the services derive from it. */

import {
  dayParameter,
  enumParameter,
  identifierParameter,
  integerParameter,
  optionalParameter,
  paging,
  repeatedParameter,
  requiredParameter,
  timestampParameter,
  uuidParameter,
  wordParameter,
} from '#libs/api/parameter-formats.ts';
import type { InferQuery, QuerySchema } from '#libs/api/parse-query.ts';
import { bytesPerMebibyte, type Method, type Route } from '#libs/api/route.ts';
import { applicationBody } from '#libs/credit/application.ts';
import { facilityBody } from '#libs/credit/facility.ts';
import { resolutionBody } from '#libs/credit/resolution.ts';
import { dayOnlyBody } from '#libs/ledger/act.ts';
import { acts } from '#libs/ledger/acts/manifest.ts';
import {
  batchBody,
  clientBody,
  issuanceBody,
  previewBody,
  receiptBody,
  rehearsalBody,
  retractionBody,
  reversalBody,
  simulationBody,
} from '#libs/ledger/request-bodies.ts';
import { configurationBody, configurationVersionBody } from '#libs/product/configurations.ts';
import { enumerations } from '#libs/schema/enumerations.ts';
import type { Infer, Schema } from '#libs/schema/schema.ts';
import { companyProfileBody } from '#libs/tenant/company-profile.ts';
import { lookupKeyBody } from '#libs/tenant/configuration-acts.ts';
import { adoptionBody, policyContentBody, policyVersionBody, publicationBody } from '#libs/tenant/policy-acts.ts';

const tenancy = '/v1/tenants/{tenant_id}';
const defaults = {
  maxBodyBytes: bytesPerMebibyte,
  readsIdempotencyKey: false,
  isPublic: false,
  servesPathsBelow: false,
  isForbiddenToAgents: false,
};

function read<const Query extends QuerySchema>(path: string, query: Query): Route<undefined, Query> {
  return { ...defaults, method: 'GET', path: `${tenancy}${path}`, servedBy: 'query', query };
}

type NoQuery = Record<never, never>;
const noQuery: NoQuery = {};

function write<Body>(
  method: Method,
  path: string,
  body: Schema<Body>,
  options: Partial<Route<Body, NoQuery>> = {},
): Route<Body, NoQuery> {
  return { ...defaults, method, path: `${tenancy}${path}`, servedBy: 'ingress', body, query: noQuery, ...options };
}

function act<Body>(segment: string, body: Schema<Body>): Route<Body, NoQuery> {
  return write('POST', `/loans/{loan_id}/${segment}`, body);
}

type ActRoutes = {
  readonly [A in (typeof acts)[number] as A['route']['operation']]: Route<Infer<A['requestBody']>, NoQuery>;
};

const actRoutes = Object.fromEntries(
  acts.map(({ route, requestBody }) => [route.operation, act<unknown>(route.segment, requestBody)]),
) as ActRoutes;

function publicRead(path: string): Route<undefined, NoQuery> {
  return { ...defaults, method: 'GET', path, servedBy: 'query', query: noQuery, isPublic: true };
}

const known_at = optionalParameter(timestampParameter);
const on = requiredParameter(dayParameter);
// Days as YYYY-MM-DD compare as text.
const dayRange = {
  from: requiredParameter(dayParameter),
  to: {
    ...requiredParameter(dayParameter),
    consistency: {
      bound: 'the day in from, or a later one',
      isConsistent: ({ from, to }: { from?: unknown; to?: unknown }) => String(from) <= String(to),
    },
  },
};
const readsIdempotencyKey = { readsIdempotencyKey: true };
const isForbiddenToAgents = { isForbiddenToAgents: true };
const servedByQuery = { servedBy: 'query' } as const;

/** Every route of the contract, by the name of its handler. */
export const routes = {
  listLoans: read('/loans', {
    client_id: optionalParameter(identifierParameter),
    configuration_id: optionalParameter(identifierParameter),
    merchant_ref: optionalParameter(identifierParameter),
    // Whether a hold has expired depends on the day.
    state: {
      ...optionalParameter(enumParameter(enumerations.loan_state)),
      consistency: {
        bound: 'expired together with on',
        isConsistent: ({ state, on }: { state?: unknown; on?: unknown }) => state !== 'expired' || on !== undefined,
      },
    },
    on: optionalParameter(dayParameter),
    ...paging,
  }),
  issueLoan: write('POST', '/loans', issuanceBody),
  previewLoan: write('POST', '/loans/preview', previewBody),
  readLoan: read('/loans/{loan_id}', noQuery),
  ...actRoutes,
  retractFact: act('retraction', retractionBody),
  quotePayoff: act('payoff-quotes', dayOnlyBody),
  listPayoffQuotes: read('/loans/{loan_id}/payoff-quotes', paging),
  readPayoffQuote: read('/loans/{loan_id}/payoff-quotes/{quote_id}', noQuery),
  readSchedule: read('/loans/{loan_id}/schedule', { on, known_at }),
  readDelinquency: read('/loans/{loan_id}/delinquency', { on, known_at }),
  explainLoan: read('/loans/{loan_id}/explanation', { on, known_at }),
  readLoanStatement: read('/loans/{loan_id}/statement', { ...dayRange, known_at }),
  readLoanEvidence: read('/loans/{loan_id}/evidence', noQuery),
  readFeed: read('/loan-events', paging),
  streamFeed: read('/loan-events/stream', noQuery),

  listClients: read('/clients', paging),
  registerClient: write('PUT', '/clients/{client_id}', clientBody),
  readClient: read('/clients/{client_id}', noQuery),
  readPaymentOptions: read('/clients/{client_id}/payment-options', {
    on: requiredParameter(dayParameter, 'outside_loan'),
    known_at,
  }),
  readStatement: read('/clients/{client_id}/statement', { ...dayRange, known_at }),
  listReceipts: read('/clients/{client_id}/receipts', paging),
  readObligations: read('/clients/{client_id}/obligations', paging),
  readBookVersion: read('/clients/{client_id}/book-version', noQuery),
  readClientBook: read('/clients/{client_id}/book', { on, known_at }),
  readChanges: read('/clients/{client_id}/changes', {
    on,
    from_facts: requiredParameter(integerParameter(0)),
    to_facts: {
      ...requiredParameter(integerParameter(0)),
      consistency: {
        bound: 'the number in from_facts, or a higher one',
        isConsistent: (read: { from_facts?: unknown; to_facts?: unknown }) =>
          Number(read.from_facts) <= Number(read.to_facts),
      },
    },
    known_at,
  }),
  simulate: write('POST', '/clients/{client_id}/simulate', simulationBody, servedByQuery),
  readMerchantBook: read('/merchants/{merchant_ref}/book', { on, ...paging }),

  reportReceipt: write('POST', '/receipts', receiptBody),
  reportReceipts: write('POST', '/receipts/batch', batchBody, { maxBodyBytes: 8 * bytesPerMebibyte }),
  reverseReceipt: write('POST', '/receipts/{receipt_reference}/reversal', reversalBody),
  readReceipt: read('/receipts/{receipt_reference}', noQuery),
  readReceiptEvidence: read('/receipts/{receipt_reference}/evidence', noQuery),

  createConfiguration: write('POST', '/product-configurations', configurationBody, readsIdempotencyKey),
  previewConfiguration: write('POST', '/product-configurations/preview', configurationBody),
  listConfigurations: read('/product-configurations', paging),
  readConfiguration: read('/product-configurations/{configuration_id}', noQuery),
  listConfigurationVersions: read('/product-configurations/{configuration_id}/versions', paging),
  writeConfigurationVersion: write(
    'POST',
    '/product-configurations/{configuration_id}/versions',
    configurationVersionBody,
    readsIdempotencyKey,
  ),
  readConfigurationVersion: read(
    '/product-configurations/{configuration_id}/versions/{configuration_version}',
    noQuery,
  ),
  adoptPolicy: write('PUT', '/product-configurations/{configuration_id}/policy', adoptionBody),
  readAdoptedPolicy: read('/product-configurations/{configuration_id}/policy', noQuery),
  rehearse: write('POST', '/product-configurations/{configuration_id}/rehearsal', rehearsalBody, servedByQuery),
  listLookupKeys: read('/product-lookup-keys', { lookup_key: repeatedParameter(10, identifierParameter) }),
  readLookupKey: read('/product-lookup-keys/{lookup_key}', noQuery),
  pointLookupKey: write('PUT', '/product-lookup-keys/{lookup_key}', lookupKeyBody, isForbiddenToAgents),
  removeLookupKey: {
    ...read('/product-lookup-keys/{lookup_key}', noQuery),
    method: 'DELETE',
    servedBy: 'ingress',
    isForbiddenToAgents: true,
  },

  listPolicies: read('/credit-policies', paging),
  readPolicy: read('/credit-policies/{policy}', paging),
  readPolicyVersion: read('/credit-policies/{policy}/versions/{policy_version}', noQuery),
  validatePolicy: write('POST', '/credit-policies/{policy}/validate', policyContentBody),
  draftPolicyVersion: write('POST', '/credit-policies/{policy}/versions', policyVersionBody),
  publishPolicyVersion: write(
    'POST',
    '/credit-policies/{policy}/versions/{policy_version}/publication',
    publicationBody,
  ),
  decide: write('POST', '/credit-decisions', applicationBody),
  listDecisions: read('/credit-decisions', { client: optionalParameter(identifierParameter), ...paging }),
  readDecision: read('/credit-decisions/{decision_id}', noQuery),
  resolveDecision: write('POST', '/credit-decisions/{decision_id}/resolution', resolutionBody),
  readResolution: read('/credit-decisions/{decision_id}/resolution', noQuery),
  readBar: read('/credit-bar/{client_id}', {
    on: { ...requiredParameter(dayParameter, 'invalid_application'), codeIfInvalid: 'invalid_application' },
    known_at,
  }),
  openFacility: write('POST', '/facilities', facilityBody),
  listFacilities: read('/facilities', { client: optionalParameter(identifierParameter) }),
  readFacility: read('/facilities/{facility_id}', noQuery),

  readDues: read('/dues', {
    on,
    only: optionalParameter(enumParameter(enumerations.dues_only)),
    min_days_past_due: optionalParameter(integerParameter(1)),
    ...paging,
  }),
  readBounds: { ...read('/bounds', noQuery), servedBy: 'pipeline' },
  listRequests: read('/requests', {
    request_id: optionalParameter(uuidParameter),
    caller_request_id: optionalParameter(wordParameter),
    day: optionalParameter(dayParameter),
    fp: optionalParameter(wordParameter),
    method: optionalParameter(wordParameter),
    route: optionalParameter(wordParameter),
    target: optionalParameter(wordParameter),
    status: optionalParameter(integerParameter(100, 599)),
    code: optionalParameter(wordParameter),
    ...paging,
  }),
  readMarket: read('/markets/{jurisdiction}', noQuery),
  putCompanyProfile: write('PUT', '/company-profile', companyProfileBody),
  readCompanyProfile: read('/company-profile', noQuery),

  readLiveness: { ...publicRead('/livez'), servedBy: 'pipeline' },
  readReadiness: { ...publicRead('/readyz'), servedBy: 'pipeline' },
  readOpenApi: publicRead('/v1/openapi.json'),
  readDocs: { ...publicRead('/docs'), servesPathsBelow: true },
  readChangelog: publicRead('/changelog'),
} as const satisfies Record<string, Route<unknown, QuerySchema>>;

export type RouteName = keyof typeof routes;
export type BodyOf<Name extends RouteName> = Infer<NonNullable<(typeof routes)[Name]['body']>>;
export type QueryOf<Name extends RouteName> = InferQuery<(typeof routes)[Name]['query']>;
