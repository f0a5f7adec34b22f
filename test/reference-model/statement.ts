import type { Allocation, LoanShare } from './allocate.ts';
import { type Day, toText } from './days.ts';
import { nothing } from './figures.ts';
import { fold, type Law, type Observer } from './fold.ts';
import { type ActFact, CHARGES, type Charge, type Fact, type ReceiptFact } from './input.ts';
import { addInto, type Loan, noPair, type Pair, type PerCharge, payoffByPeriod, stands, total } from './loan.ts';
import { settledBy } from './money-answers.ts';

type Kind = 'charged' | 'moved' | 'received' | 'released' | 'ceded';
const KINDS: readonly Kind[] = ['charged', 'moved', 'received', 'released', 'ceded'];

interface Movement {
  on: Day;
  /** 0 for what time charged, else the place of the fact among those of the fold. */
  place: number;
  kind: Kind;
  charge: Charge;
  pair: Pair;
  period?: number;
  fact?: { type: string; id: string };
}

/** What each period owes by charge, as section 10 reads it: payoff(d). */
type Snapshot = Map<number, PerCharge<Pair>>;

const minus = (a: Pair, b: Pair): Pair => ({ amount: a.amount - b.amount, tax: a.tax - b.tax });
const plus = (a: Pair, b: Pair): Pair => ({ amount: a.amount + b.amount, tax: a.tax + b.tax });
const isNothing = (pair: Pair): boolean => pair.amount === 0n && pair.tax === 0n;
const at = (snapshot: Snapshot, index: number): PerCharge<Pair> => snapshot.get(index) ?? nothing();

