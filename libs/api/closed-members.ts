/** Finds the members of closed enumerations in any record: an answer, a row, a recorded fact or a request body. */
import type { EnumerationName } from '#libs/schema/enumerations.ts';
import type { Refusal } from '#libs/schema/refusals.ts';
import { hasNoNewerMembers, type RequestedVersion, refuseUnknownMember } from './contract-versions.ts';
import type { RouteName } from './routes.ts';

interface ClosedMember {
  readonly enumeration: EnumerationName;
  readonly member: string;
  /** The objects around it, outermost first. */
  readonly holders: readonly object[];
}

/** Fields with members of closed enumerations, in every answer and every fact. */
const enumerationByField: ReadonlyMap<string, EnumerationName> = new Map([
  ['state', 'loan_state'],
  ['election', 'election'],
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

/** Their `outcome` is of an open enumeration, which every version may receive. */
const routesWithOpenOutcome: ReadonlySet<RouteName> = new Set<RouteName>(['readResolution', 'resolveDecision']);

/** Undefined where the caller knows every member of the record. */
export function refuseUnknownMembers(requested: RequestedVersion, record: unknown): Refusal | undefined {
  if (hasNoNewerMembers(requested)) return undefined;
  if (requested.route !== undefined && routesWithOpenOutcome.has(requested.route)) return undefined;
  for (const { enumeration, member, holders } of closedMembersIn(record)) {
    const refusal = refuseUnknownMember(requested, enumeration, member, holders);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

/** The records of a listing, as JSON text, that the caller may receive. They are parsed only where it matters. */
export function withoutUnknownMembers(requested: RequestedVersion, texts: readonly string[]): readonly string[] {
  if (hasNoNewerMembers(requested)) return texts;
  return texts.filter((text) => refuseUnknownMembers(requested, JSON.parse(text)) === undefined);
}

export function* closedMembersIn(record: unknown, parent = '', outer: readonly object[] = []): Generator<ClosedMember> {
  if (typeof record !== 'object' || record === null) return;
  if (Array.isArray(record)) {
    for (const item of record) yield* closedMembersIn(item, parent, outer);
    return;
  }
  const holders = [...outer, record];
  const { figure } = record as { readonly figure?: unknown };
  if (typeof figure === 'string') yield* membersOfFigure(figure, record, holders);
  for (const [name, value] of Object.entries(record)) {
    const enumeration = name === 'kind' ? kindEnumerationByParent.get(parent) : enumerationByField.get(name);
    if (typeof value === 'string' && enumeration !== undefined) yield { enumeration, member: value, holders };
    // `value` holds the value of a product field, so what it contains belongs to that field.
    if (!uncheckedFields.has(name)) yield* closedMembersIn(value, name === 'value' ? parent : name, holders);
  }
}

/** A changed figure is named by its path in the book; the other fields hold its old and new value. */
function* membersOfFigure(figure: string, record: object, holders: readonly object[]): Generator<ClosedMember> {
  const path = figure.split('/');
  const name = path.at(-1) as string;
  const parent = path.findLast((segment) => kindEnumerationByParent.has(segment)) ?? '';
  const enumeration = name === 'kind' ? kindEnumerationByParent.get(parent) : enumerationByField.get(name);
  if (enumeration === undefined) return;
  for (const value of Object.values(record))
    if (typeof value === 'string') yield { enumeration, member: value, holders };
}
