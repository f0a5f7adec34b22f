/** Defines `lending client`. */
import type { Command } from 'commander';
import type { ClientImportOptions } from '../clients/import-clients.ts';
import {
  addConfirmationOptions,
  describeCommand,
  parseDayOption,
  parseDelimiter,
  wholeNumberParser,
} from '../command.ts';
import type { ClientsExportOptions } from '../exports/export-clients.ts';
import type { ShowClientOptions } from '../show-client.ts';
import { addActorOption } from './admin-options.ts';
import { addCallerOptions } from './caller-options.ts';
import { addOutputOption } from './export-options.ts';

export function addClientCommands(program: Command): void {
  const client = program.command('client').description('show a Client, register Clients from a file, export them');
  const show = client
    .command('show')
    .description('show the Loans of a Client and what each owes on a day, what is owed back, and whether it may apply')
    .argument('<client>', "the Client's id")
    .requiredOption('--on <day>', 'YYYY-MM-DD', parseDayOption);
  addCallerOptions(show).action(async (clientId: string, options: ShowClientOptions) =>
    (await import('../show-client.ts')).showClient(clientId, options),
  );
  describeCommand(show, {
    effect: 'reads',
    examples: ['client show ada --on 2026-03-20', 'client show ada --on 2026-03-20 --json'],
  });

  const imported = client
    .command('import')
    .description('register the Clients of a CSV file; run again, it registers only what is missing')
    .argument('<file>', 'a CSV file in UTF-8, - for standard input')
    .option('--delimiter <character>', 'between the cells of the CSV', parseDelimiter, ',')
    .option('--basis <text>', 'why they are registered, for lines without a basis')
    .option('--concurrency <number>', 'requests at once', wholeNumberParser(1, 64), 8);
  addConfirmationOptions(imported, 'read the whole file and report what cannot be read; send nothing');
  addActorOption(imported);
  addCallerOptions(imported).action(async (file: string, options: ClientImportOptions) =>
    (await import('../clients/import-clients.ts')).importClients(file, options),
  );
  describeCommand(imported, {
    effect: 'irreversible',
    examples: [
      "client import clients.csv --basis 'application form' --actor maria --yes",
      "client import clients.csv --delimiter ';' --dry-run",
    ],
    details: `
The first line names the columns, in any order: client_id, and optionally basis, actor and context (a JSON object).
A file of client export is accepted: its other columns are ignored. An apostrophe before = + - @ at the beginning of a cell
is the mark of an export and no part of the text.

A Client that is registered already with the same values is left as it is. Exit code 1: some lines are refused, and
standard error names them with the reasons. With --json they are in faults, at most 1,000. With --dry-run the result is
readable, unreadable and faults.`,
  });

  const exported = client.command('export').description('write all Clients as CSV');
  addOutputOption(exported);
  addCallerOptions(exported).action(async (options: ClientsExportOptions) =>
    (await import('../exports/export-clients.ts')).exportClients(options),
  );
  describeCommand(exported, {
    effect: 'reads',
    examples: ['client export --output clients.csv', 'client export --json'],
    details: 'With --json: one Client of the service per line.',
  });
}
