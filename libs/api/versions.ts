import { type CivilDay, dayOf, weekday, yearMonthDay } from '#libs/calendar/civil-day.ts';
import { type EnumerationName, enumerations } from '#libs/schema/enumerations.ts';
import { type Refusal, refuse } from '#libs/schema/refusals.ts';

/** A version is the day it first reached production. */
export interface Version {
  readonly version: string;
  /** For the changelog. */
  readonly introduced: readonly string[];
  /** Members it added to closed enumerations; a caller that does not know the version is not served them. */
  readonly members: { readonly [enumeration in EnumerationName]?: readonly string[] };
}

/** An old behaviour on its way out: served until a day that never moves, and announced on every answer that relied on it. */
export interface Window {
  /** The route, by its name in the table, and the member of its body. */
  readonly route: string;
  readonly field: string;
  /** The first day on which it is refused. */
  readonly until: string;
  /** The changelog's entry. */
  readonly entry: string;
}

export interface Contract {
  /** Oldest first; the first is the baseline. */
  readonly versions: readonly Version[];
  readonly windows: readonly Window[];
}

export const contract: Contract = {
  versions: [
    { version: '2026-10-15', introduced: ['The baseline.'], members: {} },
    {
      version: '2026-10-16',
      introduced: [
        'The Contract-Version header and its refusals.',
        'x-enum-open marks on every enumeration.',
        'Client guards on product versions.',
        'Limit decisions: limit, ceiling, over_ceiling.',
        'Lines and their supersession.',
        'Whole returns.',
        'The dues, bounds and markets routes.',
        'details.bound and details.observed on named codes.',
        'effective and advisories on configurations.',
        'percent beside a rate ratio.',
        'rate and penalty_rate optional where the facility or a single-point corridor states them.',
        'Lookup keys.',
        'Server-Timing.',
        'Dated reads of one consistent moment.',
        "Breaking: a policy version whose approving band's rate has no decimal of at most eight places is refused.",
      ],
      members: {},
    },
  ],
  windows: [{ route: 'putCompanyProfile', field: 'vat_rate_bps', until: '2027-01-15', entry: 'vat_rate_bps' }],
};

export function baselineOf({ versions }: Contract): string {
  return (versions[0] as Version).version;
}

/** The version an answer is rendered under, from what the request's `Contract-Version` headers say. */
export function statedVersion(contract: Contract, headers: readonly string[]): { readonly version: string } | Refusal {
  const [stated, ...repeated] = headers;
  if (stated === undefined) return { version: baselineOf(contract) };
  if (repeated.length === 0 && contract.versions.some(({ version }) => version === stated)) return { version: stated };
  return refuse('invalid_contract_version', { bound: contract.versions.map(({ version }) => version) });
}

/** The version that introduced a member of a closed enumeration; nothing where every caller knows it. */
export function introducedBy(contract: Contract, enumeration: EnumerationName, member: string): string | undefined {
  if (enumerations[enumeration].open) return undefined;
  return contract.versions.find(({ members }) => members[enumeration]?.includes(member))?.version;
}

export interface Knowing {
  readonly contract: Contract;
  /** The version the request is served under. */
  readonly version: string;
  /** Members the request itself names: who names one knows it. */
  readonly named?: readonly string[];
}

/** Whether no version after the caller's introduced any member: then nothing has to be looked for. */
export function knowsEveryMember({ contract, version }: Knowing): boolean {
  return contract.versions.every((each) => each.version <= version || Object.keys(each.members).length === 0);
}

/** Whether a record holding that member may be served; a listing leaves the others out. */
export function mayServe(knowing: Knowing, enumeration: EnumerationName, member: string): boolean {
  return versionNeeded(knowing, enumeration, member) === undefined;
}

/** For the read of one record: the refusal that names the version to state, or nothing where it may be served. */
export function unservable(knowing: Knowing, enumeration: EnumerationName, member: string): Refusal | undefined {
  const needed = versionNeeded(knowing, enumeration, member);
  return needed === undefined
    ? undefined
    : refuse('contract_version_required', { bound: needed, observed: knowing.version });
}

function versionNeeded(knowing: Knowing, enumeration: EnumerationName, member: string): string | undefined {
  const needed = introducedBy(knowing.contract, enumeration, member);
  if (needed === undefined || needed <= knowing.version || knowing.named?.includes(member)) return undefined;
  return needed;
}

/** The windows a body relies on, by the members it states. */
export function windowsOf({ windows }: Contract, route: string, stated: object): readonly Window[] {
  return windows.filter((window) => window.route === route && Object.hasOwn(stated, window.field));
}

const dayMs = 86_400_000;

function endsAt({ until }: Window): number {
  return dayOf(until) * dayMs;
}

/** Once the day has come the member is refused where the body is read. */
export function closedWindow(windows: readonly Window[], nowMs: number): Refusal | undefined {
  const closed = windows.find((window) => nowMs >= endsAt(window));
  return closed && refuse('invalid_body', { field: `/${closed.field}`, bound: closed.until });
}

const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** As HTTP writes a moment. */
function beginningOf(civil: CivilDay): string {
  const { year, month, day } = yearMonthDay(civil);
  const date = `${String(day).padStart(2, '0')} ${months[month - 1]} ${year}`;
  return `${weekdays[weekday(civil) - 1]}, ${date} 00:00:00 GMT`;
}

/** RFC 9745, RFC 8594 and the link to what replaces it. */
export function windowHeaders(window: Window): { readonly [header: string]: string } {
  const ends = endsAt(window);
  return {
    Deprecation: `@${ends / 1000}`,
    Sunset: beginningOf(dayOf(window.until)),
    Link: `</changelog#${window.entry}>; rel="deprecation"`,
  };
}
