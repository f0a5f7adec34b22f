import { describe, expect, test } from '@jest/globals';
import kafkajs, { type ITopicConfig, type Kafka } from 'kafkajs';
import { ensureTopics, topics } from './topics.ts';

const partitionCount = 24;

type Settings = Readonly<Record<string, string>>;

const validSettings: Settings = { 'cleanup.policy': 'delete', 'retention.ms': '-1', 'retention.bytes': '-1' };

/** Instead of the metadata: a failure, or another leader for every partition. */
type MetadataAnswer = Error | { readonly leader: number };

/**
 * Fake brokers with these topics. `created` lists the topics that were created; `firstAnswers` are given to the first
 * requests for metadata.
 */
function broker(
  existing: Readonly<Record<string, Settings>>,
  replicas = 1,
  firstAnswers: MetadataAnswer[] = [],
  brokerCount = replicas,
) {
  const created: ITopicConfig[] = [];
  const partitions = Array.from({ length: partitionCount }, () => ({
    leader: 0,
    replicas: Array.from({ length: replicas }, (_, id) => id),
  }));
  const admin = {
    connect: async () => undefined,
    disconnect: async () => undefined,
    listTopics: async () => Object.keys(existing),
    describeCluster: async () => ({ brokers: Array.from({ length: brokerCount }, (_, nodeId) => ({ nodeId })) }),
    createTopics: async (request: { topics: ITopicConfig[] }) => void created.push(...request.topics),
    fetchTopicMetadata: async (request: { topics: string[] }) => {
      const answer = firstAnswers.shift();
      if (answer instanceof Error) throw answer;
      const leaders = answer === undefined ? partitions : partitions.map((partition) => ({ ...partition, ...answer }));
      return { topics: request.topics.map((name) => ({ name, partitions: leaders })) };
    },
    describeConfigs: async (request: { resources: { name: string }[] }) => ({
      resources: request.resources.map(({ name }) => ({
        resourceName: name,
        configEntries: Object.entries(existing[name] ?? {}).map(([configName, configValue]) => ({
          configName,
          configValue,
        })),
      })),
    }),
  };
  return { created, kafka: { admin: () => admin } as unknown as Kafka };
}

function allTopics(settings: Settings, other: Readonly<Record<string, Settings>> = {}): Record<string, Settings> {
  return { ...Object.fromEntries(Object.values(topics).map((topic) => [topic, settings])), ...other };
}

describe('creating topics', () => {
  test('a replica that lacks acknowledged records never becomes the leader', async () => {
    const { kafka, created } = broker({}, 3);
    await ensureTopics(kafka, { partitionCount, replicas: 3 });
    for (const { configEntries } of created)
      expect(configEntries).toContainEqual({ name: 'unclean.leader.election.enable', value: 'false' });
  });

  test.each([
    [1, undefined],
    [2, undefined],
    [3, '2'],
    [5, '2'],
  ])('with %d replicas min.insync.replicas is %s', async (replicas, minInSyncReplicas) => {
    const { kafka, created } = broker({}, replicas);
    await ensureTopics(kafka, { partitionCount, replicas });
    expect(created).toHaveLength(4);
    for (const { configEntries } of created) {
      expect(configEntries?.find(({ name }) => name === 'min.insync.replicas')?.value).toBe(minInSyncReplicas);
    }
  });
});

describe('the number of replicas', () => {
  test.each([
    [2, 2],
    [3, 3],
    [5, 3],
  ])('must be said before topics are created on %d brokers', async (brokers, proposed) => {
    const { kafka, created } = broker({}, 1, [], brokers);
    await expect(ensureTopics(kafka, { partitionCount })).rejects.toThrow(`--replicas ${proposed}`);
    expect(created).toEqual([]);
    await ensureTopics(kafka, { partitionCount, replicas: 1 });
    expect(created).toHaveLength(4);
  });

  test('is one on a single broker', async () => {
    const { kafka, created } = broker({});
    await ensureTopics(kafka, { partitionCount });
    expect(new Set(created.map(({ replicationFactor }) => replicationFactor))).toEqual(new Set([1]));
  });

  test('must be said where one broker is left of those that hold an existing topic', async () => {
    const { [topics.movements]: _, ...others } = allTopics({ ...validSettings, 'min.insync.replicas': '2' });
    const { kafka, created } = broker(others, 3, [], 1);
    await expect(ensureTopics(kafka, { partitionCount })).rejects.toThrow(
      'lending.movements must be created, and other topics have 3 replicas',
    );
    expect(created).toEqual([]);
  });

  test('of existing topics may not be lower than what was asked for', async () => {
    const { kafka } = broker(allTopics(validSettings), 1, [], 3);
    await ensureTopics(kafka, { partitionCount });
    await expect(ensureTopics(kafka, { partitionCount, replicas: 3 })).rejects.toThrow(
      'topic lending.book-events has 1 replicas, expected 3',
    );
  });
});

