/**
 * The published versions of the contract, and the table of what changed in each. The table is data: apply-contract-changes.ts
 * applies it to requests and answers, check-contract-changes.ts checks it when a process starts. docs/decisions/0052 explains it.
 */
import { type CivilDay, dayOf, msPerDay, weekday, yearMonthDay } from '#libs/calendar/civil-day.ts';
import { type EnumerationName, enumerations } from '#libs/schema/enumerations.ts';
import type { JsonObject } from '#libs/schema/json.ts';
import { type Refusal, refuse } from '#libs/schema/refusals.ts';
import type { RouteName } from './routes.ts';

export interface ContractVersion {
  /** The day on which it first reached production. */
  readonly version: string;
  /** For the changelog. */
  readonly changes: readonly string[];
}

/** The time for which the behaviour before a breaking change is still served. */
export interface ChangeWindow {
  /** The day of the release that announced the change. */
  readonly announcedOn: string;
  /** The first day without the earlier behaviour, at least 90 days later. It never changes. */
  readonly endsOn: string;
  readonly changelogAnchor: string;
}

/** Routes, parameters and fields that a version adds are served to every caller; members of closed enumerations are not. */
interface Addition {
  readonly addedIn: string;
}

interface BreakingChange {
  /** Callers of this version and later ones get the new behaviour at once; the others when the window ends. */
  readonly changedIn?: string;
  readonly window: ChangeWindow;
}

/** Has a version, so that a caller for whom a record cannot be expressed has one to request. */
type VersionedChange = BreakingChange & { readonly changedIn: string };

/** Turns an object from one contract into another; undefined if the other contract cannot express it. */
export type Conversion = (holder: JsonObject) => JsonObject | undefined;

/** The object that has a field: names separated by `/`, `*` for every item of an array, '' for the whole body. */
interface FieldPlace {
  readonly route: RouteName;
  readonly holder: string;
  readonly field: string;
}

/** An added or removed route, query parameter or field; a required field; a changed meaning; a member of a closed enumeration. */
export type ContractEntry =
  | ({ readonly kind: 'route'; readonly route: RouteName } & (Addition | BreakingChange))
  | ({ readonly kind: 'query_parameter'; readonly route: RouteName; readonly parameter: string } & (
      | Addition
      | BreakingChange
    ))
  | ({ readonly kind: 'request_field'; readonly route: RouteName; readonly field: string } & (
      | Addition
      | (BreakingChange & { readonly change: 'removed' | 'required' })
    ))
  | ({ readonly kind: 'answer_field' } & FieldPlace &
      (
        | Addition
        | (VersionedChange & {
            /** From the current answer to the one with the removed or renamed field. */
            readonly before: Conversion;
          })
      ))
  | ({
      readonly kind: 'meaning';
      readonly of: 'request' | 'answer';
      /** Of a request: from the earlier meaning to the current one. Of an answer: from the current one to the earlier. */
      readonly convert: Conversion;
    } & FieldPlace &
      VersionedChange)
  | ({
      readonly kind: 'member';
      readonly enumeration: EnumerationName;
      readonly member: string;
      /** Records that exist because of these are served under every version. */
      readonly introducedWith?: { readonly routes?: readonly RouteName[]; readonly fields?: readonly string[] };
    } & Addition);

export type EntryKind = ContractEntry['kind'];
export type BreakingEntry<Kind extends EntryKind = EntryKind> = Extract<ContractEntry, { kind: Kind } & BreakingChange>;

export interface Contract {
  /** Oldest first; the first is the baseline. */
  readonly versions: readonly ContractVersion[];
  readonly entries: readonly ContractEntry[];
}

export const contract: Contract = {
  versions: [
    { version: '2026-10-15', changes: ['The baseline.'] },
    {
      version: '2026-10-16',
      changes: [
        'The header `Contract-Version` and its refusals.',
        '`x-enum-open` marks on every enumeration.',
        'Client guards on product versions.',
        'Limit decisions: `limit`, `ceiling`, `over_ceiling`.',
        'Lines and their supersession.',
        'Whole returns.',
        'The routes of dues, bounds and markets.',
        '`details.bound` and `details.observed` on named codes.',
        '`effective` and `advisories` on configurations.',
        '`percent` together with a rate ratio.',
        '`rate` and `penalty_rate` optional where the facility or a corridor of one point states them.',
        'Lookup keys.',
        'The header `Server-Timing`.',
        'Dated reads of one consistent moment.',
        "Breaking: a policy version whose approving band's rate has no decimal of at most eight places is refused.",
        'Consequence: no closed enumeration has a new member, so a request that states this version and one that states none get the same bodies.',
      ],
    },
  ],
  entries: [
    {
      kind: 'request_field',
      change: 'removed',
      route: 'putCompanyProfile',
      field: 'vat_rate_bps',
      window: { announcedOn: '2026-10-16', endsOn: '2027-01-15', changelogAnchor: 'vat_rate_bps' },
    },
  ],
};

