/**
 * What a caller's version does not know of. Every read passes here: one that holds a member of a closed enumeration the
 * caller does not know is 406, whichever route it is; a listing leaves such a record out before.
 */

import { type RouteName, routes } from '#libs/api/routes.ts';
import { type Contract, type Knowing, knowsEveryMember, unservable } from '#libs/api/versions.ts';
import type { AuthorizedRequest, RouteHandler, RouteHandlers, RouteResult } from '#libs/http/handler.ts';
import type { EnumerationName } from '#libs/schema/enumerations.ts';
import { isRefusal, type Refusal } from '#libs/schema/refusals.ts';

type Member = readonly [enumeration: EnumerationName, member: string];

/** Members of closed enumerations by the name they go by, in every answer and in every fact. */
const byName: ReadonlyMap<string, EnumerationName> = new Map([
  ['state', 'loan_state'],
  ['rail', 'rail'],
  ['outcome', 'decision_outcome'],
]);

/** A `kind` is a kind of what it stands in. */
const byKindOf: ReadonlyMap<string, EnumerationName> = new Map([
  ['schedule', 'schedule_kind'],
  ['schedules', 'schedule_kind'],
  ['undone', 'undoing_kind'],
]);

/** What callers say in words of their own, and what was observed of an applicant. */
const others: ReadonlySet<string> = new Set(['context', 'address', 'contact', 'observed']);

/** Its outcome is of an open enumeration, which everybody is served. */
const openOutcome: RouteName = 'readResolution';

export function servedByVersion(contract: Contract, handlers: RouteHandlers): RouteHandlers {
  const served = Object.entries(handlers).map(([name, handle]) =>
    routes[name as RouteName].open || name === openOutcome
      ? [name, handle]
      : [name, withheld(contract, handle as RouteHandler<AuthorizedRequest>)],
  );
  return Object.fromEntries(served) as RouteHandlers;
}

function withheld(contract: Contract, handle: RouteHandler<AuthorizedRequest>): RouteHandler<AuthorizedRequest> {
  // Nearly always nothing is unknown to anybody: then nothing is looked for.
  return (asked) =>
    knowsEveryMember({ contract, version: asked.version }) ? handle(asked) : refusedOr(contract, asked, handle);
}

async function refusedOr(
  contract: Contract,
  asked: AuthorizedRequest,
  handle: RouteHandler<AuthorizedRequest>,
): Promise<RouteResult> {
  const outcome = await handle(asked);
  if (isRefusal(outcome)) return outcome;
  const record = outcome.text === undefined ? outcome.body : (JSON.parse(outcome.text) as unknown);
  return unserved(knowingOf(contract, asked), record) ?? outcome;
}

/** What a caller knows who asks so: the members its version has, and those the request names. */
export function knowingOf(
  contract: Contract,
  { version, query, body }: Pick<AuthorizedRequest, 'version' | 'query' | 'body'>,
): Knowing {
  const { state } = query as { readonly state?: string };
  const named = [...membersIn(body)].map(([, member]) => member);
  return { contract, version, named: state === undefined ? named : [state, ...named] };
}

/** The refusal of a record that holds a member the caller does not know. */
export function unserved(knowing: Knowing, record: unknown): Refusal | undefined {
  if (knowsEveryMember(knowing)) return undefined;
  for (const [enumeration, member] of membersIn(record)) {
    const refusal = unservable(knowing, enumeration, member);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

/** Of records that stand as text those that are served; they are read only where something is unknown. */
export function servedTexts(knowing: Knowing, texts: readonly string[]): readonly string[] {
  if (knowsEveryMember(knowing)) return texts;
  return texts.filter((text) => unserved(knowing, JSON.parse(text)) === undefined);
}

function* membersIn(record: unknown, within = ''): Generator<Member> {
  if (typeof record !== 'object' || record === null) return;
  if (Array.isArray(record)) {
    for (const item of record) yield* membersIn(item, within);
    return;
  }
  const { figure } = record as { readonly figure?: unknown };
  if (typeof figure === 'string') yield* membersOfFigure(figure, record);
  for (const [name, value] of Object.entries(record)) {
    const enumeration = name === 'kind' ? byKindOf.get(within) : byName.get(name);
    if (typeof value === 'string' && enumeration !== undefined) yield [enumeration, value];
    // The value a field of a product takes is of the field.
    if (!others.has(name)) yield* membersIn(value, name === 'value' ? within : name);
  }
}

/** A figure that differs is told by where it stands in the book, and what it was and is. */
function* membersOfFigure(figure: string, told: object): Generator<Member> {
  const places = figure.split('/');
  const name = places.at(-1) as string;
  const whole = places.findLast((place) => byKindOf.has(place)) ?? '';
  const enumeration = name === 'kind' ? byKindOf.get(whole) : byName.get(name);
  if (enumeration === undefined) return;
  for (const value of Object.values(told)) if (typeof value === 'string') yield [enumeration, value];
}
