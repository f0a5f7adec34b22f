/** Prepares a cell for its first service: tables, login, topics and schemas. Safe to repeat; does only what is missing. */

import type { Database } from '#libs/database/database.ts';
import { migrate } from '#libs/database/migrate.ts';
import { readNamedDatabases, readPlacement } from '#libs/database/partition-databases.ts';
import { hasBeenUsed, readAllPositions, setPartitionCount } from '#libs/database/partitions.ts';
import { addDatabase, placePartitions, type RequestedPlacement } from '#libs/database/place-partitions.ts';
import { openOwnerDatabase } from '#libs/database/pool.ts';
import { createServiceLogin, usesOwnerLogin } from '#libs/database/service-login.ts';
import { bookEventSchema } from '#libs/kafka/book-event.ts';
import { defaultPartitionCount } from '#libs/kafka/book-key-partition.ts';
import { connectKafka, type KafkaClient } from '#libs/kafka/kafka-client.ts';
import { movementSchema } from '#libs/kafka/movement.ts';
import { registerFactSchemas } from '#libs/kafka/register-fact-schemas.ts';
import { lostDataRunbook, SchemaRegistry } from '#libs/kafka/schema-registry.ts';
import { submissionSchema } from '#libs/kafka/submission-record.ts';
import { withAdmin } from '#libs/kafka/topic-offsets.ts';
import { ensureTopics, findMissingTopics, findTopics, topics } from '#libs/kafka/topics.ts';
import { servingSchema } from '#libs/verify/rebuild/shadow-schema.ts';
import { missingAddress, type OwnedDatabase } from './cell-databases.ts';
import { choosePartitionCount, type FoundPartitions } from './choose-partition-count.ts';

const schemaByTopic = {
  [topics.submissions]: submissionSchema,
  [topics.bookEvents]: bookEventSchema,
  [topics.movements]: movementSchema,
};

export type CellToPrepare = {
  readonly kafkaBrokers: string;
  readonly schemaRegistryUrl: string;
  /** Logs in as the owner of the tables. */
  readonly databaseUrl: string;
  /** Logs in as the services do. */
  readonly servicesDatabaseUrl: string;
  /** Of the further databases, by name. */
  readonly partitionDatabases?: ReadonlyMap<string, OwnedDatabase>;
};

export interface PrepareOptions {
  /** As `ensureTopics` takes it. */
  readonly replicas?: number | undefined;
  /** Of a new cell. Another number than that of an existing one is refused. */
  readonly partitions?: number | undefined;
  /** Of a new cell: the partitions that are not in the home database. */
  readonly placement?: RequestedPlacement;
  /** Databases that join the cell without partitions. */
  readonly addedDatabases?: readonly string[];
  /** Of a new cell where `partitions` does not say it. */
  readonly defaultPartitions?: number;
  /** By default a wait is reported on standard error: programs read the other one. */
  readonly reportWait?: (line: string) => void;
}

export interface PreparedCell {
  /** The names of those that were run. */
  readonly migrations: readonly string[];
  readonly partitions: number;
}

export async function prepare(addresses: CellToPrepare, options: PrepareOptions = {}): Promise<PreparedCell> {
  const { replicas, partitions, placement = new Map(), defaultPartitions = defaultPartitionCount } = options;
  const { reportWait = console.error, addedDatabases = [] } = options;
  const { databaseUrl, servicesDatabaseUrl, partitionDatabases = new Map<string, OwnedDatabase>() } = addresses;
  const kafka = connectKafka(addresses.kafkaBrokers, 'lending-prepare');
  const registry = new SchemaRegistry(addresses.schemaRegistryUrl);
  await requireSchemasOfRecords(kafka, registry);
  const onWait = (cause: unknown): void =>
    reportWait(`Waiting to migrate the database: ${cause instanceof Error ? cause.message : String(cause)}`);
  const migrations = await migrate(databaseUrl, { onWait });
  if (!usesOwnerLogin(databaseUrl, servicesDatabaseUrl)) await createServiceLogin(databaseUrl, servicesDatabaseUrl);
  for (const { ownerUrl, servicesUrl } of partitionDatabases.values()) {
    await migrate(ownerUrl, { onWait });
    if (!usesOwnerLogin(ownerUrl, servicesUrl)) await createServiceLogin(ownerUrl, servicesUrl);
  }
  const owner = openOwnerDatabase({ url: databaseUrl, name: 'prepare' }, servingSchema);
  let partitionCount: number;
  try {
    await requireAddresses(owner, partitionDatabases);
    const choice = { requested: partitions, defaultPartitions };
    partitionCount = await ensurePartitions(kafka, owner, choice, (count) =>
      placement.size === 0 && addedDatabases.length === 0
        ? Promise.resolve()
        : place(owner, count, { partitionDatabases, placement, addedDatabases }),
    );
  } finally {
    await owner.end();
  }
  await ensureTopics(kafka, { partitionCount, replicas });
  for (const { subject, schema, compatibility } of Object.values(schemaByTopic)) {
    await registry.register(subject, schema, compatibility);
  }
  await registerFactSchemas(registry);
  return { migrations, partitions: partitionCount };
}

