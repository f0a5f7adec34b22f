/** `lending topic` and `lending reconcile`: bring the topics and the database of a cell together again. */
import type { Command } from 'commander';
import { partitionCount } from '#libs/kafka/book-key-partition.ts';
import { readConfig } from '#libs/runtime/config.ts';
import { backingSettings, ownerUrlSetting } from '#libs/runtime/connection-settings.ts';
import { wholeNumberParser } from './command.ts';
import type { CellToRepair } from './repair.ts';

export function addRepairCommands(program: Command): void {
  const topic = program.command('topic').description('check and repair the topics of a cell');
  topic
    .command('check')
    .description('read lending.book-events and name the events that are missing; exit code 1 where any is')
    .action(runCheck);
  topic
    .command('repair')
    .description('write the partitions of lending.book-events in which events are missing again from the database')
    .option('--partition <number>', 'this partition; may be repeated', collectPartitions, [] as readonly number[])
    .addHelpText('after', repairHelp)
    .action(runRepair);
  topic
    .command('remake')
    .description('make the topics again after Kafka was lost')
    .option('--replicas <number>', 'replicas of each topic; 3 in production', wholeNumberParser(1, 99), 1)
    .addHelpText('after', remakeHelp)
    .action(runRemake);
  program
    .command('reconcile')
    .description('bring a database that was set back forward again from the topics')
    .addHelpText('after', reconcileHelp)
    .action(runReconcile);
}

const repairHelp = `
All records of the partition are removed, and its publisher writes them again: the processors must run. Followers read the
partition from its beginning and drop what they know by its number. Writes and reads of callers go on.`;

const remakeHelp = `
Stop the processors first. Creates the missing topics, registers the schemas, and continues lending.submissions at the
position where it ended. Start the processors then: they publish all events from the database. Submissions that were in
Kafka alone are lost; none of them was acknowledged.`;

const reconcileHelp = `
Stop the processors first, and do not start them on the restored database before. Facts that lending.book-events holds and
the database lacks are written to it; submissions behind the last event are submitted again. Safe to repeat.`;

const parsePartition = wholeNumberParser(0, partitionCount - 1);

function collectPartitions(text: string, earlier: readonly number[]): readonly number[] {
  return [...earlier, parsePartition(text)];
}

async function runCheck(): Promise<void> {
  const { checkTopicOfCell } = await import('./repair.ts');
  if (!(await checkTopicOfCell(cellToRepair(), console.log))) process.exitCode = 1;
}

async function runRepair({ partition }: { readonly partition: readonly number[] }): Promise<void> {
  const { repairTopicOfCell } = await import('./repair.ts');
  await repairTopicOfCell(cellToRepair(), partition, console.log);
}

async function runRemake({ replicas }: { readonly replicas: number }): Promise<void> {
  const { remakeTopicsOfCell } = await import('./repair.ts');
  await remakeTopicsOfCell(cellToRepair(), replicas, console.log);
}

async function runReconcile(): Promise<void> {
  const { reconcileCell } = await import('./repair.ts');
  await reconcileCell(cellToRepair(), console.log);
}

function cellToRepair(): CellToRepair {
  const { databaseUrl, owner, ...rest } = readConfig(process.env, { ...backingSettings, owner: ownerUrlSetting });
  return { ...rest, databaseUrl: owner ?? databaseUrl, servicesDatabaseUrl: databaseUrl };
}
