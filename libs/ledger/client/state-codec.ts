/**
 * The state of a fold as compact JSON for snapshots. A book's latest state is encoded in full. A checkpoint stores the Loans
 * that a later step changed, and only the lengths of its linked lists, which are beginnings of the latest ones.
 */

import type { CivilDay } from '#libs/calendar/civil-day.ts';
import type { LoanRecord } from '#libs/ledger/book-record.ts';
import {
  decodeAmount,
  decodeLoan,
  encodeAmount,
  encodeLoan,
  type StoredAmount,
  type StoredLoan,
} from '#libs/ledger/client/loan-codec.ts';
import { type CooperativeTask, mapInTask } from '#libs/ledger/cooperative-loop.ts';
import { type BookState, bookState, type UnallocatedMoney } from '#libs/ledger/fold.ts';
import type { Received } from '#libs/ledger/loan.ts';

/** `null` stands for a Loan whose anchor has not come yet. */
export type StoredHead = {
  readonly loans: readonly (StoredLoan<readonly StoredReceived[]> | null)[];
  readonly back: readonly StoredUnallocated[];
};

/** `0` stands for a Loan that is the same in the next stored state. */
export type StoredCheckpoint = {
  readonly loans: readonly (StoredLoan<number> | null | 0)[];
  readonly back: number;
};

/** The JSON text of a `StoredHead`. */
export function* encodeHead({ loans, owedBack }: BookState): CooperativeTask<string> {
  const texts = yield* mapInTask(loans, (loan) =>
    loan === undefined ? 'null' : JSON.stringify(encodeLoan(loan, encodeReceived(loan.received))),
  );
  return stateText(texts, encodeUnallocated(owedBack));
}

/**
 * The JSON text of a `StoredCheckpoint`. `next` is the state that is stored after this one. A step leaves the Loans that it
 * does not reach as the same values.
 */
export function* encodeCheckpoint({ loans, owedBack }: BookState, next: BookState): CooperativeTask<string> {
  const texts = yield* mapInTask(loans, (loan, order) => {
    if (loan === undefined) return 'null';
    return loan === next.loans[order] ? '0' : JSON.stringify(encodeLoan(loan, lengthOf(loan.received)));
  });
  return stateText(texts, lengthOf(owedBack));
}

function stateText(loans: readonly string[], back: readonly StoredUnallocated[] | number): string {
  return `{"loans":[${loans.join(',')}],"back":${JSON.stringify(back)}}`;
}

export function* decodeHead({ loans, back }: StoredHead, records: readonly LoanRecord[]): CooperativeTask<BookState> {
  const decoded = yield* mapInTask(loans, (stored, order) =>
    stored === null ? undefined : decodeLoan(stored, records[order] as LoanRecord, decodeReceived(stored.received)),
  );
  return bookState(decoded, decodeUnallocated(back));
}

export function* decodeCheckpoint(
  { loans, back }: StoredCheckpoint,
  records: readonly LoanRecord[],
  next: BookState,
): CooperativeTask<BookState> {
  const decoded = yield* mapInTask(loans, (stored, order) => {
    if (stored === null) return undefined;
    const later = next.loans[order];
    if (stored === 0) return later;
    return decodeLoan(stored, records[order] as LoanRecord, truncated<Received>(later?.received, stored.received));
  });
  return bookState(decoded, truncated<UnallocatedMoney>(next.owedBack, back));
}

type StoredReceived = readonly [receipt: string, on: CivilDay, amount: StoredAmount];

function encodeReceived(newest: Received | undefined): readonly StoredReceived[] {
  return oldestFirst(newest).map(({ receipt, on, amount }) => [receipt, on, encodeAmount(amount)]);
}

function decodeReceived(stored: readonly StoredReceived[]): Received | undefined {
  let newest: Received | undefined;
  for (const [receipt, on, amount] of stored) newest = { receipt, on, amount: decodeAmount(amount), before: newest };
  return newest;
}

type StoredUnallocated = readonly [receipt: string, currency: string, amount: StoredAmount, settlement?: string];

function encodeUnallocated(newest: UnallocatedMoney | undefined): readonly StoredUnallocated[] {
  return oldestFirst(newest).map(({ receipt, currency, amount, settlement }) =>
    settlement === undefined
      ? [receipt, currency, encodeAmount(amount)]
      : [receipt, currency, encodeAmount(amount), settlement],
  );
}

function decodeUnallocated(stored: readonly StoredUnallocated[]): UnallocatedMoney | undefined {
  let newest: UnallocatedMoney | undefined;
  for (const [receipt, currency, amount, settlement] of stored) {
    const entry = { receipt, currency, amount: decodeAmount(amount), before: newest };
    newest = settlement === undefined ? entry : { ...entry, settlement };
  }
  return newest;
}

/** A linked list that grows at its newest end. */
type LinkedList<Entry> = Entry & { readonly before: LinkedList<Entry> | undefined };

function oldestFirst<Entry>(newest: LinkedList<Entry> | undefined): LinkedList<Entry>[] {
  const entries: LinkedList<Entry>[] = [];
  for (let entry = newest; entry !== undefined; entry = entry.before) entries.push(entry);
  return entries.reverse();
}

function lengthOf(newest: LinkedList<unknown> | undefined): number {
  let length = 0;
  for (let entry = newest; entry !== undefined; entry = entry.before) length += 1;
  return length;
}

/** The list as it was when it had `length` entries. */
function truncated<Entry>(newest: LinkedList<Entry> | undefined, length: number): LinkedList<Entry> | undefined {
  let list = newest;
  for (let excess = lengthOf(newest) - length; excess > 0; excess -= 1) list = list?.before;
  return list;
}
