/** The topics of a cell: their names, what each must keep, and their creation. */
import kafkajs, { type Admin, type ITopicMetadata, type Kafka } from 'kafkajs';
import { retry } from '#libs/runtime/retry.ts';

export const topics = {
  submissions: 'lending.submissions',
  bookEvents: 'lending.book-events',
  parked: 'lending.parked',
  movements: 'lending.movements',
} as const;

/** The consumer group of the processors. */
export const processorGroupId = 'lending-processors';

interface TopicSetting {
  readonly name: string;
  readonly value: string;
}

const thirtyDaysMs = String(30 * 24 * 3_600_000);
// A request body of 8 MiB that does not compress is sent once as evidence and once as items.
const maxMessageBytes = String(24 * 1024 * 1024);

/** The settings of each topic, as Kafka names them. */
export const topicSettings: Readonly<Record<string, readonly TopicSetting[]>> = {
  [topics.submissions]: settingsWithRetention(thirtyDaysMs),
  [topics.bookEvents]: settingsWithRetention('-1'),
  [topics.parked]: settingsWithRetention(thirtyDaysMs),
  [topics.movements]: settingsWithRetention('-1'),
};

function settingsWithRetention(retentionMs: string): TopicSetting[] {
  return [
    { name: 'cleanup.policy', value: 'delete' },
    { name: 'retention.ms', value: retentionMs },
    { name: 'retention.bytes', value: '-1' },
    { name: 'max.message.bytes', value: maxMessageBytes },
    // A replica that lacks acknowledged records must never become the leader, whatever the brokers are set to.
    { name: 'unclean.leader.election.enable', value: 'false' },
  ];
}

/** With three or more replicas, two must hold a record before it is acknowledged: one broker may fail at any time. */
function replicationSettings(replicas: number): TopicSetting[] {
  return replicas >= 3 ? [{ name: 'min.insync.replicas', value: '2' }] : [];
}

/** What one broker holds alone is lost with it. Of three replicas two hold each record that was acknowledged. */
const productionReplicas = 3;

export interface TopicLayout {
  readonly partitionCount: number;
  /** Where Kafka has several brokers, how many of them hold each partition. */
  readonly replicas?: number | undefined;
}

/**
 * Creates the missing topics.
 * Rejects when an existing topic has another number of partitions, because books would move to other partitions, when its
 * settings keep less than required, or when it has fewer replicas than `replicas`.
 */
export async function ensureTopics(kafka: Kafka, { partitionCount, replicas }: TopicLayout): Promise<void> {
  const admin = kafka.admin();
  await admin.connect();
  try {
    const missing = await findMissingTopics(admin);
    if (missing.length > 0) {
      const replicationFactor = replicas ?? (await defaultReplicas(admin, missing));
      await admin.createTopics({
        // Waits for nothing: `describeTopics` does.
        waitForLeaders: false,
        topics: missing.map((topic) => ({
          topic,
          numPartitions: partitionCount,
          replicationFactor,
          configEntries: [...(topicSettings[topic] ?? []), ...replicationSettings(replicationFactor)],
        })),
      });
    }
    const described = await describeTopics(admin);
    for (const { name, partitions } of described) {
      if (partitions.length !== partitionCount) {
        throw new Error(
          `topic ${name} has ${partitions.length} partitions, expected ${partitionCount}; the number is fixed for the life of a cell`,
        );
      }
    }
    const existing = described.filter(({ name }) => !missing.includes(name));
    requireReplicas(existing, replicas);
    await checkSettings(admin, existing);
  } finally {
    await admin.disconnect();
  }
}

export interface FoundTopics {
  readonly missing: readonly string[];
  /** Of one that exists; undefined where none does. `ensureTopics` rejects others with another number. */
  readonly partitions: number | undefined;
}

export async function findTopics(kafka: Kafka): Promise<FoundTopics> {
  const admin = kafka.admin();
  await admin.connect();
  try {
    const missing = await findMissingTopics(admin);
    const existing = Object.values(topics).find((topic) => !missing.includes(topic));
    const partitions = existing === undefined ? undefined : (await admin.fetchTopicOffsets(existing)).length;
    return { missing, partitions };
  } finally {
    await admin.disconnect();
  }
}

export async function findMissingTopics(admin: Pick<Admin, 'listTopics'>): Promise<string[]> {
  const existing = new Set(await admin.listTopics());
  return Object.values(topics).filter((topic) => !existing.has(topic));
}

/**
 * Without a number that was asked for, only a single broker gets topics. Brokers that are down are not counted: topics with
 * more replicas show that there were others.
 */
