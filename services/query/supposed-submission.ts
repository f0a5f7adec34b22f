/** Reads a supposed fact of a simulation as the submission that its own route would make of it. */

import { checkPathSegments, type Route } from '#libs/api/route.ts';
import { type RouteName, routes } from '#libs/api/routes.ts';
import { type ActOperation, type ActSegment, acts } from '#libs/ledger/acts/manifest.ts';
import type { Namespace, Submission } from '#libs/ledger/book-decider.ts';
import { clientBookId } from '#libs/ledger/book-id.ts';
import { newUuid } from '#libs/runtime/uuid.ts';
import type { Json, JsonObject } from '#libs/schema/json.ts';
import { isRefusal, type Refusal, refuse } from '#libs/schema/refusals.ts';
import { parse } from '#libs/schema/schema.ts';
import { requestDigest } from '#libs/submission/digest.ts';
import type { RouteRequest } from './read-context.ts';

export type SimulateRequest = RouteRequest<'simulate'>;
type SupposedFact = SimulateRequest['body']['facts'][number];

export interface SupposedSubmission {
  readonly submission: Submission;
  /** The reference of an earlier issuance of the simulation, where the fact names that Loan instead of stating an id. */
  readonly loanReference?: string;
}

const actOperations = Object.fromEntries(acts.map(({ route }) => [route.segment, route.operation])) as {
  readonly [segment in ActSegment]: ActOperation;
};

/** By the last segment of each act's path. */
const operations: { readonly [act in SupposedFact['act']]: RouteName } = {
  issue: 'issueLoan',
  receipt: 'reportReceipt',
  reversal: 'reverseReceipt',
  retraction: 'retractFact',
  ...actOperations,
};

const namespaces: { readonly [act: string]: Namespace } = { issue: 'loans', receipt: 'receipts' };

/** Stands for the id of a Loan that is not issued yet, so that paths and bodies can be checked. No Loan has it. */
const unissuedLoanId = newUuid();

export function isIssuance({ operation }: Submission): boolean {
  return operation === operations.issue;
}

/** Checks the path and body as the fact's own route would. */
export function toSubmission({ tenancy, params }: SimulateRequest, fact: SupposedFact): SupposedSubmission | Refusal {
  const { act, loan_reference, designated_loan_reference, reference } = fact;
  const operation = operations[act];
  const route: Route = routes[operation];
  const invalidName = invalidLoanName(fact) ?? missingPathField(fact);
  if (invalidName !== undefined) return invalidName;
  const loanId = loan_reference === undefined ? fact.loan_id : unissuedLoanId;
  const body: JsonObject =
    designated_loan_reference === undefined ? fact.body : { ...fact.body, designated_loan_id: unissuedLoanId };
  const parsed = parse(route.body as NonNullable<Route['body']>, body as Json);
  if (isRefusal(parsed)) return parsed;
  const pathParams = {
    tenant_id: tenancy.id,
    ...(loanId === undefined ? {} : { loan_id: loanId.toLowerCase() }),
    ...(act === 'reversal' ? { receipt_reference: String(reference) } : {}),
  };
  const invalidPath = checkPathSegments(route.method, pathParams);
  if (invalidPath !== undefined) return invalidPath;
  const clientId = String(params['client_id']);
  const isOfOtherClient = (act === 'issue' || act === 'receipt') && body['client_id'] !== clientId;
  if (isOfOtherClient) return refuse('invalid_field', { field: '/client_id', bound: clientId });
  const loanReference = loan_reference ?? designated_loan_reference;
  const submission = withDigest({
    tenantId: tenancy.id,
    bookId: clientBookId(clientId),
    operation,
    params: pathParams,
    body,
    namespace: namespaces[act] ?? 'acts',
    reference: String(body['reference']),
    ids: [newUuid(), newUuid()],
    resolved: null,
  });
  return { submission, ...(loanReference === undefined ? {} : { loanReference }) };
}

/** The submission with the id of the Loan that it names. `issuedLoans` has the ids of earlier issuances by reference. */
export function withIssuedLoan(
  { submission, loanReference }: SupposedSubmission,
  issuedLoans: ReadonlyMap<string, string>,
): Submission | Refusal {
  if (loanReference === undefined) return submission;
  const { operation, params, body } = submission;
  const loanId = issuedLoans.get(loanReference);
  if (operation === operations.receipt) {
    if (loanId === undefined)
      return refuse('unknown_loan', {
        field: '/designated_loan_reference',
        bound: 'a reference issued before in facts',
      });
    return withDigest({ ...submission, body: { ...body, designated_loan_id: loanId } });
  }
  if (loanId === undefined)
    return refuse('not_found', { field: '/loan_reference', bound: 'a reference issued before in facts' });
  return withDigest({ ...submission, params: { ...params, loan_id: loanId } });
}

function withDigest(submission: Omit<Submission, 'digest'>): Submission {
  const { operation, params, body } = submission;
  const digest = requestDigest({ route: operation as RouteName, params, body }).toString('hex');
  return { ...submission, digest };
}

function pathOf({ act }: SupposedFact): string {
  return routes[operations[act]].path;
}

/** Why the fact may not name a Loan in this way: only acts have one in the path, only Receipts designate one. */
function invalidLoanName(fact: SupposedFact): Refusal | undefined {
  const { act, loan_id, loan_reference, designated_loan_reference, body } = fact;
  if (loan_reference !== undefined) {
    if (!pathOf(fact).includes('{loan_id}'))
      return refuse('unknown_field', {
        field: '/loan_reference',
        bound: 'absent where the act names no Loan in its path',
      });
    if (loan_id !== undefined)
      return refuse('inconsistent_values', { field: '/loan_reference', bound: 'absent beside loan_id' });
  }
  if (designated_loan_reference === undefined) return undefined;
  if (act !== 'receipt')
    return refuse('unknown_field', { field: '/designated_loan_reference', bound: 'absent where act is not receipt' });
  const isDesignatedTwice = body['designated_loan_id'] !== undefined;
  return isDesignatedTwice
    ? refuse('inconsistent_values', { field: '/designated_loan_reference', bound: 'absent beside designated_loan_id' })
    : undefined;
}

function missingPathField(fact: SupposedFact): Refusal | undefined {
  const path = pathOf(fact);
  const namesLoan = fact.loan_id !== undefined || fact.loan_reference !== undefined;
  if (path.includes('{loan_id}') && !namesLoan) return refuse('missing_field', { field: '/loan_id' });
  const needsReference = path.includes('{receipt_reference}');
  return needsReference && fact.reference === undefined ? refuse('missing_field', { field: '/reference' }) : undefined;
}
