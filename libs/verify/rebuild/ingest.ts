/** Takes the events of the topic into the new tables for as long as it is let: no gap, and no repeat. */

import type { BookKey } from '#libs/database/books.ts';
import type { Database } from '#libs/database/database.ts';
import type { AvroCodec } from '#libs/kafka/avro.ts';
import type { KafkaClient, WarnLog } from '#libs/kafka/kafka.ts';
import type { LogRecord } from '#libs/kafka/log-reader.ts';
import { whileItMoves } from '#libs/kafka/patience.ts';
import { topicEnds } from '#libs/kafka/topic-ends.ts';
import { followTopic, type TopicFollower } from '#libs/kafka/topic-follower.ts';
import { topics } from '#libs/kafka/topics.ts';
import { type EventIn, writeEvents } from './event-rows.ts';

export interface IntakeOptions {
  readonly kafka: KafkaClient;
  readonly codec: AvroCodec<EventIn>;
  readonly say: WarnLog;
  readonly database: Database;
}

/** How far a partition was taken in. */
export interface Last {
  readonly sequence: number;
  /** The furthest submission that anything was recorded of: what a released book waited with stands before it. */
  readonly offset: number;
  readonly item: number;
}

const together = 2_000;
const lookEveryMs = 10;
/** How long the topic may tell nothing where it holds more. */
const patientForMs = 60_000;

export class Intake {
  readonly #options: IntakeOptions;
  readonly #lasts = new Map<number, Last>();
  /** The place in the topic up to which each partition was taken in. */
  readonly #read = new Map<number, number>();
  #touched = new Map<string, BookKey>();
  /** By partition, the last event of what is being taken in. */
  readonly #pending = new Map<number, number>();
  /** By partition, what is being taken in of it. */
  readonly #taking = new Map<number, Promise<void>>();
  #gate: Promise<void> | undefined;
  #failure: unknown;
  #follower: TopicFollower | undefined;
  #events = 0;

  private constructor(options: IntakeOptions) {
    this.#options = options;
  }

  static async open(options: IntakeOptions): Promise<Intake> {
    const intake = new Intake(options);
    const { kafka, say } = options;
    intake.#follower = await followTopic({
      kafka,
      topic: topics.bookEvents,
      say,
      deliver: (partition, records) => intake.#deliver(partition, records),
    });
    intake.#follower.failed.catch((cause: unknown) => intake.#fail(cause));
    return intake;
  }

  get events(): number {
    return this.#events;
  }

  get lasts(): ReadonlyMap<number, Last> {
    return this.#lasts;
  }

  /** The books that something was taken in of since the last time this was asked. */
  touched(): BookKey[] {
    const names = [...this.#touched.values()];
    this.#touched = new Map();
    return names;
  }

  /** Nothing is taken in while the work goes on: what was is whole then, and the topic waits. */
  async still<T>(work: () => Promise<T>): Promise<T> {
    let go: () => void = () => undefined;
    this.#gate = new Promise((resolve) => {
      go = resolve;
    });
    try {
      await Promise.all(this.#taking.values());
      return await work();
    } finally {
      this.#gate = undefined;
      go();
    }
  }

  /** Resolves when everything is taken in that the topic held when this was asked. */
  async toEnd(): Promise<void> {
    const ends = await topicEnds(this.#options.kafka, topics.bookEvents);
    const left = () =>
      [...ends].filter(([partition, { low, high }]) => high > low && (this.#read.get(partition) ?? 0) < high);
    const isThere = (): boolean => {
      if (this.#failure !== undefined) throw this.#failure;
      return left().length === 0;
    };
    const far = (): number => left().reduce((sum, [partition]) => sum + (this.#read.get(partition) ?? 0), 0);
    const { failed } = this.#follower as TopicFollower;
    const isAtWork = (): boolean => left().some(([partition]) => this.#taking.has(partition));
    if (!(await whileItMoves({ isThere, far, isAtWork, patientForMs, failed })))
      throw new Error(`${topics.bookEvents} cannot be read on: nothing came of it for ${patientForMs / 1_000} s`);
  }

  /** Whether every partition was taken in up to its event within the time. */
  reaches(sequences: ReadonlyMap<number, number>, withinMs: number): Promise<boolean> {
    return this.#until(
      () => [...sequences].every(([partition, sequence]) => (this.#lasts.get(partition)?.sequence ?? 0) >= sequence),
      withinMs,
    );
  }

  async stop(): Promise<void> {
    await this.#follower?.stop();
  }

  async #until(isSo: () => boolean, withinMs: number): Promise<boolean> {
    for (const until = performance.now() + withinMs; ; ) {
      if (this.#failure !== undefined) throw this.#failure;
      if (isSo()) return true;
      if (performance.now() > until) return false;
      await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
    }
  }

  #fail(cause: unknown): void {
    this.#failure ??= cause;
  }

  async #deliver(partition: number, records: readonly LogRecord[]): Promise<void> {
    while (this.#gate !== undefined) await this.#gate;
    const taking = this.#take(partition, records);
    this.#taking.set(partition, taking);
    await taking;
    this.#taking.delete(partition);
  }

  async #take(partition: number, records: readonly LogRecord[]): Promise<void> {
    if (this.#failure !== undefined) return;
    try {
      const events: EventIn[] = [];
      for (const { offset, value } of records) {
        const decoded = this.#options.codec.decode(value ?? Buffer.alloc(0));
        const event = decoded instanceof Promise ? await decoded : decoded;
        if (this.#isNext(partition, offset, event)) events.push(event);
      }
      for (let at = 0; at < events.length; at += together) {
        await writeEvents(this.#options.database, events.slice(at, at + together));
      }
      this.#taken(events);
      this.#read.set(partition, (records.at(-1)?.offset ?? 0) + 1);
    } catch (cause) {
      this.#fail(cause);
    }
  }

  /** Of what is delivered together the last counts before it is written: nothing else is delivered meanwhile. */
  #isNext(partition: number, offset: number, event: EventIn): boolean {
    const due = (this.#pending.get(partition) ?? 0) + 1;
    if (event.partition !== partition || event.sequence > due) {
      throw new Error(
        `${topics.bookEvents} partition ${partition} holds event ${event.sequence} at ${offset} where ${due} is due`,
      );
    }
    if (event.sequence < due) return false;
    this.#pending.set(partition, due);
    return true;
  }

  #taken(events: readonly EventIn[]): void {
    this.#events += events.length;
    for (const { tenant_id: tenantId, book_id: bookId } of events) {
      this.#touched.set(`${tenantId}/${bookId}`, { tenantId, bookId });
    }
    for (const { partition, sequence, offset, item } of events) {
      const known = this.#lasts.get(partition);
      const isFurther = known === undefined || offset >= known.offset;
      this.#lasts.set(partition, isFurther ? { sequence, offset, item } : { ...known, sequence });
    }
  }
}
