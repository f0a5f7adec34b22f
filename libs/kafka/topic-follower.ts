/** Reads a whole topic from where it begins, each partition in its order, for as long as it is let. */
import { randomUUID } from 'node:crypto';
import type { KafkaClient, WarnLog } from './kafka.ts';
import { LogReader, type LogRecord } from './log-reader.ts';
import { whileItMoves, within } from './patience.ts';
import { topicEnds, withAdmin } from './topic-ends.ts';

/** How long each may take before it counts as one that never ends. */
export interface FollowersPatience {
  readonly joinMs: number;
  readonly leaveMs: number;
  /** Without a record, where more are known to be there. */
  readonly silenceMs: number;
}

const usualPatience: FollowersPatience = { joinMs: 60_000, leaveMs: 10_000, silenceMs: 60_000 };

export interface TopicFollowerOptions {
  readonly kafka: KafkaClient;
  readonly topic: string;
  readonly say: WarnLog;
  /** Returns a promise where the reader must wait. */
  readonly deliver: (partition: number, records: readonly LogRecord[]) => undefined | Promise<void>;
  readonly patience?: FollowersPatience;
}

export interface TopicFollower {
  /** Rejects where the topic cannot be read on; never resolves. */
  readonly failed: Promise<never>;
  /** Nothing is delivered after it; the driver may still be leaving, where it takes long. */
  stop(): Promise<void>;
}

export async function followTopic({
  kafka,
  topic,
  say,
  deliver,
  patience = usualPatience,
}: TopicFollowerOptions): Promise<TopicFollower> {
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
  let isOver = false;
  const opening = LogReader.open({
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
        .then(() => (isOver ? undefined : deliver(partition, fresh)))
        .catch((cause: Error) => fail(cause));
      working.set(partition, done);
      return done;
    },
    onLost: (cause) => fail(cause),
    onCrash: (cause) => fail(cause),
  });
  const leave = async (): Promise<void> => {
    isOver = true;
    await (await opening).stop();
    await withAdmin(kafka, (admin) => admin.deleteGroups([groupId]).catch(() => undefined));
  };
  const opened = await within(opening, patience.joinMs);
  if (opened === undefined) {
    // Should it join after all, it leaves again.
    leave().catch(() => undefined);
    throw new Error(`${topic} cannot be read: no group could be joined within ${patience.joinMs / 1_000} s`);
  }
  return {
    failed,
    async stop() {
      try {
        const left = await within(leave(), patience.leaveMs);
        if (left === undefined) say.warn({ groupId, topic }, 'a group was not left in time: Kafka ends its session');
      } catch (err) {
        // What was read is read.
        say.warn({ err, groupId, topic }, 'a group could not be left: Kafka ends its session');
      }
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
  let begun = 0;
  let done = 0;
  const takeUpTo = async (partition: number, records: readonly LogRecord[]): Promise<void> => {
    const high = left.get(partition);
    if (high === undefined) return;
    begun += 1;
    await take(
      partition,
      records.filter(({ offset }) => offset < high),
    );
    if ((records.at(-1)?.offset ?? 0) + 1 >= high) left.delete(partition);
    done += 1;
  };
  const follower = await followTopic({ ...options, deliver: takeUpTo });
  try {
    const { silenceMs } = options.patience ?? usualPatience;
    const isWhole = await whileItMoves({
      isThere: () => left.size === 0,
      far: () => done,
      isAtWork: () => done < begun,
      patientForMs: silenceMs,
      failed: follower.failed,
    });
    if (!isWhole) throw new Error(`${options.topic} cannot be read on: nothing came of it for ${silenceMs / 1_000} s`);
  } finally {
    await follower.stop();
  }
}
