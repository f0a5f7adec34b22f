/** The thread of `movement-thread.ts`. Its connections are its own; its settings are those of the processor. */
import { hostname, setPriority } from 'node:os';
import { parentPort, threadId } from 'node:worker_threads';
import { openDatabase } from '#libs/database/pool.ts';
import { AvroCodec } from '#libs/kafka/avro-codec.ts';
import { connectKafka } from '#libs/kafka/kafka-client.ts';
import { type MovementRecord, movementSchema } from '#libs/kafka/movement.ts';
import { SchemaRegistry } from '#libs/kafka/schema-registry.ts';
import { readConfig } from '#libs/runtime/config.ts';
import { backingSettings } from '#libs/runtime/connection-settings.ts';
import { waitForDependency } from '#libs/runtime/dependency.ts';
import { followAddresses } from '#libs/runtime/follow-setting.ts';
import { createLogger, synchronousOutput } from '#libs/runtime/logging.ts';
import { processSettings } from '#libs/runtime/settings.ts';
import { deciderFor } from '#libs/tenant/decider-for.ts';
import { MovementFollower } from './movement-follower.ts';
import type { MessageToThread } from './movement-thread.ts';

/**
 * Below the processor, which must not wait for it, but not the lowest: a thread that is hardly ever run keeps the ports and
 * connections of a killed process, and may hold a lock that others need.
 */
const lowPriority = 10;
/** A third of the heap of the thread. */
const maxCachedBytes = 80 * 1024 * 1024;
/** Longer than of the processor: without processor time to spare, this thread reads an answer late. */
const answerTimeoutMs = 60_000;

// On Linux the priority is that of the calling thread; elsewhere it would be that of the whole process.
if (process.platform === 'linux') setPriority(0, lowPriority);

const { env } = process;
const config = readConfig(env, { ...backingSettings, logLevel: processSettings.logLevel });
const logger = createLogger('processor', config.logLevel, synchronousOutput());
const { databaseUrl, schemaRegistryUrl } = followAddresses(env, logger);
const database = openDatabase({ url: databaseUrl, name: 'movements', connections: 1, maxHoldMs: answerTimeoutMs });
const lockDatabase = openDatabase({ url: databaseUrl, name: 'movements locks', connections: 1, answerTimeoutMs });
const registry = new SchemaRegistry(schemaRegistryUrl);

let follower: MovementFollower | undefined;
let assigned: readonly number[] = [];
let isStopping = false;

parentPort?.on('message', (message: MessageToThread) => {
  if (message.type === 'stop') void stop();
  else {
    assigned = message.partitions;
    follower?.assign(assigned);
  }
});

const codec = await waitForDependency(
  'the schema registry',
  () => AvroCodec.register<MovementRecord, MovementRecord<number>>(registry, movementSchema),
  logger,
);
if (!isStopping) {
  follower = new MovementFollower({
    kafka: connectKafka(config.kafkaBrokers, `${hostname()}/${process.pid}/movements-${threadId}`, logger),
    codec,
    database,
    lockDatabase,
    deciderFor,
    logger,
    maxCachedBytes,
    onRound: (state) => parentPort?.postMessage(state),
  });
  follower.assign(assigned);
}

async function stop(): Promise<void> {
  isStopping = true;
  await follower?.stop();
  process.exit();
}
