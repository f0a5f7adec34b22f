/** How far back a submission would reach in the book, told before it is decided. */

import { dayOf } from '#libs/calendar/civil-day.ts';
import type { Submission } from '#libs/ledger/book-decider.ts';
import { KINDS } from '#libs/ledger/client/acts.ts';
import { type ClientBook, orderIn } from '#libs/ledger/client/client-book.ts';
import type { Reaching } from '#libs/ledger/fold-cost.ts';

/** Of a fact about money or a Loan; undefined where it names no Loan of the book and so folds nothing. */
export function reachOf(book: ClientBook, { operation, params, body }: Submission): Reaching | undefined {
  const text = (name: string) => String(body[name]);
  switch (operation) {
    case 'issueLoan':
      return { type: 'issuance', terms: { anchor: dayOf(text('anchor')) } };
    case 'reportReceipt':
      return { type: 'receipt', valueDate: dayOf(text('value_date')) };
    case 'reverseReceipt':
      return { type: 'reversal', receipt: String(params['receipt_reference']) };
    default: {
      const loan = orderIn(book, String(params['loan_id']));
      if (loan === undefined) return undefined;
      if (operation === 'retractFact') return { type: 'retraction', loan, target: text('event_id').toLowerCase() };
      const kind = KINDS[operation];
      if (kind === undefined) throw new Error(`${operation} is no act on a Loan`);
      const named = { suspension: text('suspension_id').toLowerCase() };
      return { type: 'act', kind, loan, on: dayOf(text('on')), body: named };
    }
  }
}
