import {
  accelerationBody,
  dayBody,
  restructureBody,
  retractionBody,
  returnBody,
  settlementBody,
  suspensionBody,
  suspensionEndBody,
  waiverBody,
} from '#libs/api/bodies/acts.ts';
import { clientBody, companyProfileBody, simulationBody } from '#libs/api/bodies/clients.ts';
import {
  decisionBody,
  facilityBody,
  policyContentBody,
  policyVersionBody,
  publicationBody,
  resolutionBody,
} from '#libs/api/bodies/credit.ts';
import { issuanceBody, previewBody } from '#libs/api/bodies/loans.ts';
import {
  adoptionBody,
  configurationBody,
  configurationVersionBody,
  lookupKeyBody,
  rehearsalBody,
} from '#libs/api/bodies/products.ts';
import { batchBody, receiptBody, reversalBody } from '#libs/api/bodies/receipts.ts';
import {
  asked,
  askedUpTo,
  dayParameter,
  identifierParameter,
  integerParameter,
  memberParameter,
  must,
  paging,
  type QueryOf,
  type QueryShape,
} from '#libs/api/query.ts';
import { type Method, mebibyte, type Route } from '#libs/api/route.ts';
import { momentParameter } from '#libs/api/timestamp.ts';
import { enumerations } from '#libs/schema/enumerations.ts';
import type { Infer, Schema } from '#libs/schema/form.ts';

const tenancy = '/v1/tenants/{tenant_id}';
const plain = { mostBodyBytes: mebibyte, keyed: false, open: false, notForAgents: false };

function read<const Query extends QueryShape>(path: string, query: Query): Route<undefined, Query> {
  return { ...plain, method: 'GET', path: `${tenancy}${path}`, by: 'query', query };
}

type NoQuery = Record<never, never>;
const none: NoQuery = {};

function write<Body>(
  method: Method,
  path: string,
  body: Schema<Body>,
  more: Partial<Route<Body, NoQuery>> = {},
): Route<Body, NoQuery> {
  return { ...plain, method, path: `${tenancy}${path}`, by: 'ingress', body, query: none, ...more };
}

function act<Body>(segment: string, body: Schema<Body>): Route<Body, NoQuery> {
  return write('POST', `/loans/{loan_id}/${segment}`, body);
}

function open(path: string): Route<undefined, NoQuery> {
  return { ...plain, method: 'GET', path, by: 'query', query: none, open: true };
}

const known_at = asked(momentParameter);
const on = must(dayParameter);
// Days as YYYY-MM-DD order as text.
const period = {
  from: must(dayParameter),
  to: {
    ...must(dayParameter),
    goesWith: ({ from, to }: { from?: unknown; to?: unknown }) => String(from) <= String(to),
  },
};
const keyed = { keyed: true };
const notForAgents = { notForAgents: true };
const inQuery = { by: 'query' } as const;