async function defaultReplicas(admin: Admin, missing: readonly string[]): Promise<number> {
  const { brokers } = await admin.describeCluster();
  const present = Object.values(topics).filter((topic) => !missing.includes(topic));
  const { topics: described } =
    present.length === 0 ? { topics: [] } : await admin.fetchTopicMetadata({ topics: present });
  const otherReplicas = Math.max(1, ...described.map(({ partitions }) => fewestReplicas(partitions)));
  if (brokers.length <= 1 && otherReplicas === 1) return 1;
  const proposed = otherReplicas > 1 ? otherReplicas : Math.min(productionReplicas, brokers.length);
  const reason =
    otherReplicas > 1 ? `other topics have ${otherReplicas} replicas` : `Kafka has ${brokers.length} brokers`;
  throw new Error(
    `${missing.join(', ')} must be created, and ${reason}: the number of replicas is not set; ` +
      `add \`--replicas ${proposed}\` to \`lending prepare\` or \`lending topic remake\``,
  );
}

/** Replicas are reported and not added: which brokers hold them is for an operator to say. */
function requireReplicas(existing: readonly ITopicMetadata[], replicas = 1): void {
  const found = existing.map(({ name, partitions }) => ({ name, replicas: fewestReplicas(partitions) }));
  const short = found.filter((topic) => topic.replicas < replicas);
  if (short.length === 0) return;
  const problems = short.map((topic) => `topic ${topic.name} has ${topic.replicas} replicas, expected ${replicas}`);
  throw new Error(
    `${problems.join('\n')}\nAdd replicas with kafka-reassign-partitions.sh, or delete a topic that holds nothing yet; then repeat`,
  );
}

function fewestReplicas(partitions: ITopicMetadata['partitions']): number {
  return Math.min(...partitions.map(({ replicas }) => replicas.length));
}

const metadataTimeoutMs = 30_000;

/** A new topic is known to each broker at another time, and to the driver's own wait only if that broker knows it. */
function describeTopics(admin: Admin): Promise<ITopicMetadata[]> {
  return retry(
    async () => {
      const { topics: described } = await admin.fetchTopicMetadata({ topics: Object.values(topics) });
      const waiting = described.find(({ partitions }) => partitions.some(({ leader }) => leader < 0));
      if (waiting !== undefined) throw new NoLeaderError(`topic ${waiting.name} has partitions without a leader`);
      return described;
    },
    { isRetryable: isUnknownTopic, firstDelayMs: 100, maxDelayMs: 1_000, timeoutMs: metadataTimeoutMs },
  );
}

class NoLeaderError extends Error {
  override readonly name = 'NoLeaderError';
}

const unknownTopicTypes = ['UNKNOWN_TOPIC_OR_PARTITION', 'LEADER_NOT_AVAILABLE'];

/** The driver wraps the answer of the broker once it has retried. */
function isUnknownTopic(cause: unknown): boolean {
  if (cause instanceof NoLeaderError) return true;
  if (!(cause instanceof Error)) return false;
  return unknownTopicTypes.includes(String((cause as { type?: unknown }).type)) || isUnknownTopic(cause.cause);
}

/** Wrong settings are reported and not changed: they may be intended, and deleted records do not come back. */
async function checkSettings(admin: Admin, existing: readonly ITopicMetadata[]): Promise<void> {
  if (existing.length === 0) return;
  const { resources } = await admin.describeConfigs({
    includeSynonyms: false,
    resources: existing.map(({ name }) => ({ type: kafkajs.ConfigResourceTypes.TOPIC, name })),
  });
  const problems = existing.flatMap(({ name: topic, partitions }) => {
    const entries = resources.find(({ resourceName }) => resourceName === topic)?.configEntries ?? [];
    const found = new Map(entries.map(({ configName, configValue }) => [configName, configValue]));
    return [...(topicSettings[topic] ?? []), ...replicationSettings(fewestReplicas(partitions))].flatMap(
      ({ name, value }) => {
        const expected = unmetRequirement(found.get(name), value);
        if (expected === undefined) return [];
        const problem = `topic ${topic} has ${name}=${found.get(name)}, expected ${expected}`;
        const change = `  kafka-configs.sh --bootstrap-server BROKER --command-config admin.properties --alter --topic ${topic} --add-config ${name}=${value}`;
        return [{ problem, change }];
      },
    );
  });
  if (problems.length === 0) return;
  const lines = [
    ...problems.map(({ problem }) => problem),
    'Change it as follows, then prepare the cell again. A change that freed a full disk must be undone first.',
    ...problems.map(({ change }) => change),
  ];
  throw new Error(lines.join('\n'));
}

/** The expected value, or undefined when the found value keeps at least as much. */
function unmetRequirement(found: string | undefined, required: string): string | undefined {
  if (found === undefined || found === required) return undefined;
  // `delete`, `false` and -1 are required as they are.
  if (!(Number(required) >= 0)) return required;
  return found === '-1' || Number(found) >= Number(required) ? undefined : `at least ${required}`;
}
