/** The other end of the floor: takes what the log brings, commits it as one group, and says so. */

import pg from 'pg';
import { connectKafka } from '#libs/kafka/kafka.ts';
import { LogReader } from '#libs/kafka/log-reader.ts';
import { openRedis } from '#libs/redis/redis.ts';

const [brokers = '', databaseUrl = '', redisUrl = '', topic = ''] = process.argv.slice(2);
const database = new pg.Client({ connectionString: databaseUrl });
await database.connect();
await database.query(
  'CREATE UNLOGGED TABLE IF NOT EXISTS floor_start (x int); CREATE TABLE IF NOT EXISTS floor (id text, body bytea)',
);
const redis = openRedis(redisUrl, 'floor');
let gathered: { id: string; body: Buffer }[] = [];
let working = false;

async function work(): Promise<void> {
  working = true;
  while (gathered.length > 0) {
    const group = gathered;
    gathered = [];
    await database.query({
      name: 'floor',
      text: 'INSERT INTO floor SELECT * FROM unnest($1::text[], $2::bytea[])',
      values: [group.map(({ id }) => id), group.map(({ body }) => body)],
    });
    await redis.publish('floor', group.map(({ id }) => id).join('\n'));
  }
  working = false;
}

await LogReader.open({
  kafka: connectKafka(brokers, 'floor-worker'),
  groupId: `floor-${process.pid}`,
  topic,
  say: { warn: () => undefined, error: () => undefined },
  takeOver: async (partitions) => {
    process.send?.('ready');
    return new Map(partitions.map((partition) => [partition, 0]));
  },
  deliver(_, records) {
    for (const { key, value } of records) gathered.push({ id: String(key), body: value ?? Buffer.alloc(0) });
    if (!working) void work();
    return undefined;
  },
  onLost: (cause) => {
    throw cause;
  },
  onCrash: (cause) => {
    throw cause;
  },
});
