/** The consumer of the write baseline: commits the records of the topic in groups and reports them over Redis. */
import pg from 'pg';
import { developmentPartitions } from '#deploy/dev/dev-files.ts';
import { connectKafka } from '#libs/kafka/kafka-client.ts';
import { TopicConsumer } from '#libs/kafka/topic-consumer.ts';
import { openRedis } from '#libs/redis/redis.ts';
import { silentLogger } from '#libs/runtime/logging.ts';

const [brokers = '', databaseUrl = '', redisUrl = '', topic = ''] = process.argv.slice(2);
const database = new pg.Client({ connectionString: databaseUrl });
await database.connect();
await database.query('CREATE TABLE IF NOT EXISTS write_baseline (id text, body bytea)');
const redis = openRedis(redisUrl, 'baseline');
let received: { id: string; body: Buffer }[] = [];
let isCommitting = false;

async function commitReceived(): Promise<void> {
  isCommitting = true;
  while (received.length > 0) {
    const group = received;
    received = [];
    await database.query({
      name: 'baseline',
      text: 'INSERT INTO write_baseline SELECT * FROM unnest($1::text[], $2::bytea[])',
      values: [group.map(({ id }) => id), group.map(({ body }) => body)],
    });
    await redis.publish('baseline', group.map(({ id }) => id).join('\n'));
  }
  isCommitting = false;
}

await TopicConsumer.open({
  kafka: connectKafka(brokers, 'baseline-worker'),
  groupId: `baseline-${process.pid}`,
  topic,
  partitionCount: developmentPartitions,
  logger: silentLogger,
  onAssigned: async (partitions) => {
    process.send?.('ready');
    return new Map(partitions.map((partition) => [partition, 0]));
  },
  onRecords(_, records) {
    for (const { key, value } of records) received.push({ id: String(key), body: value ?? Buffer.alloc(0) });
    if (!isCommitting) void commitReceived();
    return undefined;
  },
  onDataLoss: (cause) => {
    throw cause;
  },
  onCrash: (cause) => {
    throw cause;
  },
});
