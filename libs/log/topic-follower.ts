/** Reads a whole topic from where it begins, each partition in its order, for as long as it is let. */
import { randomUUID } from 'node:crypto';
import type { Log, Say } from './kafka.ts';
import { LogReader, type LogRecord } from './log-reader.ts';

export interface TopicFollowerOptions {
  readonly kafka: Log;
  readonly topic: string;
  readonly say: Say;
  /** Returns a promise where the reader must wait. */
  readonly deliver: (partition: number, records: readonly LogRecord[]) => undefined | Promise<void>;
}

export interface TopicFollower {
  /** Rejects where the topic cannot be read on; never resolves. */
  readonly failed: Promise<never>;
  stop(): Promise<void>;
}

export async function followTopic({ kafka, topic, say, deliver }: TopicFollowerOptions): Promise<TopicFollower> {
  /** Where each partition is to be read on: a group that is joined again begins there and not at the beginning. */
  const next = new Map([...(await topicEnds(kafka, topic))].map(([partition, { low }]) => [partition, low]));
  const working = new Map<number, Promise<void>>();
  let fail: (cause: Error) => void = () => undefined;
  const failed = new Promise<never>((_, reject) => {
    fail = reject;
  });
  // Whoever waits for something of it races with this; nobody may be waiting just then.
  failed.catch(() => undefined);
  const groupId = `follower-${randomUUID()}`;
  const reader = await LogReader.open({
    kafka,
    groupId,
    topic,
    say,
    takeOver: async (partitions) => new Map(partitions.map((each) => [each, next.get(each) ?? 0])),
    deliver(partition, records) {
      const fresh = records.filter(({ offset }) => offset >= (next.get(partition) ?? 0));
      const last = fresh.at(-1);
      if (last === undefined) return undefined;
      next.set(partition, last.offset + 1);
      // What was delivered before the group was joined again may still be worked on.
      const done = (working.get(partition) ?? Promise.resolve())
        .then(() => deliver(partition, fresh))
        .catch((cause: Error) => fail(cause));
      working.set(partition, done);
      return done;
    },
    onLost: (cause) => fail(cause),
    onCrash: (cause) => fail(cause),
  });
  return {
    failed,
    async stop() {
      await reader.stop();
      await withAdmin(kafka, (admin) => admin.deleteGroups([groupId]).catch(() => undefined));
    },
  };
}

/** All that the topic held when it was asked, and then no more. */
export async function readTopic({
  take,
  ...options
}: Omit<TopicFollowerOptions, 'deliver'> & {
  readonly take: (partition: number, records: readonly LogRecord[]) => Promise<void>;
}): Promise<void> {
  const ends = await topicEnds(options.kafka, options.topic);
  const left = new Map(
    [...ends].filter(([, { low, high }]) => high > low).map(([partition, { high }]) => [partition, high]),
  );
  if (left.size === 0) return;
  let done: () => void = () => undefined;
  let broke: (cause: unknown) => void = () => undefined;
  const whole = new Promise<void>((resolve, reject) => {
    done = resolve;
    broke = reject;
  });
  const takeUpTo = async (partition: number, records: readonly LogRecord[]): Promise<void> => {
    const high = left.get(partition);
    if (high === undefined) return;
    await take(
      partition,
      records.filter(({ offset }) => offset < high),
    );
    if ((records.at(-1)?.offset ?? 0) + 1 >= high) left.delete(partition);
    if (left.size === 0) done();
  };
  const follower = await followTopic({
    ...options,
    deliver: (partition, records) => takeUpTo(partition, records).catch(broke),
  });
  try {
    await Promise.race([whole, follower.failed]);
  } finally {
    await follower.stop();
  }
}

export interface Ends {
  /** The first offset that is kept. */
  readonly low: number;
  /** The offset the next record gets. */
  readonly high: number;
}

export function topicEnds(kafka: Log, topic: string): Promise<Map<number, Ends>> {
  return withAdmin(kafka, async (admin) => {
    const ends = await admin.fetchTopicOffsets(topic);
    return new Map(ends.map(({ partition, low, high }) => [partition, { low: Number(low), high: Number(high) }]));
  });
}

async function withAdmin<T>(kafka: Log, work: (admin: ReturnType<Log['admin']>) => Promise<T>): Promise<T> {
  const admin = kafka.admin();
  await admin.connect();
  try {
    return await work(admin);
  } finally {
    await admin.disconnect();
  }
}
