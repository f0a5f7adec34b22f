/** Applies the table of contract changes to each stage of a request. Without an entry for the route a stage does nothing. */

import { isObject, type Json, type JsonObject } from '#libs/schema/json.ts';
import { type Refusal, refuse } from '#libs/schema/refusals.ts';
import { closedMembersIn, refuseUnknownMembers } from './closed-members.ts';
import {
  type BreakingEntry,
  type ChangeWindow,
  type Contract,
  type ContractMoment,
  type Conversion,
  type EntryKind,
  hasNoNewerMembers,
  isInForce,
  type RequestedVersion,
  versionRequired,
} from './contract-versions.ts';
import type { QuerySchema } from './parse-query.ts';
import { type RouteName, routes } from './routes.ts';

/** Listings leave out the records that a version cannot express; other reads of one are refused. */
const listings: ReadonlySet<RouteName> = new Set<RouteName>([
  'listLoans',
  'listPayoffQuotes',
  'readFeed',
  'listClients',
  'listReceipts',
  'listConfigurations',
  'listConfigurationVersions',
  'rehearse',
  'listLookupKeys',
  'listPolicies',
  'readPolicy',
  'listDecisions',
  'listFacilities',
  'listRequests',
]);

/** What an answer is rendered for. */
export interface AnsweredFor extends ContractMoment {
  readonly route: RouteName;
  readonly query: unknown;
  readonly body: unknown;
}

type AnswerEntry = BreakingEntry<'answer_field'> | BreakingEntry<'meaning'>;

const none: readonly never[] = [];

export class ContractRules {
  readonly contract: Contract;
  /** Oldest first. */
  readonly #breakingOf: ReadonlyMap<RouteName, readonly BreakingEntry[]>;
  readonly #routeRemovals: readonly BreakingEntry<'route'>[];
  /** Newest first. */
  readonly #answers: readonly AnswerEntry[];
  /** False if no version renders an answer differently: answers then pass as they are. */
  readonly rendersAnswers: boolean;

  constructor(contract: Contract) {
    this.contract = contract;
    const breaking = contract.entries.filter((entry) => 'window' in entry).toSorted(byDay);
    this.#breakingOf = Map.groupBy(breaking, ({ route }) => route);
    this.#routeRemovals = breaking.filter((entry) => entry.kind === 'route');
    this.#answers = breaking.filter(isAnswerEntry).toReversed();
    this.rendersAnswers = this.#answers.length > 0 || contract.entries.some(({ kind }) => kind === 'member');
  }

  #ofRoute<Kind extends EntryKind>(route: RouteName, kind: Kind): readonly BreakingEntry<Kind>[] {
    const entries = this.#breakingOf.get(route);
    if (entries === undefined) return none;
    return entries.filter((entry): entry is BreakingEntry<Kind> => entry.kind === kind);
  }

  /** The routes that a request of this version no longer finds. */
  removedRoutes(moment: ContractMoment): readonly RouteName[] {
    if (this.#routeRemovals.length === 0) return none;
    return this.#routeRemovals.filter((entry) => isInForce(entry, moment)).map(({ route }) => route);
  }

  /** The window in which a route that is to be removed is still served. */
  windowsOfRoute(route: RouteName): readonly ChangeWindow[] {
    return this.#ofRoute(route, 'route').map(({ window }) => window);
  }

  /** The parameters of a route without those that are removed for this request. */
  querySchema(route: RouteName, moment: ContractMoment): QuerySchema {
    const removed = this.#ofRoute(route, 'query_parameter').filter((entry) => isInForce(entry, moment));
    if (removed.length === 0) return routes[route].query;
    const remaining = Object.entries(routes[route].query).filter(
      ([name]) => !removed.some(({ parameter }) => parameter === name),
    );
    return Object.fromEntries(remaining);
  }

  /** The windows of the removed parameters that a query states. */
  windowsOfQuery(route: RouteName, queryText: string): readonly ChangeWindow[] {
    const entries = this.#ofRoute(route, 'query_parameter');
    if (entries.length === 0) return [];
    const stated = new URLSearchParams(queryText);
    return entries.filter(({ parameter }) => stated.has(parameter)).map(({ window }) => window);
  }

  /** The body in the current meaning, with the windows of the changes it relies on; or the refusal after a window. */
  readBody(route: RouteName, moment: ContractMoment, body: JsonObject): StagedBody | Refusal {
    const windows: ChangeWindow[] = [];
    for (const entry of this.#ofRoute(route, 'request_field')) {
      if (Object.hasOwn(body, entry.field) === (entry.change === 'required')) continue;
      if (isInForce(entry, moment)) return refuseField(entry, moment);
      windows.push(entry.window);
    }
    let current: Json = body;
    for (const entry of this.#ofRoute(route, 'meaning')) {
      if (entry.of !== 'request' || isInForce(entry, moment)) continue;
      const converted = convertAt(current, entry.holder, whereStated(entry));
      if (converted === undefined) return versionRequired(entry.changedIn, moment.version);
      if (converted !== current) windows.push(entry.window);
      current = converted;
    }
    return { body: current as JsonObject, windows };
  }

  /** Whether the answer may have to be changed or refused for this version. */
  needsRendering({ route, version, at }: AnsweredFor): boolean {
    return (
      this.#answers.some((entry) => entry.route === route && !isInForce(entry, { version, at })) ||
      !hasNoNewerMembers({ contract: this.contract, version })
    );
  }

  /** The current answer as the requested version has it. */
  renderAnswer(request: AnsweredFor, answer: Json): RenderedAnswer | Refusal {
    const windows: ChangeWindow[] = [];
    let rendered = answer;
    // From the newest change to the oldest.
    for (const entry of this.#answers) {
      if (entry.route !== request.route || isInForce(entry, request)) continue;
      const convert = entry.kind === 'meaning' ? whereStated(entry) : entry.before;
      const converted = convertAt(rendered, entry.holder, convert, listings.has(entry.route));
      if (converted === undefined) return versionRequired(entry.changedIn, request.version);
      if (converted !== rendered) windows.push(entry.window);
      rendered = converted;
    }
    return refuseUnknownMembers(requestedVersion(this.contract, request), rendered) ?? { answer: rendered, windows };
  }
}

