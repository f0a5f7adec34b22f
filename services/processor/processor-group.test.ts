import { expect, test } from '@jest/globals';
import type { Database } from '#libs/database/database.ts';
import { PartitionDatabases } from '#libs/database/partition-databases.ts';
import { silentLogger } from '#libs/runtime/logging.ts';
import type { EventPublisher } from './event-publisher.ts';
import type { Processor } from './processor.ts';
import { ProcessorGroup } from './processor-group.ts';

/** A database whose answers come when the test says so, each with all partitions that were asked for. */
function slowDatabase(): { readonly database: Database; readonly answers: (() => void)[] } {
  const answers: (() => void)[] = [];
  const query = () =>
    new Promise((resolve) => {
      answers.push(() => resolve({ rows: [{ partition: 0 }, { partition: 1 }] }));
    });
  return { database: { query } as unknown as Database, answers };
}

test('a takeover of an assignment that has ended does not happen, however late its database answers', async () => {
  const { database, answers } = slowDatabase();
  const takenOver: (readonly number[])[] = [];
  const takeOver = async (partitions: readonly number[]) => {
    takenOver.push(partitions);
    return new Map(partitions.map((partition) => [partition, 0]));
  };
  const processor = { takeOver } as unknown as Processor;
  const further = { name: 'north', number: 1 };
  const placement = { partitionCount: 2, databases: [further], numbers: new Map(), earlierNumbers: new Map() };
  const group = new ProcessorGroup({
    databases: new PartitionDatabases(database, placement, () => database),
    members: [{ database, processor, publisher: {} as EventPublisher }],
    logger: silentLogger,
    onTakenOver: async () => undefined,
    onChanged: () => undefined,
  });
  await group.takeOver([0]);
  await group.takeOver([0, 1]);
  const [first, second] = answers as [() => void, () => void];
  second();
  first();
  await new Promise(setImmediate);
  expect(takenOver).toEqual([[0, 1]]);
  group.endTakeovers();
});
