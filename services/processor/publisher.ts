/**
 * Every fact once to lending.book-events, in the order of its partition. Where it has to go on is what the topic
 * itself ends with; what it missed is read from Postgres.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { BookEvent, BookEventCodec } from '#libs/log/book-event.ts';
import { bookKey } from '#libs/log/book-key.ts';
import type { Log, Say } from '#libs/log/kafka.ts';
import { LogWriter } from '#libs/log/log-writer.ts';
import { readTail } from '#libs/log/topic-tail.ts';
import { topics } from '#libs/log/topics.ts';
import type { Database } from '#libs/store/database.ts';
import { eventsAfter } from '#libs/store/events.ts';
import { partitionStates } from '#libs/store/partitions.ts';

type EventOut = BookEvent<number>;

interface Lane {
  readonly epoch: number;
  /** The last event the topic holds; unknown until its end was read. */
  published: number | undefined;
  /** The last event that is committed. */
  committed: number;
  /** Committed and not yet published, without a gap among themselves; bounded, the rest is read back. */
  waiting: EventOut[];
  /** When Postgres last agreed that the partition is ours. */
  ownedAt: number;
}

export interface PublisherOptions {
  readonly kafka: Log;
  readonly codec: BookEventCodec;
  readonly database: Database;
  readonly say: Say;
}

const mostWaiting = 4_000;
const mostTogether = 1_000;
const ownedForMs = 3_000;
const pauseMs = 500;
/** Nobody waits for an event: sent many together they cost the writes beside them less. */
const gatherMs = 30;

export class Publisher {
  readonly #options: PublisherOptions;
  readonly #lanes = new Map<number, Lane>();
  #writer: LogWriter | undefined;
  #working: Promise<void> | undefined;
  #stopped = false;

  constructor(options: PublisherOptions) {
    this.#options = options;
  }

  /** How many events are committed and not yet told. */
  get behind(): number {
    let events = 0;
    for (const { committed, published } of this.#lanes.values())
      events += published === undefined ? 0 : committed - published;
    return events;
  }

  /** Called with all partitions that are ours now and the last event committed in each. */
  own(partitions: ReadonlyMap<number, { readonly epoch: number; readonly nextEvent: number }>): void {
    this.#lanes.clear();
    for (const [partition, { epoch, nextEvent }] of partitions) {
      const lane = { epoch, published: undefined, committed: nextEvent - 1, waiting: [], ownedAt: performance.now() };
      this.#lanes.set(partition, lane);
    }
    this.#wake();
  }

  disown(partition: number): void {
    this.#lanes.delete(partition);
  }

  offer(events: readonly EventOut[]): void {
    const now = performance.now();
    for (const event of events) {
      const lane = this.#lanes.get(event.partition);
      if (lane === undefined) continue;
      lane.ownedAt = now;
      lane.committed = event.sequence;
      const last = lane.waiting.at(-1);
      if (last !== undefined && last.sequence !== event.sequence - 1) lane.waiting = [];
      if (lane.waiting.length < mostWaiting) lane.waiting.push(event);
    }
    this.#wake();
  }

  /** What is committed is published still, for as long as a stop may take. */
  async stop(withinMs = 3_000): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    await Promise.race([this.#working, new Promise((resolve) => (timer = setTimeout(resolve, withinMs)))]);
    clearTimeout(timer);
    this.#stopped = true;
    await this.#working;
    await this.#writer?.close();
  }

  #wake(): void {
    if (!this.#stopped)
      this.#working ??= this.#work().finally(() => {
        this.#working = undefined;
        if (this.#pending()) this.#wake();
      });
  }

  #pending(): boolean {
    if (this.#stopped) return false;
    for (const { published, committed } of this.#lanes.values())
      if (published === undefined || published < committed) return true;
    return false;
  }

  async #work(): Promise<void> {
    while (this.#pending()) {
      try {
        await this.#findEnds();
        await this.#publish();
        await pause(gatherMs);
      } catch (cause) {
        this.#options.say.warn({ err: cause }, 'events could not be published yet');
        await this.#forget();
        await pause(pauseMs);
      }
    }
  }

  /** Whether a failed send arrived is known to the topic alone. */
  async #forget(): Promise<void> {
    for (const lane of this.#lanes.values()) lane.published = undefined;
    const writer = this.#writer;
    this.#writer = undefined;
    await writer?.close().catch(() => undefined);
  }

  async #findEnds(): Promise<void> {
    const unknown = [...this.#lanes].filter(([, lane]) => lane.published === undefined);
    if (unknown.length === 0) return;
    const { kafka, codec } = this.#options;
    const tail = await readTail(
      kafka,
      topics.bookEvents,
      unknown.map(([partition]) => partition),
    );
    for (const [partition, lane] of unknown) {
      const last = tail.get(partition);
      const sequence = last === undefined ? 0 : Number((await codec.decode(last)).sequence);
      if (sequence <= lane.committed) lane.published = sequence;
      else this.#stopLane(partition, sequence, lane.committed);
    }
  }

  /** The topic tells what the database does not know: nothing may be appended to it before a person has looked. */
  #stopLane(partition: number, told: number, committed: number): void {
    this.#lanes.delete(partition);
    this.#options.say.error(
      { partition, told, committed },
      'the topic is ahead of the database; its partition is not published',
    );
  }

  async #publish(): Promise<void> {
    await this.#verifyOwned();
    const { kafka, codec } = this.#options;
    const sent: { lane: Lane; events: EventOut[] }[] = [];
    for (const [partition, lane] of this.#lanes) {
      const events = await this.#next(partition, lane);
      if (events.length > 0) sent.push({ lane, events });
    }
    this.#writer ??= await LogWriter.open(kafka, { once: true });
    const writer = this.#writer;
    await Promise.all(
      sent.flatMap(({ events }) =>
        events.map((event) =>
          writer.append({
            topic: topics.bookEvents,
            partition: event.partition,
            key: bookKey(event.tenant_id, event.book_id),
            value: codec.encode(event),
          }),
        ),
      ),
    );
    for (const { lane, events } of sent) lane.published = events.at(-1)?.sequence ?? lane.published;
  }

  /** A processor that was stopped and woke must not tell what another has told meanwhile. */
  async #verifyOwned(): Promise<void> {
    const now = performance.now();
    const stale = [...this.#lanes].filter(([, lane]) => now - lane.ownedAt > ownedForMs);
    if (stale.length === 0) return;
    const states = await partitionStates(
      this.#options.database,
      stale.map(([partition]) => partition),
    );
    for (const [partition, lane] of stale) {
      if (states.get(partition)?.epoch === lane.epoch) lane.ownedAt = performance.now();
      else if (this.#lanes.get(partition) === lane) this.#lanes.delete(partition);
    }
  }

  async #next(partition: number, lane: Lane): Promise<EventOut[]> {
    const { published } = lane;
    if (published === undefined || published >= lane.committed) return [];
    const skip = lane.waiting.findIndex((event) => event.sequence > published);
    const first = lane.waiting[skip];
    if (first !== undefined && first.sequence === published + 1) {
      const events = lane.waiting.slice(skip, skip + mostTogether);
      lane.waiting = lane.waiting.slice(skip + events.length);
      return events;
    }
    const events = await eventsAfter(this.#options.database, partition, published, mostTogether);
    const gap = events.findIndex((event, at) => event.sequence !== published + 1 + at);
    if (gap !== -1) throw new Error(`partition ${partition} has no event ${published + 1 + gap}`);
    return events;
  }
}