/** One Loan's statement, told by the fold as it goes. */
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
      stands(loan, on) && !this.awaitsConfirmation && loan.discharged === undefined && loan.ceded === undefined;
    if (!owes) return new Map();
    return new Map(payoffByPeriod(loan, on).map(({ period, owed }) => [period.index, owed]));
  }

  begin(on: Day): void {
    this.last = this.snapshot(on);
    this.opening = totalOf(this.last);
  }

  /** The passing of time. Principal is one line; late fees and fees one a period; interest and penalty grow. */
  opened(on: Day): void {
    const now = this.snapshot(on);
    const principal = noPair();
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

  grow(on: Day, charge: Charge, period: number, pair: Pair): void {
    const key = `${charge} ${period}`;
    const known = this.growth.get(key);
    if (known === undefined) this.growth.set(key, { on, place: 0, kind: 'charged', charge, pair, period });
    else Object.assign(known, { on, pair: plus(known.pair, pair) });
  }

  stepped(on: Day, place: number, fact: ActFact | ReceiptFact, share: LoanShare | undefined): void {
    if (fact.type === 'act' && fact.kind === 'confirm') this.awaitsConfirmation = false;
    const now = this.snapshot(on);
    const before = this.last;
    this.last = now;
    const id = fact.type === 'act' ? { type: 'event', id: fact.id } : { type: 'receipt', id: fact.reference };
    const move = (kind: Kind, charge: Charge, pair: Pair) => {
      if (!isNothing(pair)) this.movements.push({ on, place, kind, charge, pair, fact: id });
    };
    const fell = minusAll(sumOf(before), sumOf(now));
    if (fact.type === 'receipt') {
      if (share !== undefined) this.received(on, before, now, share, move);
      return;
    }
    switch (fact.kind) {
      case 'waiver':
      case 'return':
      case 'rescind':
      case 'withdraw':
        for (const charge of CHARGES) move('released', charge, fell[charge]);
        return;
      case 'cession':
        for (const charge of CHARGES) move('ceded', charge, fell[charge]);
        return;
      case 'restructure':
        for (const charge of CHARGES) move('moved', charge, minus(noPair(), fell[charge]));
        return;
      default:
        this.charged(on, before, now, move);
    }
  }

  /** What a rollover or a confirmation charges: interest and penalty grow in their period's line. */
  charged(on: Day, before: Snapshot, now: Snapshot, move: (kind: Kind, charge: Charge, pair: Pair) => void): void {
    const rose = minusAll(sumOf(now), sumOf(before));
    for (const charge of CHARGES) {
      if (isNothing(rose[charge])) continue;
      if (charge !== 'interest' && charge !== 'penalty') move('charged', charge, rose[charge]);
      else
        for (const index of now.keys())
          this.growBy(on, charge, index, minus(at(now, index)[charge], at(before, index)[charge]));
    }
  }

  growBy(on: Day, charge: Charge, index: number, pair: Pair): void {
    if (!isNothing(pair)) this.grow(on, charge, index, pair);
  }

  received(
    on: Day,
    before: Snapshot,
    now: Snapshot,
    share: LoanShare,
    move: (kind: Kind, charge: Charge, pair: Pair) => void,
  ): void {
    const received: Snapshot = new Map([...share.lines].map(([period, lines]) => [period.index, lines]));
    const released: Snapshot = new Map(share.released.map(({ period, owed }) => [period.index, owed]));
    for (const index of new Set([...before.keys(), ...now.keys(), ...received.keys()])) {
      for (const charge of ['interest', 'penalty'] as const) {
        const gone = plus(at(received, index)[charge], at(released, index)[charge]);
        this.growBy(on, charge, index, plus(minus(at(now, index)[charge], at(before, index)[charge]), gone));
      }
    }
    const settled = settledBy(share);
    const letGo = sumOf(released);
    for (const charge of CHARGES) {
      move('received', charge, settled[charge]);
      move('released', charge, letGo[charge]);
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

function sumOf(snapshot: Snapshot): PerCharge<Pair> {
  const sum = nothing();
  for (const lines of snapshot.values()) addInto(sum, lines);
  return sum;
}

function totalOf(snapshot: Snapshot): bigint {
  return total(sumOf(snapshot));
}

function minusAll(a: PerCharge<Pair>, b: PerCharge<Pair>): PerCharge<Pair> {
  const result = nothing();
  for (const charge of CHARGES) result[charge] = minus(a[charge], b[charge]);
  return result;
}

class Watcher implements Observer {
  readonly from: Day;
  statements: LoanStatement[] = [];
  place = 0;

  constructor(from: Day) {
    this.from = from;
  }

  begins(loans: Loan[]): void {
    this.statements = loans.map((loan) => new LoanStatement(loan));
  }

  opened(on: Day): void {
    if (on >= this.from) for (const statement of this.statements) statement.opened(on);
  }

  stepped(on: Day, fact: ActFact | ReceiptFact, allocation: Allocation | undefined): void {
    this.place += 1;
    for (const statement of this.statements) {
      const { loan } = statement;
      const share = allocation?.shares.find((each) => each.loan === loan);
      if (fact.type === 'act' && fact.loan !== loan.fact.id) continue;
      if (on >= this.from) statement.stepped(on, this.place, fact, share);
      else if (fact.type === 'act' && fact.kind === 'confirm') statement.awaitsConfirmation = false;
    }
  }

  closed(on: Day): void {
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

/** fold.md 10. */
export function statementAnswer(law: Law, facts: Fact[], from: Day, to: Day): Record<string, unknown> {
  const watcher = new Watcher(from);
  fold(law, facts, to, watcher);
  const loans = watcher.statements.map((statement) => statement.answer());
  const codes = [...new Set(loans.map((loan) => loan['currency'] as string))].sort();
  const currencies = codes.map((currency) => {
    const of = loans.filter((loan) => loan['currency'] === currency);
    const sums = SUMS.map((name) => [name, of.reduce((all, loan) => all + (loan[name] as number), 0)]);
    return { currency, loans: of.length, ...Object.fromEntries(sums) };
  });
  return { from: toText(from), to: toText(to), loans, currencies };
}
