/** Repairs of a cell for `lending topic` and `lending reconcile`: opens what they need and prints what they did. */

import { formatMoment, type Moment } from '#libs/calendar/moment.ts';
import type { Database } from '#libs/database/database.ts';
import { readOwnPositions, readPartitions } from '#libs/database/partitions.ts';
import { lastEventBefore } from '#libs/database/read-events.ts';
import { restoreReservations } from '#libs/database/reserved-references.ts';
import { AvroCodec } from '#libs/kafka/avro-codec.ts';
import { type BookEvent, bookEventSchema } from '#libs/kafka/book-event.ts';
import { connectKafka, type KafkaClient } from '#libs/kafka/kafka-client.ts';
import { SchemaRegistry } from '#libs/kafka/schema-registry.ts';
import { topicOffsets } from '#libs/kafka/topic-offsets.ts';
import { processorGroupId, topics } from '#libs/kafka/topics.ts';
import { silentLogger } from '#libs/runtime/logging.ts';
import { maxDecisionDelayMicros } from '#libs/verify/rebuild/find-log-starts.ts';
import { type LaterPersonAct, readLaterPersonActs } from '#libs/verify/repair/later-person-acts.ts';
import { type BroughtForward, bringForward, type ReconcileResult } from '#libs/verify/repair/reconcile.ts';
import { planRemake, type RemakePlan, type RemakeResult, remakeTopics } from '#libs/verify/repair/remake-topics.ts';
import { repairTopic } from '#libs/verify/repair/repair-topic.ts';
import { RepairError, withStoppedProcessors } from '#libs/verify/repair/stopped-processors.ts';
import { type CheckedPartition, checkTopic } from '#libs/verify/repair/topic-gaps.ts';
import { type CellDatabase, type CellDatabases, withCellDatabases } from './cell-databases.ts';
import { deleteSnapshots } from './delete-snapshots.ts';
import { type CellToPrepare, prepare } from './prepare.ts';
import { recordCommand } from './record-command.ts';

export type CellToRepair = CellToPrepare & { readonly redisUrl: string };

type Print = (line: string) => void;
/** Called with what is done, and all there is to do. */
type OnProgress = (done: number, total: number) => void;

/** `isWhole` where every event is in the topic once its publishers are done. */
export async function checkTopicOfCell(
  cell: CellToRepair,
  print: Print,
  onRead?: OnProgress,
): Promise<{
  readonly isWhole: boolean;
  readonly damagedCount: number;
  readonly partitions: readonly CheckedPartition[];
}> {
  const partitions = await withCell(cell, (opened) => readTopicState(opened, onRead));
  for (const checked of partitions) print(describe(checked));
  const damagedCount = partitions.filter((each) => !isWhole(each)).length;
  return { isWhole: damagedCount === 0, damagedCount, partitions };
}

/** Those in which events are missing. */
export function damagedPartitionsOfCell(cell: CellToRepair, onRead: OnProgress): Promise<number[]> {
  return withCell(cell, async (opened) => {
    const checked = await readTopicState(opened, onRead);
    return checked.filter((each) => !isWhole(each)).map(({ partition }) => partition);
  });
}

export function repairTopicOfCell(
  cell: CellToRepair,
  partitions: readonly number[],
  print: Print,
  onEvents: OnProgress,
): Promise<void> {
  return withCell(cell, async ({ kafka, codec, databases }) => {
    const known = await readPartitions(databases[0].owner);
    const unknown = partitions.find((partition) => !known.includes(partition));
    if (unknown !== undefined)
      throw new RepairError(`there is no partition ${unknown}; the cell has partitions 0 to ${known.length - 1}`);
    await recordCommand(databases[0].owner, 'topic repair', partitions.join(', '));
    for (const { owner, services } of databases) {
      const own = await readOwnPositions(owner);
      const options = { kafka, codec, database: owner, lockDatabase: services, onProgress: print, onEvents };
      await repairTopic(
        options,
        partitions.filter((partition) => own.has(partition)),
      );
    }
    print(`partitions ${partitions.join(', ')} are complete`);
  });
}

