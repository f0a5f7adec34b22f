/**
 * Keeps enumeration members that the caller's contract version does not know out of responses: a single record is
 * refused with 406, a listing leaves such records out.
 */

import {
  type Contract,
  hasNoNewerMembers,
  type RequestedVersion,
  refuseUnknownMember,
} from '#libs/api/contract-versions.ts';
import { type RouteName, routes } from '#libs/api/routes.ts';
import type { AuthorizedRequest, RouteHandler, RouteHandlers, RouteResult } from '#libs/http/handler.ts';
import type { EnumerationName } from '#libs/schema/enumerations.ts';
import { isRefusal, type Refusal } from '#libs/schema/refusals.ts';

type Member = readonly [enumeration: EnumerationName, member: string];

/** Fields with members of closed enumerations, in every answer and every fact. */
const enumerationByField: ReadonlyMap<string, EnumerationName> = new Map([
  ['state', 'loan_state'],
  ['rail', 'rail'],
  ['outcome', 'decision_outcome'],
]);

/** The enumeration of a field `kind`, by the field that contains it. */
const kindEnumerationByParent: ReadonlyMap<string, EnumerationName> = new Map([
  ['schedule', 'schedule_kind'],
  ['schedules', 'schedule_kind'],
  ['undone', 'undoing_kind'],
]);

/** Free content of the caller, and observed attributes of an applicant: never checked. */
const uncheckedFields: ReadonlySet<string> = new Set(['context', 'address', 'contact', 'observed']);

/** Its `outcome` is of an open enumeration, which every version may receive. */
const routeWithOpenOutcome: RouteName = 'readResolution';

/** Checks the result of every read that needs it. */
export function filterByVersion(contract: Contract, handlers: RouteHandlers): RouteHandlers {
  const filtered = Object.entries(handlers).map(([name, handle]) =>
    routes[name as RouteName].isPublic || name === routeWithOpenOutcome
      ? [name, handle]
      : [name, withCheckedResult(contract, handle as RouteHandler<AuthorizedRequest>)],
  );
  return Object.fromEntries(filtered) as RouteHandlers;
}

function withCheckedResult(
  contract: Contract,
  handle: RouteHandler<AuthorizedRequest>,
): RouteHandler<AuthorizedRequest> {
  // Most callers know every member: nothing is checked then.
  return (request) =>
    hasNoNewerMembers({ contract, version: request.version })
      ? handle(request)
      : handleChecked(contract, request, handle);
}

async function handleChecked(
  contract: Contract,
  request: AuthorizedRequest,
  handle: RouteHandler<AuthorizedRequest>,
): Promise<RouteResult> {
  const result = await handle(request);
  if (isRefusal(result)) return result;
  const record = result.text === undefined ? result.body : (JSON.parse(result.text) as unknown);
  return refuseUnknownMembers(requestedVersion(contract, request), record) ?? result;
}

/** The version of a request, and the members that the request itself names. */
export function requestedVersion(
  contract: Contract,
  { version, query, body }: Pick<AuthorizedRequest, 'version' | 'query' | 'body'>,
): RequestedVersion {
  const { state } = query as { readonly state?: string };
  const namedMembers = [...membersIn(body)].map(([, member]) => member);
  return { contract, version, namedMembers: state === undefined ? namedMembers : [state, ...namedMembers] };
}

/** Undefined where the caller knows every member of the record. */
export function refuseUnknownMembers(requested: RequestedVersion, record: unknown): Refusal | undefined {
  if (hasNoNewerMembers(requested)) return undefined;
  for (const [enumeration, member] of membersIn(record)) {
    const refusal = refuseUnknownMember(requested, enumeration, member);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

/** The records, as JSON text, that the caller may receive. They are parsed only where it matters. */
export function withoutUnknownMembers(requested: RequestedVersion, texts: readonly string[]): readonly string[] {
  if (hasNoNewerMembers(requested)) return texts;
  return texts.filter((text) => refuseUnknownMembers(requested, JSON.parse(text)) === undefined);
}

function* membersIn(record: unknown, parent = ''): Generator<Member> {
  if (typeof record !== 'object' || record === null) return;
  if (Array.isArray(record)) {
    for (const item of record) yield* membersIn(item, parent);
    return;
  }
  const { figure } = record as { readonly figure?: unknown };
  if (typeof figure === 'string') yield* membersOfFigure(figure, record);
  for (const [name, value] of Object.entries(record)) {
    const enumeration = name === 'kind' ? kindEnumerationByParent.get(parent) : enumerationByField.get(name);
    if (typeof value === 'string' && enumeration !== undefined) yield [enumeration, value];
    // `value` holds the value of a product field, so what it contains belongs to that field.
    if (!uncheckedFields.has(name)) yield* membersIn(value, name === 'value' ? parent : name);
  }
}

/** A changed figure is named by its path in the book; the other fields hold its old and new value. */
function* membersOfFigure(figure: string, record: object): Generator<Member> {
  const path = figure.split('/');
  const name = path.at(-1) as string;
  const parent = path.findLast((segment) => kindEnumerationByParent.has(segment)) ?? '';
  const enumeration = name === 'kind' ? kindEnumerationByParent.get(parent) : enumerationByField.get(name);
  if (enumeration === undefined) return;
  for (const value of Object.values(record)) if (typeof value === 'string') yield [enumeration, value];
}
