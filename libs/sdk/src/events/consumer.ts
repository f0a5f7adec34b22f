/**
 * Consumes `lending.book-events`: every fact once, in the order of its book, from where the caller's own store says.
 * What Kafka remembers of a group is not asked: a position kept apart from what the events did is not true of it after
 * a crash.
 */
import type { Consumer, EachBatchPayload, Kafka, KafkaMessage } from 'kafkajs';
import type { BookEvent } from './book-event.ts';
import { EventDecoder, type SchemaOf } from './decoding.ts';
import { beginning, type Position, place, type Read } from './place.ts';
import { type RegistryAddress, schemasOf } from './registry.ts';

/** Events of one partition that follow one another. */
export interface Batch {
  readonly partition: number;
  readonly events: readonly BookEvent[];
  /** Where the partition was before them: what the caller's store must still hold when it commits. */
  readonly before: Position;
  /** Where it is with them: to be committed with what they do, in one transaction. */
  readonly position: Position;
}

export interface Consuming {
  readonly kafka: Kafka;
  readonly groupId: string;
  readonly registry: RegistryAddress | SchemaOf;
  /** The positions the caller's store keeps; a partition it has none of is read from its beginning. */
  readonly positionsOf: (partitions: readonly number[]) => Promise<ReadonlyMap<number, Position>>;
  /**
   * Takes a batch, or throws where it could not: the position is then read again and the batch comes once more. A
   * partition that went to another consumer meanwhile is found by `before`, which the store no longer holds.
   */
  readonly take: (batch: Batch) => Promise<void>;
  readonly topic?: string;
  /** Batches of different partitions that are taken at once. */
  readonly partitionsAtOnce?: number;
  readonly eventsAtOnce?: number;
  /** How long a consumer that died keeps its partitions. */
  readonly sessionMs?: number;
  /** Ends the consumption when what is being taken is taken. */
  readonly signal?: AbortSignal;
  /** Told of what is tried again. */
  readonly onTrouble?: (cause: unknown) => void;
}

interface Lane {
  position: Position;
  /** Records came that do not begin where this does, and were asked for again. */
  isDoubted: boolean;
  /** Before the next try, should the next batch not be taken. */
  pauseMs: number;
}

/** The offsets a partition holds: from `low` inclusive to `high` exclusive. */
type Bounds = ReadonlyMap<number, { readonly low: bigint; readonly high: bigint }>;

const heartbeatMs = 1_000;
const shortestPauseMs = 50;
const longestPauseMs = 5_000;
/** How often the driver tries by itself what fails; then it begins anew, unless the consumption is over. */
const triesOfTheDriver = 8;
/** What joining a group may take once the consumption is over. */
const joiningMs = 5_000;

/** Resolves when the signal ends it; rejects where going on would keep something other than the lender's books. */
export async function consumeBookEvents(options: Consuming): Promise<void> {
  await new Consumption(options).run();
}

class Consumption {
  readonly #options: Consuming;
  readonly #topic: string;
  readonly #consumer: Consumer;
  readonly #decoder: EventDecoder;
  readonly #over: Promise<void>;
  #end: () => void = () => undefined;
  #fail: (cause: unknown) => void = () => undefined;
  #isOver = false;
  #hasLeft = false;
  #generation = 0;
  /** The partitions that are ours; one that is not in it is not, or not yet. */
  #lanes = new Map<number, Lane>();

