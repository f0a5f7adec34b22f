/** A folded state as compact JSON: what the facts of the book say already is left out. */

import type { IssuedPeriod } from '#libs/book/charges/plan.ts';
import { type OwedBack, type State, stateWith } from '#libs/book/fold.ts';
import { type Line, NO_LINE, NOTHING, type Taxed } from '#libs/book/line.ts';
import type { Debt, Loan, Period, Received, Return } from '#libs/book/loan.ts';
import type { LoanRecord } from '#libs/book/record.ts';
import type { CivilDay } from '#libs/calendar/civil-day.ts';
import type { Json } from '#libs/contract/json.ts';
import type { Rate } from '#libs/money/rate.ts';

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

function readLine(stored: StoredLine): Line {
  if (stored === 0) return NO_LINE;
  const at = (nth: number) => (stored[nth] === undefined ? 0n : BigInt(stored[nth] as Whole));
  return {
    own: at(0),
    moved: at(7),
    movedTax: at(8),
    charged: at(1),
    tax: at(2),
    settled: at(3),
    settledTax: at(4),
    waived: at(5),
    waivedTax: at(6),
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
  const day = (nth: number) => stored[nth] as CivilDay;
  const line = (nth: number) => readLine(stored[nth] as StoredLine);
  const amount = (nth: number) => BigInt(stored[nth] as Whole);
  const period: Period = {
    index: stored[0] as number,
    origin: ORIGINS[stored[1] as number] as Period['origin'],
    start: day(2),
    scheduledOn: day(3),
    dueOn: day(4),
    actionableFrom: day(5),
    alive: stored[6] === 1,
    principal: line(7),
    interest: line(8),
    fee: line(9),
    penalty: line(10),
    late_fee: line(11),
    rate: amount(12) as Rate,
    balance: amount(13),
    balanceFrom: day(14),
    accruedBefore: amount(15),
    penaltyExact: amount(16),
  };
  const late = stored[17] === null ? period : { ...period, lateSince: day(17) };
  return stored[18] === null ? late : { ...late, settledOn: day(18) };
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

function storeLoan(loan: Loan, receivedAs: (newest: Received | undefined) => Json): Json {
  const { id: _id, reference: _reference, terms: _terms, issued: _issued, periods, received, returns, ...rest } = loan;
  const { rate, penaltyRate, level, share, penaltyShown, paid, principalReceived, principalGivenBack, ...plain } = rest;
  const { waivers, rollovers, writeOff, settlement, ...same } = plain;
  return {
    ...same,
    wholes: [rate, penaltyRate, level, share, penaltyShown, paid, principalReceived, principalGivenBack].map(whole),
    periods: periods.map(storePeriod),
    received: receivedAs(received),
    returns: returns.map(storeReturn),
    waivers: waivers.map((waiver) => ({ ...waiver, amount: whole(waiver.amount) })),
    rollovers: rollovers.map((each) => ({ ...each, owedBack: whole(each.owedBack) })),
    ...(writeOff === undefined
      ? {}
      : { writeOff: { ...writeOff, cost: storeDebt(writeOff.cost), recovered: whole(writeOff.recovered) } }),
    ...(settlement === undefined
      ? {}
      : { settlement: { ...settlement, agreed: whole(settlement.agreed), taken: whole(settlement.taken) } }),
  } as unknown as Json;
}

type Stored = { readonly [name: string]: never };

function readLoan(stored: Json, { issuance }: LoanRecord, receivedFrom: (stored: Json) => Received | undefined): Loan {
  const { wholes, periods, received, returns, waivers, rollovers, writeOff, settlement, ...same } =
    stored as unknown as Stored & {
      wholes: Whole[];
      periods: StoredPeriod[];
      received: Json;
      returns: StoredReturn[];
      waivers: { amount: Whole }[];
      rollovers: { owedBack: Whole }[];
      writeOff?: { cost: StoredDebt; recovered: Whole };
      settlement?: { agreed: Whole; taken: Whole };
    };
  const [rate, penaltyRate, level, share, penaltyShown, paid, principalReceived, principalGivenBack] = (
    wholes as Whole[]
  ).map(BigInt);
  return {
    ...(same as object),
    id: issuance.loanId,
    reference: issuance.reference,
    terms: issuance.terms,
    issued: issuance.plan.periods as readonly IssuedPeriod[],
    rate,
    penaltyRate,
    level,
    share,
    penaltyShown,
    paid,
    principalReceived,
    principalGivenBack,
    periods: (periods as StoredPeriod[]).map(readPeriod),
    received: receivedFrom(received as Json),
    returns: (returns as StoredReturn[]).map(readReturn),
    waivers: (waivers as { amount: Whole }[]).map((waiver) => ({ ...waiver, amount: BigInt(waiver.amount) })),
    rollovers: (rollovers as { owedBack: Whole }[]).map((each) => ({ ...each, owedBack: BigInt(each.owedBack) })),
    ...(writeOff === undefined ? {} : { writeOff: { ...(writeOff as object), ...readWriteOff(writeOff) } }),
    ...(settlement === undefined ? {} : { settlement: { ...(settlement as object), ...readSettlement(settlement) } }),
  } as unknown as Loan;
}

function readWriteOff({ cost, recovered }: { cost: StoredDebt; recovered: Whole }) {
  return { cost: readDebt(cost), recovered: BigInt(recovered) };
}

function readSettlement({ agreed, taken }: { agreed: Whole; taken: Whole }) {
  return { agreed: BigInt(agreed), taken: BigInt(taken) };
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
