/** What each mutation is, before any book is asked: whose book, which references, what to mint and what to look up. */
import { hash } from 'node:crypto';
import type { BodyOf, RouteName } from '#libs/api/routes.ts';
import { decidingVersion, digestInput } from '#libs/credit/policy-lifecycle.ts';
import { type Lookups, lookUpIssuanceTerms, lookUpConfiguration } from '#libs/database/immutable-lookups.ts';
import type { BookReader } from '#libs/database/book-reader.ts';
import type { AuthorizedRequest } from '#libs/http/handler.ts';
import { byOperation } from '#libs/ledger/acts/manifest.ts';
import type { Namespace } from '#libs/ledger/book-decider.ts';
import { clientBookId, tenancyBookId } from '#libs/ledger/book-id.ts';
import type { JsonObject } from '#libs/schema/json.ts';
import type { Refusal } from '#libs/schema/refusals.ts';
import { refuse } from '#libs/schema/refusals.ts';
import type { TenancyBook } from '#libs/tenant/tenancy-book.ts';

export type WriteRequest = AuthorizedRequest<JsonObject | undefined>;

/** Where names are looked up before a book is asked. */
export interface LookupSources {
  readonly locations: Lookups;
  readonly books: BookReader;
}

export interface WriteRoute {
  /** The book whose turn it takes, or what is refused where there is none. */
  readonly book: (asked: WriteRequest, looked: LookupSources) => string | Refusal | Promise<string | Refusal>;
  readonly namespace?: Namespace;
  /** How many identifiers it may need. */
  readonly ids: number;
  /** JSON of what it names that never changes. */
  readonly resolve?: (asked: WriteRequest, looked: LookupSources) => Promise<string>;
  /** Decides and records nothing: asked of the book as it stands, not sent to the log. */
  readonly consults?: true;
}

const ofClientInPath = ({ params }: WriteRequest): string => clientBookId(String(params['client_id']));
const ofClientInBody = ({ body }: WriteRequest): string => clientBookId(String(body?.['client_id']));
const ofTenancy = (): string => tenancyBookId;

async function ofLoan({ tenancy, params, timing }: WriteRequest, { locations }: LookupSources): Promise<string | Refusal> {
  const client = await locations.clientOfLoan.find(tenancy.id, String(params['loan_id']).toLowerCase(), timing);
  return client === undefined ? refuse('not_found') : clientBookId(client);
}

async function ofReceipt({ tenancy, params, timing }: WriteRequest, { locations }: LookupSources): Promise<string | Refusal> {
  const book = await locations.bookOfReceipt.find(tenancy.id, String(params['receipt_reference']), timing);
  return book ?? refuse('no_receipt');
}

async function ofDecision({ tenancy, params, timing }: WriteRequest, { locations }: LookupSources): Promise<string | Refusal> {
  const decision = await locations.decision.find(tenancy.id, String(params['decision_id']).toLowerCase(), timing);
  return decision?.bookId ?? refuse('not_found');
}

const namedInIssuance: WriteRoute['resolve'] = ({ tenancy, body, timing }, { locations }) =>
  lookUpIssuanceTerms(locations, { tenantId: tenancy.id, body: body as JsonObject }, timing);

/** The policy version that decides is told as it stood when the application came in: adopting another is for the next. */
async function decidingApplication({ tenancy, body, timing }: WriteRequest, looked: LookupSources): Promise<string> {
  const asked = body as unknown as BodyOf<'decide'>;
  const stated = { tenantId: tenancy.id, body: body as JsonObject };
  const configuration = await lookUpConfiguration(looked.locations, stated, timing);
  const { book } = await looked.books.loadLatest({ tenantId: tenancy.id, bookId: tenancyBookId }, timing);
  const { policies } = book as TenancyBook;
  const deciding = decidingVersion(policies, asked);
  return `{"configuration":${configuration},"deciding":${JSON.stringify(deciding)},"time_zone":${JSON.stringify(tenancy.timeZone)}}`;
}

const homeJurisdiction: WriteRoute['resolve'] = async ({ tenancy }) =>
  JSON.stringify({ jurisdiction: tenancy.jurisdiction });

/** Hashed where it enters, so that no turn waits for it; it travels with the submission and is recorded as it came. */
async function digestOfContent({ body }: WriteRequest): Promise<string> {
  const digest = hash('sha256', digestInput(body?.['content'] as JsonObject), 'hex');
  return JSON.stringify({ digest });
}

const act: WriteRoute = { book: ofLoan, namespace: 'acts', ids: 1 };

/** By the route's name, which is the operation the book knows. */
export const writeRoutes: { readonly [name in RouteName]?: WriteRoute } = {
  registerClient: { book: ofClientInPath, ids: 0 },
  issueLoan: { book: ofClientInBody, namespace: 'loans', ids: 2, resolve: namedInIssuance },
  previewLoan: { book: ofClientInBody, ids: 2, resolve: namedInIssuance, consults: true },
  ...byOperation(() => act),
  retractFact: act,
  quotePayoff: act,
  reportReceipt: { book: ofClientInBody, namespace: 'receipts', ids: 1 },
  reverseReceipt: { book: ofReceipt, namespace: 'acts', ids: 1 },
  createConfiguration: { book: ofTenancy, ids: 0 },
  previewConfiguration: { book: ofTenancy, ids: 0, consults: true },
  writeConfigurationVersion: { book: ofTenancy, ids: 0 },
  pointLookupKey: { book: ofTenancy, ids: 0 },
  removeLookupKey: { book: ofTenancy, ids: 0 },
  putCompanyProfile: { book: ofTenancy, ids: 0 },
  validatePolicy: { book: ofTenancy, ids: 0, resolve: digestOfContent, consults: true },
  draftPolicyVersion: { book: ofTenancy, namespace: 'credit', ids: 0, resolve: digestOfContent },
  publishPolicyVersion: { book: ofTenancy, namespace: 'credit', ids: 0 },
  adoptPolicy: { book: ofTenancy, namespace: 'credit', ids: 0 },
  decide: { book: ofClientInBody, namespace: 'credit', ids: 1, resolve: decidingApplication },
  resolveDecision: { book: ofDecision, namespace: 'credit', ids: 0 },
  openFacility: { book: ofClientInBody, namespace: 'credit', ids: 1, resolve: homeJurisdiction },
};
