/** Defines `lending loan`. */
import { type Command, InvalidArgumentError } from 'commander';
import { isUuid } from '#libs/schema/identifiers.ts';
import { describeCommand, parseDayOption } from '../command.ts';
import type { ShowLoanOptions } from '../show-loan.ts';
import { addCallerOptions } from './caller-options.ts';

export function addLoanCommands(program: Command): void {
  const loan = program.command('loan').description('show a Loan');
  const show = loan
    .command('show')
    .description('show the plan of a Loan, what was paid and what is owed on a day')
    .argument('[loan-id]', 'its id, or name it by --reference', parseLoanId)
    .requiredOption('--on <day>', 'YYYY-MM-DD', parseDayOption)
    .option('--reference <reference>', "the caller's own reference of the Loan, looked up among all Loans")
    .option('--client <id>', 'look the reference up only among the Loans of this Client');
  addCallerOptions(show).action(async (id: string | undefined, options: ShowLoanOptions) =>
    (await import('../show-loan.ts')).showLoan(id, options),
  );
  describeCommand(show, {
    effect: 'reads',
    examples: [
      'loan show --reference loan-1 --on 2026-03-20',
      'loan show 01a21175-4a79-70f7-a307-0e2f23c1167a --on 2026-03-20 --json',
    ],
  });
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