export interface StagedBody {
  readonly body: JsonObject;
  readonly windows: readonly ChangeWindow[];
}

export interface RenderedAnswer {
  readonly answer: Json;
  readonly windows: readonly ChangeWindow[];
}

/** The version of a request, and the members that the request itself names. */
export function requestedVersion(
  contract: Contract,
  { version, query, body, route }: Pick<AnsweredFor, 'version' | 'query' | 'body' | 'route'>,
): RequestedVersion {
  const { state } = query as { readonly state?: string };
  const namedMembers = [...closedMembersIn(body)].map(({ member }) => member);
  return { contract, version, route, namedMembers: state === undefined ? namedMembers : [state, ...namedMembers] };
}

/** Holders without the field whose meaning changed stay as they are. */
function whereStated({ field, convert }: BreakingEntry<'meaning'>): Conversion {
  return (holder) => (Object.hasOwn(holder, field) ? convert(holder) : holder);
}

function isAnswerEntry(entry: BreakingEntry): entry is AnswerEntry {
  return entry.kind === 'answer_field' || (entry.kind === 'meaning' && entry.of === 'answer');
}

/** Oldest first; of one day in the order of the table. */
function byDay(a: BreakingEntry, b: BreakingEntry): number {
  const [dayOfA, dayOfB] = [a, b].map(({ changedIn, window }) => changedIn ?? window.announcedOn) as [string, string];
  return dayOfA === dayOfB ? 0 : dayOfA < dayOfB ? -1 : 1;
}

function refuseField(
  { change, field, changedIn, window }: BreakingEntry<'request_field'>,
  moment: ContractMoment,
): Refusal {
  if (change === 'required') return refuse('missing_field', { field: `/${field}` });
  const isOfVersion = changedIn !== undefined && changedIn <= moment.version;
  return refuse('invalid_body', { field: `/${field}`, bound: isOfVersion ? changedIn : window.endsOn });
}

/** Converts every holder that a path of names and `*` reaches. Without one the value itself is returned. */
interface PathConversion {
  readonly names: readonly string[];
  readonly convert: Conversion;
  /** The items of the first array are records of a listing: one without a conversion is left out. */
  readonly leavesOutRecords: boolean;
}

function convertAt(value: Json, holder: string, convert: Conversion, leavesOutRecords = false): Json | undefined {
  return convertPath(value, { names: holder === '' ? [] : holder.split('/'), convert, leavesOutRecords });
}

/** Undefined if a holder has no conversion. */
function convertPath(value: Json, { names, convert, leavesOutRecords }: PathConversion): Json | undefined {
  const [name, ...rest] = names;
  if (name === '*') return convertItems(value, { names: rest, convert, leavesOutRecords });
  if (!isObject(value)) return value;
  if (name === undefined) return convert(value);
  const inner = value[name];
  if (inner === undefined) return value;
  const converted = convertPath(inner, { names: rest, convert, leavesOutRecords });
  if (converted === undefined) return undefined;
  return converted === inner ? value : { ...value, [name]: converted };
}

function convertItems(value: Json, { leavesOutRecords, ...conversion }: PathConversion): Json | undefined {
  if (!Array.isArray(value)) return value;
  const items: Json[] = [];
  for (const item of value as readonly Json[]) {
    const converted = convertPath(item, { ...conversion, leavesOutRecords: false });
    if (converted !== undefined) items.push(converted);
    else if (!leavesOutRecords) return undefined;
  }
  const isUnchanged = items.length === value.length && items.every((item, index) => item === value[index]);
  return isUnchanged ? value : items;
}
