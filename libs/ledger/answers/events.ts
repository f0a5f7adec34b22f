import { formatDay } from '#libs/calendar/civil-day.ts';
import { type Money, money } from '#libs/ledger/answers/figures.ts';
import { actsInForce, type LoanRecord, type RecordedAct } from '#libs/ledger/fact-record.ts';
import type { Loan } from '#libs/ledger/loan.ts';
import type { Json, JsonObject } from '#libs/schema/json.ts';

export type ActAccount = {
  readonly reference: string;
  readonly actor: string;
  readonly basis: string;
  readonly context?: Json;
};

export type LoanEvent = {
  /** What a retraction names. The derived `settled` has none. */
  readonly id?: string;
  readonly kind: string;
  readonly occurred_on: string;
  readonly recorded_at?: string;
  readonly act?: ActAccount;
  readonly stated?: JsonObject;
  readonly to?: string;
  readonly ended_on?: string;
  readonly suspension_id?: string;
  readonly amount?: Money;
  readonly retraction?: ActAccount & { readonly on: string; readonly recorded_at: string };
};

const ACCOUNT = ['reference', 'actor', 'basis', 'context', 'on'];

/** The account of an act: who says so, on what basis, under which reference. */
export function accountOf(told: JsonObject): ActAccount {
  const { reference, actor, basis, context } = told as unknown as ActAccount;
  return context === undefined ? { reference, actor, basis } : { reference, actor, basis, context };
}

/** Every recorded fact of the Loan, withdrawn ones included, in the order of recording; a discharge by a Receipt last. */
export function loanEvents(record: LoanRecord, loan: Loan): readonly LoanEvent[] {
  const { issuance, recorded } = record;
  const issued: LoanEvent = {
    id: issuance.event,
    kind: 'issued',
    occurred_on: formatDay(issuance.terms.anchor),
    recorded_at: recorded.at,
  };
  const events = [issued, ...record.acts.map((act) => eventOf(record, act, loan))];
  const { discharged } = loan;
  if (discharged?.by !== undefined) events.push({ kind: 'settled', occurred_on: formatDay(discharged.on) });
  return events;
}

function eventOf(record: LoanRecord, { fact, at, told }: RecordedAct, loan: Loan): LoanEvent {
  const stated = Object.fromEntries(Object.entries(told).filter(([name]) => !ACCOUNT.includes(name)));
  const retraction = record.retractions.get(fact.event);
  return {
    id: fact.event,
    kind: fact.kind,
    occurred_on: formatDay(fact.on),
    recorded_at: at,
    act: accountOf(told),
    ...(Object.keys(stated).length === 0 ? {} : { stated }),
    ...ownMembers(record, fact, loan),
    ...(retraction === undefined
      ? {}
      : {
          retraction: {
            on: formatDay(retraction.fact.on),
            recorded_at: retraction.at,
            ...accountOf(retraction.told),
          },
        }),
  };
}

function ownMembers(record: LoanRecord, fact: RecordedAct['fact'], loan: Loan): Partial<LoanEvent> {
  switch (fact.kind) {
    case 'suspended': {
      const ended = actsInForce(record).find(
        ({ fact: each }) => each.kind === 'suspension_ended' && each.body.suspension === fact.event,
      );
      const to = { to: formatDay(fact.body.to) };
      return ended === undefined ? to : { ...to, ended_on: formatDay(ended.fact.on) };
    }
    case 'suspension_ended':
      return { suspension_id: fact.body.suspension };
    case 'returned':
      return { amount: money(fact.body.amount, loan.terms.currency) };
    default:
      return {};
  }
}
