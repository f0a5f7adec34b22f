/** Defines `lending partition`. */
import { Argument, type Command } from 'commander';
import { maxPartitionCount } from '#libs/kafka/book-key-partition.ts';
import { addConfirmationOptions, describeCommand, wholeNumberParser } from '../command.ts';
import type { ListPartitionsOptions, MovePartitionOptions } from '../partition-commands.ts';

export function addPartitionCommands(program: Command): void {
  const partition = program
    .command('partition')
    .description('list the partitions of a cell and move them to another database');
  const list = partition
    .command('list')
    .description('print on which database each partition is')
    .action(async (options: ListPartitionsOptions) => (await import('../partition-commands.ts')).runList(options));
  describeCommand(list, { effect: 'reads', examples: ['partition list', 'partition list --json'] });

  const move = partition
    .command('move')
    .description('move a partition to another database of the cell, while the services run')
    .addArgument(new Argument('<partition>', 'its number').argParser(wholeNumberParser(0, maxPartitionCount - 1)))
    .requiredOption('--to <database>', 'its name in PARTITION_DATABASE_URLS, or home for that of DATABASE_URL');
  addConfirmationOptions(move, 'say what would be copied; change nothing').action(
    async (number: number, options: MovePartitionOptions) =>
      (await import('../partition-commands.ts')).runMove(number, options),
  );
  describeCommand(move, {
    effect: 'irreversible',
    examples: [
      'partition move 7 --to north --dry-run',
      'partition move 7 --to north',
      'partition move 7 --to home --yes',
    ],
    details: `Logs in as PARTITION_DATABASE_OWNER_URLS and DATABASE_OWNER_URL. Copies all facts of the partition and makes the other rows from them;
then no processor uses it for less than two seconds: writes to its books wait. Reads go on. At last, after a minute, what it left is
removed. Where the command is interrupted, run it again: it continues.

A database that was added to the cell since the services were started is not known to them: start them again first.`,
  });
}
