/** Random acts on the Loans of a book under construction. */

import type { Random } from '#libs/runtime/random.ts';
import { type Day, toText } from '#test/reference-model/days.ts';
import { type ActFact, CHARGES, type Charge } from '#test/reference-model/input.ts';
import { canReceivePayment, type Loan, lineOf, total } from '#test/reference-model/loan.ts';
import { debtOn } from '#test/reference-model/owed-figures.ts';
import { principalAhead, principalFallenDue } from '#test/reference-model/period-changes.ts';
import type { BookBuilder } from './book-builder.ts';
import { randomSchedule } from './random-products.ts';
import { recordRolloverWithPayment } from './random-receipts.ts';

const KINDS: readonly (readonly [number, ActFact['kind']])[] = [
  [6, 'waiver'],
  [6, 'return'],
  [6, 'suspension'],
  [3, 'suspension-end'],
  [5, 'restructure'],
  [5, 'acceleration'],
  [5, 'settlement'],
  [4, 'write-off'],
  [2.5, 'cession'],
  [1.5, 'rescind'],
  [1.5, 'withdraw'],
  [1, 'cancel'],
  [6, 'retraction'],
  [0.5, 'confirm'],
  [0.3, 'void'],
  [1, 'rollover'],
];

function isOpenForActs(loan: Loan): boolean {
  return (
    loan.discharged === undefined && loan.endedAs === undefined && loan.undone === undefined && loan.ceded === undefined
  );
}

/** Records a random act, usually one that its Loan admits. */
export function recordRandomAct(builder: BookBuilder, day: Day): boolean {
  const { random } = builder;
  const open = builder.loans.filter((each) => isOpenForActs(each));
  const loan = random.pick(open.length > 0 && random.chance(0.88) ? open : builder.loans);
  if (loan === undefined) return false;
  const on = random.chance(0.95) ? Math.max(day, loan.anchor) : day;
  if (loan.held && loan.confirmedOn === undefined && random.chance(0.85)) {
    return builder.act(
      loan,
      random.weighted([
        [4, 'confirm'],
        [1, 'void'],
      ] as const),
      Math.min(on, loan.anchor + random.integer(0, 40)),
    );
  }
  if (loan.product.archetype === 'payday' && random.chance(0.45)) return recordRolloverWithPayment(builder, loan, on);
  return recordAct(builder, loan, random.weighted(KINDS), on);
}

function recordAct(builder: BookBuilder, loan: Loan, kind: ActFact['kind'], on: Day): boolean {
  const { random } = builder;
  const now = () => builder.foldTo(on).loans.find((each) => each.fact.id === loan.fact.id) as Loan;
  switch (kind) {
    case 'waiver':
      return recordWaiver(builder, now(), on);
    case 'return':
      return builder.act(loan, kind, on, { amount: returnAmount(random, now(), on) });
    case 'suspension':
      return builder.act(loan, kind, on, { to: toText(on + random.pick([0, 3, 7, 15, 40, -1])) });
    case 'suspension-end':
      return recordSuspensionEnd(builder, loan);
    case 'restructure':
      return recordRestructure(builder, loan, on);
    case 'acceleration':
      return builder.act(loan, kind, on, { notified_on: toText(on - random.pick([0, 5, 10, 20])) });
    case 'settlement':
      return recordSettlement(builder, now(), on);
    case 'withdraw':
      return builder.act(loan, kind, loan.anchor + random.integer(0, 31));
    case 'retraction':
      return recordRetraction(builder, loan, on);
    case 'write-off':
    case 'cession':
      return builder.act(loan, kind, random.chance(0.6) ? Math.max(on, builder.today + random.integer(0, 20)) : on);
    default:
      return builder.act(loan, kind, on);
  }
}

function recordWaiver(builder: BookBuilder, loan: Loan, on: Day): boolean {
  const { random } = builder;
  const owed = loan.periods
    .filter((period) => period.alive)
    .flatMap((period) =>
      CHARGES.filter((charge) => charge !== 'principal').map((charge) => ({
        period,
        charge,
        owedNow: lineOf(loan, period, charge, on).owed.amount,
      })),
    )
    .filter(({ owedNow }) => owedNow > 0n);
  const target = owed.length > 0 ? random.pick(owed) : undefined;
  const index = target?.period.index ?? random.integer(1, 4);
  const charge: Charge = random.chance(0.04) ? 'principal' : (target?.charge ?? 'interest');
  const owedAmount = Number(target?.owedNow ?? 1n);
  const amount = random.weighted([
    [5, random.integer(1, Math.max(1, owedAmount))],
    [3, owedAmount],
    [1, owedAmount + 1],
  ]);
  return builder.act(loan, 'waiver', on, { period: index, charge, amount });
}

