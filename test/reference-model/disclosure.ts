import { catFigure, yearsOf } from './cat.ts';
import type { Law } from './fold.ts';
import type { Configuration, IssuanceFact } from './input.ts';
import { issue } from './issue.ts';
import { frameOf } from './terms.ts';

/** fold.md 11, of a Loan as issued; undefined where the figure is out of range. */
export function disclosureFigure(law: Law, fact: IssuanceFact): string | undefined {
  const frame = frameOf(law.configurations[fact.configuration] as Configuration, law.market);
  const loan = issue(fact, frame, law.market, 0);
  if (loan === undefined) return undefined;
  const flows = loan.periods.map((period) => ({
    amount: period.principal + period.interest + period.fee,
    years: yearsOf(loan.schedule, loan.anchor, period.index, period.scheduledOn),
  }));
  return catFigure(loan.handedOver, flows);
}
