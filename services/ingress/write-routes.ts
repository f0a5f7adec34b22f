/** What each mutation is, before any book is asked: whose book, which references, what to mint and what to look up. */
import { hash } from 'node:crypto';
import type { BodyOf, RouteName } from '#libs/api/routes.ts';
import { decidingVersion, digestedText } from '#libs/credit/lifecycle.ts';
import type { Locations } from '#libs/database/locations.ts';
import { namedByIssuance, statedConfiguration } from '#libs/database/named-by-issuance.ts';
import type { BookReader } from '#libs/database/read-books.ts';
import type { AuthorizedRequest } from '#libs/http/handler.ts';
import type { Namespace } from '#libs/ledger/book-decider.ts';
import { clientBookId, tenancyBookId } from '#libs/ledger/book-id.ts';
import type { JsonObject } from '#libs/schema/json.ts';
import type { Refusal } from '#libs/schema/refusals.ts';
import { refuse } from '#libs/schema/refusals.ts';
import type { TenancyBook } from '#libs/tenant/tenancy-book-state.ts';

export type Asked = AuthorizedRequest<JsonObject | undefined>;

/** Where names are looked up before a book is asked. */
export interface LookUps {
  readonly locations: Locations;
  readonly books: BookReader;
}

export interface Mutation {
  /** The book whose turn it takes, or what is refused where there is none. */
  readonly book: (asked: Asked, looked: LookUps) => string | Refusal | Promise<string | Refusal>;
  readonly namespace?: Namespace;
  /** How many identifiers it may need. */
  readonly ids: number;
  /** JSON of what it names that never changes. */
  readonly resolve?: (asked: Asked, looked: LookUps) => Promise<string>;
  /** Decides and records nothing: asked of the book as it stands, not sent to the log. */
  readonly consults?: true;
}

const ofClientInPath = ({ params }: Asked): string => clientBookId(String(params['client_id']));
const ofClientInBody = ({ body }: Asked): string => clientBookId(String(body?.['client_id']));
const ofTenancy = (): string => tenancyBookId;

async function ofLoan({ tenancy, params, timing }: Asked, { locations }: LookUps): Promise<string | Refusal> {
  const client = await locations.loanClient.of(tenancy.id, String(params['loan_id']).toLowerCase(), timing);
  return client === undefined ? refuse('not_found') : clientBookId(client);
}

async function ofReceipt({ tenancy, params, timing }: Asked, { locations }: LookUps): Promise<string | Refusal> {
  const book = await locations.receiptBook.of(tenancy.id, String(params['receipt_reference']), timing);
  return book ?? refuse('no_receipt');
}

async function ofDecision({ tenancy, params, timing }: Asked, { locations }: LookUps): Promise<string | Refusal> {
  const decision = await locations.decision.of(tenancy.id, String(params['decision_id']).toLowerCase(), timing);
  return decision?.bookId ?? refuse('not_found');
}

const namedInIssuance: Mutation['resolve'] = ({ tenancy, body, timing }, { locations }) =>
  namedByIssuance(locations, { tenantId: tenancy.id, body: body as JsonObject }, timing);

/** The policy version that decides is told as it stood when the application came in: adopting another is for the next. */
async function decidingApplication({ tenancy, body, timing }: Asked, looked: LookUps): Promise<string> {
  const asked = body as unknown as BodyOf<'decide'>;
  const stated = { tenantId: tenancy.id, body: body as JsonObject };
  const configuration = await statedConfiguration(looked.locations, stated, timing);
  const { book } = await looked.books.newest({ tenantId: tenancy.id, bookId: tenancyBookId }, timing);
  const { policies } = book as TenancyBook;
  const deciding = decidingVersion(policies, asked);
  return `{"configuration":${configuration},"deciding":${JSON.stringify(deciding)},"time_zone":${JSON.stringify(tenancy.timeZone)}}`;
}

const homeJurisdiction: Mutation['resolve'] = async ({ tenancy }) =>
  JSON.stringify({ jurisdiction: tenancy.jurisdiction });

/** Hashed where it enters, so that no turn waits for it; it travels with the submission and is recorded as it came. */
async function digestOfContent({ body }: Asked): Promise<string> {
  const digest = hash('sha256', digestedText(body?.['content'] as JsonObject), 'hex');
  return JSON.stringify({ digest });
}

const act: Mutation = { book: ofLoan, namespace: 'acts', ids: 1 };

/** By the route's name, which is the operation the book knows. */
export const mutations: { readonly [name in RouteName]?: Mutation } = {
  registerClient: { book: ofClientInPath, ids: 0 },
  issueLoan: { book: ofClientInBody, namespace: 'loans', ids: 2, resolve: namedInIssuance },
  previewLoan: { book: ofClientInBody, ids: 2, resolve: namedInIssuance, consults: true },
  confirmLoan: act,
  voidLoan: act,
  cancelLoan: act,
  rescindLoan: act,
  withdrawLoan: act,
  suspendLoan: act,
  endSuspension: act,
  waiveCharge: act,
  returnGoods: act,
  rollOverLoan: act,
  restructureLoan: act,
  accelerateLoan: act,
  settleLoan: act,
  writeOffLoan: act,
  cedeLoan: act,
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
