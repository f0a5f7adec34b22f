/** `lending loan show`: one Loan on a day, as of one moment of its Client's book. */
import { type Command, InvalidArgumentError } from 'commander';
import type { Delinquency } from '#libs/ledger/answers/delinquency.ts';
import type { LoanAnswer } from '#libs/ledger/answers/loan.ts';
import { isUuid } from '#libs/schema/scalars.ts';
import { addTenantOption, type Caller, callerFor } from './caller.ts';
import { UsageError } from './command.ts';
import { formatLoan, type LoanOnDay } from './loan-table.ts';

export function addLoanCommands(program: Command): void {
  const loan = program.command('loan').description('show a Loan');
  const show = loan
    .command('show')
    .description('show the plan of a Loan, what was paid and what is owed on a day')
    .argument('[loan-id]', 'its id, or name it by --reference', parseLoanId)
    .requiredOption('--on <day>', 'YYYY-MM-DD')
    .option('--reference <reference>', "the caller's own reference of the Loan, looked up among all Loans")
    .option('--client <id>', 'look the reference up only among the Loans of this Client')
    .option('--json', 'print the answers of the service');
  addTenantOption(show).action(showLoan);
}

function parseLoanId(value: string): string {
  if (isUuid(value)) return value;
  throw new InvalidArgumentError(
    `Expected a UUID; for the caller's own reference use --reference ${quoteForShell(value)}.`,
  );
}

function quoteForShell(word: string): string {
  return /^[\w./:-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

type ShowOptions = {
  readonly on: string;
  readonly reference?: string;
  readonly client?: string;
  readonly json?: boolean;
  readonly tenant?: string;
};

async function showLoan(id: string | undefined, options: ShowOptions): Promise<void> {
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
  readonly loans: readonly Omit<LoanOnDay, 'delinquency'>[];
};

/** The delinquency is read as of the version of the book, so that all figures are of one moment. */
async function readLoanOnDay(caller: Caller, loanId: string, on: string): Promise<LoanOnDay> {
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

/** Reads the listing newest first, because it has no filter by reference. */
async function findLoan(caller: Pick<Caller, 'request'>, { reference, client, on }: LoanSearch): Promise<string> {
  const ofClient = client === undefined ? '' : `&client_id=${encodeURIComponent(client)}`;
  for (const state of ['', ...unlistedStates.map((name) => `&state=${name}&on=${encodeURIComponent(on)}`)]) {
    for (let cursor = ''; ; ) {
      const page = await caller.request<LoanPage>('GET', `/loans?limit=200${ofClient}${state}${cursor}`);
      const found = page.loans.find((loan) => loan.reference === reference);
      if (found !== undefined) return found.id;
      if (page.cursor === undefined) break;
      cursor = `&cursor=${page.cursor}`;
    }
  }
  const among = client === undefined ? '' : ` among the Loans of ${client}`;
  throw new Error(`no Loan has the reference ${JSON.stringify(reference)}${among}`);
}
