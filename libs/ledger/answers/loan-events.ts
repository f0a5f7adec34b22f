/** The events of a Loan: every fact about it that was recorded, retracted ones included. */

import { formatDay } from '#libs/calendar/civil-day.ts';
import { isFactOf } from '#libs/ledger/act.ts';
import { goodsReturned } from '#libs/ledger/acts/return.ts';
import { suspension } from '#libs/ledger/acts/suspension.ts';
import { suspensionEnd } from '#libs/ledger/acts/suspension-end.ts';
import { moneyFigure } from '#libs/ledger/answers/amounts-json.ts';
import { amendmentsInForce, type LoanRecord } from '#libs/ledger/book-record.ts';
import type { RecordedAct } from '#libs/ledger/fact-log.ts';
import type { Loan } from '#libs/ledger/loan.ts';
import { statementOf } from '#libs/ledger/stored-facts.ts';
import type { Json, JsonObject } from '#libs/schema/json.ts';
import type { MoneyJson } from '#libs/schema/objects.ts';

export type ActAccount = {
  readonly reference: string;
  readonly actor: string;
  readonly basis: string;
  readonly context?: Json;
};

export type LoanEvent = {
  /** The id that a retraction names. Absent on `settled`, which is derived and not recorded. */
  readonly id?: string;
  readonly kind: string;
  readonly occurred_on: string;
  readonly recorded_at?: string;
  readonly act?: ActAccount;
  readonly stated?: JsonObject;
  readonly to?: string;
  readonly ended_on?: string;
  readonly suspension_id?: string;
  readonly amount?: MoneyJson;
  readonly retraction?: ActAccount & { readonly on: string; readonly recorded_at: string };
};

const accountMembers = ['reference', 'actor', 'basis', 'context', 'on'];

/** Who recorded the act, on what basis, and under which reference. */
function actAccountOf(statement: JsonObject): ActAccount {
  const { reference, actor, basis, context } = statement as ActAccount;
  return context === undefined ? { reference, actor, basis } : { reference, actor, basis, context };
}

/** In the order of recording. A discharge by a Receipt comes last. */
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

function eventOf(record: LoanRecord, recorded: RecordedAct, loan: Loan): LoanEvent {
  const { fact, at } = recorded;
  const statement = statementOf(recorded);
  const stated = Object.fromEntries(Object.entries(statement).filter(([name]) => !accountMembers.includes(name)));
  const retraction = record.retractions.get(fact.event);
  return {
    id: fact.event,
    kind: fact.kind,
    occurred_on: formatDay(fact.on),
    recorded_at: at,
    act: actAccountOf(statement),
    ...(Object.keys(stated).length === 0 ? {} : { stated }),
    ...ownMembers(record, fact, loan),
    ...(retraction === undefined
      ? {}
      : {
          retraction: {
            on: formatDay(retraction.fact.on),
            recorded_at: retraction.at,
            ...actAccountOf(statementOf(retraction)),
          },
        }),
  };
}

function ownMembers(record: LoanRecord, fact: RecordedAct['fact'], loan: Loan): Partial<LoanEvent> {
  if (isFactOf(suspension, fact)) {
    const to = { to: formatDay(fact.body.to) };
    const end = amendmentsInForce(record).get(fact.event);
    return end === undefined ? to : { ...to, ended_on: formatDay(end.on) };
  }
  if (isFactOf(suspensionEnd, fact)) return { suspension_id: fact.body.suspension };
  if (isFactOf(goodsReturned, fact)) return { amount: moneyFigure(fact.body.amount, loan.terms.currency) };
  return {};
}
