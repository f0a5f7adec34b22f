/**
 * Every fact once to lending.book-events, in the order of its partition. Where it has to go on is what the topic
 * itself ends with; what it missed is read from Postgres.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '#libs/database/database.ts';
import { eventsAfter } from '#libs/database/events.ts';
import { PublishingLocks } from '#libs/database/publishing-locks.ts';
import type { BookEvent, BookEventCodec } from '#libs/kafka/book-event.ts';
import { bookKey } from '#libs/kafka/book-key.ts';
import type { KafkaClient, WarnLog } from '#libs/kafka/kafka.ts';
import { type Append, LogWriter } from '#libs/kafka/log-writer.ts';
import { readTail } from '#libs/kafka/topic-tail.ts';
import { topics } from '#libs/kafka/topics.ts';
import { type EventOut, WaitingEvents } from './waiting-events.ts';

interface Lane {
  /** The last event the topic holds; unknown until the right to append was taken and its end was read. */
  published: number | undefined;
  /** The last event that is committed. */
  committed: number;
  waiting: WaitingEvents;
  /** Nothing may be appended to it before a person has looked and the process was started anew. */
  isKeptBack: boolean;
}

export interface PublisherOptions {
  readonly kafka: KafkaClient;
  readonly codec: BookEventCodec;
  readonly database: Database;
  /** Of which one connection is held for as long as the process lives. */
  readonly locks: Database;
  readonly say: WarnLog;
}

const aheadOfStore = 'the topic is ahead of the database; its partition is not published';
const factMissing = 'a fact that was committed is not in the database; its partition is not published';
const mostTogether = 1_000;
const pauseMs = 500;
/** Nobody waits for an event: sent many together they cost the writes beside them less. */
const gatherMs = 100;
const waitMs = 200;

export class Publisher {
  readonly #options: PublisherOptions;
  readonly #lanes = new Map<number, Lane>();
  /** No longer ours, and still locked by us. */
  readonly #leaving = new Set<number>();
  readonly #locks: PublishingLocks;
  #writer: LogWriter | undefined;
  #working: Promise<void> | undefined;
  #stopped = false;

  constructor(options: PublisherOptions) {
    this.#options = options;
    this.#locks = new PublishingLocks(options.locks);
  }

  /** How many events are committed and not yet told. */
  get behind(): number {
    let events = 0;
    for (const { committed, published, isKeptBack } of this.#lanes.values()) {
      // Of one that is kept back nobody may think that all of it was told.
      events += Math.max(published === undefined ? 0 : committed - published, isKeptBack ? 1 : 0);
    }
    return events;
  }

  /** Called with all partitions that are ours now; what was ours before goes on where it was. */
  own(partitions: ReadonlyMap<number, { readonly nextEvent: number }>): void {
    for (const [partition, { nextEvent }] of partitions) {
      const lane = this.#lanes.get(partition);
      if (lane === undefined) {
        const unheard = { published: undefined, waiting: new WaitingEvents(), isKeptBack: false };
        this.#lanes.set(partition, { ...unheard, committed: nextEvent - 1 });
        continue;
      }
      if (nextEvent - 1 < lane.committed) {
        // What was told, and what waits to be, may be recorded no more: the topic's end has to be looked at again.
        lane.published = undefined;
        lane.waiting = new WaitingEvents();
      }
      lane.committed = nextEvent - 1;
    }
    for (const partition of this.#lanes.keys()) if (!partitions.has(partition)) this.#disown(partition);
    this.#wake();
  }

  offer(events: readonly EventOut[]): void {
    for (const event of events) {
      const lane = this.#lanes.get(event.partition);
      if (lane === undefined) continue;
      lane.committed = event.sequence;
      if (!lane.isKeptBack) lane.waiting.put(event);
    }
    this.#wake();
  }

  /** The right to append is given back when nothing of it is on its way any more. */
  #disown(partition: number): void {
    this.#lanes.delete(partition);
    this.#leaving.add(partition);
  }

