/** `lending loan show`: one Loan on a day, as of one moment of its Client's book. */
import type { Delinquency } from '#libs/ledger/answers/delinquency.ts';
import type { LoanAnswer } from '#libs/ledger/answers/loan.ts';
import { type Caller, callerFor } from './caller.ts';
import { UsageError } from './command.ts';
import type { CallerCommandOptions } from './commands/caller-options.ts';
import { formatLoan, type LoanAnswers } from './loan-table.ts';
import { ProgressLine } from './output/progress-line.ts';

export type ShowLoanOptions = CallerCommandOptions & {
  readonly on: string;
  readonly reference?: string;
  readonly client?: string;
};

export async function showLoan(id: string | undefined, options: ShowLoanOptions): Promise<void> {
  const { on, reference, client, json = false } = options;
  if ((id === undefined) === (reference === undefined)) {
    throw new UsageError('name the Loan by its id or by --reference, and not by both');
  }
  const caller = callerFor(options);
  const loanId = reference === undefined ? String(id) : await findLoan(caller, { reference, client, on });
  const loan = await readLoanOnDay(caller, loanId, on);
  console.log(json ? JSON.stringify(loan, null, 2) : formatLoan(loan));
}

type BookAnswer = {
  readonly book_version: { readonly version: string };
  readonly loans: readonly Omit<LoanAnswers, 'delinquency'>[];
};

/** The delinquency is read as of the version of the book, so that all figures are of one moment. */
async function readLoanOnDay(caller: Caller, loanId: string, on: string): Promise<LoanAnswers> {
  const { terms, id } = await caller.request<LoanAnswer>('GET', `/loans/${encodeURIComponent(loanId)}`);
  const day = encodeURIComponent(on);
  const book = await caller.request<BookAnswer>('GET', `/clients/${terms['client_id']}/book?on=${day}`);
  const found = book.loans.find(({ loan }) => loan.id === id);
  if (found === undefined) throw new Error(`the book of ${terms['client_id']} does not hold the Loan ${id}`);
  const knownAt = encodeURIComponent(book.book_version.version);
  const path = `/loans/${id}/delinquency?on=${day}&known_at=${knownAt}`;
  return { ...found, delinquency: await caller.request<Delinquency>('GET', path) };
}

type LoanSearch = { readonly reference: string; readonly client: string | undefined; readonly on: string };

type LoanPage = {
  readonly loans: readonly { readonly id: string; readonly reference: string }[];
  readonly cursor?: string;
};

/** The listing leaves these out where no state is given. */
const unlistedStates = ['held', 'expired', 'voided'];

/** Reads the listing newest first, because it has no filter by reference: among many Loans this takes a while. */
async function findLoan(caller: Pick<Caller, 'request'>, search: LoanSearch): Promise<string> {
  const progress = new ProgressLine(process.stderr, 'Loans');
  try {
    return await searchListing(caller, search, (count) => progress.add(count));
  } finally {
    progress.end();
  }
}

async function searchListing(
  caller: Pick<Caller, 'request'>,
  { reference, client, on }: LoanSearch,
  onLoans: (count: number) => void,
): Promise<string> {
  const ofClient = client === undefined ? '' : `&client_id=${encodeURIComponent(client)}`;
  for (const state of ['', ...unlistedStates.map((name) => `&state=${name}&on=${encodeURIComponent(on)}`)]) {
    for (let cursor = ''; ; ) {
      const page = await caller.request<LoanPage>('GET', `/loans?limit=200${ofClient}${state}${cursor}`);
      onLoans(page.loans.length);
      const found = page.loans.find((loan) => loan.reference === reference);
      if (found !== undefined) return found.id;
      if (page.cursor === undefined) break;
      cursor = `&cursor=${page.cursor}`;
    }
  }
  const among = client === undefined ? '' : ` among the Loans of ${client}`;
  throw new Error(`no Loan has the reference ${JSON.stringify(reference)}${among}`);
}
