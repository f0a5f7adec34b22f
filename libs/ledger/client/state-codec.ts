/** A folded state as compact JSON: what the facts of the book say already is left out. */

import type { CivilDay } from '#libs/calendar/civil-day.ts';
import type { LoanRecord } from '#libs/ledger/fact-record.ts';
import { type OwedBack, type State, stateWith } from '#libs/ledger/fold.ts';
import { type Line, NO_LINE, NOTHING, type Taxed } from '#libs/ledger/line.ts';
import type { Debt, Loan, Period, Received, Return, Settlement, Waiver } from '#libs/ledger/loan.ts';
import type { Rate } from '#libs/money/rate.ts';
import type { Json } from '#libs/schema/json.ts';

type Whole = number | string;

/** Past what JSON numbers hold exactly, digits. */
function whole(amount: bigint): Whole {
  return amount <= 9007199254740991n && amount >= -9007199254740991n ? Number(amount) : amount.toString();
}

type StoredLine = 0 | readonly Whole[];

function storeLine(line: Line): StoredLine {
  if (line === NO_LINE) return 0;
  const { own, moved, movedTax, charged, tax, settled, settledTax, waived, waivedTax } = line;
  const all = [own, charged, tax, settled, settledTax, waived, waivedTax, moved, movedTax].map(whole);
  while (all.at(-1) === 0) all.pop();
  return all.length === 0 ? 0 : all;
}

function amount(stored: Whole | undefined): bigint {
  return stored === undefined || stored === 0 ? 0n : BigInt(stored);
}

function readLine(stored: StoredLine): Line {
  if (stored === 0) return NO_LINE;
  return {
    own: amount(stored[0]),
    moved: amount(stored[7]),
    movedTax: amount(stored[8]),
    charged: amount(stored[1]),
    tax: amount(stored[2]),
    settled: amount(stored[3]),
    settledTax: amount(stored[4]),
    waived: amount(stored[5]),
    waivedTax: amount(stored[6]),
  };
}

type StoredTaxed = readonly [Whole, Whole] | 0;

function storeTaxed({ amount, tax }: Taxed): StoredTaxed {
  return amount === 0n && tax === 0n ? 0 : [whole(amount), whole(tax)];
}

function readTaxed(stored: StoredTaxed): Taxed {
  return stored === 0 ? NOTHING : { amount: BigInt(stored[0]), tax: BigInt(stored[1]) };
}

type StoredDebt = readonly StoredTaxed[];

function storeDebt({ principal, interest, fee, penalty, late_fee }: Debt): StoredDebt {
  return [principal, interest, fee, penalty, late_fee].map(storeTaxed);
}

function readDebt(stored: StoredDebt): Debt {
  const [principal = NOTHING, interest = NOTHING, fee = NOTHING, penalty = NOTHING, late_fee = NOTHING] =
    stored.map(readTaxed);
  return { principal, interest, fee, penalty, late_fee };
}

const ORIGINS = ['issued', 'recalculated', 'rolled_over', 'restructured', 'called'] as const;

type StoredPeriod = readonly (Whole | StoredLine | null)[];

function storePeriod(period: Period): StoredPeriod {
  return [
    period.index,
    ORIGINS.indexOf(period.origin),
    period.start,
    period.scheduledOn,
    period.dueOn,
    period.actionableFrom,
    period.alive ? 1 : 0,
    storeLine(period.principal),
    storeLine(period.interest),
    storeLine(period.fee),
    storeLine(period.penalty),
    storeLine(period.late_fee),
    whole(period.rate),
    whole(period.balance),
    period.balanceFrom,
    whole(period.accruedBefore),
    whole(period.penaltyExact),
    period.lateSince ?? null,
    period.settledOn ?? null,
  ];
}

function readPeriod(stored: StoredPeriod): Period {
  const period: { -readonly [Member in keyof Period]: Period[Member] } = {
    index: stored[0] as number,
    origin: ORIGINS[stored[1] as number] as Period['origin'],
    start: stored[2] as CivilDay,
    scheduledOn: stored[3] as CivilDay,
    dueOn: stored[4] as CivilDay,
    actionableFrom: stored[5] as CivilDay,
    alive: stored[6] === 1,
    principal: readLine(stored[7] as StoredLine),
    interest: readLine(stored[8] as StoredLine),
    fee: readLine(stored[9] as StoredLine),
    penalty: readLine(stored[10] as StoredLine),
    late_fee: readLine(stored[11] as StoredLine),
    rate: BigInt(stored[12] as Whole) as Rate,
    balance: BigInt(stored[13] as Whole),
    balanceFrom: stored[14] as CivilDay,
    accruedBefore: BigInt(stored[15] as Whole),
    penaltyExact: BigInt(stored[16] as Whole),
  };
  if (stored[17] !== null) period.lateSince = stored[17] as CivilDay;
  if (stored[18] !== null) period.settledOn = stored[18] as CivilDay;
  return period;
}

type StoredReturn = { readonly [name: string]: Json };

