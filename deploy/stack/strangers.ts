/** Whether a cell that the environment names is somebody else's: a development start must find that out before it writes. */
import pg from 'pg';
import { connectKafka } from '#libs/kafka/kafka.ts';
import { topics } from '#libs/kafka/topics.ts';
import type { StackFacts } from './stack.ts';

export interface Lived {
  readonly tenantId: string;
  readonly name: string;
}

/** Whom a start may find in a cell that the environment names. */
export interface Ours {
  readonly inhabitants: readonly Lived[];
  /** The Kafka cluster whose log they were opened through. */
  readonly log?: string;
}

export const nobody: Ours = { inhabitants: [] };

/**
 * What tells that the cell is not ours; undefined where all that the environment names of it is empty, or is where some
 * of `ours` live already. A database of ours says nothing of a log that is named beside it.
 */
export async function strangersIn(stack: StackFacts, ours: Ours): Promise<string | undefined> {
  const { took } = stack;
  if (took.postgres === 'environment') {
    const tenancies = await tenanciesIn(stack.databaseUrl);
    const isOurs = ({ tenantId, name }: Lived): boolean =>
      ours.inhabitants.some((one) => one.tenantId === tenantId && one.name === name);
    if (tenancies.length > 0 && !tenancies.some(isOurs)) {
      return `its database holds ${listed(tenancies.map(({ tenantId }) => tenantId))}`;
    }
  }
  if (took.kafka === 'environment') {
    const { cluster, submitted } = await logOf(stack.kafkaBrokers);
    // The services would take the turns of another cell's books.
    if (submitted > 0 && cluster !== ours.log) {
      return `its topic ${topics.submissions} holds submissions of others than those who were opened from here`;
    }
    // On top of an empty database all of them would be recorded once more.
    if (submitted > 0 && !(await hasTakenAny(stack.databaseUrl))) {
      return `its topic ${topics.submissions} holds submissions the database knows nothing of`;
    }
  }
  return undefined;
}

function listed(tenantIds: readonly string[]): string {
  const shown = tenantIds.slice(0, 3).join(', ');
  return tenantIds.length > 3 ? `${tenantIds.length} Tenancies, ${shown} among them` : `the Tenancies ${shown}`;
}

async function tenanciesIn(databaseUrl: string): Promise<Lived[]> {
  const text = 'SELECT tenant_id AS "tenantId", name FROM tenancies ORDER BY tenant_id';
  return rowsIn<Lived>(databaseUrl, 'tenancies', text);
}

async function hasTakenAny(databaseUrl: string): Promise<boolean> {
  const taken = await rowsIn(databaseUrl, 'partitions', 'SELECT 1 FROM partitions WHERE next_offset > 0 LIMIT 1');
  return taken.length > 0;
}

/** None where there is no such table yet. */
async function rowsIn<Row extends pg.QueryResultRow>(url: string, table: string, text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const made = await client.query('SELECT 1 WHERE to_regclass($1) IS NOT NULL', [table]);
    return made.rows.length === 0 ? [] : (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}

/** The Kafka cluster, and how much was ever submitted there. */
export async function logOf(brokers: string): Promise<{ readonly cluster: string; readonly submitted: number }> {
  const admin = connectKafka(brokers, 'lending-start').admin();
  await admin.connect();
  try {
    const { clusterId: cluster } = await admin.describeCluster();
    if (!(await admin.listTopics()).includes(topics.submissions)) return { cluster, submitted: 0 };
    const ends = await admin.fetchTopicOffsets(topics.submissions);
    return { cluster, submitted: ends.reduce((sum, { high }) => sum + Number(high), 0) };
  } finally {
    await admin.disconnect();
  }
}
