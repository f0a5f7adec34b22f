/** Random Receipts and rollovers for a book under construction. */
import { remainingAgreed } from '#test/reference-model/allocate.ts';
import type { Day } from '#test/reference-model/days.ts';
import type { ReceiptFact } from '#test/reference-model/input.ts';
import { type Loan, nextInstalment, total, unpaid } from '#test/reference-model/loan.ts';
import { debtOn, overdueOn } from '#test/reference-model/owed-figures.ts';
import type { BookBuilder } from './book-builder.ts';

/** An amount that a borrower might send on the day: the overdue amount, an instalment, the payoff, a little more or less, or any. */
function plausibleAmount(builder: BookBuilder, loan: Loan, on: Day): bigint {
  const { random } = builder;
  const debt = total(debtOn(loan, on));
  const overdue = total(overdueOn(loan, on));
  const next = nextInstalment(loan, on);
  const instalment = next === undefined ? 0n : unpaid(loan, next);
  const off = BigInt(random.pick([-1, 1, 0, 0, 0]));
  const part = (BigInt(random.integer(1, 99)) * debt) / 100n;
  return random.weighted<bigint>([
    [5, overdue + off],
    [4, overdue + instalment],
    [3, instalment + off],
    [3, overdue + instalment + BigInt(random.integer(1, 300)) * (instalment / 100n)],
    [3, part],
    [2, BigInt(random.integer(1, 2_000))],
    [1, debt + off],
    [0.5, debt + part],
    [1, (overdue * BigInt(random.integer(1, 99))) / 100n],
  ]);
}

function loansWithDebt(builder: BookBuilder, on: Day): Loan[] {
  return builder.foldTo(on).loans.filter((loan) => total(debtOn(loan, on)) > 0n);
}

/** Records a random Receipt, with or without a designated Loan. */
export function recordRandomReceipt(builder: BookBuilder, on: Day): boolean {
  const { random } = builder;
  const loans = loansWithDebt(builder, on);
  const loan = loans.length === 0 || random.chance(0.05) ? random.pick(builder.foldTo(on).loans) : random.pick(loans);
  if (loan === undefined) return false;
  const more: Partial<ReceiptFact> = {};
  if (loan.currency !== 'MXN' && !random.chance(0.05)) more.currency = loan.currency;
  if (random.chance(0.35)) more.designated_loan_id = random.chance(0.03) ? 'unknown' : loan.fact.id;
  if (random.chance(more.designated_loan_id === undefined ? 0.02 : 0.25)) more.payoff_intent = true;
  const debt = total(debtOn(loan, on));
  const exact = remainingAgreed(loan, on) ?? debt;
  if (more.payoff_intent === true && random.chance(0.7))
    return builder.receipt(exact + BigInt(random.pick([0, 0, 0, 5, -1])), on, more);
  return builder.receipt(
    random.chance(0.03) ? 0n + BigInt(random.integer(1, 9)) : plausibleAmount(builder, loan, on),
    on,
    more,
  );
}

/** Records a rollover and usually the payment it needs, sometimes slightly too small. */
export function recordRolloverWithPayment(builder: BookBuilder, loan: Loan, on: Day): boolean {
  const { random } = builder;
  const now = builder.foldTo(on).loans.find((each) => each.fact.id === loan.fact.id);
  if (now === undefined) return false;
  const debt = debtOn(now, on);
  const charges = total(debt) - debt.principal.amount;
  if (charges > 0n && random.chance(0.85)) {
    const more = loan.currency === 'MXN' ? {} : { currency: loan.currency };
    builder.receipt(charges + BigInt(random.pick([0, 0, 0, 0, 500, -1])), on, {
      designated_loan_id: loan.fact.id,
      ...more,
    });
  }
  return builder.act(loan, 'rollover', on);
}
