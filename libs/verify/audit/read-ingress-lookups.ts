/**
 * The data an ingress looked up for a submission: product configuration or policy versions. It is stored only in
 * `lending.submissions`, so it is known as long as that topic keeps it. The terms of an issuance are immutable and can be
 * looked up again.
 */
import { createLookups, lookUpIssuanceTerms } from '#libs/database/immutable-lookups.ts';
import type { PartitionDatabases } from '#libs/database/partition-databases.ts';
import type { PartitionPosition } from '#libs/database/partitions.ts';
import { AvroCodec } from '#libs/kafka/avro-codec.ts';
import type { KafkaClient } from '#libs/kafka/kafka-client.ts';
import type { SchemaRegistry } from '#libs/kafka/schema-registry.ts';
import { type SubmissionCodec, type SubmissionRecord, submissionSchema } from '#libs/kafka/submission-record.ts';
import { readTopic } from '#libs/kafka/topic-follower.ts';
import { topics } from '#libs/kafka/topics.ts';
import { heapShareBytes } from '#libs/runtime/heap-shares.ts';
import type { Logger } from '#libs/runtime/logging.ts';
import type { Json, JsonObject } from '#libs/schema/json.ts';
import { PartQueue, type Pause } from './part-runner.ts';

interface SubmissionPosition {
  readonly partition: number;
  readonly offset: number;
  readonly item: number;
}

export class ResolvedData {
  readonly #lookups: ReturnType<typeof createLookups>;
  readonly #byPosition = new Map<string, string>();
  /** Equal texts are stored once. */
  readonly #texts = new Map<string, string>();

  constructor(databases: PartitionDatabases) {
    this.#lookups = createLookups(databases, heapShareBytes('queryLookups'));
  }

  add(position: SubmissionPosition, resolved: string): void {
    const text = this.#texts.get(resolved) ?? resolved;
    this.#texts.set(text, text);
    this.#byPosition.set(positionKey(position), text);
  }

  /** Null when nothing was looked up, or when it is no longer known. */
  async find(
    position: SubmissionPosition & { readonly tenant_id: string },
    { operation, body }: { readonly operation: string; readonly body: JsonObject },
  ): Promise<Json> {
    const text =
      this.#byPosition.get(positionKey(position)) ??
      (operation === 'issueLoan'
        ? await lookUpIssuanceTerms(this.#lookups, { tenantId: position.tenant_id, body })
        : undefined);
    return text === undefined ? null : (JSON.parse(text) as Json);
  }
}

function positionKey({ partition, offset, item }: SubmissionPosition): string {
  return `${partition}/${offset}/${item}`;
}

export interface SubmissionTopicOptions {
  readonly kafka: KafkaClient;
  readonly registry: SchemaRegistry;
  readonly logger: Logger;
  readonly positions: ReadonlyMap<number, PartitionPosition>;
  /** A part is a batch of records. */
  readonly pause?: Pause | undefined;
}

/** Reads the resolved data of all submissions in the topic, without the terms of issuances: these are looked up again. */
export async function readResolvedData(options: SubmissionTopicOptions, resolvedData: ResolvedData): Promise<void> {
  const { kafka, registry, logger, positions, pause } = options;
  const queue = new PartQueue(pause);
  const codec = await AvroCodec.open<SubmissionRecord>(registry, submissionSchema);
  await readTopic({
    kafka,
    topic: topics.submissions,
    logger,
    skipsDeletedRecords: true,
    onRecords: (partition, records) =>
      queue.run(async () => {
        const logStart = positions.get(partition)?.logStart ?? 0;
        for (const record of records) {
          const { value } = record;
          const offset = logStart + record.offset;
          for (const { item, resolved } of await itemsOf(codec, value)) {
            if (resolved !== null) resolvedData.add({ partition, offset, item }, resolved);
          }
        }
      }),
  });
}

/** Empty for a record whose data is not needed, and for one that cannot be decoded: it parked its book and caused no facts. */
async function itemsOf(codec: SubmissionCodec, value: Buffer | null): Promise<SubmissionRecord['items']> {
  try {
    const { operation, items } = await codec.decode(value ?? Buffer.alloc(0));
    return operation === 'issueLoan' ? [] : items;
  } catch {
    return [];
  }
}