export function baselineOf({ versions }: Contract): string {
  return (versions[0] as ContractVersion).version;
}

/** The version that the `Contract-Version` headers of a request ask for. */
export function parseVersion(contract: Contract, headers: readonly string[]): { readonly version: string } | Refusal {
  const [requested, ...repeated] = headers;
  if (requested === undefined) return { version: baselineOf(contract) };
  const isPublished = contract.versions.some(({ version }) => version === requested);
  if (repeated.length === 0 && isPublished) return { version: requested };
  return refuse('invalid_contract_version', { bound: contract.versions.map(({ version }) => version) });
}

export interface RequestedVersion {
  readonly contract: Contract;
  readonly version: string;
  readonly route?: RouteName;
  /** Members that the request itself names. They are served whatever its version. */
  readonly namedMembers?: readonly string[];
}

/** No version after the requested one added members, so records need not be checked. */
export function hasNoNewerMembers({ contract, version }: RequestedVersion): boolean {
  return contract.entries.every((entry) => entry.kind !== 'member' || entry.addedIn <= version);
}

/** Whether a record with this member may be served. A listing leaves out the others. */
export function isMemberKnown(
  requested: RequestedVersion,
  enumeration: EnumerationName,
  member: string,
  holders: readonly object[] = [],
): boolean {
  return refuseUnknownMember(requested, enumeration, member, holders) === undefined;
}

/**
 * For the read of one record: the refusal that names the version to request, if the record may not be served. `holders`
 * are the objects around the member.
 */
export function refuseUnknownMember(
  { contract, version, route, namedMembers = [] }: RequestedVersion,
  enumeration: EnumerationName,
  member: string,
  holders: readonly object[] = [],
): Refusal | undefined {
  if (enumerations[enumeration].open || namedMembers.includes(member)) return undefined;
  for (const entry of contract.entries) {
    if (entry.kind !== 'member' || entry.enumeration !== enumeration || entry.member !== member) continue;
    if (entry.addedIn <= version) return undefined;
    const { routes = [], fields = [] } = entry.introducedWith ?? {};
    const isOfRoute = route !== undefined && routes.includes(route);
    const hasField = fields.some((field) => holders.some((holder) => Object.hasOwn(holder, field)));
    return isOfRoute || hasField ? undefined : versionRequired(entry.addedIn, version);
  }
  return undefined;
}

export function versionRequired(required: string, version: string): Refusal {
  return refuse('contract_version_required', { bound: required, observed: version });
}

export interface ContractMoment {
  /** The version that the request states. */
  readonly version: string;
  /** Milliseconds since 1970 when it was received. */
  readonly at: number;
}

/** Whether a request gets the behaviour after the change. */
export function isInForce({ changedIn, window }: BreakingChange, { version, at }: ContractMoment): boolean {
  return (changedIn !== undefined && changedIn <= version) || at >= dayOf(window.endsOn) * msPerDay;
}

/** RFC 9745, RFC 8594, and the link to the changelog. */
export function windowHeaders({ endsOn, changelogAnchor }: ChangeWindow): { readonly [header: string]: string } {
  const day = dayOf(endsOn);
  return {
    Deprecation: `@${(day * msPerDay) / 1000}`,
    Sunset: httpDate(day),
    Link: `</changelog#${changelogAnchor}>; rel="deprecation"`,
  };
}

/** Of several windows: the day of the first one that ends, and a link to each. */
export function headersOfWindows(windows: readonly ChangeWindow[]): { readonly [header: string]: string } {
  const [first, ...others] = windows.toSorted((a, b) => (a.endsOn < b.endsOn ? -1 : 1)).map(windowHeaders);
  if (first === undefined) return {};
  return { ...first, Link: [...new Set([first, ...others].map(({ Link }) => Link))].join(', ') };
}

const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** The beginning of a day, as HTTP headers write it. */
function httpDate(civilDay: CivilDay): string {
  const { year, month, day } = yearMonthDay(civilDay);
  const date = `${String(day).padStart(2, '0')} ${months[month - 1]} ${year}`;
  return `${weekdays[weekday(civilDay) - 1]}, ${date} 00:00:00 GMT`;
}
