/** A database and topics of a test's own, beside those of the running services. No processor uses them. */
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import type { Database } from '#libs/database/database.ts';
import { openOwnerDatabase } from '#libs/database/pool.ts';
import { AvroCodec } from '#libs/kafka/avro-codec.ts';
import { type BookEvent, bookEventSchema } from '#libs/kafka/book-event.ts';
import { connectKafka, type KafkaClient } from '#libs/kafka/kafka-client.ts';
import { SchemaRegistry } from '#libs/kafka/schema-registry.ts';
import { type SubmissionCodec, type SubmissionRecord, submissionSchema } from '#libs/kafka/submission-record.ts';
import { topicOffsets, withAdmin } from '#libs/kafka/topic-offsets.ts';
import { topics } from '#libs/kafka/topics.ts';
import { retry } from '#libs/runtime/retry.ts';
import { servingSchema } from '#libs/verify/rebuild/shadow-schema.ts';
import { addressOf, createMigratedDatabase } from '#test/support/migrated-database.ts';
import { partitionCount } from '#test/support/partitions.ts';
import { testEnvironment } from '#test/support/tenant.ts';
import { withTopicReplaced } from './topic-override.ts';

const leaderRetry = { firstDelayMs: 50, maxDelayMs: 500, timeoutMs: 30_000 };

export class ScratchCell {
  /** Uses the topics of this cell under the names of those of the services. */
  readonly kafka: KafkaClient;
  /** Uses the topics of the services. */
  readonly servicesKafka: KafkaClient;
  readonly owner: Database;
  readonly url: string;
  readonly submissionCodec: SubmissionCodec;
  readonly eventCodec: AvroCodec<BookEvent, BookEvent<number>>;
  readonly #server: pg.Client;
  readonly #name: string;
  readonly #partitionCount: number;

  private constructor(
    name: string,
    server: pg.Client,
    codecs: Pick<ScratchCell, 'submissionCodec' | 'eventCodec'>,
    partitions: number,
  ) {
    const { kafkaBrokers } = testEnvironment().stack;
    this.#name = name;
    this.#server = server;
    this.#partitionCount = partitions;
    this.url = addressOf(name);
    this.submissionCodec = codecs.submissionCodec;
    this.eventCodec = codecs.eventCodec;
    this.owner = openOwnerDatabase({ url: this.url, name: 'scratch cell' }, servingSchema);
    this.servicesKafka = connectKafka(kafkaBrokers, name);
    this.kafka = Object.values(topics).reduce(
      (kafka, topic) => withTopicReplaced(kafka, topic, this.topicName(topic)),
      this.servicesKafka,
    );
  }

  static async open({ partitions = partitionCount, isDivided = true } = {}): Promise<ScratchCell> {
    const { databaseUrl, schemaRegistryUrl } = testEnvironment().stack;
    const name = `scratch_${randomUUID().slice(0, 8)}`;
    const server = new pg.Client({ connectionString: databaseUrl });
    await server.connect();
    await createMigratedDatabase(server, name, { partitions, isDivided });
    const registry = new SchemaRegistry(schemaRegistryUrl);
    const codecs = {
      submissionCodec: await AvroCodec.open<SubmissionRecord>(registry, submissionSchema),
      eventCodec: await AvroCodec.open<BookEvent, BookEvent<number>>(registry, bookEventSchema),
    };
    const cell = new ScratchCell(name, server, codecs, partitions);
    await cell.#createTopics();
    return cell;
  }

  async #createTopics(): Promise<void> {
    await withAdmin(this.servicesKafka, (admin) =>
      admin.createTopics({
        // The driver gives up where the broker does not know the topic yet. It is waited for below.
        waitForLeaders: false,
        topics: this.#topicNames.map((topic) => ({ topic, numPartitions: this.#partitionCount })),
      }),
    );
    for (const topic of Object.values(topics)) await retry(() => topicOffsets(this.kafka, topic), leaderRetry);
  }

  /** As if Kafka had lost them. */
  async recreateTopics(): Promise<void> {
    await this.#deleteTopics();
    await retry(() => this.#createTopics(), leaderRetry);
  }

  #deleteTopics(): Promise<void> {
    return withAdmin(this.servicesKafka, (admin) => admin.deleteTopics({ topics: this.#topicNames }));
  }

  topicName(topic: string): string {
    return `${this.#name}.${topic}`;
  }

  get #topicNames(): string[] {
    return Object.values(topics).map((topic) => this.topicName(topic));
  }

  async close(): Promise<void> {
    await this.owner.end();
    await this.#deleteTopics();
    await this.#server.query(`DROP DATABASE ${this.#name} WITH (FORCE)`);
    await this.#server.end();
  }
}