export async function remakeTopicsOfCell(
  cell: CellToRepair,
  replicas: number | undefined,
  print: Print,
  onRecords?: OnProgress,
): Promise<RemakeResult> {
  return withCellDatabases(cell, 'repair', async (databases) => {
    const kafka = connectKafka(cell.kafkaBrokers, 'repair');
    const result = await withAllStopped(databases, async () => {
      // A running processor would read new topics with its old positions.
      await prepare(cell, { replicas });
      await recordCommand(databases[0].owner, 'topic remake', '');
      return remakeTopics({ kafka, owners: ownersOf(databases), replicas, groupId: processorGroupId, onRecords });
    });
    const { restarted, parkedRecords } = result;
    if (restarted.length === 0) print('lending.submissions holds what was processed');
    else print(`lending.submissions continues at its present end in partitions ${restarted.join(', ')}`);
    if (parkedRecords > 0) {
      print(`${parkedRecords} records of parked books were written to lending.parked`);
      print('if the schema registry was lost too, drop them, or give them the present id of their schema');
    }
    print('start the processors: they publish lending.book-events from the database');
    print('start the gateways, ingress and the console; one that went on running must be restarted');
    return result;
  });
}

/** For `--dry-run`. Opens no schema registry, because its schemas may be lost with Kafka. */
export function planRemakeOfCell(cell: CellToRepair, print: Print): Promise<RemakePlan> {
  return withCellDatabases(cell, 'repair', async (databases) => {
    const kafka = connectKafka(cell.kafkaBrokers, 'repair');
    const plan = await planRemake({ kafka, owners: ownersOf(databases) });
    const { missingTopics, restarted } = plan;
    print(missingTopics.length === 0 ? 'no topic is missing' : `${missingTopics.join(', ')} would be created`);
    if (restarted.length === 0) print('lending.submissions holds what was processed');
    else print(`lending.submissions would continue at its present end in partitions ${restarted.join(', ')}`);
    return plan;
  });
}

/** All databases of the cell: it does not know which of them were set back. */
export function reconcileCell(cell: CellToRepair, print: Print, onRead?: OnProgress): Promise<ReconcileResult> {
  return withCellDatabases(cell, 'repair', async (databases) => {
    const kafka = connectKafka(cell.kafkaBrokers, 'repair');
    const { schemaRegistryUrl } = cell;
    const result = await withAllStopped(databases, async () => {
      const forward: BroughtForward[] = [];
      for (const { owner } of databases)
        forward.push(await bringForward({ kafka, schemaRegistryUrl, owner, logger: silentLogger, onRead }));
      // Before a processor of any of them may start: it would record a reference that another one has.
      // A fact may be committed so long after it was decided.
      const since = (forward[0]?.restoredAt ?? 0) - maxDecisionDelayMicros;
      const several = databases.length > 1;
      if (several) for (const { owner } of databases) await restoreReservations(databases[0].owner, owner, since);
      const laterPersonActs = several ? await personActsSince(databases, since) : undefined;
      await recordCommand(databases[0].owner, 'reconcile', `${sumOf(forward, 'importedFacts')} facts`);
      let endedSessions = 0;
      for (const { release } of forward) endedSessions += await release();
      return { ...mergeResults(forward), ...(laterPersonActs === undefined ? {} : { laterPersonActs }), endedSessions };
    });
    await deleteSnapshots(cell.redisUrl, print);
    print(`${result.importedFacts} facts were read back from the topic`);
    print(`${result.resubmitted} submissions behind the end of the topic were submitted again`);
    print(`${result.unpublishedFacts} facts are not in the topic yet; the processors publish them`);
    for (const partition of result.partitionsWithGap)
      print(`partition ${partition}: the submissions after its last event are no longer in lending.submissions`);
    for (const book of result.parkedBooks)
      print(`${book} was parked after the restored moment; what waited with it is in lending.parked`);
    print(`${result.endedSessions} sessions of the console ended, and all of its sign-in links`);
    printPersonActs(result.laterPersonActs, print);
    print('start the processors');
    return result;
  });
}

/** Of all databases: an act is recorded where the book is, and the rights that it changed are in the home database. */
async function personActsSince(databases: CellDatabases, since: number): Promise<LaterPersonAct[]> {
  const acts: LaterPersonAct[] = [];
  for (const { owner } of databases) {
    const events = new Map<number, number>();
    for (const partition of (await readOwnPositions(owner)).keys())
      events.set(partition, await lastEventBefore(owner, partition, since));
    acts.push(...(await readLaterPersonActs(owner, events)));
  }
  return acts.sort((one, other) => one.recordedAt - other.recordedAt);
}

