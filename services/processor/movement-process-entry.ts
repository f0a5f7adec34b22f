/** The process of `movement-process.ts`. Its connections are its own; its settings are those of the processor. */
import { hostname } from 'node:os';
import { openDatabase } from '#libs/database/pool.ts';
import { AvroCodec } from '#libs/kafka/avro-codec.ts';
import { connectKafka } from '#libs/kafka/kafka-client.ts';
import { type MovementRecord, movementSchema } from '#libs/kafka/movement.ts';
import { SchemaRegistry } from '#libs/kafka/schema-registry.ts';
import { readConfig } from '#libs/runtime/config.ts';
import { backingSettings } from '#libs/runtime/connection-settings.ts';
import { waitForDependency } from '#libs/runtime/dependency.ts';
import { followAddresses } from '#libs/runtime/follow-setting.ts';
import { heapShareBytes } from '#libs/runtime/heap-shares.ts';
import { createLogger, synchronousOutput } from '#libs/runtime/logging.ts';
import { processSettings } from '#libs/runtime/settings.ts';
import { deciderFor } from '#libs/tenant/decider-for.ts';
import { MovementFollower } from './movement-follower.ts';
import type { MessageToFollower } from './movement-process.ts';

/** Longer than of the processor: without processor time to spare, this process reads an answer late. */
const answerTimeoutMs = 60_000;

// A signal of a terminal or of a service manager reaches the whole process group: the processor says when to stop.
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => undefined);

const { env } = process;
const config = readConfig(env, { ...backingSettings, logLevel: processSettings.logLevel });
const logger = createLogger('processor', config.logLevel, synchronousOutput());
for (const name of ['uncaughtException', 'unhandledRejection'] as const) {
  process.on(name, (err: unknown) => {
    logger.fatal({ event: 'service.uncaught_error', err }, 'uncaught error in the process of movements; exiting');
    process.exit(1);
  });
}
const { databaseUrl, schemaRegistryUrl } = followAddresses(env, logger);
const database = openDatabase({ url: databaseUrl, name: 'movements', connections: 1, maxHoldMs: answerTimeoutMs });
const lockDatabase = openDatabase({ url: databaseUrl, name: 'movements locks', connections: 1, answerTimeoutMs });
const registry = new SchemaRegistry(schemaRegistryUrl);

let follower: MovementFollower | undefined;
let assigned: readonly number[] = [];
let isMachineBusy = false;
let isStopping = false;

process.on('message', (message: MessageToFollower) => {
  if (message.type === 'stop') void stop();
  else {
    assigned = message.partitions;
    isMachineBusy = message.isMachineBusy;
    follower?.assign(assigned);
  }
});
// The processor has ended, perhaps before this process listened: its successor publishes the movements.
process.once('disconnect', () => process.exit());
if (!process.connected) process.exit();

const codec = await waitForDependency(
  'the schema registry',
  () => AvroCodec.open<MovementRecord, MovementRecord<number>>(registry, movementSchema),
  logger,
);
if (!isStopping) {
  follower = new MovementFollower({
    kafka: connectKafka(config.kafkaBrokers, `${hostname()}/${process.pid}/movements`, logger),
    codec,
    database,
    lockDatabase,
    deciderFor,
    logger,
    bookLimits: {
      maxCachedBytes: heapShareBytes('movementBooks'),
      maxLoadedBytes: heapShareBytes('loadedMovementBooks'),
      maxBookBytes: heapShareBytes('movementBook'),
      maxLineBytes: heapShareBytes('movementLines'),
    },
    isMachineBusy: () => isMachineBusy,
    onRound: (state) => {
      if (process.connected) process.send?.(state);
    },
  });
  follower.assign(assigned);
}

async function stop(): Promise<void> {
  isStopping = true;
  await follower?.stop();
  process.exit();
}