function returnAmount(random: Random, loan: Loan, on: Day): number {
  const ahead = principalAhead(loan, on);
  const due = principalFallenDue(loan, on);
  const share = (of: bigint) => (of * BigInt(random.integer(1, 99))) / 100n;
  const amount = random.weighted<bigint>([
    [4, share(ahead)],
    [3, ahead],
    [2, ahead + due],
    [2, ahead + share(due)],
    [2, BigInt(loan.fact.principal)],
    [1, ahead + due + BigInt(random.integer(1, 50_000))],
  ]);
  return Math.max(1, Number(amount));
}

function recordSuspensionEnd(builder: BookBuilder, loan: Loan): boolean {
  const { random } = builder;
  const suspended = random.pick(loan.suspensions);
  if (suspended === undefined)
    return builder.act(loan, 'suspension', builder.today, { to: toText(builder.today + random.integer(0, 20)) });
  const on = suspended.from + random.integer(0, Math.max(1, suspended.to - suspended.from + 1));
  return builder.act(loan, 'suspension-end', on, { suspension_id: suspended.act.id });
}

function recordRestructure(builder: BookBuilder, loan: Loan, on: Day): boolean {
  const { random } = builder;
  const { terms } = loan.product;
  const term_periods = terms !== undefined && !random.chance(0.04) ? random.pick(terms) : random.pick([1, 2, 3, 6]);
  const more: Partial<ActFact> = { term_periods, rate: random.pick(['0', '12', '24', '36', '60', '501']) };
  if (random.chance(0.15)) more.schedule = loan.product.schedule;
  else if (random.chance(0.03)) more.schedule = randomSchedule(random);
  if (random.chance(0.3)) more.penalty_rate = random.pick(['0', '36', '90', '501']);
  return builder.act(loan, 'restructure', on, more);
}

/** Records a settlement for less and usually Receipts that reach the agreed amount, in one or two parts. */
function recordSettlement(builder: BookBuilder, loan: Loan, on: Day): boolean {
  const { random } = builder;
  const debt = total(debtOn(loan, on));
  const agreed = random.chance(0.06) ? debt : (debt * BigInt(random.integer(20, 99))) / 100n;
  const days = random.pick([0, 5, 10, 20]);
  const more: Partial<ActFact> = { agreed: Math.max(1, Number(agreed)) };
  if (days > 0 || random.chance(0.3)) more.until = toText(on + (random.chance(0.04) ? -1 : days));
  if (!builder.act(loan, 'settlement', on, more)) return false;
  if (!canReceivePayment(loan, on) || random.chance(0.3)) return true;
  const tags = { ...(loan.currency === 'MXN' ? {} : { currency: loan.currency }) };
  const name = random.chance(0.5)
    ? { designated_loan_id: loan.fact.id, ...(random.chance(0.4) ? { payoff_intent: true } : {}) }
    : {};
  const first = random.chance(0.6) ? agreed : agreed / 2n;
  builder.receipt(first + BigInt(random.pick([0, 0, 1000])), on + random.integer(0, days), { ...tags, ...name });
  if (first < agreed) builder.receipt(agreed - first, on + random.integer(0, days), tags);
  return true;
}

function recordRetraction(builder: BookBuilder, loan: Loan, on: Day): boolean {
  const { random } = builder;
  const acts = builder.admitted('act').filter((act) => act.kind !== 'retraction');
  const own = acts.filter((act) => act.loan === loan.fact.id);
  const target = random.chance(0.9) ? random.pick(own) : random.pick(acts);
  const event_id = target === undefined || random.chance(0.02) ? random.pick(['nothing', loan.fact.id]) : target.id;
  const named =
    target === undefined || random.chance(0.02)
      ? loan
      : (builder.loans.find((each) => each.fact.id === target.loan) ?? loan);
  return builder.act(named, 'retraction', on, { event_id });
}

export function recordRandomReversal(builder: BookBuilder): boolean {
  const { random } = builder;
  const receipt = random.pick(builder.admitted('receipt'));
  const reference = receipt === undefined || random.chance(0.03) ? 'nothing' : receipt.reference;
  return builder.record({ type: 'reversal', reference: builder.newName('v'), receipt: reference, client_id: 'c' });
}