function storeReturn(entry: Return): StoredReturn {
  return {
    ...entry,
    amount: whole(entry.amount),
    unwound: whole(entry.unwound),
    principalOwedBack: whole(entry.principalOwedBack),
    interestOwedBack: whole(entry.interestOwedBack),
    stillOwed: storeDebt(entry.stillOwed),
    beyond: whole(entry.beyond),
  };
}

function readReturn(stored: StoredReturn): Return {
  const amount = (name: string) => BigInt(stored[name] as Whole);
  return {
    ...(stored as unknown as Return),
    amount: amount('amount'),
    unwound: amount('unwound'),
    principalOwedBack: amount('principalOwedBack'),
    interestOwedBack: amount('interestOwedBack'),
    stillOwed: readDebt(stored['stillOwed'] as StoredDebt),
    beyond: amount('beyond'),
  };
}

/** A chain that grows at its newest end. */
type Chain<Entry> = Entry & { readonly before: Chain<Entry> | undefined };

function oldestFirst<Entry>(newest: Chain<Entry> | undefined): Chain<Entry>[] {
  const found: Chain<Entry>[] = [];
  for (let each = newest; each !== undefined; each = each.before) found.push(each);
  return found.reverse();
}

function lengthOf(newest: Chain<unknown> | undefined): number {
  let length = 0;
  for (let each = newest; each !== undefined; each = each.before) length += 1;
  return length;
}

/** The chain as it was when it had `length` entries. */
function cutTo<Entry>(newest: Chain<Entry> | undefined, length: number): Chain<Entry> | undefined {
  let chain = newest;
  for (let over = lengthOf(newest) - length; over > 0; over -= 1) chain = chain?.before;
  return chain;
}

function storeReceived(newest: Received | undefined): Json[] {
  return oldestFirst(newest).map(({ receipt, on, amount }) => [receipt, on, whole(amount)]);
}

function storeOwedBack(newest: OwedBack | undefined): Json[] {
  return oldestFirst(newest).map(({ receipt, currency, amount, settlement }) =>
    settlement === undefined ? [receipt, currency, whole(amount)] : [receipt, currency, whole(amount), settlement],
  );
}

function readReceived(stored: readonly [string, number, Whole][]): Received | undefined {
  let newest: Received | undefined;
  for (const [receipt, on, amount] of stored) {
    newest = { receipt, on: on as CivilDay, amount: BigInt(amount), before: newest };
  }
  return newest;
}

/** What is kept of a Loan as it stands, beside what is kept in words of its own. */
type KeptAlike =
  | 'order'
  | 'day'
  | 'schedule'
  | 'held'
  | 'confirmedOn'
  | 'voided'
  | 'cancelled'
  | 'undone'
  | 'discharged'
  | 'accelerated'
  | 'restructured'
  | 'cession'
  | 'suspensions'
  | 'lateAtOpening'
  | 'bounded';

type StoredLoan = Pick<Loan, KeptAlike> & {
  readonly wholes: readonly [Whole, Whole, Whole, Whole, Whole, Whole, Whole, Whole];
  readonly periods: readonly StoredPeriod[];
  readonly received: Json;
  readonly returns: readonly StoredReturn[];
  readonly waivers: readonly (Omit<Waiver, 'amount'> & { readonly amount: Whole })[];
  readonly rollovers: readonly (Omit<Rollover, 'owedBack'> & { readonly owedBack: Whole })[];
  readonly writeOff?: Omit<WriteOff, 'cost' | 'recovered'> & { readonly cost: StoredDebt; readonly recovered: Whole };
  readonly settlement?: Omit<Settlement, 'agreed' | 'taken'> & { readonly agreed: Whole; readonly taken: Whole };
};

type Rollover = Loan['rollovers'][number];
type WriteOff = NonNullable<Loan['writeOff']>;

/** In one order of its members, however the Loan came by them: two texts of one book are the same. */
function storeLoan(loan: Loan, receivedAs: (newest: Received | undefined) => Json): Json {
  const { rate, penaltyRate, level, share, penaltyShown, paid, principalReceived, principalGivenBack } = loan;
  const { writeOff, settlement } = loan;
  const stored: StoredLoan = {
    order: loan.order,
    day: loan.day,
    schedule: loan.schedule,
    held: loan.held,
    voided: loan.voided,
    cancelled: loan.cancelled,
    accelerated: loan.accelerated,
    restructured: loan.restructured,
    suspensions: loan.suspensions,
    lateAtOpening: loan.lateAtOpening,
    bounded: loan.bounded,
    ...(loan.confirmedOn === undefined ? {} : { confirmedOn: loan.confirmedOn }),
    ...(loan.undone === undefined ? {} : { undone: loan.undone }),
    ...(loan.discharged === undefined ? {} : { discharged: loan.discharged }),
    ...(loan.cession === undefined ? {} : { cession: loan.cession }),
    wholes: [
      whole(rate),
      whole(penaltyRate),
      whole(level),
      whole(share),
      whole(penaltyShown),
      whole(paid),
      whole(principalReceived),
      whole(principalGivenBack),
    ],
    periods: loan.periods.map(storePeriod),
    received: receivedAs(loan.received),
    returns: loan.returns.map(storeReturn),
    waivers: loan.waivers.map((waiver) => ({ ...waiver, amount: whole(waiver.amount) })),
    rollovers: loan.rollovers.map((each) => ({ ...each, owedBack: whole(each.owedBack) })),
    ...(writeOff === undefined
      ? {}
      : { writeOff: { ...writeOff, cost: storeDebt(writeOff.cost), recovered: whole(writeOff.recovered) } }),
    ...(settlement === undefined
      ? {}
      : { settlement: { ...settlement, agreed: whole(settlement.agreed), taken: whole(settlement.taken) } }),
  };
  return stored as unknown as Json;
}

