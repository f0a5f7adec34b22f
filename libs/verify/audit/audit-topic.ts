/**
 * Reads a topic that has one record for each fact, and compares it: every fact, in order, with equal content. Records that a
 * former owner repeated are compared, too, and counted: consumers drop them.
 */
import { isDeepStrictEqual } from 'node:util';
import { readEventsAfter } from '#libs/database/read-events.ts';
import type { BookEvent, BookEventCodec } from '#libs/kafka/book-event.ts';
import type { KafkaClient } from '#libs/kafka/kafka-client.ts';
import type { TopicRecord } from '#libs/kafka/topic-consumer.ts';
import { followTopic } from '#libs/kafka/topic-follower.ts';
import { type OffsetRange, topicOffsets } from '#libs/kafka/topic-offsets.ts';
import { waitForCompletion } from '#libs/kafka/with-timeout.ts';
import type { Logger } from '#libs/runtime/logging.ts';
import type { Json } from '#libs/schema/json.ts';
import type { TopicProgress } from './audit-progress.ts';
import { Findings, mergeFindings } from './findings.ts';
import { PartQueue, type Pause } from './part-runner.ts';
import type { ReadSnapshot } from './snapshots.ts';

/** What records of both topics of facts have in common. */
export interface NumberedRecord {
  readonly sequence: bigint;
  readonly tenant_id: string;
  readonly book_id: string;
  readonly fact: bigint;
}

export type ReportFinding = (
  what: string,
  sequence: number,
  values: { readonly expected?: Json; readonly found?: Json },
) => void;

/** The facts of one topic and what each record must hold. */
export interface TopicContents<Record extends NumberedRecord> {
  readonly topic: string;
  /** In findings, with its article. */
  readonly recordName: string;
  readonly decode: (bytes: Buffer) => Record | Promise<Record>;
  readonly compare: (partition: number, records: readonly Record[], report: ReportFinding) => Promise<void> | void;
}

interface TopicReadOptions {
  readonly kafka: KafkaClient;
  readonly logger: Logger;
  readonly findings: Findings;
  /** By audited partition, the number of the last event in the database. Later events are not audited. */
  readonly lastEvents: ReadonlyMap<number, number>;
  /** How far an interrupted audit is, by partition. Changed with each batch. */
  readonly progress?: Map<number, TopicProgress>;
  /** Called when the progress of a partition has changed. */
  readonly onProgress?: (partition: number) => void;
  /** A part is a batch of records. */
  readonly pause?: Pause | undefined;
  /** How long the publisher may need for its next event before the topic counts as ended. */
  readonly stallTimeoutMs?: number;
}

export interface TopicAuditOptions extends TopicReadOptions {
  readonly topic: string;
  readonly codec: BookEventCodec;
  /** Facts are never changed: each query may have a snapshot of its own. */
  readonly readSnapshot: ReadSnapshot;
}

const defaultStallTimeoutMs = 15_000;
const eventsPerQuery = 500;
/** More are counted. */
const maxFindingsPerPartition = 10_000;

export interface TopicAuditResult {
  /** How many events were compared. */
  readonly events: number;
  /** How many of them follow one with the same number or a later one. */
  readonly repeats: number;
  /** Partitions that could not be read to their end. Nothing is reported about their remaining events. */
  readonly unreadPartitions: readonly number[];
}

/** Compares `lending.book-events` with the database. */
export function auditTopic({ topic, codec, readSnapshot, ...options }: TopicAuditOptions): Promise<TopicAuditResult> {
  return auditNumberedTopic(options, {
    topic,
    recordName: 'an event',
    decode: (bytes) => codec.decode(bytes),
    async compare(partition, events, report) {
      for (const range of inRanges(events)) await compareWithDatabase(readSnapshot, partition, range, report);
    },
  });
}