/** Each is migrated with every release: one that is left out would not know what the services send it. */
async function requireAddresses(home: Database, addresses: ReadonlyMap<string, OwnedDatabase>): Promise<void> {
  const missing = (await readNamedDatabases(home)).find(({ name }) => !addresses.has(name));
  if (missing !== undefined) throw missingAddress(missing.name);
}

async function place(
  home: Database,
  partitionCount: number,
  {
    partitionDatabases,
    placement,
    addedDatabases,
  }: {
    readonly partitionDatabases: ReadonlyMap<string, OwnedDatabase>;
    readonly placement: RequestedPlacement;
    readonly addedDatabases: readonly string[];
  },
): Promise<void> {
  const opened: Database[] = [];
  const ownerOf = (name: string): Database => {
    const found = partitionDatabases.get(name);
    if (found === undefined) throw missingAddress(name);
    const owner = openOwnerDatabase({ url: found.ownerUrl, name: 'prepare' }, servingSchema);
    opened.push(owner);
    return owner;
  };
  try {
    await placePartitions({ home, ownerOf, partitionCount }, placement);
    for (const name of addedDatabases) await addDatabase({ home, ownerOf, partitionCount }, name);
  } finally {
    await Promise.all(opened.map((owner) => owner.end()));
  }
}

/** Creates the rows of the partitions of a new cell. Returns how many partitions the cell has. */
async function ensurePartitions(
  kafka: KafkaClient,
  home: Database,
  choice: Pick<FoundPartitions, 'requested' | 'defaultPartitions'>,
  placeAmong: (count: number) => Promise<void>,
): Promise<number> {
  const positions = await readAllPositions(home);
  // Where all partitions are placed elsewhere, no processor uses those of the home database.
  const isPlaced = positions.size > 0 && (await readPlacement(home)).numbers.size > 0;
  const inTables = { partitions: positions.size, isUsed: isPlaced || hasBeenUsed(positions) };
  const count = choosePartitionCount({ ...choice, inTables, inTopics: await findTopics(kafka) });
  await placeAmong(count);
  if (count !== (await readAllPositions(home)).size) await setPartitionCount(home, count);
  return count;
}

/** Each record names its schema by an id. A registry that lost its data would give the schema another one. */
export async function requireSchemasOfRecords(kafka: KafkaClient, registry: SchemaRegistry): Promise<void> {
  for (const [topic, { subject }] of Object.entries(schemaByTopic)) {
    if ((await registry.hasSubject(subject)) || !(await holdsRecords(kafka, topic))) continue;
    throw new Error(
      `${topic} holds records, but the schema registry has no schema for ${subject}: it lost its data. ` +
        `Restore them, then run \`lending prepare\` again: ${lostDataRunbook}`,
    );
  }
}

function holdsRecords(kafka: KafkaClient, topic: string): Promise<boolean> {
  return withAdmin(kafka, async (admin) => {
    if ((await findMissingTopics(admin)).includes(topic)) return false;
    return (await admin.fetchTopicOffsets(topic)).some(({ low, high }) => low !== high);
  });
}
