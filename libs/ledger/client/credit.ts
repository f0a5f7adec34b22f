/**
 * What was decided about the Client's credit, and the facilities that stand on it: beside the folded facts, and no part
 * of any figure of a Loan.
 */
import { type Bar, barOf } from '#libs/credit/bar.ts';
import type { Decision } from '#libs/credit/decide.ts';
import type { Facility } from '#libs/credit/facility.ts';
import type { Resolution } from '#libs/credit/resolution.ts';

/** A record and the moment it was recorded. */
export type Dated<Record> = { readonly at: string; readonly recorded: Record };

/** Each oldest first. */
export type Credit = {
  readonly decisions: readonly Dated<Decision>[];
  readonly resolutions: readonly Dated<Resolution>[];
  readonly facilities: readonly Dated<Facility>[];
};

export const NO_CREDIT: Credit = { decisions: [], resolutions: [], facilities: [] };

/** A record as its fact keeps it: the account of the act by itself, where everyone who reads facts finds it. */
type Account = {
  readonly reference: string;
  readonly actor: string;
  readonly basis: string;
  readonly context?: object;
};
type Kept<Record extends Account> = Omit<Record, keyof Account> & { readonly act: Account };

export function storeRecord<Record extends Account>({ reference, actor, basis, context, ...rest }: Record): string {
  return JSON.stringify({ act: { reference, actor, basis, ...(context === undefined ? {} : { context }) }, ...rest });
}

/** The record again, its identifier and its reference before the rest. */
export function readRecord<Record extends Account>({ act, ...rest }: Kept<Record>): Record {
  const { reference, ...by } = act;
  const { id, ...others } = rest as { readonly id?: string };
  return { ...(id === undefined ? {} : { id }), reference, ...others, ...by } as unknown as Record;
}

const KINDS = {
  credit_decided: 'decisions',
  decision_resolved: 'resolutions',
  facility_opened: 'facilities',
} as const satisfies { readonly [kind: string]: keyof Credit };

export type CreditKind = keyof typeof KINDS;

export function isCreditKind(kind: string): kind is CreditKind {
  return Object.hasOwn(KINDS, kind);
}

/** The credit with one more stored fact of it. */
export function withCreditFact(credit: Credit, kind: CreditKind, stored: object, at: string): Credit {
  const name = KINDS[kind];
  const recorded = readRecord(stored as Kept<Account>);
  return { ...credit, [name]: [...credit[name], { at, recorded }] };
}

export function creditKnownAt({ decisions, resolutions, facilities }: Credit, moment: string): Credit {
  const known = <Record>(records: readonly Dated<Record>[]) => records.filter(({ at }) => at <= moment);
  return { decisions: known(decisions), resolutions: known(resolutions), facilities: known(facilities) };
}

export function decisionNamed({ decisions }: Credit, id: string): Dated<Decision> | undefined {
  return decisions.find(({ recorded }) => recorded.id === id.toLowerCase());
}

export function resolutionOf({ resolutions }: Credit, decisionId: string): Dated<Resolution> | undefined {
  return resolutions.find(({ recorded }) => recorded.decision_id === decisionId.toLowerCase());
}

export function facilityNamed({ facilities }: Credit, id: string): Dated<Facility> | undefined {
  return facilities.find(({ recorded }) => recorded.id === id.toLowerCase());
}

export function facilitiesOf({ facilities }: Credit): readonly Facility[] {
  return facilities.map(({ recorded }) => recorded);
}

export function barsOf(credit: Credit): readonly Bar[] {
  return credit.decisions.flatMap(({ recorded }) => barOf(recorded, resolutionOf(credit, recorded.id)?.recorded) ?? []);
}