export async function auditNumberedTopic<Record extends NumberedRecord>(
  options: TopicReadOptions,
  contents: TopicContents<Record>,
): Promise<TopicAuditResult> {
  const { kafka, findings, lastEvents, progress = new Map<number, TopicProgress>() } = options;
  const { topic } = contents;
  const offsets = await topicOffsets(kafka, topic);
  const audits = [...lastEvents].map(([partition, lastEvent]) => {
    const range = offsets.get(partition) ?? { low: 0, high: 0 };
    const current = continuedProgress(progress.get(partition), range);
    progress.set(partition, current);
    return new PartitionAudit(current, contents, { partition, lastEvent, high: range.high });
  });
  const incomplete = () => audits.filter((audit) => !audit.isComplete);
  if (incomplete().length > 0) await readPartitions(options, topic, audits);
  const unreadPartitions = await findUnreadPartitions(kafka, topic, incomplete());
  for (const audit of audits) {
    findings.addAll(audit.progress.findings);
    if (!unreadPartitions.includes(audit.partition)) audit.reportMissingEnd(findings);
  }
  const sumOf = (count: (progress: TopicProgress) => number): number =>
    audits.reduce((sum, each) => sum + count(each.progress), 0);
  return { events: sumOf(({ compared }) => compared), repeats: sumOf(({ repeats }) => repeats), unreadPartitions };
}

/** Reads until all partitions are complete, or no progress is made. */
async function readPartitions<Record extends NumberedRecord>(
  { kafka, logger, stallTimeoutMs = defaultStallTimeoutMs, pause, onProgress }: TopicReadOptions,
  topic: string,
  audits: readonly PartitionAudit<Record>[],
): Promise<void> {
  const incomplete = () => audits.filter((audit) => !audit.isComplete);
  const auditOf = new Map(incomplete().map((audit) => [audit.partition, audit]));
  const queue = new PartQueue(pause);
  const follower = await followTopic({
    kafka,
    topic,
    logger,
    // Nothing is read of the other partitions.
    from: ({ high }, partition) => auditOf.get(partition)?.progress.nextOffset ?? high,
    onRecords: (partition, records) => {
      const audit = auditOf.get(partition);
      // Records that arrive meanwhile are no work: a partition whose records end too early would never count as stalled.
      if (audit === undefined || audit.isComplete) return undefined;
      return queue.run(async () => {
        await audit.compareRecords(records);
        onProgress?.(partition);
      });
    },
  });
  try {
    // The topic may lag behind the database. Only progress of incomplete partitions counts.
    await waitForCompletion({
      isDone: () => incomplete().length === 0,
      progress: () =>
        incomplete().reduce((sum, { progress: { lastSeen, nextOffset } }) => sum + lastSeen + nextOffset, 0),
      isWorking: () => queue.isBusy,
      stallTimeoutMs,
      failed: follower.failed,
    });
  } finally {
    // Parts that wait would change the progress after the audit has ended.
    await Promise.all([queue.stop(), follower.stop()]);
  }
}

/** From the beginning where the topic was written again meanwhile. */
function continuedProgress(known: TopicProgress | undefined, { low, high }: OffsetRange): TopicProgress {
  if (known !== undefined && known.low === low && known.nextOffset <= high) return known;
  const findings = { listed: [], count: 0 };
  return { low, nextOffset: low, lastSeen: 0, compared: 0, repeats: 0, isComplete: false, findings };
}

/** Compared with the current end of the topic: events may have been published during the audit. */
async function findUnreadPartitions(
  kafka: KafkaClient,
  topic: string,
  incomplete: readonly { readonly partition: number; readonly progress: TopicProgress }[],
): Promise<number[]> {
  if (incomplete.length === 0) return [];
  const offsets = await topicOffsets(kafka, topic);
  return incomplete
    .filter(({ partition, progress: { nextOffset } }) => nextOffset < (offsets.get(partition)?.high ?? 0))
    .map(({ partition }) => partition);
}

interface PartitionBounds {
  readonly partition: number;
  /** The number of the last event in the database. */
  readonly lastEvent: number;
  /** The end offset at the start of the audit: repeated events may follow the last one. */
  readonly high: number;
}

class PartitionAudit<Record extends NumberedRecord> {
  readonly progress: TopicProgress;
  readonly #contents: TopicContents<Record>;
  readonly #bounds: PartitionBounds;
  /** Of the records that are compared now. */
  #findings = new Findings(maxFindingsPerPartition);

  constructor(progress: TopicProgress, contents: TopicContents<Record>, bounds: PartitionBounds) {
    this.progress = progress;
    this.#contents = contents;
    this.#bounds = bounds;
    this.#noteCompletion();
  }

  get partition(): number {
    return this.#bounds.partition;
  }

