import { agreedLeft } from '#test/reference-model/allocate.ts';
import type { Day } from '#test/reference-model/days.ts';
import { debtOn, overdueOn } from '#test/reference-model/figures.ts';
import type { ReceiptFact } from '#test/reference-model/input.ts';
import { type Loan, nextInstalment, total, unpaid } from '#test/reference-model/loan.ts';
import type { Story } from './story.ts';

/** Amounts a borrower would send on the day: what is overdue, the next instalments, the payoff, a bit more, a bit less, anything. */
function amountFor(story: Story, loan: Loan, on: Day): bigint {
  const { dice } = story;
  const debt = total(debtOn(loan, on));
  const overdue = total(overdueOn(loan, on));
  const next = nextInstalment(loan, on);
  const instalment = next === undefined ? 0n : unpaid(loan, next);
  const off = BigInt(dice.pick([-1, 1, 0, 0, 0]));
  const part = (BigInt(dice.whole(1, 99)) * debt) / 100n;
  return dice.weighted<bigint>([
    [5, overdue + off],
    [4, overdue + instalment],
    [3, instalment + off],
    [3, overdue + instalment + BigInt(dice.whole(1, 300)) * (instalment / 100n)],
    [3, part],
    [2, BigInt(dice.whole(1, 2_000))],
    [1, debt + off],
    [0.5, debt + part],
    [1, (overdue * BigInt(dice.whole(1, 99))) / 100n],
  ]);
}

function standing(story: Story, on: Day): Loan[] {
  return story.at(on).loans.filter((loan) => total(debtOn(loan, on)) > 0n);
}

/** Records one Receipt; for one Loan or for whatever the order gives it to. */
export function payMoney(story: Story, on: Day): boolean {
  const { dice } = story;
  const loans = standing(story, on);
  const loan = loans.length === 0 || dice.chance(0.05) ? dice.pick(story.at(on).loans) : dice.pick(loans);
  if (loan === undefined) return false;
  const more: Partial<ReceiptFact> = {};
  if (loan.currency !== 'MXN' && !dice.chance(0.05)) more.currency = loan.currency;
  if (dice.chance(0.35)) more.designated_loan_id = dice.chance(0.03) ? 'nobody' : loan.fact.id;
  if (dice.chance(more.designated_loan_id === undefined ? 0.02 : 0.25)) more.payoff_intent = true;
  const debt = total(debtOn(loan, on));
  const exact = agreedLeft(loan, on) ?? debt;
  if (more.payoff_intent === true && dice.chance(0.7))
    return story.receipt(exact + BigInt(dice.pick([0, 0, 0, 5, -1])), on, more);
  return story.receipt(dice.chance(0.03) ? 0n + BigInt(dice.whole(1, 9)) : amountFor(story, loan, on), on, more);
}

/** A rollover with the money that makes it possible, now and then a little short of it. */
export function payAndRoll(story: Story, loan: Loan, on: Day): boolean {
  const { dice } = story;
  const now = story.at(on).loans.find((each) => each.fact.id === loan.fact.id);
  if (now === undefined) return false;
  const debt = debtOn(now, on);
  const charges = total(debt) - debt.principal.amount;
  if (charges > 0n && dice.chance(0.85)) {
    const more = loan.currency === 'MXN' ? {} : { currency: loan.currency };
    story.receipt(charges + BigInt(dice.pick([0, 0, 0, 0, 500, -1])), on, {
      designated_loan_id: loan.fact.id,
      ...more,
    });
  }
  return story.act(loan, 'rollover', on);
}
