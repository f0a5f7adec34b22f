/**
 * Return: goods go back. Their value unwinds principal that is still owed: first what is ahead, then either all
 * principal that has fallen due or none of it. The rest goes back to the Client as far as principal was received;
 * anything beyond that is the caller's own refund.
 */

import type { CivilDay } from '#libs/calendar/civil-day.ts';
import { type ActFact, defineAct } from '#libs/ledger/act.ts';
import { moneyFigure } from '#libs/ledger/answers/amounts-json.ts';
import { payoff } from '#libs/ledger/charges/debt.ts';
import { withBalance, withInterestRecomputed } from '#libs/ledger/charges/interest.ts';
import {
  endPlan,
  principalAhead,
  principalFallenDue,
  recalculate,
  unwindFallenDue,
} from '#libs/ledger/charges/recalculation.ts';
import { settledBeyondCharge } from '#libs/ledger/line.ts';
import { hasEnded, type Loan, type Period } from '#libs/ledger/loan.ts';
import { RUNNING } from '#libs/ledger/loan-state.ts';
import { taxRateOn } from '#libs/product/terms.ts';
import { money, required } from '#libs/schema/objects.ts';
import { refuse } from '#libs/schema/refusals.ts';

export type ReturnBody = { readonly amount: bigint };

export const goodsReturned = defineAct({
  kind: 'returned',
  route: {
    operation: 'returnGoods',
    segment: 'return',
    summary: 'Return goods',
    description: 'Splits the value of what went back by what the Loan still owed.',
    refusals: ['return_not_provided', 'return_exceeds_principal', 'currency_mismatch'],
  },
  fields: { amount: required(money) },
  states: { admitted: [...RUNNING, 'closed'] },
  read: ({ amount }): ReturnBody => ({ amount: BigInt(amount.minor_units) }),
  rule: (loan, { on, body }) => {
    if (loan.terms.archetype === 'payday') return refuse('return_not_provided');
    const ahead = principalAhead(loan, on);
    const someFallenDue = loan.periods.some((period) => period.alive && hasEnded(period, on));
    if (body.amount > ahead && !someFallenDue && principalHeld(loan) === 0n) {
      const { currency } = loan.terms;
      return refuse('return_exceeds_principal', {
        bound: moneyFigure(ahead, currency),
        observed: moneyFigure(body.amount, currency),
      });
    }
    return undefined;
  },
  apply: withReturn,
  applyPart: withReturn,
});

/** Principal received that no earlier return gave back. The payment at purchase counts as received. */
function principalHeld(loan: Loan): bigint {
  return loan.principalReceived + loan.terms.downPayment - loan.principalGivenBack;
}

function withReturn(loan: Loan, { event, reference, on, body }: ActFact<ReturnBody>): Loan {
  const ahead = principalAhead(loan, on);
  const fallenDue = principalFallenDue(loan, on);
  const { amount } = body;
  const unwindsFallenDue = fallenDue > 0n && amount - ahead >= fallenDue;
  const unwoundAhead = amount < ahead ? amount : ahead;
  const unwound = unwindsFallenDue ? ahead + fallenDue : unwoundAhead;
  const received = principalHeld(loan);
  const principalOwedBack = amount - unwound < received ? amount - unwound : received;

  const priced = repriceSettled(loan, on, unwound + principalOwedBack);
  const unwoundLoan = unwindsFallenDue ? unwindFallenDue(priced, on) : priced;
  const left = ahead - unwoundAhead;
  const replanned =
    unwoundAhead === 0n
      ? unwoundLoan
      : left > 0n
        ? recalculate(unwoundLoan, on, left, 'term')
        : endPlan(unwoundLoan, on);
  const interestOwedBack = interestPaidAhead(loan, replanned, on);
  const entry = {
    event,
    reference,
    on,
    amount,
    unwound,
    principalOwedBack,
    interestOwedBack,
    stillOwed: payoff(replanned, on),
    beyond: amount - unwound - principalOwedBack,
    whole: unwound > 0n && unwound === ahead + fallenDue,
  };
  return {
    ...replanned,
    principalGivenBack: loan.principalGivenBack + principalOwedBack,
    returns: [...loan.returns, entry],
  };
}

/** A period settled before its day accrues interest on a lower balance from this day on. */
function repriceSettled(loan: Loan, on: CivilDay, returned: bigint): Loan {
  const periods = loan.periods.map((period): Period => {
    if (!period.alive || hasEnded(period, on) || period.settledOn === undefined) return period;
    const balance = period.balance > returned ? period.balance - returned : 0n;
    return withInterestRecomputed(loan.terms, withBalance(loan.terms, period, on, balance));
  });
  return { ...loan, periods };
}

/** Interest paid ahead on returned goods: what is settled beyond the charge now and was not before. */
function interestPaidAhead(before: Loan, after: Loan, on: CivilDay): bigint {
  const rate = taxRateOn(after.terms, 'interest');
  return after.periods.reduce((owedBack, period, at) => {
    const periodBefore = before.periods[at] as Period;
    if (!period.alive || hasEnded(periodBefore, on)) return owedBack;
    const now = settledBeyondCharge(period.interest, period.interest.own, rate);
    const earlier = settledBeyondCharge(periodBefore.interest, periodBefore.interest.own, rate);
    return owedBack + excess(now.amount, earlier.amount) + excess(now.tax, earlier.tax);
  }, 0n);
}

function excess(now: bigint, earlier: bigint): bigint {
  return now > earlier ? now - earlier : 0n;
}
