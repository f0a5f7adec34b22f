import { principalAhead, principalFallenDue } from '#test/reference-model/change.ts';
import { type Day, toText } from '#test/reference-model/days.ts';
import { debtOn } from '#test/reference-model/figures.ts';
import { type ActFact, CHARGES, type Charge } from '#test/reference-model/input.ts';
import { isOpen, type Loan, lineOf, total } from '#test/reference-model/loan.ts';
import type { Dice } from './dice.ts';
import { payAndRoll } from './pay.ts';
import { randomSchedule } from './products.ts';
import type { Story } from './story.ts';

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

function isLiving(loan: Loan): boolean {
  return (
    loan.discharged === undefined && loan.gone === undefined && loan.undone === undefined && loan.ceded === undefined
  );
}

/** Records one act, mostly one that makes sense on its Loan. */
export function actOn(story: Story, day: Day): boolean {
  const { dice } = story;
  const living = story.loans.filter((each) => isLiving(each));
  const loan = dice.pick(living.length > 0 && dice.chance(0.88) ? living : story.loans);
  if (loan === undefined) return false;
  const on = dice.chance(0.95) ? Math.max(day, loan.anchor) : day;
  if (loan.held && loan.confirmedOn === undefined && dice.chance(0.85)) {
    return story.act(
      loan,
      dice.weighted([
        [4, 'confirm'],
        [1, 'void'],
      ] as const),
      Math.min(on, loan.anchor + dice.whole(0, 40)),
    );
  }
  if (loan.frame.archetype === 'payday' && dice.chance(0.45)) return payAndRoll(story, loan, on);
  return perform(story, loan, dice.weighted(KINDS), on);
}

function perform(story: Story, loan: Loan, kind: ActFact['kind'], on: Day): boolean {
  const { dice } = story;
  const now = () => story.at(on).loans.find((each) => each.fact.id === loan.fact.id) as Loan;
  switch (kind) {
    case 'waiver':
      return waive(story, now(), on);
    case 'return':
      return story.act(loan, kind, on, { amount: returned(dice, now(), on) });
    case 'suspension':
      return story.act(loan, kind, on, { to: toText(on + dice.pick([0, 3, 7, 15, 40, -1])) });
    case 'suspension-end':
      return endSuspension(story, loan);
    case 'restructure':
      return restructured(story, loan, on);
    case 'acceleration':
      return story.act(loan, kind, on, { notified_on: toText(on - dice.pick([0, 5, 10, 20])) });
    case 'settlement':
      return settleForLess(story, now(), on);
    case 'withdraw':
      return story.act(loan, kind, loan.anchor + dice.whole(0, 31));
    case 'retraction':
      return retract(story, loan, on);
    case 'write-off':
    case 'cession':
      return story.act(loan, kind, dice.chance(0.6) ? Math.max(on, story.today + dice.whole(0, 20)) : on);
    default:
      return story.act(loan, kind, on);
  }
}

function waive(story: Story, loan: Loan, on: Day): boolean {
  const { dice } = story;
  const owed = loan.periods
    .filter((period) => period.alive)
    .flatMap((period) =>
      CHARGES.filter((charge) => charge !== 'principal').map((charge) => ({
        period,
        charge,
        most: lineOf(loan, period, charge, on).owed.amount,
      })),
    )
    .filter(({ most }) => most > 0n);
  const target = owed.length > 0 ? dice.pick(owed) : undefined;
  const index = target?.period.index ?? dice.whole(1, 4);
  const charge: Charge = dice.chance(0.04) ? 'principal' : (target?.charge ?? 'interest');
  const most = Number(target?.most ?? 1n);
  const amount = dice.weighted([
    [5, dice.whole(1, Math.max(1, most))],
    [3, most],
    [1, most + 1],
  ]);
  return story.act(loan, 'waiver', on, { period: index, charge, amount });
}

