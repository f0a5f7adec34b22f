import { describe, expect, test } from '@jest/globals';
import type { ITopicConfig, Kafka } from 'kafkajs';
import { partitionCount } from './book-key.ts';
import { ensureTopics, topics } from './topics.ts';

type Settings = Readonly<Record<string, string>>;

const sound: Settings = { 'cleanup.policy': 'delete', 'retention.ms': '-1', 'retention.bytes': '-1' };

/** A broker that has these topics, and remembers which it was told to make. */
function broker(there: Readonly<Record<string, Settings>>, replicas = 1) {
  const made: ITopicConfig[] = [];
  const partitions = Array.from({ length: partitionCount }, () => ({
    replicas: Array.from({ length: replicas }, (_, id) => id),
  }));
  const admin = {
    connect: async () => undefined,
    disconnect: async () => undefined,
    listTopics: async () => Object.keys(there),
    createTopics: async (told: { topics: ITopicConfig[] }) => void made.push(...told.topics),
    fetchTopicMetadata: async (told: { topics: string[] }) => ({
      topics: told.topics.map((name) => ({ name, partitions })),
    }),
    describeConfigs: async (told: { resources: { name: string }[] }) => ({
      resources: told.resources.map(({ name }) => ({
        resourceName: name,
        configEntries: Object.entries(there[name] ?? {}).map(([configName, configValue]) => ({
          configName,
          configValue,
        })),
      })),
    }),
  };
  return { made, kafka: { admin: () => admin } as unknown as Kafka };
}

function all(settings: Settings, other: Readonly<Record<string, Settings>> = {}): Record<string, Settings> {
  return { ...Object.fromEntries(Object.values(topics).map((topic) => [topic, settings])), ...other };
}

describe('topics that are made', () => {
  test.each([
    [1, undefined],
    [2, undefined],
    [3, '2'],
    [5, '2'],
  ])('on %d brokers each, need as many as %s to have what is acknowledged', async (replicas, least) => {
    const { kafka, made } = broker({}, replicas);
    await ensureTopics(kafka, replicas);
    expect(made).toHaveLength(3);
    for (const { configEntries } of made) {
      expect(configEntries?.find(({ name }) => name === 'min.insync.replicas')?.value).toBe(least);
    }
  });
});

describe('topics that are there', () => {
  test('are taken where they keep what must be kept, or more', async () => {
    await ensureTopics(broker(all(sound)).kafka);
    const thirtyOneDays = String(31 * 24 * 3_600_000);
    await ensureTopics(broker(all(sound, { [topics.submissions]: { ...sound, 'retention.ms': thirtyOneDays } })).kafka);
    await ensureTopics(broker(all({ ...sound, 'min.insync.replicas': '2' }), 3).kafka, 3);
  });

  test.each<[string, Readonly<Record<string, Settings>>, number, string]>([
    [
      'events are deleted after a while',
      { [topics.bookEvents]: { ...sound, 'retention.ms': '604800000' } },
      1,
      'lending.book-events has retention.ms=604800000 where it must be -1',
    ],
    [
      'events are deleted where there are many',
      { [topics.bookEvents]: { ...sound, 'retention.bytes': '1000000' } },
      1,
      'lending.book-events has retention.bytes=1000000 where it must be -1',
    ],
    [
      'only the last event of a book is kept',
      { [topics.bookEvents]: { ...sound, 'cleanup.policy': 'compact,delete' } },
      1,
      'lending.book-events has cleanup.policy=compact,delete where it must be delete',
    ],
    [
      'submissions are deleted too early',
      { [topics.submissions]: { ...sound, 'retention.ms': '86400000' } },
      1,
      'lending.submissions has retention.ms=86400000 where it must be at least 2592000000',
    ],
    [
      'one of three brokers is enough to acknowledge',
      { [topics.parked]: { ...sound, 'min.insync.replicas': '1' } },
      3,
      'lending.parked has min.insync.replicas=1 where it must be at least 2',
    ],
  ])('stop the preparation where %s', async (_where, other, replicas, said) => {
    const rest = { ...sound, 'min.insync.replicas': '2' };
    await expect(ensureTopics(broker(all(rest, other), replicas).kafka, replicas)).rejects.toThrow(said);
  });

  test('are all told of at once, with who changes them', async () => {
    const compacted = { ...sound, 'cleanup.policy': 'compact' };
    const prepared = ensureTopics(broker(all(compacted)).kafka);
    await expect(prepared).rejects.toThrow(/submissions[\s\S]*book-events[\s\S]*parked[\s\S]*kafka-configs/);
  });
});