  get #where(): string {
    return `${this.#contents.topic} partition ${this.partition}`;
  }

  get isComplete(): boolean {
    return this.progress.isComplete;
  }

  /** Not part of the progress: the topic may go on later. */
  reportMissingEnd(findings: Findings): void {
    const { lastSeen } = this.progress;
    const { lastEvent } = this.#bounds;
    if (lastSeen >= lastEvent) return;
    const what = 'the topic ends before the database';
    findings.add({ what, where: this.#where, sequence: lastSeen + 1, expected: lastEvent, found: lastSeen });
  }

  /** Changes the progress when all records are compared. */
  async compareRecords(records: readonly TopicRecord[]): Promise<void> {
    const { decoded, lastSeen, repeats } = await this.#decodeInOrder(records);
    await this.#contents.compare(this.partition, decoded, (...finding) => this.#report(...finding));
    this.progress.lastSeen = lastSeen;
    this.progress.repeats += repeats;
    this.progress.compared += decoded.length;
    this.progress.nextOffset = (records.at(-1)?.offset ?? 0) + 1;
    this.#keepFindings();
    this.#noteCompletion();
  }

  /** Reports gaps and counts repeats. The records are those of facts that the database held at the start of the audit. */
  async #decodeInOrder(
    records: readonly TopicRecord[],
  ): Promise<{ readonly decoded: Record[]; readonly lastSeen: number; readonly repeats: number }> {
    const decoded: Record[] = [];
    let { lastSeen } = this.progress;
    let repeats = 0;
    for (const { offset, value } of records) {
      const record = await this.#decode(offset, value);
      if (record === undefined) continue;
      const sequence = Number(record.sequence);
      const expected = lastSeen + 1;
      if (sequence > expected) this.#report(`${this.#contents.recordName} is missing`, expected, { found: sequence });
      lastSeen = Math.max(lastSeen, sequence);
      if (sequence > this.#bounds.lastEvent) continue;
      if (sequence < expected) repeats += 1;
      decoded.push(record);
    }
    return { decoded, lastSeen, repeats };
  }

  async #decode(offset: number, value: Buffer | null): Promise<Record | undefined> {
    try {
      return await this.#contents.decode(value ?? Buffer.alloc(0));
    } catch (error) {
      this.#report(`a record is not ${this.#contents.recordName}`, offset, { found: String(error) });
      return undefined;
    }
  }

  #report(what: string, sequence: number, values: { readonly expected?: Json; readonly found?: Json }): void {
    this.#findings.add({ what, where: this.#where, sequence, ...values });
  }

  #keepFindings(): void {
    this.progress.findings = mergeFindings([this.progress.findings, this.#findings], maxFindingsPerPartition);
    this.#findings = new Findings(maxFindingsPerPartition);
  }

  #noteCompletion(): void {
    const { lastSeen, nextOffset } = this.progress;
    if (lastSeen >= this.#bounds.lastEvent && nextOffset >= this.#bounds.high) this.progress.isComplete = true;
  }
}

/** Events whose numbers one statement may read from the first to the last: in a damaged topic they may be far apart. */
function inRanges(events: readonly BookEvent[]): BookEvent[][] {
  const ranges: BookEvent[][] = [];
  let [first, last] = [0, 0];
  for (const event of events) {
    const sequence = Number(event.sequence);
    const range = ranges.at(-1);
    const [lower, upper] = [Math.min(first, sequence), Math.max(last, sequence)];
    if (range !== undefined && upper - lower < eventsPerQuery) {
      range.push(event);
      [first, last] = [lower, upper];
    } else {
      ranges.push([event]);
      [first, last] = [sequence, sequence];
    }
  }
  return ranges;
}

async function compareWithDatabase(
  readSnapshot: ReadSnapshot,
  partition: number,
  events: readonly BookEvent[],
  report: ReportFinding,
): Promise<void> {
  const sequences = events.map((event) => Number(event.sequence));
  const [first, last] = [Math.min(...sequences), Math.max(...sequences)];
  const rows = await readSnapshot((database) => readEventsAfter(database, partition, first - 1, last - first + 1));
  const storedEvents = new Map(rows.map((event) => [event.sequence, event]));
  for (const event of events) {
    const sequence = Number(event.sequence);
    const fact = nameOfFact(event);
    const stored = storedEvents.get(sequence);
    if (stored === undefined) {
      report('the topic holds an event that the database has no fact for', sequence, { found: fact });
      continue;
    }
    const member = differentMember(stored, event);
    if (member === undefined) continue;
    report(`${member} of ${fact} differs between database and topic`, sequence, {
      expected: toJson(stored[member]),
      found: toJson(event[member]),
    });
  }
}

export function nameOfFact({ tenant_id, book_id, fact }: NumberedRecord): string {
  return `${tenant_id}/${book_id} ${fact}`;
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
