/** The table of write routes: the book, the reference namespace, the new ids, and the data resolved at the edge. */
import { hash } from 'node:crypto';
import type { BodyOf, RouteName } from '#libs/api/routes.ts';
import type { ApplicationBody } from '#libs/credit/application.ts';
import { decidingVersion, digestInput } from '#libs/credit/policy-lifecycle.ts';
import type { BookReader } from '#libs/database/book-reader.ts';
import { type Lookups, lookUpConfiguration, lookUpIssuanceTerms } from '#libs/database/immutable-lookups.ts';
import type { AuthorizedRequest } from '#libs/http/handler.ts';
import { byOperation } from '#libs/ledger/acts/manifest.ts';
import type { Namespace } from '#libs/ledger/book-decider.ts';
import { clientBookId, tenancyBookId } from '#libs/ledger/book-id.ts';
import type { PreviewBody } from '#libs/ledger/request-bodies.ts';
import { newUuid } from '#libs/runtime/uuid.ts';
import type { JsonObject } from '#libs/schema/json.ts';
import { type Refusal, refuse } from '#libs/schema/refusals.ts';
import type { SubmissionRequest } from '#libs/submission/submitter.ts';
import type { TenancyBook } from '#libs/tenant/tenancy-book.ts';

export type WriteRequest = AuthorizedRequest<JsonObject | undefined>;

/** Where a write finds its book and the data it names. */
export interface LookupSources {
  readonly locations: Lookups;
  readonly books: BookReader;
}

/** Members are methods, so that routes with different bodies can be listed together. */
export interface WriteRoute<Body = unknown> {
  /** The id of the book, or the refusal if there is none. */
  book(request: AuthorizedRequest<Body>, sources: LookupSources): string | Refusal | Promise<string | Refusal>;
  readonly namespace?: Namespace;
  /** How many new ids it may need. */
  readonly ids: number;
  /** JSON of the immutable data that the request names. */
  resolve?(request: AuthorizedRequest<Body>, sources: LookupSources): Promise<string>;
  /** Decided against the current book and not recorded. */
  readonly isPreview?: true;
}

const clientBookFromPath = ({ params }: AuthorizedRequest): string => clientBookId(String(params['client_id']));
const clientBookFromBody = ({ body }: AuthorizedRequest<{ readonly client_id: string }>): string =>
  clientBookId(body.client_id);
const tenancyBook = (): string => tenancyBookId;

async function bookOfLoan(
  { tenancy, params, timing }: AuthorizedRequest,
  { locations }: LookupSources,
): Promise<string | Refusal> {
  const client = await locations.clientOfLoan.find(tenancy.id, String(params['loan_id']).toLowerCase(), timing);
  return client === undefined ? refuse('not_found') : clientBookId(client);
}

async function bookOfReceipt(
  { tenancy, params, timing }: AuthorizedRequest,
  { locations }: LookupSources,
): Promise<string | Refusal> {
  const book = await locations.bookOfReceipt.find(tenancy.id, String(params['receipt_reference']), timing);
  return book ?? refuse('no_receipt');
}

async function bookOfDecision(
  { tenancy, params, timing }: AuthorizedRequest,
  { locations }: LookupSources,
): Promise<string | Refusal> {
  const decision = await locations.decision.find(tenancy.id, String(params['decision_id']).toLowerCase(), timing);
  return decision?.bookId ?? refuse('not_found');
}

const issuanceTerms = ({ tenancy, body, timing }: AuthorizedRequest<PreviewBody>, { locations }: LookupSources) =>
  lookUpIssuanceTerms(locations, { tenantId: tenancy.id, body }, timing);

/** Resolves the policy version when the application arrives: adopting another one affects later applications. */
async function decisionInput(
  { tenancy, body, timing }: AuthorizedRequest<ApplicationBody>,
  sources: LookupSources,
): Promise<string> {
  const configuration = await lookUpConfiguration(sources.locations, { tenantId: tenancy.id, body }, timing);
  const { book } = await sources.books.loadLatest({ tenantId: tenancy.id, bookId: tenancyBookId }, timing);
  const { policies } = book as TenancyBook;
  const deciding = decidingVersion(policies, body);
  const timeZone = JSON.stringify(tenancy.timeZone);
  return `{"configuration":${configuration},"deciding":${JSON.stringify(deciding)},"time_zone":${timeZone}}`;
}

const homeJurisdiction = async ({ tenancy }: AuthorizedRequest) =>
  JSON.stringify({ jurisdiction: tenancy.jurisdiction });

/** Hashed at the edge, so that the processor does not have to; recorded as it was sent. */
async function contentDigest({ body }: AuthorizedRequest<{ readonly content: JsonObject }>): Promise<string> {
  const digest = hash('sha256', digestInput(body.content), 'hex');
  return JSON.stringify({ digest });
}

const act: WriteRoute = { book: bookOfLoan, namespace: 'acts', ids: 1 };

/** By the name of the route, which is the operation of the submission. */
export const writeRoutes: { readonly [Name in RouteName]?: WriteRoute<BodyOf<Name>> } = {
  registerClient: { book: clientBookFromPath, ids: 0 },
  issueLoan: { book: clientBookFromBody, namespace: 'loans', ids: 2, resolve: issuanceTerms },
  previewLoan: { book: clientBookFromBody, ids: 2, resolve: issuanceTerms, isPreview: true },
  ...byOperation(() => act),
  retractFact: act,
  quotePayoff: act,
  reportReceipt: { book: clientBookFromBody, namespace: 'receipts', ids: 1 },
  reverseReceipt: { book: bookOfReceipt, namespace: 'acts', ids: 1 },
  createConfiguration: { book: tenancyBook, ids: 0 },
  previewConfiguration: { book: tenancyBook, ids: 0, isPreview: true },
  writeConfigurationVersion: { book: tenancyBook, ids: 0 },
  pointLookupKey: { book: tenancyBook, ids: 0 },
  removeLookupKey: { book: tenancyBook, ids: 0 },
  putCompanyProfile: { book: tenancyBook, ids: 0 },
  validatePolicy: { book: tenancyBook, ids: 0, resolve: contentDigest, isPreview: true },
  draftPolicyVersion: { book: tenancyBook, namespace: 'credit', ids: 0, resolve: contentDigest },
  publishPolicyVersion: { book: tenancyBook, namespace: 'credit', ids: 0 },
  adoptPolicy: { book: tenancyBook, namespace: 'credit', ids: 0 },
  decide: { book: clientBookFromBody, namespace: 'credit', ids: 1, resolve: decisionInput },
  resolveDecision: { book: bookOfDecision, namespace: 'credit', ids: 0 },
  openFacility: { book: clientBookFromBody, namespace: 'credit', ids: 1, resolve: homeJurisdiction },
};

/** What a submission carries of every request. */
export function submissionEnvelope(
  request: AuthorizedRequest,
): Omit<SubmissionRequest, 'operation' | 'params' | 'items'> {
  const { method, target, ts, fp, signature, idempotencyKey, body } = request.evidence;
  return {
    requestId: request.requestId,
    tenantId: request.tenancy.id,
    receivedAt: request.receivedAt,
    admittedAt: request.admittedAt,
    callerRequestId: request.callerRequestId,
    onQueued: request.endBodyWork,
    evidence: {
      method,
      target,
      ts: Number(ts),
      fp,
      signature: Buffer.from(signature.buffer, signature.byteOffset, signature.byteLength),
      idempotency_key: idempotencyKey ?? null,
      body,
    },
  };
}

export function newUuids(count: number): string[] {
  return Array.from({ length: count }, newUuid);
}
