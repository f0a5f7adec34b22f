/** Defines `lending audit`, `lending rebuild` and `lending prepare`: maintenance of a whole cell. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { defaultPartitionCount, maxPartitionCount } from '#libs/kafka/book-key-partition.ts';
import type { AuditCommandOptions, PrepareCommandOptions, RebuildCommandOptions } from '../cell-commands.ts';
import { addConfirmationOptions, collect, describeCommand, wholeNumberParser } from '../command.ts';

export function addCellCommands(program: Command): void {
  const audit = program
    .command('audit')
    .description('check everything stored against the facts, and the facts against their signed requests')
    .option('--most <number>', 'findings that are printed; all are counted', wholeNumberParser(1, 100_000), 20)
    .option('--without-log', 'do not read the topic of submissions')
    .option('--state <folder>', 'keep the progress there; where an audit was interrupted, continue it')
    .option(
      '--partitions <list>',
      'with --state: audit only these partitions, such as 0-3,7, and leave the rest',
      parsePartitions,
    )
    .option('--parallel <number>', 'parts that are read and checked at once', wholeNumberParser(1, 64), 2)
    .option('--load <percent>', 'pause now and then, to work this share of the time', wholeNumberParser(1, 100), 100)
    .addOption(new Option('--record', recordMeaning).conflicts('partitions'))
    .action(async (options: AuditCommandOptions) => (await import('../cell-commands.ts')).runAudit(options));
  describeCommand(audit, {
    effect: 'reads',
    examples: [
      'audit',
      'audit --without-log --most 100',
      'audit --state /var/lib/lending/audit --load 50',
      'audit --state /var/lib/lending/audit --partitions 0-23',
      'audit --record',
    ],
    details: auditDetails,
  });

  const rebuild = program
    .command('rebuild')
    .description('rebuild the database from lending.book-events while it serves, compare, and replace it')
    .addOption(new Option('--accept-differences', 'replace it although the new tables differ').conflicts('dryRun'))
    .option('--lost', 'the database is lost: fill an empty one')
    .addOption(
      new Option('--database <name>', lostDatabaseMeaning).conflicts([
        'movements',
        'acceptDifferences',
        'secretsFrom',
        'dryRun',
      ]),
    )
    .option('--secrets-from <database>', secretsMeaning)
    .addOption(
      new Option('--movements', 'empty lending.movements instead, for the processors to write it again').conflicts([
        'acceptDifferences',
        'lost',
        'secretsFrom',
      ]),
    );
  addConfirmationOptions(rebuild, rebuildDryRunMeaning).action(async (options: RebuildCommandOptions) =>
    (await import('../cell-commands.ts')).runRebuild(options),
  );
  describeCommand(rebuild, {
    effect: 'irreversible',
    examples: [
      'rebuild --dry-run',
      'rebuild',
      'rebuild --lost --dry-run',
      'rebuild --lost --yes',
      'rebuild --lost --database north --yes',
      'rebuild --movements --dry-run',
      'rebuild --movements',
    ],
    details: rebuildDetails,
  });

  const prepare = program
    .command('prepare')
    .description('migrate the database, create the login of the services and the topics, and register the schemas')
    .option('--replicas <number>', replicasMeaning, wholeNumberParser(1, 99))
    .option('--partitions <number>', partitionsMeaning, wholeNumberParser(1, maxPartitionCount))
    .option('--place <name=list>', placeMeaning, parsePlace)
    .option('--add-database <name>', addDatabaseMeaning, collect, []);
  addConfirmationOptions(prepare, 'list what is missing; create nothing').action(
    async (options: PrepareCommandOptions) => (await import('../cell-commands.ts')).runPrepare(options),
  );
  describeCommand(prepare, {
    effect: 'irreversible',
    examples: [
      'prepare --dry-run',
      'prepare',
      'prepare --replicas 3 --partitions 48 --yes',
      'prepare --partitions 48 --place north=0-15 --place south=16-31',
      'prepare --add-database east --yes',
    ],
    details: `Logs in as DATABASE_OWNER_URL and creates the login of DATABASE_URL. Safe to repeat; does only what is missing.
Prints the migrations that it ran and the number of partitions. Asks first where it would do what cannot be undone: fix the
number of partitions or their place, or migrate a database that is in use. Migrations only go forward.

A cell keeps its number of partitions. Another one is an error, and so are topics of which some are missing beside a new
database, until --partitions says how many the cell has.

With --place, partitions of a new cell are placed on databases of PARTITION_DATABASE_URLS; the others stay in that of
DATABASE_URL. Place them before any service is started: it is refused once a processor has run. Every prepare migrates all
databases that PARTITION_DATABASE_URLS names, logged in as PARTITION_DATABASE_OWNER_URLS. A cell in use gets another database by
--add-database: start all services again, then move partitions to it by partition move.
In such a cell rebuild --lost fills one further database at a time (--database); a lost home database is restored from its backup.

A schema registry that lost its data is an error while the topics hold records: the schemas would get other ids than these
records name. Restore its data first.

${replicasDetails}`,
  });
}

export const recordMeaning = 'record the result for the metrics and alerts of the services, as DATABASE_OWNER_URL';
const lostDatabaseMeaning =
  'with --lost: the lost one of PARTITION_DATABASE_URLS, whose address is that of an empty one now';
const addDatabaseMeaning =
  'a database of PARTITION_DATABASE_URLS that joins the cell, without partitions; may be repeated';
const placeMeaning =
  'partitions of a new cell that are on another database, by its name in PARTITION_DATABASE_URLS; may be repeated';

const partitionsMeaning = `partitions of each topic of a new cell, by default ${defaultPartitionCount}; fixed for its life`;
export const replicasMeaning = 'replicas of each topic; 3 in production';
export const replicasDetails = `Where Kafka has several brokers, no topic is created without --replicas. With it, a topic that has fewer replicas is
an error: it may be lost with one broker.`;

const rebuildDryRunMeaning =
  'build the new tables and compare, or with --lost and --movements count what would be written; replace nothing';

const secretsMeaning =
  'with --lost: copy secrets that no fact holds from this database: the path of a file with its URL, - for standard input, ' +
  'or a URL without a password';

const auditDetails = `
Checks what is recorded when it begins, in parts with a short snapshot of Postgres each, while the services go on; then Redis, and the
topics of facts and movements up to that moment. DATABASE_URL may be that of a standby. Each finding is a line: where, what, the
expected value and the found one. Exit code 1 where anything is found.

With --state, an audit that was interrupted continues where it was, and a complete one leaves the folder empty. It is refused where the
database was set back or the release is another one. One process uses one core for most of the work: for more, run several with the
same folder and other --partitions each, and at last one without --partitions, which does the rest and prints everything.

--without-log leaves out the topic of submissions, which is long where much is written. Credit decisions are then not
decided again; issuances are.`;

/** `0-3,7` as numbers. */
function parsePartitions(value: string): readonly number[] {
  const partitions = value.split(',').flatMap((range) => {
    const [, first, last = first] = /^([0-9]{1,4})(?:-([0-9]{1,4}))?$/.exec(range) ?? [];
    const [from, to] = [Number(first), Number(last)];
    return from <= to ? Array.from({ length: to - from + 1 }, (_, at) => from + at) : [Number.NaN];
  });
  if (partitions.every((each) => each < maxPartitionCount)) return [...new Set(partitions)];
  throw new InvalidArgumentError(`Expected partitions from 0 to ${maxPartitionCount - 1}, such as 0-3,7.`);
}

