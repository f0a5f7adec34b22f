/** The credit records of a Client's book: Decisions, their resolutions, and facilities. No figure of a Loan depends on them. */

import { type Bar, barOf } from '#libs/credit/bar.ts';
import type { Decision } from '#libs/credit/decide.ts';
import type { Facility } from '#libs/credit/facility.ts';
import type { Resolution } from '#libs/credit/resolution.ts';
import { type Account, splitAccount } from '#libs/schema/objects.ts';

/** A record and the moment of its recording. */
export type CreditRecord<Content> = { readonly at: string; readonly recorded: Content };

/** Each list is oldest first. */
export type CreditRecords = {
  readonly decisions: readonly CreditRecord<Decision>[];
  readonly resolutions: readonly CreditRecord<Resolution>[];
  readonly facilities: readonly CreditRecord<Facility>[];
};

export const NO_CREDIT: CreditRecords = { decisions: [], resolutions: [], facilities: [] };

/** A record as its fact stores it. The account is under `act`, as in the facts of acts. */
type StoredRecord<Content extends Account> = Omit<Content, keyof Account> & { readonly act: Account };

export function encodeCreditRecord<Content extends Account>(record: Content): string {
  const [act, stated] = splitAccount(record);
  return JSON.stringify({ act, ...stated });
}

const creditFactKinds = ['credit_decided', 'decision_resolved', 'facility_opened'] as const;

export type CreditFactKind = (typeof creditFactKinds)[number];

export function isCreditFactKind(kind: string): kind is CreditFactKind {
  return creditFactKinds.some((creditKind) => creditKind === kind);
}

/** The records with one more stored fact. `body` is the fact's JSON text. */
export function withCreditFact(credit: CreditRecords, kind: CreditFactKind, body: string, at: string): CreditRecords {
  const { decisions, resolutions, facilities } = credit;
  switch (kind) {
    case 'credit_decided':
      return { ...credit, decisions: [...decisions, { at, recorded: decodeDecision(JSON.parse(body)) }] };
    case 'decision_resolved':
      return { ...credit, resolutions: [...resolutions, { at, recorded: decodeResolution(JSON.parse(body)) }] };
    case 'facility_opened':
      return { ...credit, facilities: [...facilities, { at, recorded: decodeFacility(JSON.parse(body)) }] };
  }
}

// Answers and snapshots keep this order: id and reference first, the rest of the account last.

function decodeDecision({ act: { reference, ...account }, id, ...rest }: StoredRecord<Decision>): Decision {
  return { id, reference, ...rest, ...account };
}

function decodeResolution({ act: { reference, ...account }, ...rest }: StoredRecord<Resolution>): Resolution {
  return { reference, ...rest, ...account };
}

function decodeFacility({ act: { reference, ...account }, id, ...rest }: StoredRecord<Facility>): Facility {
  return { id, reference, ...rest, ...account };
}

export function creditKnownAt({ decisions, resolutions, facilities }: CreditRecords, moment: string): CreditRecords {
  const known = <Content>(records: readonly CreditRecord<Content>[]) => records.filter(({ at }) => at <= moment);
  return { decisions: known(decisions), resolutions: known(resolutions), facilities: known(facilities) };
}

export function findDecision({ decisions }: CreditRecords, id: string): CreditRecord<Decision> | undefined {
  return decisions.find(({ recorded }) => recorded.id === id.toLowerCase());
}

export function findResolution(
  { resolutions }: CreditRecords,
  decisionId: string,
): CreditRecord<Resolution> | undefined {
  return resolutions.find(({ recorded }) => recorded.decision_id === decisionId.toLowerCase());
}

export function findFacility({ facilities }: CreditRecords, id: string): CreditRecord<Facility> | undefined {
  return facilities.find(({ recorded }) => recorded.id === id.toLowerCase());
}

export function facilitiesOf({ facilities }: CreditRecords): readonly Facility[] {
  return facilities.map(({ recorded }) => recorded);
}

export function barsOf(credit: CreditRecords): readonly Bar[] {
  return credit.decisions.flatMap(
    ({ recorded }) => barOf(recorded, findResolution(credit, recorded.id)?.recorded) ?? [],
  );
}
