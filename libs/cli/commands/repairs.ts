/** Defines `lending topic` and `lending reconcile`: they bring the topics and the database of a cell together again. */
import type { Command } from 'commander';
import { maxPartitionCount } from '#libs/kafka/book-key-partition.ts';
import { addConfirmationOptions, describeCommand, wholeNumberParser } from '../command.ts';
import type { CheckOptions, ReconcileCommandOptions, RemakeCommandOptions, RepairOptions } from '../repair-commands.ts';
import { recordMeaning, replicasDetails, replicasMeaning } from './cell.ts';

export function addRepairCommands(program: Command): void {
  const topic = program.command('topic').description('check and repair the topics of a cell');
  const check = topic
    .command('check')
    .description('read lending.book-events and name the events that are missing; exit code 1 where any is')
    .option('--record', recordMeaning)
    .action(async (options: CheckOptions) => (await import('../repair-commands.ts')).runCheck(options));
  describeCommand(check, { effect: 'reads', examples: ['topic check', 'topic check --json', 'topic check --record'] });

  const repair = topic
    .command('repair')
    .description('write the partitions of lending.book-events in which events are missing again from the database')
    .option('--partition <number>', 'this partition; may be repeated', collectPartitions, [] as readonly number[]);
  addConfirmationOptions(repair, 'name the partitions that would be written again').action(
    async (options: RepairOptions) => (await import('../repair-commands.ts')).runRepair(options),
  );
  describeCommand(repair, {
    effect: 'irreversible',
    examples: ['topic repair --dry-run', 'topic repair --partition 3 --yes'],
    details: repairDetails,
  });

  const remake = topic
    .command('remake')
    .description('make the topics again after Kafka, or the end of its log, was lost')
    .option('--replicas <number>', replicasMeaning, wholeNumberParser(1, 99));
  addConfirmationOptions(remake, 'name the topics and partitions that would be made again').action(
    async (options: RemakeCommandOptions) => (await import('../repair-commands.ts')).runRemake(options),
  );
  describeCommand(remake, {
    effect: 'irreversible',
    examples: ['topic remake --dry-run', 'topic remake --replicas 3'],
    details: remakeDetails,
  });

  const reconcile = program
    .command('reconcile')
    .description('bring a database that was set back forward again from the topics');
  addConfirmationOptions(reconcile, 'compare the topic with the database; change nothing').action(
    async (options: ReconcileCommandOptions) => (await import('../repair-commands.ts')).runReconcile(options),
  );
  describeCommand(reconcile, {
    effect: 'irreversible',
    examples: ['reconcile --dry-run', 'reconcile'],
    details: reconcileDetails,
  });
}

const repairDetails = `
All records of the partition are removed, and its publisher writes them again: the processors must run. Followers read the
partition from its beginning and drop what they know by its number. Writes and reads of callers go on.`;

const remakeDetails = `
Stop the processors, the gateways, ingress and the console first. They keep the ids of their schemas: with those of a lost
registry they would write records that cannot be decoded, and each would park its book. Creates the missing topics, registers
the schemas, and continues lending.submissions at its present end with the position after the last processed one. Start all
services then: the processors publish all events from the database. Submissions that were in Kafka alone are lost; none of
them was acknowledged. "lending topic check" shows before what the topic lacks.

Where the schema registry was lost too, what waits with a book that was parked before cannot be decoded as it is: drop it, or
give it the present id of its schema (docs/operations/repair.md).

${replicasDetails}`;

const reconcileDetails = `
Stop the processors first, and do not start them on the restored database before. Facts that lending.book-events holds and
the database lacks are written to it; submissions behind the last event are submitted again. People
are signed out of the console, and what was done to them later is listed, to be done again. Safe to repeat.
After an interruption processors wait until a run is complete.`;

const parsePartition = wholeNumberParser(0, maxPartitionCount - 1);

function collectPartitions(text: string, earlier: readonly number[]): readonly number[] {
  return [...earlier, parsePartition(text)];
}
