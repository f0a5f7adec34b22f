/** The Loan on its anchor, with its plan as issued. */

import { addDays } from '#libs/calendar/civil-day.ts';
import { plannedPeriod } from '#libs/ledger/charges/new-periods.ts';
import type { PlannedPeriod } from '#libs/ledger/charges/plan.ts';
import type { Issuance } from '#libs/ledger/facts.ts';
import { newLine } from '#libs/ledger/line.ts';
import type { Loan, Period } from '#libs/ledger/loan.ts';
import { taxRateOn } from '#libs/product/terms.ts';

export function loanAtIssuance(issuance: Issuance, order: number): Loan {
  const { terms, plan, loanId, reference } = issuance;
  return {
    id: loanId,
    reference,
    order,
    terms,
    issued: plan.periods,
    day: terms.anchor,
    periods: issuedPeriods(issuance),
    rate: terms.rate,
    penaltyRate: terms.penaltyRate,
    schedule: terms.schedule,
    level: plan.level,
    share: plan.level,
    held: terms.holdUntil !== undefined,
    voided: false,
    cancelled: false,
    accelerated: false,
    restructured: false,
    suspensions: [],
    waivers: [],
    returns: [],
    rollovers: [],
    lateAtOpening: 0,
    penaltyShown: 0n,
    paid: 0n,
    principalReceived: 0n,
    principalGivenBack: 0n,
    received: undefined,
    bounded: [],
  };
}

function issuedPeriods({ terms, plan }: Issuance): readonly Period[] {
  const periods: Period[] = [];
  let balance = terms.principal - terms.downPayment;
  let start = terms.anchor;
  for (const issued of plan.periods) {
    // Period 0 is the payment at purchase, which was received on the anchor.
    if (issued.index === 0) continue;
    const planned: PlannedPeriod = { ...issued, start, balance };
    const actionableFrom = issued.index === 1 ? terms.anchor : addDays(start, 1);
    const period = plannedPeriod({ terms, rate: terms.rate }, planned, {
      index: issued.index,
      origin: 'issued',
      actionableFrom,
    });
    periods.push(issued.fee === 0n ? period : { ...period, fee: newLine(issued.fee, taxRateOn(terms, 'fee')) });
    balance -= issued.principal;
    start = issued.scheduledOn;
  }
  return periods;
}
