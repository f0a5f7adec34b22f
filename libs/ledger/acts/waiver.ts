/** Waiver: the lender gives up part of a charge. Principal is never waived, nor interest that has not accrued. */

import { type ActFact, defineAct } from '#libs/ledger/act.ts';
import { moneyFigure } from '#libs/ledger/answers/amounts-json.ts';
import { interestOn } from '#libs/ledger/charges/interest.ts';
import { type Line, owedAmount, waive } from '#libs/ledger/line.ts';
import { type Loan, type Period, replacePeriod } from '#libs/ledger/loan.ts';
import { RUNNING } from '#libs/ledger/loan-state.ts';
import { type Charge, taxRateOn } from '#libs/product/terms.ts';
import { enumerations } from '#libs/schema/enumerations.ts';
import { money, required } from '#libs/schema/objects.ts';
import { refuse } from '#libs/schema/refusals.ts';
import { integer, oneOf } from '#libs/schema/scalars.ts';

export type WaiverBody = { readonly period: number; readonly charge: Charge; readonly amount: bigint };

const waivableCharges = enumerations.charge.members.filter((charge) => charge !== 'principal');

export const waiver = defineAct({
  kind: 'waived',
  route: {
    operation: 'waiveCharge',
    segment: 'waiver',
    summary: 'Waive a charge',
    description: 'Releases part of a charge of one period.',
    refusals: ['charge_not_waivable', 'waiver_exceeds_charge', 'currency_mismatch'],
  },
  fields: {
    period: required(integer(0)),
    charge: required(oneOf(enumerations.charge)),
    amount: required(money),
  },
  states: { admitted: [...RUNNING, 'written_off'] },
  read: ({ period, charge, amount }): WaiverBody => ({ period, charge, amount: BigInt(amount.minor_units) }),
  rule: (loan, fact) => {
    const { charge, amount } = fact.body;
    const { currency } = loan.terms;
    if (charge === 'principal') {
      return refuse('charge_not_waivable', { field: '/charge', bound: waivableCharges, observed: charge });
    }
    const bound = waivable(loan, fact);
    return amount > bound
      ? refuse('waiver_exceeds_charge', {
          bound: moneyFigure(bound, currency),
          observed: moneyFigure(amount, currency),
        })
      : undefined;
  },
  apply: (loan, fact) => withWaiver(loan, fact, fact.body.amount),
  applyPart: (loan, fact) => {
    const bound = waivable(loan, fact);
    return bound === 0n ? loan : withWaiver(loan, fact, bound);
  },
});

function waivable(loan: Loan, { on, body }: ActFact<WaiverBody>): bigint {
  const period = loan.periods.find(({ index }) => index === body.period);
  if (period === undefined || !period.alive) return 0n;
  const line: Line = body.charge === 'interest' ? interestOn(loan, period, on) : period[body.charge];
  return owedAmount(line);
}

function withWaiver(loan: Loan, { reference, on, body }: ActFact<WaiverBody>, amount: bigint): Loan {
  const at = loan.periods.findIndex(({ index }) => index === body.period);
  const period = loan.periods[at] as Period;
  const line = waive(period[body.charge], amount, taxRateOn(loan.terms, body.charge));
  return {
    ...loan,
    periods: replacePeriod(loan.periods, at, { ...period, [body.charge]: line }),
    waivers: [...loan.waivers, { reference, on, period: body.period, charge: body.charge, amount }],
  };
}
