/** Compares `lending.book-events` with the database: every fact once, in order, with equal fields. */
import { isDeepStrictEqual } from 'node:util';
import type { Queryable } from '#libs/database/database.ts';
import { readEventsAfter } from '#libs/database/read-events.ts';
import type { BookEvent, BookEventCodec } from '#libs/kafka/book-event.ts';
import type { KafkaClient } from '#libs/kafka/kafka-client.ts';
import type { TopicRecord } from '#libs/kafka/topic-consumer.ts';
import { followTopic } from '#libs/kafka/topic-follower.ts';
import { topicOffsets } from '#libs/kafka/topic-offsets.ts';
import { waitForCompletion } from '#libs/kafka/with-timeout.ts';
import type { Logger } from '#libs/runtime/logging.ts';
import type { Json } from '#libs/schema/json.ts';
import type { Findings } from './findings.ts';

export interface TopicAuditOptions {
  readonly kafka: KafkaClient;
  readonly topic: string;
  readonly codec: BookEventCodec;
  readonly logger: Logger;
  readonly database: Queryable;
  readonly findings: Findings;
  /** By partition, the number of the last event in the database. Later events are not audited. */
  readonly lastEvents: ReadonlyMap<number, number>;
  /** How long the publisher may need for its next event before the topic counts as ended. */
  readonly stallTimeoutMs?: number;
}

const defaultStallTimeoutMs = 15_000;
const eventsPerQuery = 500;

export interface TopicAuditResult {
  /** How many events were compared. */
  readonly events: number;
  /** Partitions that could not be read to their end. Nothing is reported about their remaining events. */
  readonly unreadPartitions: readonly number[];
}

export async function auditTopic(options: TopicAuditOptions): Promise<TopicAuditResult> {
  const { kafka, topic, logger, lastEvents, stallTimeoutMs = defaultStallTimeoutMs } = options;
  const offsets = await topicOffsets(kafka, topic);
  const audits = [...lastEvents].map(([partition, lastEvent]) => {
    const { low, high } = offsets.get(partition) ?? { low: 0, high: 0 };
    return new PartitionAudit(options, { partition, lastEvent, low, high });
  });
  const auditOf = new Map(audits.map((audit) => [audit.partition, audit]));
  // All partitions share one database connection, so their batches are compared one after the other.
  let queue: Promise<void> = Promise.resolve();
  const follower = await followTopic({
    kafka,
    topic,
    logger,
    onRecords: (partition, records) => {
      queue = queue.then(() => auditOf.get(partition)?.compareRecords(records));
      return queue;
    },
  });
  const incomplete = () => audits.filter((audit) => !audit.isComplete);
  try {
    // The topic may lag behind the database. Only progress of incomplete partitions counts.
    await waitForCompletion({
      isDone: () => incomplete().length === 0,
      progress: () => incomplete().reduce((sum, { lastSeen, nextOffset }) => sum + lastSeen + nextOffset, 0),
      isWorking: () => incomplete().some(({ isWorking }) => isWorking),
      stallTimeoutMs,
      failed: follower.failed,
    });
  } finally {
    await follower.stop();
  }
  const unreadPartitions = await findUnreadPartitions(options, incomplete());
  for (const audit of audits) if (!unreadPartitions.includes(audit.partition)) audit.reportMissingEnd();
  return { events: audits.reduce((sum, { compared }) => sum + compared, 0), unreadPartitions };
}

/** Compared with the current end of the topic: events may have been published during the audit. */
async function findUnreadPartitions(
  { kafka, topic }: TopicAuditOptions,
  incomplete: readonly PartitionAudit[],
): Promise<number[]> {
  if (incomplete.length === 0) return [];
  const offsets = await topicOffsets(kafka, topic);
  return incomplete
    .filter(({ partition, nextOffset }) => nextOffset < (offsets.get(partition)?.high ?? 0))
    .map(({ partition }) => partition);
}

interface PartitionBounds {
  readonly partition: number;
  /** The number of the last event in the database. */
  readonly lastEvent: number;
  /** The first offset at the start of the audit. */
  readonly low: number;
  /** The end offset at the start of the audit: repeated events may follow the last one. */
  readonly high: number;
}

