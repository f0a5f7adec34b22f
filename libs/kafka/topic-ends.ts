/** What Kafka is asked about a topic, each question with an end: its client may wait for an answer that never comes. */
import type { KafkaClient } from './kafka.ts';
import { within } from './patience.ts';

type Admin = ReturnType<KafkaClient['admin']>;

/** The driver tries again by itself; whoever asks here asks again, or fails. */
const answerMs = 60_000;
const leaveMs = 5_000;

export interface Ends {
  /** The first offset that is kept. */
  readonly low: number;
  /** The offset the next record gets. */
  readonly high: number;
}

export function topicEnds(kafka: KafkaClient, topic: string): Promise<Map<number, Ends>> {
  return withAdmin(kafka, async (admin) => {
    const ends = await admin.fetchTopicOffsets(topic);
    return new Map(ends.map(({ partition, low, high }) => [partition, { low: Number(low), high: Number(high) }]));
  });
}

export async function withAdmin<T>(kafka: KafkaClient, work: (admin: Admin) => Promise<T>): Promise<T> {
  const asked = await within(asking(kafka.admin(), work), answerMs);
  if (asked === undefined) throw new Error(`Kafka did not answer within ${answerMs / 1_000} s`);
  return asked.done;
}

async function asking<T>(admin: Admin, work: (admin: Admin) => Promise<T>): Promise<T> {
  await admin.connect();
  try {
    return await work(admin);
  } finally {
    // What was answered, or why it was not, is not lost for a line that does not end.
    await within(admin.disconnect(), leaveMs).catch(() => undefined);
  }
}
