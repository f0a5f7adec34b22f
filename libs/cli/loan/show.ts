/** `lending loan show`: one Loan on a day, from one moment of its Client's book. */
import type { Delinquency } from '#libs/ledger/answers/delinquency.ts';
import type { LoanAnswer } from '#libs/ledger/answers/loan.ts';
import { isUuid } from '#libs/schema/form.ts';
import { type Caller, callerOf } from '../caller.ts';
import { type Command, must, type Typed, text, UsageError } from '../command.ts';
import { findLoan } from './find.ts';
import { loanTable, type ShownLoan } from './table.ts';

export const showLoan: Command = {
  usage: 'loan show LOAN_ID | --reference REFERENCE [--client ID]  --on DAY [--json] [--tenant ID]',
  what: 'shows the plan of a Loan, what was paid of it and what is owed on a day',
  needs: 'service',
  more: `  --on         the day, YYYY-MM-DD; the service knows no today
  --reference  the caller's own name for the Loan; --client narrows where it is looked for, or every Loan is gone through
  --json       the answers it is made from, as they came`,
  options: { on: 'text', reference: 'text', client: 'text', json: 'flag', tenant: 'text' },
  run: show,
};

type Book = {
  readonly book_version: { readonly version: string };
  readonly loans: readonly Omit<ShownLoan, 'delinquency'>[];
};

async function show(typed: Typed): Promise<void> {
  const { options, positionals } = typed;
  const on = must(text(options['on']), '--on DAY');
  const reference = text(options['reference']);
  if ((positionals.length === 1) === (reference !== undefined))
    throw new UsageError('LOAN_ID or --reference, one of them');
  const named = positionals[0];
  if (named !== undefined && !isUuid(named))
    throw new UsageError(
      `LOAN_ID is a UUID; a Loan by the caller's own name is shown under --reference ${quoted(named)}`,
    );
  const caller = callerOf(typed);
  const client = text(options['client']);
  const loanId = reference === undefined ? String(named) : await findLoan(caller, { reference, client, on });
  const shown = await loanOn(caller, loanId, on);
  console.log(options['json'] === true ? JSON.stringify(shown, null, 2) : loanTable(shown));
}

/** As it is typed at a shell. */
function quoted(word: string): string {
  return /^[\w./:-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** The days it is late are asked as they were known when the book was read, so that no figure is from another moment. */
async function loanOn(caller: Caller, loanId: string, on: string): Promise<ShownLoan> {
  const { terms, id } = await caller.ask<LoanAnswer>('GET', `/loans/${encodeURIComponent(loanId)}`);
  const day = encodeURIComponent(on);
  const book = await caller.ask<Book>('GET', `/clients/${terms['client_id']}/book?on=${day}`);
  const found = book.loans.find(({ loan }) => loan.id === id);
  if (found === undefined) throw new Error(`the book of ${terms['client_id']} does not hold ${id}`);
  const knownAt = encodeURIComponent(book.book_version.version);
  const path = `/loans/${id}/delinquency?on=${day}&known_at=${knownAt}`;
  return { ...found, delinquency: await caller.ask<Delinquency>('GET', path) };
}
