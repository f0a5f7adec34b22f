/** A Loan as compact JSON for snapshots, without what its issuance already states. */

import type { CivilDay } from '#libs/calendar/civil-day.ts';
import type { LoanRecord } from '#libs/ledger/book-record.ts';
import { EMPTY_LINE, type Line, type Taxed, ZERO_TAXED } from '#libs/ledger/line.ts';
import type { Debt, Loan, Origin, Period, Received, Return, Settlement, Waiver } from '#libs/ledger/loan.ts';
import type { Rate } from '#libs/money/rate.ts';

type Rollover = Loan['rollovers'][number];
type WriteOff = NonNullable<Loan['writeOff']>;

/** The members that are stored as they are. */
type UnchangedMember =
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

/** `Receipts` is the form in which the Receipts allocated to the Loan are stored. */
export type StoredLoan<Receipts> = Pick<Loan, UnchangedMember> & {
  /** Rate, penalty rate, level, share, shown penalty, paid, principal received, principal given back. */
  readonly wholes: readonly StoredAmount[];
  readonly periods: readonly StoredPeriod[];
  readonly received: Receipts;
  readonly returns: readonly StoredReturn[];
  readonly waivers: readonly (Omit<Waiver, 'amount'> & { readonly amount: StoredAmount })[];
  readonly rollovers: readonly (Omit<Rollover, 'owedBack'> & { readonly owedBack: StoredAmount })[];
  readonly writeOff?: Omit<WriteOff, 'cost' | 'recovered'> & {
    readonly cost: StoredDebt;
    readonly recovered: StoredAmount;
  };
  readonly settlement?: Omit<Settlement, 'agreed' | 'taken'> & {
    readonly agreed: StoredAmount;
    readonly taken: StoredAmount;
  };
};

/** The members come in a fixed order, so that equal books have equal snapshots. */
export function encodeLoan<Receipts>(loan: Loan, received: Receipts): StoredLoan<Receipts> {
  const { rate, penaltyRate, level, share, penaltyShown, paid, principalReceived, principalGivenBack } = loan;
  const { writeOff, settlement } = loan;
  return {
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
    wholes: [rate, penaltyRate, level, share, penaltyShown, paid, principalReceived, principalGivenBack].map(
      encodeAmount,
    ),
    periods: loan.periods.map(encodePeriod),
    received,
    returns: loan.returns.map(encodeReturn),
    waivers: loan.waivers.map((waiver) => ({ ...waiver, amount: encodeAmount(waiver.amount) })),
    rollovers: loan.rollovers.map((rollover) => ({ ...rollover, owedBack: encodeAmount(rollover.owedBack) })),
    ...(writeOff === undefined ? {} : { writeOff: encodeWriteOff(writeOff) }),
    ...(settlement === undefined ? {} : { settlement: encodeSettlement(settlement) }),
  };
}