function returned(dice: Dice, loan: Loan, on: Day): number {
  const ahead = principalAhead(loan, on);
  const due = principalFallenDue(loan, on);
  const share = (of: bigint) => (of * BigInt(dice.whole(1, 99))) / 100n;
  const amount = dice.weighted<bigint>([
    [4, share(ahead)],
    [3, ahead],
    [2, ahead + due],
    [2, ahead + share(due)],
    [2, BigInt(loan.fact.principal)],
    [1, ahead + due + BigInt(dice.whole(1, 50_000))],
  ]);
  return Math.max(1, Number(amount));
}

function endSuspension(story: Story, loan: Loan): boolean {
  const { dice } = story;
  const suspended = dice.pick(loan.suspensions);
  if (suspended === undefined)
    return story.act(loan, 'suspension', story.today, { to: toText(story.today + dice.whole(0, 20)) });
  const on = suspended.from + dice.whole(0, Math.max(1, suspended.to - suspended.from + 1));
  return story.act(loan, 'suspension-end', on, { suspension_id: suspended.act.id });
}

function restructured(story: Story, loan: Loan, on: Day): boolean {
  const { dice } = story;
  const { terms } = loan.frame;
  const term_periods = terms !== undefined && !dice.chance(0.04) ? dice.pick(terms) : dice.pick([1, 2, 3, 6]);
  const more: Partial<ActFact> = { term_periods, rate: dice.pick(['0', '12', '24', '36', '60', '501']) };
  if (dice.chance(0.15)) more.schedule = loan.frame.schedule;
  else if (dice.chance(0.03)) more.schedule = randomSchedule(dice);
  if (dice.chance(0.3)) more.penalty_rate = dice.pick(['0', '36', '90', '501']);
  return story.act(loan, 'restructure', on, more);
}

/** A settlement for less, and mostly money that reaches it, at once or in two parts. */
function settleForLess(story: Story, loan: Loan, on: Day): boolean {
  const { dice } = story;
  const debt = total(debtOn(loan, on));
  const agreed = dice.chance(0.06) ? debt : (debt * BigInt(dice.whole(20, 99))) / 100n;
  const days = dice.pick([0, 5, 10, 20]);
  const more: Partial<ActFact> = { agreed: Math.max(1, Number(agreed)) };
  if (days > 0 || dice.chance(0.3)) more.until = toText(on + (dice.chance(0.04) ? -1 : days));
  if (!story.act(loan, 'settlement', on, more)) return false;
  if (!isOpen(loan, on) || dice.chance(0.3)) return true;
  const tags = { ...(loan.currency === 'MXN' ? {} : { currency: loan.currency }) };
  const name = dice.chance(0.5)
    ? { designated_loan_id: loan.fact.id, ...(dice.chance(0.4) ? { payoff_intent: true } : {}) }
    : {};
  const first = dice.chance(0.6) ? agreed : agreed / 2n;
  story.receipt(first + BigInt(dice.pick([0, 0, 1000])), on + dice.whole(0, days), { ...tags, ...name });
  if (first < agreed) story.receipt(agreed - first, on + dice.whole(0, days), tags);
  return true;
}

function retract(story: Story, loan: Loan, on: Day): boolean {
  const { dice } = story;
  const acts = story.admitted('act').filter((act) => act.kind !== 'retraction');
  const own = acts.filter((act) => act.loan === loan.fact.id);
  const target = dice.chance(0.9) ? dice.pick(own) : dice.pick(acts);
  const event_id = target === undefined || dice.chance(0.02) ? dice.pick(['nothing', loan.fact.id]) : target.id;
  const named =
    target === undefined || dice.chance(0.02)
      ? loan
      : (story.loans.find((each) => each.fact.id === target.loan) ?? loan);
  return story.act(named, 'retraction', on, { event_id });
}

export function reverse(story: Story): boolean {
  const { dice } = story;
  const receipt = dice.pick(story.admitted('receipt'));
  const reference = receipt === undefined || dice.chance(0.03) ? 'nothing' : receipt.reference;
  return story.record({ type: 'reversal', reference: story.name('v'), receipt: reference, client_id: 'c' });
}
