/** A small lender's policy, and applications decided by it. */

import { dayOf } from '#libs/calendar/civil-day.ts';
import type { Moment } from '#libs/calendar/moment.ts';
import type { ApplicationBody, CreditOffer } from '#libs/credit/application.ts';
import { checkPolicy } from '#libs/credit/check-policy.ts';
import { type DecidingPolicy, type Decision, decideApplication } from '#libs/credit/decide.ts';
import type { JsonObject } from '#libs/schema/json.ts';
import type { MoneyJson } from '#libs/schema/objects.ts';
import { isRefusal, type Refusal } from '#libs/schema/refusals.ts';

export function pesos(whole: number): MoneyJson {
  return { minor_units: whole * 100, currency: 'MXN' };
}

const minorApplicant = {
  id: 'age',
  text: 'The applicant is of age',
  attribute: 'age',
  comparison: 'below',
  bound: 18,
  outcome: 'not_offered',
  when_unknown: 'fires',
};

const formerDefault = {
  id: 'default',
  text: 'A debt was written off in the last year',
  attribute: 'write_offs',
  comparison: 'at_least',
  bound: 1,
  outcome: 'refuse',
  moratorium_days: 90,
  when_unknown: 'passes',
};

const highDebt = {
  id: 'burden',
  text: 'More than half of the income is owed each month',
  attribute: 'debt_to_income',
  comparison: 'above',
  bound: '0.5',
  outcome: 'refer',
  when_unknown: 'fires',
};

/** A small lender's policy: three knockouts, two characteristics, four bands. */
export const policyContent = {
  attributes: [
    { name: 'age', unit: 'years' },
    { name: 'write_offs' },
    { name: 'debt_to_income' },
    { name: 'income', unit: 'MXN a month' },
    { name: 'months_employed', unit: 'months' },
  ],
  knockouts: [minorApplicant, formerDefault, highDebt],
  base_points: 400,
  scorecard: [
    {
      id: 'income',
      attribute: 'income',
      bins: [
        { to: 8000, points: -50 },
        { from: 8000, to: '20000.50', points: 40 },
        { from: '20000.50', points: 120 },
      ],
      when_unknown: -100,
    },
    {
      id: 'employment',
      attribute: 'months_employed',
      bins: [
        { from: 0, to: 12, points: 0 },
        { from: 12, points: 80 },
      ],
      when_unknown: -20,
    },
  ],
  bands: [
    { id: 'low', to: 380, outcome: 'refuse', moratorium_days: 30 },
    { id: 'unsure', from: 380, to: 450, outcome: 'refer' },
    {
      id: 'fair',
      from: 450,
      to: 550,
      outcome: 'approve',
      rate: { numerator: 48, denominator: 100, quotation: 'nominal_annual' },
      terms: [6, 12],
      principal_max: pesos(20_000),
    },
    {
      id: 'good',
      from: 550,
      outcome: 'approve',
      rate: { numerator: 3, denominator: 8, quotation: 'nominal_annual' },
    },
  ],
} satisfies JsonObject;

export const offer: CreditOffer = { principal_max: pesos(50_000), terms: [3, 6, 12, 24] };

export const known = (number: number | string, asOf?: string) => ({
  state: 'known' as const,
  number,
  ...(asOf === undefined ? {} : { as_of: asOf }),
});

/** An adult with no write-off and little debt. Tests add the income and the months of employment. */
export const goodAttributes = { age: known(34), write_offs: known(0), debt_to_income: known('0.2') };

export function application(change: Partial<ApplicationBody> = {}): ApplicationBody {
  return {
    reference: 'application-1',
    client_id: 'client-1',
    configuration_id: 'ins-000001',
    configuration_version: 3,
    principal: pesos(10_000),
    submitted_on: '2026-03-01',
    attributes: goodAttributes,
    sources: ['bureau', 'payslip'],
    actor: 'officer-7',
    basis: 'application at the branch',
    ...change,
  };
}

export function admitted<Value>(value: Value | Refusal): Value {
  if (isRefusal(value))
    throw new Error(`expected an admission, got refusal ${value.code} ${JSON.stringify(value.details)}`);
  return value;
}

export function refused(value: unknown): Refusal {
  if (isRefusal(value)) return value;
  throw new Error('expected a refusal, got an admission');
}

export function adoptedPolicy(stated: unknown = policyContent, change: Partial<DecidingPolicy> = {}): DecidingPolicy {
  const { policy } = admitted(checkPolicy(stated));
  return { name: 'retail', version: 2, digest: 'd1', policy, selfConfirmed: false, binding: true, ...change };
}

/** A moment in UTC, by its day and the seconds since midnight. */
export function momentOf(day: string, seconds: number): Moment {
  return (dayOf(day) * 86_400_000_000 + seconds * 1_000_000) as Moment;
}

export const hours = (count: number) => count * 3600;

/** 2026-03-01 at noon in Mexico City. */
export const noon = momentOf('2026-03-01', hours(18));

/** The start of a test: the policy that decides, and the moment of recording. */
export function given({
  policy = adoptedPolicy(),
  recordedAt = noon,
  id = 'decision-1',
}: {
  readonly policy?: DecidingPolicy;
  readonly recordedAt?: Moment;
  readonly id?: string;
} = {}) {
  return {
    whenApplied: (stated: Partial<ApplicationBody> = {}): Decision | Refusal =>
      decideApplication({
        id,
        application: application(stated),
        deciding: policy,
        offer,
        timeZone: 'America/Mexico_City',
        recordedAt,
      }),
  };
}

export const withIncome = (income: number | string, months: number) => ({
  attributes: { ...goodAttributes, income: known(income), months_employed: known(months) },
});
