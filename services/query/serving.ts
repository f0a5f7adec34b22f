/** What a caller's version does not know of: a record in such a member of a closed enumeration is not read by it. */
import type { LoanAnswer } from '#libs/book/answers/loan.ts';
import type { Obligations } from '#libs/book/answers/obligations.ts';
import type { ReceiptRow } from '#libs/book/answers/receipt.ts';
import type { bookAnswer } from '#libs/book/client/book-answer.ts';
import type { EnumerationName } from '#libs/contract/enumerations.ts';
import type { Refusal } from '#libs/contract/refusals.ts';
import { type Knowing, unservable } from '#libs/contract/versions.ts';
import type { Decision } from '#libs/credit/decide.ts';

export function unservedLoan(
  knowing: Knowing,
  { state, terms }: Pick<LoanAnswer, 'state' | 'terms'>,
): Refusal | undefined {
  const { kind } = (terms['schedule'] ?? {}) as { kind?: string };
  return first(knowing, [
    ['loan_state', state],
    ['schedule_kind', kind],
  ]);
}

export function unservedReceipt(knowing: Knowing, { rail }: Pick<ReceiptRow, 'rail'>): Refusal | undefined {
  return first(knowing, [['rail', rail]]);
}

export function unservedDecision(knowing: Knowing, { outcome }: Pick<Decision, 'outcome'>): Refusal | undefined {
  return first(knowing, [['decision_outcome', outcome]]);
}

export function unservedObligations(knowing: Knowing, { undone = [] }: Obligations): Refusal | undefined {
  return first(
    knowing,
    undone.map(({ kind }) => ['undoing_kind', kind]),
  );
}

/** The whole of it is one record: with something left out its sums would not be its parts'. */
export function unservedBook(knowing: Knowing, book: ReturnType<typeof bookAnswer>): Refusal | undefined {
  for (const { loan } of book.loans) {
    const refusal = unservedLoan(knowing, loan);
    if (refusal !== undefined) return refusal;
  }
  for (const receipt of book.receipts) {
    const refusal = unservedReceipt(knowing, receipt);
    if (refusal !== undefined) return refusal;
  }
  return unservedObligations(knowing, book.obligations);
}

function first(knowing: Knowing, members: readonly (readonly [EnumerationName, unknown])[]): Refusal | undefined {
  for (const [enumeration, member] of members) {
    const refusal = typeof member === 'string' ? unservable(knowing, enumeration, member) : undefined;
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}