/** `north=0-11`, added to what was named before. */
function parsePlace(value: string, before: ReadonlyMap<number, string> = new Map()): ReadonlyMap<number, string> {
  const [, name = '', list = ''] = /^([a-z][a-z0-9-]{0,30})=(.+)$/.exec(value) ?? [];
  if (name === '')
    throw new InvalidArgumentError('Expected the name of a database and partitions, such as north=0-11.');
  const placed = new Map(before);
  for (const partition of parsePartitions(list)) {
    if (placed.has(partition)) throw new InvalidArgumentError(`Partition ${partition} is placed twice.`);
    placed.set(partition, name);
  }
  return placed;
}

const rebuildDetails = `
Logs in as DATABASE_OWNER_URL, else DATABASE_URL. The new tables are created in the same database and follow the topic.
Commits wait while the tables are exchanged and go on in the new ones. The old tables are kept in a schema that is
printed at the end; drop it when it is no longer needed. The command asks before it begins.

Where the tables differ, nothing is replaced and the differences are printed. Check them, and repeat with
--accept-differences where the serving tables are wrong. Restart the services after that: they cache books.

--lost fills an empty database: stop the services, rebuild, start them. Submissions behind the end of the topic are
submitted again. Secrets that no fact holds are the key of cursors and the outcomes under idempotency keys. In a cell with several
databases --database names the lost one, which must not be the home database.

--movements leaves the database as it is. It needs running processors, and waits until they have published every movement.
With --dry-run it counts the records that would be removed and the movements that would be written, and needs none.`;