  /** What is committed is published still, for as long as a stop may take. */
  async stop(withinMs = 3_000): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    await Promise.race([this.#working, new Promise((resolve) => (timer = setTimeout(resolve, withinMs)))]);
    clearTimeout(timer);
    this.#stopped = true;
    await this.#working;
    await this.#writer?.close();
    this.#locks.close();
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
    if (this.#leaving.size > 0) return true;
    for (const { published, committed, isKeptBack } of this.#lanes.values())
      if (!isKeptBack && (published === undefined || published < committed)) return true;
    return false;
  }

  async #work(): Promise<void> {
    while (this.#pending()) {
      try {
        await this.#leave();
        this.#forgetUnheld();
        await this.#findEnds();
        // Where nothing could be sent the right to is another's still.
        await pause((await this.#publish()) ? gatherMs : waitMs);
      } catch (cause) {
        this.#options.say.warn({ err: cause }, 'events could not be published yet');
        await this.#forget();
        await pause(pauseMs);
      }
    }
  }

  /** Before any right is taken again: whoever had it meanwhile may have told more than we know of. */
  #forgetUnheld(): void {
    for (const [partition, lane] of this.#lanes) if (!this.#locks.holds(partition)) lane.published = undefined;
  }

  /** Whether a failed send arrived is known to the topic alone. */
  async #forget(): Promise<void> {
    for (const lane of this.#lanes.values()) lane.published = undefined;
    const writer = this.#writer;
    this.#writer = undefined;
    await writer?.close().catch(() => undefined);
  }

  async #leave(): Promise<void> {
    for (const partition of this.#leaving) {
      if (!this.#lanes.has(partition)) await this.#locks.release(partition);
      this.#leaving.delete(partition);
    }
  }

  async #findEnds(): Promise<void> {
    const unknown: [number, Lane][] = [];
    for (const [partition, lane] of this.#lanes) {
      if (lane.isKeptBack || lane.published !== undefined) continue;
      if (await this.#locks.take(partition)) unknown.push([partition, lane]);
    }
    if (unknown.length === 0) return;
    const { kafka, codec } = this.#options;
    const tail = await readTail(
      kafka,
      topics.bookEvents,
      unknown.map(([partition]) => partition),
    );
    for (const [partition, lane] of unknown) {
      const last = tail.get(partition);
      const told = last === undefined ? undefined : await codec.decode(last);
      if (told === undefined || (await this.#isRecorded(partition, told))) lane.published = Number(told?.sequence ?? 0);
      else this.#keepBack(partition, lane, { told: Number(told.sequence) }, aheadOfStore);
    }
  }

  /** By its number and by what it is: a store that was set back may have come as far again, with other facts. */
  async #isRecorded(partition: number, told: BookEvent): Promise<boolean> {
    const sequence = Number(told.sequence);
    const [recorded] = await eventsAfter(this.#options.database, partition, sequence - 1, 1);
    return recorded?.sequence === sequence && recorded.request_id === told.request_id && recorded.item === told.item;
  }

  /** The others go on. */
  #keepBack(partition: number, lane: Lane, found: object, why: string): void {
    lane.isKeptBack = true;
    lane.waiting = new WaitingEvents();
    this.#options.say.error({ partition, committed: lane.committed, ...found }, why);
  }

  async #publish(): Promise<boolean> {
    const { kafka, codec } = this.#options;
    const sent: { partition: number; lane: Lane; events: EventOut[] }[] = [];
    for (const [partition, lane] of this.#lanes) {
      const events = await this.#next(partition, lane);
      if (events.length > 0) sent.push({ partition, lane, events });
    }
    if (sent.length === 0) return false;
    const appends = sent.flatMap(({ events }) => events.map((event) => appendOf(codec, event)));
    this.#writer ??= await LogWriter.open(kafka, { once: true });
    const writer = this.#writer;
    await this.#locks.confirm(sent.map(({ partition }) => partition));
    await writer.appendAll(appends);
    for (const { lane, events } of sent) {
      // Unknown again since: what it ends with now is looked at.
      if (lane.published !== undefined) lane.published = events.at(-1)?.sequence ?? lane.published;
    }
    return true;
  }

  async #next(partition: number, lane: Lane): Promise<EventOut[]> {
    // As far as it is committed now: what is while the store is read stands behind what was asked for.
    const { published, committed, isKeptBack } = lane;
    if (isKeptBack || published === undefined || published >= committed) return [];
    const waiting = lane.waiting.takeAfter(published, mostTogether);
    if (waiting.length > 0) return waiting;
    const events = await eventsAfter(this.#options.database, partition, published, mostTogether);
    const gap = events.findIndex((event, at) => event.sequence !== published + 1 + at);
    const missing = gap === -1 ? events.length : gap;
    if (missing < Math.min(mostTogether, committed - published)) {
      this.#keepBack(partition, lane, { missing: published + 1 + missing }, factMissing);
      return [];
    }
    return events;
  }
}

function appendOf(codec: BookEventCodec, event: EventOut): Append {
  return {
    topic: topics.bookEvents,
    partition: event.partition,
    key: bookKey(event.tenant_id, event.book_id),
    value: codec.encode(event),
  };
}
