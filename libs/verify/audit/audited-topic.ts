/** The published topic held to the database: every fact once, in its order, and every field of it as the database has it. */
import { isDeepStrictEqual } from 'node:util';
import type { Queryable } from '#libs/database/database.ts';
import { eventsAfter } from '#libs/database/events.ts';
import type { BookEvent, BookEventCodec } from '#libs/kafka/book-event.ts';
import type { KafkaClient, WarnLog } from '#libs/kafka/kafka.ts';
import type { LogRecord } from '#libs/kafka/log-reader.ts';
import { whileItMoves } from '#libs/kafka/patience.ts';
import { topicEnds } from '#libs/kafka/topic-ends.ts';
import { followTopic } from '#libs/kafka/topic-follower.ts';
import type { Json } from '#libs/schema/json.ts';
import type { Findings } from './finding.ts';

export interface TopicAudit {
  readonly kafka: KafkaClient;
  readonly topic: string;
  readonly codec: BookEventCodec;
  readonly say: WarnLog;
  readonly on: Queryable;
  readonly findings: Findings;
  /** By partition, the last event the database holds: what comes after it is later than the audit. */
  readonly lasts: ReadonlyMap<number, number>;
  /** How long the publisher may take over its next event before the topic counts as ended. */
  readonly patientForMs?: number;
}

const usualPatienceMs = 15_000;
const together = 500;

export interface AuditedTopic {
  /** How many events were compared. */
  readonly events: number;
  /** Partitions that hold more than could be read: of what that is nothing is known, and nothing found. */
  readonly unread: readonly number[];
}

export async function auditTopic(audit: TopicAudit): Promise<AuditedTopic> {
  const { patientForMs = usualPatienceMs } = audit;
  // One connection is asked: the partitions take turns.
  let turn: Promise<void> = Promise.resolve();
  const inTurn = (work: () => Promise<void>): Promise<void> => {
    turn = turn.then(work);
    return turn;
  };
  const ends = await topicEnds(audit.kafka, audit.topic);
  const lanes = new Map(
    [...audit.lasts].map(([partition, last]) => [
      partition,
      new Lane(audit, { partition, last, ...(ends.get(partition) ?? { low: 0, high: 0 }) }),
    ]),
  );
  const follower = await followTopic({
    ...audit,
    deliver: (partition, records) => inTurn(async () => lanes.get(partition)?.take(records)),
  });
  const left = () => [...lanes.values()].filter((lane) => !lane.isWhole);
  try {
    // The topic may be behind. What lanes that are whole are told is later than the audit, and brings it no nearer.
    await whileItMoves({
      isThere: () => left().length === 0,
      far: () => left().reduce((sum, { told, next }) => sum + told + next, 0),
      isAtWork: () => left().some(({ isAtWork }) => isAtWork),
      patientForMs,
      failed: follower.failed,
    });
  } finally {
    await follower.stop();
  }
  const unread = await unreadOf(audit, left());
  let events = 0;
  for (const [partition, lane] of lanes) {
    if (!unread.includes(partition)) lane.end();
    events += lane.compared;
  }
  return { events, unread };
}

/** By where the topic ends now: the publisher may have gone on while it was read. */
async function unreadOf({ kafka, topic }: TopicAudit, left: readonly Lane[]): Promise<number[]> {
  if (left.length === 0) return [];
  const ends = await topicEnds(kafka, topic);
  return left
    .filter(({ partition, next }) => next < (ends.get(partition)?.high ?? 0))
    .map(({ partition }) => partition);
}

interface LaneEnds {
  readonly partition: number;
  /** The last event the database holds. */
  readonly last: number;
  /** What the topic still kept when it was asked: from here. */
  readonly low: number;
  /** To here: a repeat may stand behind the last event. */
  readonly high: number;
}

class Lane {
  readonly #audit: TopicAudit;
  readonly #ends: LaneEnds;
  told = 0;
  compared = 0;
  /** The place in the topic up to which it was read. */
  next: number;
  isAtWork = false;

  constructor(audit: TopicAudit, ends: LaneEnds) {
    this.#audit = audit;
    this.#ends = ends;
    this.next = ends.low;
  }

  get partition(): number {
    return this.#ends.partition;
  }

  get isWhole(): boolean {
    return this.told >= this.#ends.last && this.next >= this.#ends.high;
  }

  /** What the topic never told. */
  end(): void {
    if (this.told < this.#ends.last)
      this.#add('the topic ends before the database', this.told + 1, { expected: this.#ends.last, found: this.told });
  }

  async take(records: readonly LogRecord[]): Promise<void> {
    this.isAtWork = true;
    await this.#hold(records).finally(() => {
      this.isAtWork = false;
    });
    this.next = (records.at(-1)?.offset ?? 0) + 1;
  }

  async #hold(records: readonly LogRecord[]): Promise<void> {
    const due: BookEvent[] = [];
    for (const { offset, value } of records) {
      const event = await this.#read(offset, value);
      if (event === undefined) continue;
      const sequence = Number(event.sequence);
      if (sequence <= this.told) this.#add('an event is repeated', sequence, { expected: this.told + 1 });
      if (sequence > this.told + 1) this.#add('an event is missing', this.told + 1, { found: sequence });
      this.told = Math.max(this.told, sequence);
      // What was committed after the audit's moment is the next audit's.
      if (sequence <= this.#ends.last) due.push(event);
    }
    for (let at = 0; at < due.length; at += together) await this.#compare(due.slice(at, at + together));
  }

  async #read(offset: number, value: Buffer | null): Promise<BookEvent | undefined> {
    try {
      return await this.#audit.codec.decode(value ?? Buffer.alloc(0));
    } catch (fault) {
      this.#add('a record is no event', offset, { found: String(fault) });
      return undefined;
    }
  }

  async #compare(events: readonly BookEvent[]): Promise<void> {
    const sequences = events.map((event) => Number(event.sequence));
    const [from, to] = [Math.min(...sequences), Math.max(...sequences)];
    const kept = new Map(
      (await eventsAfter(this.#audit.on, this.#ends.partition, from - 1, to - from + 1)).map((event) => [
        event.sequence,
        event,
      ]),
    );
    for (const [at, event] of events.entries()) {
      const sequence = sequences[at] as number;
      this.compared += 1;
      const stored = kept.get(sequence);
      if (stored === undefined) {
        this.#add('the topic tells an event of which the database has no fact', sequence, {
          found: `${event.tenant_id}/${event.book_id} ${event.fact}`,
        });
        continue;
      }
      const member = differing(stored, event);
      if (member === undefined) continue;
      const where = `${event.tenant_id}/${event.book_id} ${event.fact}`;
      const of = { expected: shown(stored[member]), found: shown(event[member]) };
      this.#add(`the topic tells another ${member} of ${where} than the database`, sequence, of);
    }
  }

  #add(what: string, sequence: number, of: { readonly expected?: Json; readonly found?: Json }): void {
    this.#audit.findings.add({
      what,
      where: `${this.#audit.topic} partition ${this.#ends.partition}`,
      sequence,
      ...of,
    });
  }
}

function differing(stored: BookEvent<number>, told: BookEvent): keyof BookEvent | undefined {
  const members = Object.keys(stored) as (keyof BookEvent)[];
  return members.find((member) => !isDeepStrictEqual(plain(stored[member]), plain(told[member])));
}

/** Bytes and numbers as both sides can say them; beyond 2^53 the topic says a bigint that no number is. */
function plain(value: unknown): unknown {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value;
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex');
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plain(member)]));
}

function shown(value: unknown): Json {
  return (plain(value) ?? null) as Json;
}
