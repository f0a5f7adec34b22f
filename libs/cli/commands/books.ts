/** Defines `lending book`. */
import { type Command, InvalidArgumentError } from 'commander';
import { isBookId } from '#libs/ledger/book-id.ts';
import type { ReleaseOptions } from '../books.ts';
import { addConfirmationOptions, collect, describeCommand, parseTenancyId } from '../command.ts';
import { type AdminOptions, acceptActorOption, addActorOption } from './admin-options.ts';

export function addBookCommands(program: Command): void {
  const book = program.command('book').description('list and release parked books');
  const parked = book
    .command('parked')
    .description('list the parked books, the submissions that wait in each, and the error that parked it')
    .argument('[tenancy]', 'only the books of this Tenancy', parseTenancyId);
  acceptActorOption(parked).action(async (tenantId: string | undefined, options: AdminOptions) =>
    (await import('../books.ts')).listParkedBooks(tenantId, options),
  );
  describeCommand(parked, { effect: 'reads', examples: ['book parked', 'book parked demo --json'] });

  const release = book
    .command('release')
    .description('release a parked book: its waiting submissions are decided in their order')
    .argument('<tenancy>', 'the Tenancy of the book', parseTenancyId)
    .argument('<book>', "c/ and the Client's id, or t for the Tenancy's own book", parseBookId)
    .requiredOption('--basis <text>', 'why it is released; recorded with the actor as a fact of the book')
    .option('--drop <place>', 'a submission to leave out, as book parked lists it; repeatable', collect, []);
  addConfirmationOptions(release, 'list the submissions that would be decided and dropped');
  addActorOption(release).action(async (tenantId: string, bookId: string, options: ReleaseOptions) =>
    (await import('../books.ts')).releaseParkedBook({ tenantId, bookId }, options),
  );
  describeCommand(release, {
    effect: 'irreversible',
    examples: [
      "book release demo c/ada --basis 'defect 412 is corrected' --dry-run",
      "book release demo c/ada --basis 'defect 412 is corrected'",
      "book release demo c/ada --basis 'sent again by the caller' --drop 3/1041/0 --yes",
    ],
    details: releaseDetails,
  });
}

const releaseDetails = `
The submissions are decided against the book as it is now, however long ago they were sent. Their callers were answered
500 and may have sent them again, which the reference of a submission makes safe. Drop a submission without a reference,
such as a new product configuration, if its caller has sent it again: a dropped submission is gone. The command asks first.

A submission that fails again parks the book again, with everything behind it: exit code 1. Many submissions are decided
in several releases. Where that stops early, "left" is how many still wait and "stopped" says why (exit code 1): run the
same command again to continue.`;

function parseBookId(value: string): string {
  if (isBookId(value)) return value;
  throw new InvalidArgumentError("Expected c/ and the Client's id, or t.");
}