/** Members are set in the order in which issuance sets them, so that the engine gives all Loans one hidden class. */
export function decodeLoan<Receipts>(
  stored: StoredLoan<Receipts>,
  { issuance }: LoanRecord,
  received: Received | undefined,
): Loan {
  const { undone, discharged, confirmedOn, cession, writeOff, settlement } = stored;
  const [rate, penaltyRate, level, share, penaltyShown, paid, principalReceived, principalGivenBack] = stored.wholes;
  const loan: { -readonly [Member in keyof Loan]: Loan[Member] } = {
    id: issuance.loanId,
    reference: issuance.reference,
    order: stored.order,
    terms: issuance.terms,
    issued: issuance.plan.periods,
    day: stored.day,
    periods: stored.periods.map(decodePeriod),
    rate: decodeAmount(rate) as Rate,
    penaltyRate: decodeAmount(penaltyRate) as Rate,
    schedule: stored.schedule,
    level: decodeAmount(level),
    share: decodeAmount(share),
    held: stored.held,
    voided: stored.voided,
    cancelled: stored.cancelled,
    accelerated: stored.accelerated,
    restructured: stored.restructured,
    suspensions: stored.suspensions,
    waivers: stored.waivers.map((waiver) => ({ ...waiver, amount: decodeAmount(waiver.amount) })),
    returns: stored.returns.map(decodeReturn),
    rollovers: stored.rollovers.map((rollover) => ({ ...rollover, owedBack: decodeAmount(rollover.owedBack) })),
    lateAtOpening: stored.lateAtOpening,
    penaltyShown: decodeAmount(penaltyShown),
    paid: decodeAmount(paid),
    principalReceived: decodeAmount(principalReceived),
    principalGivenBack: decodeAmount(principalGivenBack),
    received,
    bounded: stored.bounded,
  };
  if (confirmedOn !== undefined) loan.confirmedOn = confirmedOn;
  if (undone !== undefined) loan.undone = undone;
  if (discharged !== undefined) loan.discharged = discharged;
  if (cession !== undefined) loan.cession = cession;
  if (writeOff !== undefined) {
    loan.writeOff = { ...writeOff, cost: decodeDebt(writeOff.cost), recovered: decodeAmount(writeOff.recovered) };
  }
  if (settlement !== undefined) {
    const { agreed, taken } = settlement;
    loan.settlement = { ...settlement, agreed: decodeAmount(agreed), taken: decodeAmount(taken) };
  }
  return loan;
}

function encodeWriteOff(writeOff: WriteOff) {
  return { ...writeOff, cost: encodeDebt(writeOff.cost), recovered: encodeAmount(writeOff.recovered) };
}

function encodeSettlement(settlement: Settlement) {
  return { ...settlement, agreed: encodeAmount(settlement.agreed), taken: encodeAmount(settlement.taken) };
}

const origins: readonly Origin[] = ['issued', 'recalculated', 'rolled_over', 'restructured', 'called'];

type StoredPeriod = readonly [
  index: number,
  origin: number,
  start: CivilDay,
  scheduledOn: CivilDay,
  dueOn: CivilDay,
  actionableFrom: CivilDay,
  alive: 0 | 1,
  principal: StoredLine,
  interest: StoredLine,
  fee: StoredLine,
  penalty: StoredLine,
  lateFee: StoredLine,
  rate: StoredAmount,
  balance: StoredAmount,
  balanceFrom: CivilDay,
  accruedBefore: StoredAmount,
  penaltyExact: StoredAmount,
  lateSince: CivilDay | null,
  settledOn: CivilDay | null,
];

function encodePeriod(period: Period): StoredPeriod {
  return [
    period.index,
    origins.indexOf(period.origin),
    period.start,
    period.scheduledOn,
    period.dueOn,
    period.actionableFrom,
    period.alive ? 1 : 0,
    encodeLine(period.principal),
    encodeLine(period.interest),
    encodeLine(period.fee),
    encodeLine(period.penalty),
    encodeLine(period.late_fee),
    encodeAmount(period.rate),
    encodeAmount(period.balance),
    period.balanceFrom,
    encodeAmount(period.accruedBefore),
    encodeAmount(period.penaltyExact),
    period.lateSince ?? null,
    period.settledOn ?? null,
  ];
}

function decodePeriod(stored: StoredPeriod): Period {
  const period: { -readonly [Member in keyof Period]: Period[Member] } = {
    index: stored[0],
    origin: origins[stored[1]] as Origin,
    start: stored[2],
    scheduledOn: stored[3],
    dueOn: stored[4],
    actionableFrom: stored[5],
    alive: stored[6] === 1,
    principal: decodeLine(stored[7]),
    interest: decodeLine(stored[8]),
    fee: decodeLine(stored[9]),
    penalty: decodeLine(stored[10]),
    late_fee: decodeLine(stored[11]),
    rate: decodeAmount(stored[12]) as Rate,
    balance: decodeAmount(stored[13]),
    balanceFrom: stored[14],
    accruedBefore: decodeAmount(stored[15]),
    penaltyExact: decodeAmount(stored[16]),
  };
  if (stored[17] !== null) period.lateSince = stored[17];
  if (stored[18] !== null) period.settledOn = stored[18];
  return period;
}