  constructor(options: Consuming) {
    const { kafka, groupId, registry, topic = 'lending.book-events', sessionMs = 10_000 } = options;
    this.#options = options;
    this.#topic = topic;
    this.#decoder = new EventDecoder(typeof registry === 'function' ? registry : schemasOf(registry));
    this.#consumer = kafka.consumer({
      groupId,
      sessionTimeout: sessionMs,
      heartbeatInterval: heartbeatMs,
      maxBytesPerPartition: 1024 * 1024,
      allowAutoTopicCreation: false,
      retry: {
        initialRetryTime: 200,
        maxRetryTime: longestPauseMs,
        retries: triesOfTheDriver,
        restartOnFailure: async () => !this.#isOver,
      },
    });
    this.#over = new Promise((resolve, reject) => {
      this.#end = resolve;
      this.#fail = reject;
    });
    // Whatever ends it is met where the consumption is awaited.
    this.#over.catch(() => undefined);
  }

  async run(): Promise<void> {
    const { signal } = this.#options;
    const end = () => {
      this.#isOver = true;
      this.#end();
    };
    signal?.addEventListener('abort', end, { once: true });
    if (signal?.aborted === true) end();
    const started = this.#start();
    try {
      await Promise.race([started.then(() => this.#over), this.#over]);
    } finally {
      this.#isOver = true;
      this.#generation += 1;
      signal?.removeEventListener('abort', end);
      // The driver cannot leave a group while it joins it: it would join it after all, and never leave.
      await settled(started, joiningMs);
      this.#hasLeft = true;
      await this.#consumer.disconnect();
    }
  }

  async #start(): Promise<void> {
    const { GROUP_JOIN, CRASH } = this.#consumer.events;
    this.#consumer.on(GROUP_JOIN, ({ payload }) => {
      // What is thrown here ends a member that nobody would end otherwise.
      if (this.#hasLeft) throw new Error('the consumption is over');
      void this.#assigned(payload.memberAssignment[this.#topic] ?? []);
    });
    this.#consumer.on(CRASH, ({ payload }) => {
      if (payload.restart) this.#options.onTrouble?.(payload.error);
      else this.#fail(payload.error);
    });
    await this.#connect();
    if (this.#isOver) return;
    await this.#consumer.subscribe({ topic: this.#topic, fromBeginning: true });
    if (this.#isOver) return;
    await this.#consumer.run({
      autoCommit: false,
      partitionsConsumedConcurrently: this.#options.partitionsAtOnce ?? 4,
      eachBatch: (payload) => this.#batch(payload),
    });
  }

  async #connect(): Promise<void> {
    while (!this.#isOver) {
      try {
        return await this.#consumer.connect();
      } catch (cause) {
        this.#options.onTrouble?.(cause);
      }
    }
  }

  async #assigned(partitions: readonly number[]): Promise<void> {
    // The driver may still finish a rebalance while it leaves the group; the store may be closed by then.
    if (this.#isOver) return;
    this.#generation += 1;
    const generation = this.#generation;
    this.#lanes = new Map();
    for (let pauseMs = shortestPauseMs; generation === this.#generation; pauseMs = longer(pauseMs)) {
      try {
        const kept = await this.#options.positionsOf(partitions);
        if (generation !== this.#generation) return;
        const bounds = await this.#bounds();
        if (generation !== this.#generation) return;
        for (const partition of partitions) this.#begin(partition, kept.get(partition) ?? beginning, bounds);
        return;
      } catch (cause) {
        this.#options.onTrouble?.(cause);
        await new Promise((resolve) => setTimeout(resolve, pauseMs));
      }
    }
  }

  /** A topic that was made anew has other offsets: it is read whole, and what was taken is dropped by its sequence. */
  #begin(partition: number, kept: Position, bounds: Bounds, pauseMs = shortestPauseMs): void {
    const { low, high } = bounds.get(partition) ?? { low: 0n, high: 0n };
    const offset = kept.offset < low || kept.offset > high ? low : kept.offset;
    this.#lanes.set(partition, { position: { ...kept, offset }, isDoubted: false, pauseMs });
    this.#seek(partition, offset);
  }

  #seek(partition: number, offset: bigint): void {
    this.#consumer.seek({ topic: this.#topic, partition, offset: String(offset) });
  }

  async #bounds(): Promise<Bounds> {
    const admin = this.#options.kafka.admin();
    await admin.connect();
    try {
      const offsets = await admin.fetchTopicOffsets(this.#topic);
      return new Map(offsets.map(({ partition, low, high }) => [partition, { low: BigInt(low), high: BigInt(high) }]));
    } finally {
      await admin.disconnect();
    }
  }

  /** Nothing is thrown into the driver, which would only do it all again. */
  async #batch({ batch, heartbeat }: EachBatchPayload): Promise<void> {
    const { partition, messages } = batch;
    const lane = this.#lanes.get(partition);
    // Not begun yet: the seek that begins it brings these again.
    if (lane === undefined || this.#isOver) return;
    try {
      const read = await this.#read(messages, lane.position.offset);
      if (this.#isElsewhere(partition, lane, read)) return;
      const together = this.#options.eventsAtOnce ?? 500;
      for (let at = 0; at < read.length; at += together) {
        const isTaken = await this.#take(partition, lane, read.slice(at, at + together), heartbeat);
        if (!isTaken || this.#isOver) return;
      }
    } catch (cause) {
      this.#fail(cause);
    }
  }

  async #read(messages: readonly KafkaMessage[], from: bigint): Promise<Read[]> {
    const read: Read[] = [];
    for (const { offset: text, value } of messages) {
      const offset = BigInt(text);
      if (offset >= from) read.push({ offset, event: await this.#decoder.decode(value ?? Buffer.alloc(0)) });
    }
    return read;
  }

  /** What a fetch from before a seek brings does not follow; asked for again from its place, it must. */
  #isElsewhere(partition: number, lane: Lane, [first]: readonly Read[]): boolean {
    if (first === undefined || first.event.sequence <= lane.position.sequence + 1n) {
      lane.isDoubted = false;
      return false;
    }
    if (lane.isDoubted) return false;
    lane.isDoubted = true;
    this.#seek(partition, lane.position.offset);
    return true;
  }

  async #take(partition: number, lane: Lane, read: readonly Read[], heartbeat: () => Promise<void>): Promise<boolean> {
    const before = lane.position;
    const { events, position } = place(partition, before, read);
    if (events.length > 0) {
      try {
        await during(this.#options.take({ partition, events, before, position }), heartbeat);
      } catch (cause) {
        this.#options.onTrouble?.(cause);
        await this.#takeUp(partition, lane, heartbeat);
        return false;
      }
    }
    if (this.#lanes.get(partition) !== lane) return false;
    lane.position = position;
    lane.pauseMs = shortestPauseMs;
    return true;
  }

  /** Whether the batch was kept after all, and by whom, is known to the store alone. */
  async #takeUp(partition: number, lane: Lane, heartbeat: () => Promise<void>): Promise<void> {
    for (let { pauseMs } = lane; this.#lanes.get(partition) === lane && !this.#isOver; pauseMs = longer(pauseMs)) {
      try {
        await during(new Promise((resolve) => setTimeout(resolve, pauseMs)), heartbeat);
        const kept = (await this.#options.positionsOf([partition])).get(partition) ?? beginning;
        const bounds = await this.#bounds();
        if (this.#lanes.get(partition) === lane) this.#begin(partition, kept, bounds, longer(pauseMs));
        return;
      } catch (cause) {
        this.#options.onTrouble?.(cause);
      }
    }
  }
}

function longer(pauseMs: number): number {
  return Math.min(pauseMs * 2, longestPauseMs);
}

/** However it ends; what takes longer is not waited for. */
async function settled(work: Promise<unknown>, withinMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, withinMs);
  });
  await Promise.race([work.then(ignored, ignored), late]);
  clearTimeout(timer);
}

function ignored(): void {}

/** Work of any length: the group goes on hearing of us. A heartbeat that fails is the driver's to mend. */
async function during(work: Promise<void>, heartbeat: () => Promise<void>): Promise<void> {
  const timer = setInterval(() => void heartbeat().catch(() => undefined), heartbeatMs);
  try {
    await work;
  } finally {
    clearInterval(timer);
  }
}
