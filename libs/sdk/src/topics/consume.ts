/** Consumes `lending.book-events` and `lending.movements` from the position in the caller's store. */
import type { Kafka } from 'kafkajs';
import type { SchemaOf } from './avro-decoder.ts';
import type { BookEvent } from './book-event.ts';
import type { Position } from './consumer-position.ts';
import { EventDecoder } from './event-decoder.ts';
import type { Movement } from './movement.ts';
import { MovementDecoder } from './movement-decoder.ts';
import { type RegistryAddress, registrySchemas } from './schema-registry.ts';
import { TopicConsumer } from './topic-consumer.ts';

/** Consecutive events of one partition. */
export interface Batch {
  readonly partition: number;
  readonly events: readonly BookEvent[];
  /** The position before the events. The caller's store must still hold it when it commits. */
  readonly before: Position;
  /** The position after the events, to be stored with their effects in one transaction. */
  readonly position: Position;
}

/** Consecutive movements of one partition, to be processed as a `Batch` of events. */
export interface MovementBatch {
  readonly partition: number;
  readonly movements: readonly Movement[];
  readonly before: Position;
  readonly position: Position;
}

interface ConsumerOptions {
  readonly kafka: Kafka;
  readonly groupId: string;
  readonly registry: RegistryAddress | SchemaOf;
  /** The stored positions; a partition without one is read from its beginning. */
  readonly positionsOf: (partitions: readonly number[]) => Promise<ReadonlyMap<number, Position>>;
  readonly topic?: string;
  /** Batches of different partitions that are processed concurrently. */
  readonly partitionsAtOnce?: number;
  /** How long a consumer that died keeps its partitions. */
  readonly sessionMs?: number;
  /** Ends the consumer after the current batches. */
  readonly signal?: AbortSignal;
  /** Called with each error that is retried. Without it they are printed by `console.error`. */
  readonly onTrouble?: (cause: unknown) => void;
}

export interface ConsumeOptions extends ConsumerOptions {
  /**
   * Processes a batch. Where it throws, the position is read again and the batch is repeated. Compare `before` with the
   * stored position: they differ where the partition was assigned to another consumer meanwhile.
   */
  readonly take: (batch: Batch) => Promise<void>;
  readonly eventsAtOnce?: number;
}

export interface ConsumeMovementsOptions extends ConsumerOptions {
  /** As `take` of a `Batch` of events. */
  readonly take: (batch: MovementBatch) => Promise<void>;
  readonly movementsAtOnce?: number;
}

/**
 * Resolves when the signal ends it. Rejects where the events have a gap or cannot be decoded, where a stored position is no
 * position, and where Kafka refuses the credentials, the rights or the configuration. All other errors are retried, after
 * pauses that grow to 5 seconds.
 */
export async function consumeBookEvents({
  take,
  eventsAtOnce,
  registry,
  onTrouble = printError,
  ...options
}: ConsumeOptions): Promise<void> {
  const consumer = new TopicConsumer<BookEvent>({
    topic: 'lending.book-events',
    ...options,
    onTrouble,
    decoder: new EventDecoder(schemasOf(registry)),
    recordsAtOnce: eventsAtOnce,
    take: ({ records: events, ...batch }) => take({ ...batch, events }),
  });
  await consumer.run();
}

/** The same for what each fact changed in the journal of its book. */
export async function consumeMovements({
  take,
  movementsAtOnce,
  registry,
  onTrouble = printError,
  ...options
}: ConsumeMovementsOptions): Promise<void> {
  const consumer = new TopicConsumer<Movement>({
    topic: 'lending.movements',
    ...options,
    onTrouble,
    decoder: new MovementDecoder(schemasOf(registry)),
    recordsAtOnce: movementsAtOnce,
    take: ({ records: movements, ...batch }) => take({ ...batch, movements }),
  });
  await consumer.run();
}

/** The stack of an error of the driver says nothing; that of the caller's store says where it failed. */
function printError(cause: unknown): void {
  console.error(cause instanceof Error && cause.name.startsWith('KafkaJS') ? String(cause) : cause);
}

function schemasOf(registry: RegistryAddress | SchemaOf): SchemaOf {
  return typeof registry === 'function' ? registry : registrySchemas(registry);
}