type AmountsOfReturn = 'amount' | 'unwound' | 'principalOwedBack' | 'interestOwedBack' | 'beyond';

type StoredReturn = Omit<Return, AmountsOfReturn | 'stillOwed'> & {
  readonly [Member in AmountsOfReturn]: StoredAmount;
} & { readonly stillOwed: StoredDebt };

function encodeReturn(entry: Return): StoredReturn {
  return {
    ...entry,
    amount: encodeAmount(entry.amount),
    unwound: encodeAmount(entry.unwound),
    principalOwedBack: encodeAmount(entry.principalOwedBack),
    interestOwedBack: encodeAmount(entry.interestOwedBack),
    stillOwed: encodeDebt(entry.stillOwed),
    beyond: encodeAmount(entry.beyond),
  };
}

function decodeReturn(stored: StoredReturn): Return {
  return {
    ...stored,
    amount: decodeAmount(stored.amount),
    unwound: decodeAmount(stored.unwound),
    principalOwedBack: decodeAmount(stored.principalOwedBack),
    interestOwedBack: decodeAmount(stored.interestOwedBack),
    stillOwed: decodeDebt(stored.stillOwed),
    beyond: decodeAmount(stored.beyond),
  };
}

type StoredDebt = readonly StoredTaxed[];

function encodeDebt({ principal, interest, fee, penalty, late_fee }: Debt): StoredDebt {
  return [principal, interest, fee, penalty, late_fee].map(encodeTaxed);
}

function decodeDebt(stored: StoredDebt): Debt {
  const [principal = ZERO_TAXED, interest = ZERO_TAXED, fee = ZERO_TAXED, penalty = ZERO_TAXED, late_fee = ZERO_TAXED] =
    stored.map(decodeTaxed);
  return { principal, interest, fee, penalty, late_fee };
}

/** 0 stands for an empty line, and zeros at the end are left out. */
type StoredLine = 0 | readonly StoredAmount[];

function encodeLine(line: Line): StoredLine {
  if (line === EMPTY_LINE) return 0;
  const { own, moved, movedTax, charged, tax, settled, settledTax, waived, waivedTax } = line;
  const amounts = [own, charged, tax, settled, settledTax, waived, waivedTax, moved, movedTax].map(encodeAmount);
  while (amounts.at(-1) === 0) amounts.pop();
  return amounts.length === 0 ? 0 : amounts;
}

function decodeLine(stored: StoredLine): Line {
  if (stored === 0) return EMPTY_LINE;
  return {
    own: decodeAmount(stored[0]),
    moved: decodeAmount(stored[7]),
    movedTax: decodeAmount(stored[8]),
    charged: decodeAmount(stored[1]),
    tax: decodeAmount(stored[2]),
    settled: decodeAmount(stored[3]),
    settledTax: decodeAmount(stored[4]),
    waived: decodeAmount(stored[5]),
    waivedTax: decodeAmount(stored[6]),
  };
}

type StoredTaxed = readonly [StoredAmount, StoredAmount] | 0;

function encodeTaxed({ amount, tax }: Taxed): StoredTaxed {
  return amount === 0n && tax === 0n ? 0 : [encodeAmount(amount), encodeAmount(tax)];
}

function decodeTaxed(stored: StoredTaxed): Taxed {
  return stored === 0 ? ZERO_TAXED : { amount: decodeAmount(stored[0]), tax: decodeAmount(stored[1]) };
}

/** A number, or its digits as text where a JSON number would not be exact. */
export type StoredAmount = number | string;

export function encodeAmount(amount: bigint): StoredAmount {
  const isSafe = amount <= 9007199254740991n && amount >= -9007199254740991n;
  return isSafe ? Number(amount) : amount.toString();
}

/** Undefined stands for zero. */
export function decodeAmount(stored: StoredAmount | undefined): bigint {
  return stored === undefined || stored === 0 ? 0n : BigInt(stored);
}