describe('the metadata of new topics', () => {
  const unknown = new kafkajs.KafkaJSProtocolError(
    Object.assign(new Error('This server does not host this topic-partition'), {
      type: 'UNKNOWN_TOPIC_OR_PARTITION',
      code: 3,
    }),
  );
  const wrapped = new kafkajs.KafkaJSNumberOfRetriesExceeded(unknown, { retryCount: 8, retryTime: 1_000 });

  test('is awaited while brokers do not know the topics or their leaders', async () => {
    const { kafka, created } = broker({}, 3, [unknown, wrapped, { leader: -1 }]);
    await ensureTopics(kafka, { partitionCount, replicas: 3 });
    expect(created).toHaveLength(4);
  });

  test('is not awaited when the broker refuses for another reason', async () => {
    const refused = new Error('not authorized');
    await expect(ensureTopics(broker({}, 3, [refused]).kafka, { partitionCount, replicas: 3 })).rejects.toBe(refused);
  });
});

describe('checking existing topics', () => {
  test('settings that keep at least what is required are accepted', async () => {
    await ensureTopics(broker(allTopics(validSettings)).kafka, { partitionCount });
    const thirtyOneDays = String(31 * 24 * 3_600_000);
    await ensureTopics(
      broker(allTopics(validSettings, { [topics.submissions]: { ...validSettings, 'retention.ms': thirtyOneDays } }))
        .kafka,
      { partitionCount },
    );
    await ensureTopics(broker(allTopics({ ...validSettings, 'min.insync.replicas': '2' }), 3).kafka, {
      partitionCount,
      replicas: 3,
    });
  });

  test.each<[string, Readonly<Record<string, Settings>>, number, string]>([
    [
      'events are deleted after a time',
      { [topics.bookEvents]: { ...validSettings, 'retention.ms': '604800000' } },
      1,
      'topic lending.book-events has retention.ms=604800000, expected -1',
    ],
    [
      'events are deleted above a size',
      { [topics.bookEvents]: { ...validSettings, 'retention.bytes': '1000000' } },
      1,
      'topic lending.book-events has retention.bytes=1000000, expected -1',
    ],
    [
      'the topic of events is compacted',
      { [topics.bookEvents]: { ...validSettings, 'cleanup.policy': 'compact,delete' } },
      1,
      'topic lending.book-events has cleanup.policy=compact,delete, expected delete',
    ],
    [
      'submissions are deleted too early',
      { [topics.submissions]: { ...validSettings, 'retention.ms': '86400000' } },
      1,
      'topic lending.submissions has retention.ms=86400000, expected at least 2592000000',
    ],
    [
      'one of three replicas is enough to acknowledge a record',
      { [topics.parked]: { ...validSettings, 'min.insync.replicas': '1' } },
      3,
      'topic lending.parked has min.insync.replicas=1, expected at least 2',
    ],
    [
      'a replica that lacks acknowledged records may become the leader',
      { [topics.submissions]: { ...validSettings, 'unclean.leader.election.enable': 'true' } },
      1,
      'topic lending.submissions has unclean.leader.election.enable=true, expected false',
    ],
    [
      'a large submission would be refused',
      { [topics.bookEvents]: { ...validSettings, 'max.message.bytes': '1048588' } },
      1,
      'topic lending.book-events has max.message.bytes=1048588, expected at least 25165824',
    ],
  ])('preparing a cell fails when %s', async (_when, other, replicas, message) => {
    const others = { ...validSettings, 'min.insync.replicas': '2' };
    await expect(
      ensureTopics(broker(allTopics(others, other), replicas).kafka, { partitionCount, replicas }),
    ).rejects.toThrow(message);
  });

  test('the error lists all problems and the command that changes them', async () => {
    const shortened = { ...validSettings, 'retention.ms': '86400000' };
    const prepared = ensureTopics(broker(allTopics(shortened)).kafka, { partitionCount });
    const alter = 'kafka-configs.sh --bootstrap-server BROKER --command-config admin.properties --alter --topic';
    await expect(prepared).rejects.toThrow(`\
topic lending.submissions has retention.ms=86400000, expected at least 2592000000
topic lending.book-events has retention.ms=86400000, expected -1
topic lending.parked has retention.ms=86400000, expected at least 2592000000
topic lending.movements has retention.ms=86400000, expected -1
Change it as follows, then prepare the cell again. A change that freed a full disk must be undone first.
  ${alter} lending.submissions --add-config retention.ms=2592000000
  ${alter} lending.book-events --add-config retention.ms=-1
  ${alter} lending.parked --add-config retention.ms=2592000000
  ${alter} lending.movements --add-config retention.ms=-1`);
  });
});
