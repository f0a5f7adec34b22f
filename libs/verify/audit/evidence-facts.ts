/** Compares a fact of an evidence answer with the signed request that is shown with it. */
import { isDeepStrictEqual } from 'node:util';
import { byOperation } from '#libs/ledger/acts/manifest.ts';
import { isObject, type Json, type JsonObject } from '#libs/schema/json.ts';
import type { ReconstructedRequest } from './reconstruct-request.ts';
import { restatedTermsFault } from './restated-terms.ts';

export interface FactContent {
  readonly kind: string;
  readonly body: JsonObject;
}

/** What an evidence answer is about: one Loan or one Receipt, and its Client. */
export type EvidenceSubject = { readonly client_id: string } & (
  | { readonly loan_id: string }
  | { readonly receipt: string }
);

const factKinds: { readonly [operation: string]: string } = {
  ...byOperation(({ kind }) => kind),
  issueLoan: 'issued',
  retractFact: 'retracted',
  reportReceipt: 'receipt_reported',
  reverseReceipt: 'receipt_reversed',
};

/** Members of an issuance that are taken from the product configuration when the request omits them. */
const defaultedMembers = new Set(['rate', 'penalty_rate']);

/** How the fact differs from its request or the subject of the answer; undefined if it does not. */
export function contentFault(
  fact: FactContent,
  request: ReconstructedRequest,
  subject: EvidenceSubject,
): string | undefined {
  if (factKinds[request.operation] !== fact.kind) return 'its request does not record a fact of this kind';
  return subjectFault(fact, request, subject) ?? bodyFault(fact, request) ?? termsFault(fact, request);
}

/** Only the first fact of a Loan or Receipt is signed with its Client. */
export function isFirstFactKind({ kind }: FactContent): boolean {
  return kind === 'issued' || kind === 'receipt_reported';
}

function subjectFault(
  { kind, body }: FactContent,
  { params, body: signed }: ReconstructedRequest,
  subject: EvidenceSubject,
): string | undefined {
  const namedIn: { readonly [name: string]: readonly (Json | undefined)[] } = {
    loan_id: [params['loan_id'], body['loan_id']],
    receipt: kind === 'receipt_reported' ? [signed['reference']] : [params['receipt_reference'], body['receipt']],
    client_id: [signed['client_id']],
  };
  for (const [name, expected] of Object.entries(subject)) {
    const found = (namedIn[name] ?? []).filter((value) => value !== undefined);
    // Only the Client may be absent: acts on a Loan or a Receipt do not name it.
    const isMissing = found.length === 0 && name !== 'client_id';
    if (isMissing || found.some((value) => value !== expected)) return `it is about another ${name} than the answer`;
  }
  return undefined;
}

/** Every signed member must be in the fact, under its own name or the stored one, and nothing else may be added. */
function bodyFault({ kind, body }: FactContent, { body: signed }: ReconstructedRequest): string | undefined {
  const { event_id: _minted, ...own } = body;
  const requestParts = [body['receipt'], body['act'], body['stated']].filter(isObject);
  const parts = [own, ...requestParts, withRequestNames(body['configuration'])].filter(isObject);
  for (const [name, value] of Object.entries(signed)) {
    const containing = parts.filter((part) => Object.hasOwn(part, name));
    if (containing.length === 0 || !containing.every((part) => isDeepStrictEqual(part[name], value))) {
      return `its ${name} differs from the signed one`;
    }
  }
  const isAllowed = (name: string): boolean =>
    Object.hasOwn(signed, name) || (kind === 'issued' && defaultedMembers.has(name));
  const added = requestParts.flatMap(Object.keys).find((name) => !isAllowed(name));
  return added === undefined ? undefined : `it contains ${added}, which was not signed`;
}

function termsFault({ kind, body }: FactContent, { body: signed }: ReconstructedRequest): string | undefined {
  if (kind !== 'issued') return undefined;
  const stated = isObject(body['stated']) ? body['stated'] : {};
  return restatedTermsFault(body['terms'], { ...stated, ...signed });
}

/** The product configuration under the names that a request uses. */
function withRequestNames(configuration: Json | undefined): Json | undefined {
  if (!isObject(configuration)) return undefined;
  return { configuration_id: configuration['id'] as Json, configuration_version: configuration['version'] as Json };
}