/** Member by member and in the order a Loan begins with: whatever reads one then meets one form of it. */
function readLoan(stored: Json, { issuance }: LoanRecord, receivedFrom: (stored: Json) => Received | undefined): Loan {
  const kept = stored as unknown as StoredLoan;
  const { wholes, undone, discharged, confirmedOn, cession, writeOff, settlement } = kept;
  const loan: { -readonly [Member in keyof Loan]: Loan[Member] } = {
    id: issuance.loanId,
    reference: issuance.reference,
    order: kept.order,
    terms: issuance.terms,
    issued: issuance.plan.periods,
    day: kept.day,
    periods: kept.periods.map(readPeriod),
    rate: BigInt(wholes[0]) as Rate,
    penaltyRate: BigInt(wholes[1]) as Rate,
    schedule: kept.schedule,
    level: BigInt(wholes[2]),
    share: BigInt(wholes[3]),
    held: kept.held,
    voided: kept.voided,
    cancelled: kept.cancelled,
    accelerated: kept.accelerated,
    restructured: kept.restructured,
    suspensions: kept.suspensions,
    waivers: kept.waivers.map((waiver) => ({ ...waiver, amount: BigInt(waiver.amount) })),
    returns: kept.returns.map(readReturn),
    rollovers: kept.rollovers.map((each) => ({ ...each, owedBack: BigInt(each.owedBack) })),
    lateAtOpening: kept.lateAtOpening,
    penaltyShown: BigInt(wholes[4]),
    paid: BigInt(wholes[5]),
    principalReceived: BigInt(wholes[6]),
    principalGivenBack: BigInt(wholes[7]),
    received: receivedFrom(kept.received),
    bounded: kept.bounded,
  };
  if (confirmedOn !== undefined) loan.confirmedOn = confirmedOn;
  if (undone !== undefined) loan.undone = undone;
  if (discharged !== undefined) loan.discharged = discharged;
  if (cession !== undefined) loan.cession = cession;
  if (writeOff !== undefined)
    loan.writeOff = { ...writeOff, cost: readDebt(writeOff.cost), recovered: BigInt(writeOff.recovered) };
  if (settlement !== undefined)
    loan.settlement = { ...settlement, agreed: BigInt(settlement.agreed), taken: BigInt(settlement.taken) };
  return loan;
}

/** In a mark what the head's chains say already is left to their lengths: `back` and each Loan's `received`. */
export type StoredState = { readonly loans: readonly Json[]; readonly back: Json };

export function storeHead({ loans, owedBack }: State): StoredState {
  return { loans: storeLoans(loans, storeReceived), back: storeOwedBack(owedBack) };
}

/** A state of the same fold before its head: its chains are a beginning of the head's. */
export function storeMark({ loans, owedBack }: State): StoredState {
  return { loans: storeLoans(loans, lengthOf), back: lengthOf(owedBack) };
}

function storeLoans(loans: State['loans'], receivedAs: (newest: Received | undefined) => Json): readonly Json[] {
  return Array.from(loans, (loan) => (loan === undefined ? null : storeLoan(loan, receivedAs)));
}

export function readHead({ loans, back }: StoredState, records: readonly LoanRecord[]): State {
  let newest: OwedBack | undefined;
  for (const [receipt, currency, amount, settlement] of back as [string, string, Whole, string?][]) {
    const entry = { receipt, currency, amount: BigInt(amount), before: newest };
    newest = settlement === undefined ? entry : { ...entry, settlement };
  }
  const received = (stored: Json) => readReceived(stored as unknown as [string, number, Whole][]);
  const read = loans.map((loan, order) =>
    loan === null ? undefined : readLoan(loan, records[order] as LoanRecord, received),
  );
  return stateWith(read, newest);
}

export function readMark({ loans, back }: StoredState, records: readonly LoanRecord[], head: State): State {
  const read = loans.map((loan, order) => {
    const chain = head.loans[order]?.received;
    return loan === null
      ? undefined
      : readLoan(loan, records[order] as LoanRecord, (length) => cutTo<Received>(chain, length as number));
  });
  return stateWith(read, cutTo<OwedBack>(head.owedBack, back as number));
}
