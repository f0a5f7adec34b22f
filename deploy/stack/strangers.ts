/** Whether a cell that the environment names is somebody else's: a development start must find that out before it writes. */
import pg from 'pg';
import { connectKafka } from '#libs/log/kafka.ts';
import { topics } from '#libs/log/topics.ts';
import type { StackFacts } from './stack.ts';

export interface Lived {
  readonly tenantId: string;
  readonly name: string;
}

/** What tells that the cell is not ours; undefined where it is empty, or where somebody of `ours` lives in it already. */
export async function strangersIn(stack: StackFacts, ours: readonly Lived[]): Promise<string | undefined> {
  const { took } = stack;
  if (took.postgres !== 'environment' && took.kafka !== 'environment') return undefined;
  const { tenancies, processed } = await recorded(stack.databaseUrl);
  const isOurs = tenancies.some(({ tenantId, name }) =>
    ours.some((one) => one.tenantId === tenantId && one.name === name),
  );
  if (isOurs) return undefined;
  if (tenancies.length > 0) return `its database holds ${listed(tenancies.map(({ tenantId }) => tenantId))}`;
  const submitted = took.kafka === 'environment' ? await submissionsIn(stack.kafkaBrokers) : 0;
  // The services would take the turns of another cell's books on top of an empty database.
  return submitted > 0 && processed === 0
    ? `its topic ${topics.submissions} holds submissions the database knows nothing of`
    : undefined;
}

function listed(tenantIds: readonly string[]): string {
  const shown = tenantIds.slice(0, 3).join(', ');
  return tenantIds.length > 3 ? `${tenantIds.length} Tenancies, ${shown} among them` : `the Tenancies ${shown}`;
}

async function recorded(databaseUrl: string): Promise<{ tenancies: Lived[]; processed: number }> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const [{ made } = { made: false }] = await rows<{ made: boolean }>(
      client,
      "SELECT to_regclass('tenancies') IS NOT NULL AND to_regclass('partitions') IS NOT NULL AS made",
    );
    if (!made) return { tenancies: [], processed: 0 };
    const [sum] = await rows<{ processed: string }>(client, 'SELECT sum(next_offset) AS processed FROM partitions');
    const tenancies = await rows<Lived>(
      client,
      'SELECT tenant_id AS "tenantId", name FROM tenancies ORDER BY tenant_id',
    );
    return { tenancies, processed: Number(sum?.processed ?? 0) };
  } finally {
    await client.end();
  }
}

async function rows<Row>(client: pg.Client, text: string): Promise<Row[]> {
  return (await client.query(text)).rows as Row[];
}

async function submissionsIn(brokers: string): Promise<number> {
  const admin = connectKafka(brokers, 'lending-start').admin();
  await admin.connect();
  try {
    if (!(await admin.listTopics()).includes(topics.submissions)) return 0;
    const ends = await admin.fetchTopicOffsets(topics.submissions);
    return ends.reduce((sum, { high }) => sum + Number(high), 0);
  } finally {
    await admin.disconnect();
  }
}
