/** Checks whether a cell that the environment names holds data of others, before a development start or a test writes to it. */
import pg from 'pg';
import { connectKafka } from '#libs/kafka/kafka-client.ts';
import { topics } from '#libs/kafka/topics.ts';
import type { BackingServiceAddresses } from './backing-services.ts';

export interface TenancyName {
  readonly tenantId: string;
  readonly name: string;
}

/** What a start may find in the cell because an earlier start of the same folder wrote it. */
export interface ExpectedData {
  readonly tenancies: readonly TenancyName[];
  /** The Kafka cluster in which these Tenancies were opened. */
  readonly clusterId?: string;
}

export const noExpectedData: ExpectedData = { tenancies: [] };

/**
 * Describes the foreign data; undefined where the named services are empty or hold expected data. The database and the
 * topic are checked separately: one of them may be ours while the other is not.
 */
export async function findForeignData(
  services: BackingServiceAddresses,
  expected: ExpectedData,
): Promise<string | undefined> {
  if (services.sources.postgres === 'environment') {
    const tenancies = await tenanciesIn(services.databaseUrl);
    const isExpected = ({ tenantId, name }: TenancyName): boolean =>
      expected.tenancies.some((one) => one.tenantId === tenantId && one.name === name);
    if (tenancies.length > 0 && !tenancies.some(isExpected)) {
      return `its database holds ${listIds(tenancies.map(({ tenantId }) => tenantId))}`;
    }
  }
  if (services.sources.kafka === 'environment') {
    const { clusterId, submissions } = await describeSubmissionTopic(services.kafkaBrokers);
    // The services would process the submissions of another cell.
    if (submissions > 0 && clusterId !== expected.clusterId) {
      return `its topic ${topics.submissions} holds submissions that were not sent from here`;
    }
    // With an empty database all of them would be recorded a second time.
    if (submissions > 0 && !(await hasProcessedSubmissions(services.databaseUrl))) {
      return `its topic ${topics.submissions} holds submissions that the database has not recorded`;
    }
  }
  return undefined;
}

function listIds(tenantIds: readonly string[]): string {
  const shown = tenantIds.slice(0, 3).join(', ');
  return tenantIds.length > 3 ? `${tenantIds.length} Tenancies, among them ${shown}` : `the Tenancies ${shown}`;
}

function tenanciesIn(databaseUrl: string): Promise<TenancyName[]> {
  const sql = 'SELECT tenant_id AS "tenantId", name FROM tenancies ORDER BY tenant_id';
  return selectIfTableExists<TenancyName>(databaseUrl, 'tenancies', sql);
}

async function hasProcessedSubmissions(databaseUrl: string): Promise<boolean> {
  const sql = 'SELECT 1 FROM partitions WHERE next_offset > 0 LIMIT 1';
  return (await selectIfTableExists(databaseUrl, 'partitions', sql)).length > 0;
}

async function selectIfTableExists<Row extends pg.QueryResultRow>(
  url: string,
  table: string,
  sql: string,
): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const found = await client.query('SELECT 1 WHERE to_regclass($1) IS NOT NULL', [table]);
    return found.rows.length === 0 ? [] : (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}

/** The Kafka cluster, and how many submissions its topic has ever held. */
export async function describeSubmissionTopic(
  brokers: string,
): Promise<{ readonly clusterId: string; readonly submissions: number }> {
  const admin = connectKafka(brokers, 'lending-start').admin();
  await admin.connect();
  try {
    const { clusterId } = await admin.describeCluster();
    if (!(await admin.listTopics()).includes(topics.submissions)) return { clusterId, submissions: 0 };
    const offsets = await admin.fetchTopicOffsets(topics.submissions);
    return { clusterId, submissions: offsets.reduce((sum, { high }) => sum + Number(high), 0) };
  } finally {
    await admin.disconnect();
  }
}