/** Every route of the contract, by the name its handler goes by. Where two paths fit, both methods are answered. */
export const routes = {
  listLoans: read('/loans', {
    client_id: asked(identifierParameter),
    configuration_id: asked(identifierParameter),
    merchant_ref: asked(identifierParameter),
    // Whether a hold has expired is a question about a day.
    state: {
      ...asked(memberParameter(enumerations.loan_state)),
      goesWith: ({ state, on }: { state?: unknown; on?: unknown }) => state !== 'expired' || on !== undefined,
    },
    on: asked(dayParameter),
    ...paging,
  }),
  issueLoan: write('POST', '/loans', issuanceBody),
  previewLoan: write('POST', '/loans/preview', previewBody),
  readLoan: read('/loans/{loan_id}', none),
  confirmLoan: act('confirm', dayBody),
  voidLoan: act('void', dayBody),
  cancelLoan: act('cancel', dayBody),
  rescindLoan: act('rescind', dayBody),
  withdrawLoan: act('withdraw', dayBody),
  suspendLoan: act('suspension', suspensionBody),
  endSuspension: act('suspension-end', suspensionEndBody),
  waiveCharge: act('waiver', waiverBody),
  returnGoods: act('return', returnBody),
  rollOverLoan: act('rollover', dayBody),
  restructureLoan: act('restructure', restructureBody),
  accelerateLoan: act('acceleration', accelerationBody),
  settleLoan: act('settlement', settlementBody),
  writeOffLoan: act('write-off', dayBody),
  cedeLoan: act('cession', dayBody),
  retractFact: act('retraction', retractionBody),
  quotePayoff: act('payoff-quotes', dayBody),
  listPayoffQuotes: read('/loans/{loan_id}/payoff-quotes', paging),
  readPayoffQuote: read('/loans/{loan_id}/payoff-quotes/{quote_id}', none),
  readSchedule: read('/loans/{loan_id}/schedule', { on, known_at }),
  readDelinquency: read('/loans/{loan_id}/delinquency', { on, known_at }),
  readLoanStatement: read('/loans/{loan_id}/statement', { ...period, known_at }),
  readLoanEvidence: read('/loans/{loan_id}/evidence', none),
  readFeed: read('/loan-events', paging),
  streamFeed: read('/loan-events/stream', none),

  listClients: read('/clients', paging),
  registerClient: write('PUT', '/clients/{client_id}', clientBody),
  readClient: read('/clients/{client_id}', none),
  readPaymentOptions: read('/clients/{client_id}/payment-options', {
    on: must(dayParameter, 'outside_loan'),
    known_at,
  }),
  readStatement: read('/clients/{client_id}/statement', { ...period, known_at }),
  listReceipts: read('/clients/{client_id}/receipts', paging),
  readObligations: read('/clients/{client_id}/obligations', paging),
  readBookVersion: read('/clients/{client_id}/book-version', none),
  readClientBook: read('/clients/{client_id}/book', { on, known_at }),
  readChanges: read('/clients/{client_id}/changes', {
    on,
    from_facts: must(integerParameter(0)),
    to_facts: {
      ...must(integerParameter(0)),
      goesWith: (read: { from_facts?: unknown; to_facts?: unknown }) =>
        Number(read.from_facts) <= Number(read.to_facts),
    },
    known_at,
  }),
  simulate: write('POST', '/clients/{client_id}/simulate', simulationBody, inQuery),
  readMerchantBook: read('/merchants/{merchant_ref}/book', { on, ...paging }),

  reportReceipt: write('POST', '/receipts', receiptBody),
  reportReceipts: write('POST', '/receipts/batch', batchBody, { mostBodyBytes: 8 * mebibyte }),
  reverseReceipt: write('POST', '/receipts/{receipt_reference}/reversal', reversalBody),
  readReceipt: read('/receipts/{receipt_reference}', none),
  readReceiptEvidence: read('/receipts/{receipt_reference}/evidence', none),

  createConfiguration: write('POST', '/product-configurations', configurationBody, keyed),
  previewConfiguration: write('POST', '/product-configurations/preview', configurationBody),
  listConfigurations: read('/product-configurations', paging),
  readConfiguration: read('/product-configurations/{configuration_id}', none),
  listConfigurationVersions: read('/product-configurations/{configuration_id}/versions', paging),
  writeConfigurationVersion: write(
    'POST',
    '/product-configurations/{configuration_id}/versions',
    configurationVersionBody,
    keyed,
  ),
  readConfigurationVersion: read('/product-configurations/{configuration_id}/versions/{configuration_version}', none),
  adoptPolicy: write('PUT', '/product-configurations/{configuration_id}/policy', adoptionBody),
  rehearse: write('POST', '/product-configurations/{configuration_id}/rehearsal', rehearsalBody, inQuery),
  listLookupKeys: read('/product-lookup-keys', { lookup_key: askedUpTo(10, identifierParameter) }),
  readLookupKey: read('/product-lookup-keys/{lookup_key}', none),
  pointLookupKey: write('PUT', '/product-lookup-keys/{lookup_key}', lookupKeyBody, notForAgents),
  removeLookupKey: {
    ...read('/product-lookup-keys/{lookup_key}', none),
    method: 'DELETE',
    by: 'ingress',
    notForAgents: true,
  },

  listPolicies: read('/credit-policies', paging),
  readPolicy: read('/credit-policies/{policy}', paging),
  readPolicyVersion: read('/credit-policies/{policy}/versions/{policy_version}', none),
  validatePolicy: write('POST', '/credit-policies/{policy}/validate', policyContentBody),
  draftPolicyVersion: write('POST', '/credit-policies/{policy}/versions', policyVersionBody),
  publishPolicyVersion: write(
    'POST',
    '/credit-policies/{policy}/versions/{policy_version}/publication',
    publicationBody,
  ),
  decide: write('POST', '/credit-decisions', decisionBody),
  listDecisions: read('/credit-decisions', { client: asked(identifierParameter), ...paging }),
  readDecision: read('/credit-decisions/{decision_id}', none),
  resolveDecision: write('POST', '/credit-decisions/{decision_id}/resolution', resolutionBody),
  readResolution: read('/credit-decisions/{decision_id}/resolution', none),
  readBar: read('/credit-bar/{client_id}', {
    on: { ...must(dayParameter, 'invalid_application'), unreadable: 'invalid_application' },
    known_at,
  }),
  openFacility: write('POST', '/facilities', facilityBody),
  listFacilities: read('/facilities', { client: asked(identifierParameter) }),
  readFacility: read('/facilities/{facility_id}', none),

  readDues: read('/dues', {
    on,
    only: asked(memberParameter(enumerations.dues_only)),
    min_days_past_due: asked(integerParameter(1)),
    ...paging,
  }),
  readBounds: { ...read('/bounds', none), by: 'door' },
  readMarket: read('/markets/{jurisdiction}', none),
  putCompanyProfile: write('PUT', '/company-profile', companyProfileBody),
  readCompanyProfile: read('/company-profile', none),

  readLiveness: { ...open('/livez'), by: 'door' },
  readReadiness: { ...open('/readyz'), by: 'door' },
  readOpenApi: open('/v1/openapi.json'),
  readDocs: open('/docs'),
  readChangelog: open('/changelog'),
} as const satisfies Record<string, Route<unknown, QueryShape>>;

export type RouteName = keyof typeof routes;
export type BodyOf<Name extends RouteName> = Infer<NonNullable<(typeof routes)[Name]['body']>>;
export type QueryOfRoute<Name extends RouteName> = QueryOf<(typeof routes)[Name]['query']>;
