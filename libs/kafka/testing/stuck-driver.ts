/** Kafka's client as it is at its worst: a topic of two records, and a call that never ends. */
import type { Kafka } from 'kafkajs';

let release: () => void = () => undefined;

/** What the driver never ends it ends now: when a test is over, or wants it late. */
export function letGo(): void {
  release();
}

const long = 60_000;
export const patience = { joinMs: long, leaveMs: long, silenceMs: long };

/** A topic of one partition that holds two records, and a driver that never ends what is named. */
export function driver(stuck: 'joining' | 'leaving' | 'reading' | 'nothing') {
  const hanging = new Promise<void>((resolve) => {
    release = resolve;
  });
  const said: string[] = [];
  let told: (event: { payload: object }) => void = () => undefined;
  const calls: string[] = [];
  let eachBatch: (payload: object) => Promise<void> = async () => undefined;
  const bring = (offsets = ['0', '1']) => {
    const messages = offsets.map((offset) => ({ offset, key: null, value: null }));
    return eachBatch({ batch: { partition: 0, messages }, heartbeat: async () => undefined });
  };
  const rejoin = () => told({ payload: { memberAssignment: { t: [0] } } });
  const consumer = {
    events: { GROUP_JOIN: 'join', CRASH: 'crash' },
    on: (event: string, tell: typeof told) => {
      if (event === 'join') told = tell;
    },
    connect: async () => undefined,
    subscribe: async () => undefined,
    seek: () => undefined,
    async run(running: { eachBatch: typeof eachBatch }) {
      if (stuck === 'joining') await hanging;
      rejoin();
      eachBatch = running.eachBatch;
      // The partition is taken over in a few turns, and the driver brings the same records until they are.
      const reading = async () => {
        for (let turn = 0; turn < 20 && stuck !== 'reading'; turn += 1) await turns(1).then(() => bring());
      };
      void reading();
    },
    async disconnect() {
      calls.push('left');
      if (stuck === 'leaving') await hanging;
    },
  };
  const admin = {
    connect: async () => undefined,
    disconnect: async () => undefined,
    fetchTopicOffsets: async () => [{ partition: 0, low: '0', high: '2' }],
    deleteGroups: async () => void calls.push('deleted'),
  };
  return {
    calls,
    said,
    options: {
      kafka: { consumer: () => consumer, admin: () => admin } as unknown as Kafka,
      topic: 't',
      say: { warn: (_: object, message: string) => void said.push(message), error: () => undefined },
      patience,
    },
    bring,
    rejoin,
  };
}

export async function turns(many: number): Promise<void> {
  for (let turn = 0; turn < many; turn += 1) await new Promise(setImmediate);
}