class PartitionAudit {
  readonly #options: TopicAuditOptions;
  readonly #bounds: PartitionBounds;
  /** The highest event number that was read. */
  lastSeen = 0;
  compared = 0;
  nextOffset: number;
  isWorking = false;

  constructor(options: TopicAuditOptions, bounds: PartitionBounds) {
    this.#options = options;
    this.#bounds = bounds;
    this.nextOffset = bounds.low;
  }

  get partition(): number {
    return this.#bounds.partition;
  }

  get isComplete(): boolean {
    return this.lastSeen >= this.#bounds.lastEvent && this.nextOffset >= this.#bounds.high;
  }

  reportMissingEnd(): void {
    const { lastSeen } = this;
    const { lastEvent } = this.#bounds;
    if (lastSeen >= lastEvent) return;
    this.#report('the topic ends before the database', lastSeen + 1, { expected: lastEvent, found: lastSeen });
  }

  async compareRecords(records: readonly TopicRecord[]): Promise<void> {
    this.isWorking = true;
    try {
      const events = await this.#decodeInOrder(records);
      for (let start = 0; start < events.length; start += eventsPerQuery) {
        await this.#compareWithDatabase(events.slice(start, start + eventsPerQuery));
      }
    } finally {
      this.isWorking = false;
    }
    this.nextOffset = (records.at(-1)?.offset ?? 0) + 1;
  }

  /** Reports gaps and repeats. Returns the events that the database held at the start of the audit. */
  async #decodeInOrder(records: readonly TopicRecord[]): Promise<BookEvent[]> {
    const events: BookEvent[] = [];
    for (const { offset, value } of records) {
      const event = await this.#decode(offset, value);
      if (event === undefined) continue;
      const sequence = Number(event.sequence);
      const expected = this.lastSeen + 1;
      if (sequence < expected) this.#report('an event is repeated', sequence, { expected });
      if (sequence > expected) this.#report('an event is missing', expected, { found: sequence });
      this.lastSeen = Math.max(this.lastSeen, sequence);
      if (sequence <= this.#bounds.lastEvent) events.push(event);
    }
    return events;
  }

  async #decode(offset: number, value: Buffer | null): Promise<BookEvent | undefined> {
    try {
      return await this.#options.codec.decode(value ?? Buffer.alloc(0));
    } catch (error) {
      this.#report('a record is not an event', offset, { found: String(error) });
      return undefined;
    }
  }

  async #compareWithDatabase(events: readonly BookEvent[]): Promise<void> {
    const sequences = events.map((event) => Number(event.sequence));
    const [first, last] = [Math.min(...sequences), Math.max(...sequences)];
    const rows = await readEventsAfter(this.#options.database, this.partition, first - 1, last - first + 1);
    const storedEvents = new Map(rows.map((event) => [event.sequence, event]));
    for (const event of events) {
      const sequence = Number(event.sequence);
      const fact = `${event.tenant_id}/${event.book_id} ${event.fact}`;
      this.compared += 1;
      const stored = storedEvents.get(sequence);
      if (stored === undefined) {
        this.#report('the topic holds an event that the database has no fact for', sequence, { found: fact });
        continue;
      }
      const member = differentMember(stored, event);
      if (member === undefined) continue;
      this.#report(`${member} of ${fact} differs between database and topic`, sequence, {
        expected: toJson(stored[member]),
        found: toJson(event[member]),
      });
    }
  }

  #report(what: string, sequence: number, values: { readonly expected?: Json; readonly found?: Json }): void {
    const where = `${this.#options.topic} partition ${this.partition}`;
    this.#options.findings.add({ what, where, sequence, ...values });
  }
}

function differentMember(stored: BookEvent<number>, published: BookEvent): keyof BookEvent | undefined {
  const members = Object.keys(stored) as (keyof BookEvent)[];
  return members.find((member) => !isDeepStrictEqual(comparable(stored[member]), comparable(published[member])));
}

/** Bytes as hexadecimal and bigints as numbers, except beyond 2^53, where no number would be equal. */
function comparable(value: unknown): unknown {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value;
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex');
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, comparable(member)]));
}

function toJson(value: unknown): Json {
  return (comparable(value) ?? null) as Json;
}
