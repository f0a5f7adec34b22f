/** A fake Kafka client for a topic with two records in each partition. One of its calls can be made to hang. */
import type { Kafka } from 'kafkajs';
import { silentLogger } from '#libs/runtime/logging.ts';

let release: () => void = () => undefined;

/** Ends the hanging calls of the last fake client. */
export function releaseStuckCalls(): void {
  release();
}

const minuteMs = 60_000;
export const longTimeouts = { joinMs: minuteMs, leaveMs: minuteMs, stallMs: minuteMs };

/** `stuck` is the call that hangs. With `reading` no record is delivered until `deliver` is called. */
export function fakeKafka(stuck: 'joining' | 'leaving' | 'reading' | 'nothing', partitions: readonly number[] = [0]) {
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const warnings: string[] = [];
  const calls: string[] = [];
  let onGroupJoin: (event: { payload: object }) => void = () => undefined;
  let eachBatch: (payload: object) => Promise<void> = async () => undefined;
  const deliver = (offsets = ['0', '1'], partition = 0) => {
    const messages = offsets.map((offset) => ({ offset, key: null, value: null }));
    return eachBatch({ batch: { partition, messages }, heartbeat: async () => undefined });
  };
  const rejoin = () => onGroupJoin({ payload: { memberAssignment: { t: partitions } } });
  const consumer = {
    events: { GROUP_JOIN: 'join', CRASH: 'crash' },
    on: (event: string, listener: typeof onGroupJoin) => {
      if (event === 'join') onGroupJoin = listener;
    },
    connect: async () => undefined,
    subscribe: async () => undefined,
    seek: () => undefined,
    async run(options: { eachBatch: typeof eachBatch }) {
      if (stuck === 'joining') await released;
      rejoin();
      eachBatch = options.eachBatch;
      // Taking the partition over needs a few turns of the event loop; like the driver, deliver until then.
      const reading = async () => {
        for (let turn = 0; turn < 20 && stuck !== 'reading'; turn += 1) await eventLoopTurns(1).then(() => deliver());
      };
      void reading();
    },
    async disconnect() {
      calls.push('left');
      if (stuck === 'leaving') await released;
    },
  };
  const admin = {
    connect: async () => undefined,
    disconnect: async () => undefined,
    fetchTopicOffsets: async () => partitions.map((partition) => ({ partition, low: '0', high: '2' })),
    fetchOffsets: async () => [],
    deleteGroups: async () => void calls.push('deleted'),
  };
  return {
    calls,
    warnings,
    options: {
      kafka: { consumer: () => consumer, admin: () => admin } as object as Kafka,
      topic: 't',
      logger: { ...silentLogger, warn: (_: object, message: string) => void warnings.push(message) },
      timeouts: longTimeouts,
    },
    deliver,
    rejoin,
  };
}

export async function eventLoopTurns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise(setImmediate);
}