function sumOf(
  forward: readonly BroughtForward[],
  figure: 'importedFacts' | 'resubmitted' | 'unpublishedFacts',
): number {
  return forward.reduce((sum, { result }) => sum + result[figure], 0);
}

function mergeResults(forward: readonly BroughtForward[]): Omit<ReconcileResult, 'endedSessions'> {
  const results = forward.map(({ result }) => result);
  return {
    importedFacts: sumOf(forward, 'importedFacts'),
    resubmitted: sumOf(forward, 'resubmitted'),
    unpublishedFacts: sumOf(forward, 'unpublishedFacts'),
    partitionsWithGap: results.flatMap(({ partitionsWithGap }) => partitionsWithGap),
    parkedBooks: results.flatMap(({ parkedBooks }) => parkedBooks),
    laterPersonActs: results.flatMap(({ laterPersonActs }) => laterPersonActs),
  };
}

function printPersonActs(acts: readonly LaterPersonAct[], print: Print): void {
  if (acts.length > 0) print('do again in the console what was done to people after the restored moment:');
  for (const { recordedAt, tenantId, actor, action, subject, after } of acts)
    print(`  ${formatMoment(recordedAt as Moment)} ${tenantId}: ${actor} ${action} ${subject} ${after}`.trimEnd());
}

interface Cell {
  readonly kafka: KafkaClient;
  readonly codec: AvroCodec<BookEvent, BookEvent<number>>;
  readonly databases: CellDatabases;
}

function withCell<T>(cell: CellToRepair, work: (cell: Cell) => Promise<T>): Promise<T> {
  return withCellDatabases(cell, 'repair', async (databases) => {
    const registry = new SchemaRegistry(cell.schemaRegistryUrl);
    const codec = await AvroCodec.open<BookEvent, BookEvent<number>>(registry, bookEventSchema);
    return work({ databases, kafka: connectKafka(cell.kafkaBrokers, 'repair'), codec });
  });
}

async function withAllStopped<T>(databases: readonly CellDatabase[], work: () => Promise<T>): Promise<T> {
  const [first, ...others] = databases;
  if (first === undefined) return work();
  const partitions = [...(await readOwnPositions(first.owner)).keys()];
  return withStoppedProcessors(first.services, partitions, () => withAllStopped(others, work));
}

function ownersOf([home, ...others]: CellDatabases): [Database, ...Database[]] {
  return [home.owner, ...others.map(({ owner }) => owner)];
}

async function readTopicState(
  { kafka, codec, databases }: Cell,
  onRead: OnProgress | undefined,
): Promise<CheckedPartition[]> {
  const checked: CheckedPartition[] = [];
  const ranges = await topicOffsets(kafka, topics.bookEvents);
  const all = [...ranges.values()].reduce((sum, { low, high }) => sum + high - low, 0);
  let before = 0;
  for (const { owner } of databases) {
    let ofDatabase = 0;
    const onReadHere: OnProgress = (read, total) => {
      ofDatabase = total;
      // Events may have been published since.
      onRead?.(before + read, Math.max(all, before + total));
    };
    const options = { kafka, codec, logger: silentLogger, database: owner, onRead: onReadHere };
    checked.push(...(await checkTopic(options)));
    before += ofDatabase;
  }
  return checked.sort((one, other) => one.partition - other.partition);
}

/** Events at the end may still be on their way. */
function isWhole({ firstMissing, differentEvent, last, committed }: CheckedPartition): boolean {
  return firstMissing === undefined && differentEvent === undefined && last <= committed;
}

function describe({ partition, last, committed, firstMissing, differentEvent }: CheckedPartition): string {
  const place = `partition ${partition}: ${last} of ${committed} events`;
  if (differentEvent !== undefined)
    return `${place}; event ${differentEvent} is another fact in the database, or none: it recorded other facts after it was set back. Restore it again (docs/operations/runbooks/restore.md, "Restore again"), and run \`lending reconcile\` before a processor is started`;
  if (last > committed && firstMissing !== undefined && firstMissing > committed)
    return `${place}; the database was set back, and event ${firstMissing} is missing in the topic: restore it again, to a later moment at which it holds that event (docs/operations/runbooks/restore.md, "Restore again")`;
  if (last > committed) return `${place}; the database was set back, run \`lending reconcile\``;
  return firstMissing === undefined
    ? place
    : `${place}; event ${firstMissing} is missing, run \`lending topic repair\``;
}
