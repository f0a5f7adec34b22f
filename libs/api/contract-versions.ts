/** The published versions of the contract: the `Contract-Version` header, closed enumerations and deprecations. */
import { type CivilDay, dayOf, weekday, yearMonthDay } from '#libs/calendar/civil-day.ts';
import { type EnumerationName, enumerations } from '#libs/schema/enumerations.ts';
import { type Refusal, refuse } from '#libs/schema/refusals.ts';

export interface ContractVersion {
  /** The day on which it first reached production. */
  readonly version: string;
  /** For the changelog. */
  readonly changes: readonly string[];
  /** Members added to closed enumerations. Callers of earlier versions are not served them. */
  readonly newMembers: { readonly [enumeration in EnumerationName]?: readonly string[] };
}

/** A member of a body that is still accepted. It is announced in every answer to a request that uses it. */
export interface Deprecation {
  readonly route: string;
  readonly field: string;
  /** The first day on which the member is refused. It never changes. */
  readonly refusedFrom: string;
  readonly changelogAnchor: string;
}

export interface Contract {
  /** Oldest first; the first is the baseline. */
  readonly versions: readonly ContractVersion[];
  readonly deprecations: readonly Deprecation[];
}

export const contract: Contract = {
  versions: [
    { version: '2026-10-15', changes: ['The baseline.'], newMembers: {} },
    {
      version: '2026-10-16',
      changes: [
        'The Contract-Version header and its refusals.',
        'x-enum-open marks on every enumeration.',
        'Client guards on product versions.',
        'Limit decisions: limit, ceiling, over_ceiling.',
        'Lines and their supersession.',
        'Whole returns.',
        'The dues, bounds and markets routes.',
        'details.bound and details.observed on named codes.',
        'effective and advisories on configurations.',
        'percent together with a rate ratio.',
        'rate and penalty_rate optional where the facility or a single-point corridor states them.',
        'Lookup keys.',
        'Server-Timing.',
        'Dated reads of one consistent moment.',
        "Breaking: a policy version whose approving band's rate has no decimal of at most eight places is refused.",
      ],
      newMembers: {},
    },
  ],
  deprecations: [
    { route: 'putCompanyProfile', field: 'vat_rate_bps', refusedFrom: '2027-01-15', changelogAnchor: 'vat_rate_bps' },
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
  /** Members that the request itself names. They are served whatever its version. */
  readonly namedMembers?: readonly string[];
}

/** No version after the requested one added members, so records need not be checked. */
export function hasNoNewerMembers({ contract, version }: RequestedVersion): boolean {
  return contract.versions.every(
    (published) => published.version <= version || Object.keys(published.newMembers).length === 0,
  );
}

/** Whether a record with this member may be served. A listing leaves out the others. */
export function isMemberKnown(requested: RequestedVersion, enumeration: EnumerationName, member: string): boolean {
  return requiredVersion(requested, enumeration, member) === undefined;
}

/** For the read of one record: the refusal that names the version to request, if the record may not be served. */
export function refuseUnknownMember(
  requested: RequestedVersion,
  enumeration: EnumerationName,
  member: string,
): Refusal | undefined {
  const required = requiredVersion(requested, enumeration, member);
  return required === undefined
    ? undefined
    : refuse('contract_version_required', { bound: required, observed: requested.version });
}

function requiredVersion(
  { contract, version, namedMembers }: RequestedVersion,
  enumeration: EnumerationName,
  member: string,
): string | undefined {
  const required = versionIntroducing(contract, enumeration, member);
  if (required === undefined || required <= version || namedMembers?.includes(member)) return undefined;
  return required;
}

/** The version that added a member to a closed enumeration; undefined if every caller knows the member. */
function versionIntroducing(contract: Contract, enumeration: EnumerationName, member: string): string | undefined {
  if (enumerations[enumeration].open) return undefined;
  return contract.versions.find(({ newMembers }) => newMembers[enumeration]?.includes(member))?.version;
}

/** The deprecated members that a body uses. */
export function deprecationsIn({ deprecations }: Contract, route: string, body: object): readonly Deprecation[] {
  return deprecations.filter((deprecation) => deprecation.route === route && Object.hasOwn(body, deprecation.field));
}

const msPerDay = 86_400_000;

/** The refusal of a deprecated member whose last day has passed. */
export function refuseExpired(used: readonly Deprecation[], nowMs: number): Refusal | undefined {
  const expired = used.find(({ refusedFrom }) => nowMs >= dayOf(refusedFrom) * msPerDay);
  return expired && refuse('invalid_body', { field: `/${expired.field}`, bound: expired.refusedFrom });
}

/** RFC 9745, RFC 8594, and the link to the changelog. */
export function deprecationHeaders(deprecation: Deprecation): { readonly [header: string]: string } {
  const day = dayOf(deprecation.refusedFrom);
  return {
    Deprecation: `@${(day * msPerDay) / 1000}`,
    Sunset: httpDate(day),
    Link: `</changelog#${deprecation.changelogAnchor}>; rel="deprecation"`,
  };
}

const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** The beginning of a day, as HTTP headers write it. */
function httpDate(civilDay: CivilDay): string {
  const { year, month, day } = yearMonthDay(civilDay);
  const date = `${String(day).padStart(2, '0')} ${months[month - 1]} ${year}`;
  return `${weekdays[weekday(civilDay) - 1]}, ${date} 00:00:00 GMT`;
}
