/** The earliest position in the fold that a submission would change. Its cost is known before it is decided. */

import { dayOf } from '#libs/calendar/civil-day.ts';
import { manifest } from '#libs/ledger/acts/manifest.ts';
import type { Submission } from '#libs/ledger/book-decider.ts';
import { type ClientBook, loanOrder } from '#libs/ledger/client/client-book.ts';
import type { FactOutline } from '#libs/ledger/fold-cost.ts';

/** For submissions about Receipts and Loans. Undefined where the named Loan is not in the book, so that nothing is folded. */
export function affectedPositionOf(
  book: ClientBook,
  { operation, params, body: fields }: Submission,
): FactOutline | undefined {
  const text = (name: string) => String(fields[name]);
  switch (operation) {
    case 'issueLoan':
      return { type: 'issuance', terms: { anchor: dayOf(text('anchor')) } };
    case 'reportReceipt':
      return { type: 'receipt', valueDate: dayOf(text('value_date')) };
    case 'reverseReceipt':
      return { type: 'reversal', receipt: String(params['receipt_reference']) };
    default: {
      const loan = loanOrder(book, String(params['loan_id']));
      if (loan === undefined) return undefined;
      if (operation === 'retractFact') return { type: 'retraction', loan, target: text('event_id').toLowerCase() };
      const definition = manifest.ofOperation(operation);
      if (definition === undefined) throw new Error(`unknown operation ${operation} on a Loan`);
      const on = dayOf(text('on'));
      const body = definition.amends === undefined ? undefined : definition.read(fields, { on });
      return { type: 'act', definition, loan, on, body };
    }
  }
}
