/** Statements: opening, movements and closing of each Loan over a span of days. */
import type { Allocation, LoanAllocation } from './allocate.ts';
import { type Day, toText } from './days.ts';
import { type BookContext, type FoldObserver, fold } from './fold.ts';
import { type ActFact, CHARGES, type Charge, type Fact, type ReceiptFact } from './input.ts';
import {
  addInto,
  isInForce,
  type Loan,
  type PerCharge,
  payoffByPeriod,
  type TaxedAmount,
  total,
  zeroAmount,
} from './loan.ts';
import { zeroLines } from './owed-figures.ts';
import { settledBy } from './receipt-and-obligation-answers.ts';

type Kind = 'charged' | 'moved' | 'received' | 'released' | 'ceded';
const KINDS: readonly Kind[] = ['charged', 'moved', 'received', 'released', 'ceded'];

interface Movement {
  on: Day;
  /** 0 for what accrued with time, otherwise the position of the fact in the fold. */
  place: number;
  kind: Kind;
  charge: Charge;
  pair: TaxedAmount;
  period?: number;
  fact?: { type: string; id: string };
}

/** What each period owes by charge: payoff(d), as in section 10. */
type Snapshot = Map<number, PerCharge<TaxedAmount>>;

const minus = (a: TaxedAmount, b: TaxedAmount): TaxedAmount => ({ amount: a.amount - b.amount, tax: a.tax - b.tax });
const plus = (a: TaxedAmount, b: TaxedAmount): TaxedAmount => ({ amount: a.amount + b.amount, tax: a.tax + b.tax });
const isNothing = (pair: TaxedAmount): boolean => pair.amount === 0n && pair.tax === 0n;
const at = (snapshot: Snapshot, index: number): PerCharge<TaxedAmount> => snapshot.get(index) ?? zeroLines();

/** The statement of one Loan, built from the steps of the fold. */
class LoanStatement {
  readonly loan: Loan;
  readonly movements: Movement[] = [];
  readonly growth = new Map<string, Movement>();
  opening = 0n;
  last: Snapshot = new Map();
  awaitsConfirmation: boolean;

  constructor(loan: Loan) {
    this.loan = loan;
    this.awaitsConfirmation = loan.held;
  }

  snapshot(on: Day): Snapshot {
    const { loan } = this;
    const owes =
      isInForce(loan, on) && !this.awaitsConfirmation && loan.discharged === undefined && loan.ceded === undefined;
    if (!owes) return new Map();
    return new Map(payoffByPeriod(loan, on).map(({ period, owed }) => [period.index, owed]));
  }

  begin(on: Day): void {
    this.last = this.snapshot(on);
    this.opening = totalOf(this.last);
  }

  /** Charges that accrue with time: one line for principal, one fee and late fee line per period, growing interest and penalty lines. */
  opened(on: Day): void {
    const now = this.snapshot(on);
    const principal = zeroAmount();
    for (const index of now.keys()) {
      for (const charge of CHARGES) {
        const grown = minus(at(now, index)[charge], at(this.last, index)[charge]);
        if (isNothing(grown)) continue;
        if (charge === 'principal') principal.amount += grown.amount;
        else if (charge === 'interest' || charge === 'penalty') this.grow(on, charge, index, grown);
        else this.movements.push({ on, place: 0, kind: 'charged', charge, pair: grown, period: index });
      }
    }
    if (!isNothing(principal))
      this.movements.push({ on, place: 0, kind: 'charged', charge: 'principal', pair: principal });
    this.last = now;
  }

  grow(on: Day, charge: Charge, period: number, pair: TaxedAmount): void {
    const key = `${charge} ${period}`;
    const known = this.growth.get(key);
    if (known === undefined) this.growth.set(key, { on, place: 0, kind: 'charged', charge, pair, period });
    else Object.assign(known, { on, pair: plus(known.pair, pair) });
  }

  stepped(on: Day, place: number, fact: ActFact | ReceiptFact, onLoan: LoanAllocation | undefined): void {
    if (fact.type === 'act' && fact.kind === 'confirm') this.awaitsConfirmation = false;
    const now = this.snapshot(on);
    const before = this.last;
    this.last = now;
    const id = fact.type === 'act' ? { type: 'event', id: fact.id } : { type: 'receipt', id: fact.reference };
    const move = (kind: Kind, charge: Charge, pair: TaxedAmount) => {
      if (!isNothing(pair)) this.movements.push({ on, place, kind, charge, pair, fact: id });
    };
    const reduced = minusAll(sumOf(before), sumOf(now));
    if (fact.type === 'receipt') {
      if (onLoan !== undefined) this.received(on, before, now, onLoan, move);
      return;
    }
    switch (fact.kind) {
      case 'waiver':
      case 'return':
      case 'rescind':
      case 'withdraw':
        for (const charge of CHARGES) move('released', charge, reduced[charge]);
        return;
      case 'cession':
        for (const charge of CHARGES) move('ceded', charge, reduced[charge]);
        return;
      case 'restructure':
        for (const charge of CHARGES) move('moved', charge, minus(zeroAmount(), reduced[charge]));
        return;
      default:
        this.charged(on, before, now, move);
    }
  }

  /** Charges of a rollover or a confirmation. Interest and penalty grow the line of their period. */
  charged(
    on: Day,
    before: Snapshot,
    now: Snapshot,
    move: (kind: Kind, charge: Charge, pair: TaxedAmount) => void,
  ): void {
    const added = minusAll(sumOf(now), sumOf(before));
    for (const charge of CHARGES) {
      if (isNothing(added[charge])) continue;
      if (charge !== 'interest' && charge !== 'penalty') move('charged', charge, added[charge]);
      else
        for (const index of now.keys())
          this.growBy(on, charge, index, minus(at(now, index)[charge], at(before, index)[charge]));
    }
  }

  growBy(on: Day, charge: Charge, index: number, pair: TaxedAmount): void {
    if (!isNothing(pair)) this.grow(on, charge, index, pair);
  }

  received(
    on: Day,
    before: Snapshot,
    now: Snapshot,
    onLoan: LoanAllocation,
    move: (kind: Kind, charge: Charge, pair: TaxedAmount) => void,
  ): void {
    const received: Snapshot = new Map([...onLoan.lines].map(([period, lines]) => [period.index, lines]));
    const released: Snapshot = new Map(onLoan.released.map(({ period, owed }) => [period.index, owed]));
    for (const index of new Set([...before.keys(), ...now.keys(), ...received.keys()])) {
      for (const charge of ['interest', 'penalty'] as const) {
        const removed = plus(at(received, index)[charge], at(released, index)[charge]);
        this.growBy(on, charge, index, plus(minus(at(now, index)[charge], at(before, index)[charge]), removed));
      }
    }
    const settled = settledBy(onLoan);
    const releasedSum = sumOf(released);
    for (const charge of CHARGES) {
      move('received', charge, settled[charge]);
      move('released', charge, releasedSum[charge]);
    }
  }

  answer(): Record<string, unknown> {
    const movements = [...this.movements, ...[...this.growth.values()].filter(({ pair }) => !isNothing(pair))];
    movements.sort(
      (a, b) =>
        a.on - b.on ||
        a.place - b.place ||
        CHARGES.indexOf(a.charge) - CHARGES.indexOf(b.charge) ||
        KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind) ||
        (a.period ?? 0) - (b.period ?? 0),
    );
    const sum = (keep: (movement: Movement) => boolean) =>
      Number(movements.filter(keep).reduce((all, { pair }) => all + pair.amount + pair.tax, 0n));
    const charged = (...charges: Charge[]) => sum(({ kind, charge }) => kind === 'charged' && charges.includes(charge));
    return {
      id: this.loan.fact.id,
      currency: this.loan.currency,
      opening: Number(this.opening),
      charged: sum(({ kind }) => kind === 'charged'),
      received: sum(({ kind }) => kind === 'received'),
      released: sum(({ kind }) => kind === 'released'),
      ceded_away: sum(({ kind }) => kind === 'ceded'),
      closing: Number(totalOf(this.last)),
      interest_charged: charged('interest'),
      commissions_charged: charged('fee', 'late_fee'),
      penalties_charged: charged('penalty'),
      lines: movements.map(lineAnswer),
    };
  }
}

function lineAnswer({ on, kind, charge, pair, period, fact }: Movement): Record<string, unknown> {
  const line: Record<string, unknown> = {
    on: toText(on),
    kind,
    charge,
    amount: Number(pair.amount),
    tax: Number(pair.tax),
    total: Number(pair.amount + pair.tax),
  };
  if (period !== undefined && (charge === 'interest' || charge === 'penalty')) line['period'] = period;
  if (fact !== undefined) line['fact'] = fact;
  return line;
}

function sumOf(snapshot: Snapshot): PerCharge<TaxedAmount> {
  const sum = zeroLines();
  for (const lines of snapshot.values()) addInto(sum, lines);
  return sum;
}

function totalOf(snapshot: Snapshot): bigint {
  return total(sumOf(snapshot));
}

function minusAll(a: PerCharge<TaxedAmount>, b: PerCharge<TaxedAmount>): PerCharge<TaxedAmount> {
  const result = zeroLines();
  for (const charge of CHARGES) result[charge] = minus(a[charge], b[charge]);
  return result;
}

class StatementObserver implements FoldObserver {
  readonly from: Day;
  statements: LoanStatement[] = [];
  place = 0;

  constructor(from: Day) {
    this.from = from;
  }

  onStart(loans: Loan[]): void {
    this.statements = loans.map((loan) => new LoanStatement(loan));
  }

  onDayStart(on: Day): void {
    if (on >= this.from) for (const statement of this.statements) statement.opened(on);
  }

  onStep(on: Day, fact: ActFact | ReceiptFact, allocation: Allocation | undefined): void {
    this.place += 1;
    for (const statement of this.statements) {
      const { loan } = statement;
      const onLoan = allocation?.loans.find((each) => each.loan === loan);
      if (fact.type === 'act' && fact.loan !== loan.fact.id) continue;
      if (on >= this.from) statement.stepped(on, this.place, fact, onLoan);
      else if (fact.type === 'act' && fact.kind === 'confirm') statement.awaitsConfirmation = false;
    }
  }

  onDayEnd(on: Day): void {
    if (on === this.from - 1) for (const statement of this.statements) statement.begin(on);
  }
}

const SUMS = [
  'opening',
  'charged',
  'received',
  'released',
  'ceded_away',
  'closing',
  'interest_charged',
  'commissions_charged',
  'penalties_charged',
] as const;

/** Section 10 of fold.md. */
export function statementAnswer(context: BookContext, facts: Fact[], from: Day, to: Day): Record<string, unknown> {
  const watcher = new StatementObserver(from);
  fold(context, facts, to, watcher);
  const loans = watcher.statements.map((statement) => statement.answer());
  const codes = [...new Set(loans.map((loan) => loan['currency'] as string))].sort();
  const currencies = codes.map((currency) => {
    const of = loans.filter((loan) => loan['currency'] === currency);
    const sums = SUMS.map((name) => [name, of.reduce((all, loan) => all + (loan[name] as number), 0)]);
    return { currency, loans: of.length, ...Object.fromEntries(sums) };
  });
  return { from: toText(from), to: toText(to), loans, currencies };
}
