/** A database made anew from the topic: beside the one that serves, under load, and where there is none any more. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { killService, startService } from '#deploy/start/house.ts';
import { openForAudit } from '#libs/database/maintenance-pool.ts';
import { migrate } from '#libs/database/migrate.ts';
import { dropCachedBooks, SnapshotCache } from '#libs/database/snapshot-cache.ts';
import { connectKafka } from '#libs/kafka/kafka.ts';
import { openRedis } from '#libs/redis/redis.ts';
import { deciderFor } from '#libs/tenant/decider-for.ts';
import { audit } from '#libs/verify/audit/audit.ts';
import { told } from '#libs/verify/audit/finding.ts';
import { rebuild } from '#libs/verify/rebuild/rebuild.ts';
import type { RebuildOptions } from '#libs/verify/rebuild/rebuilding.ts';
import { Life } from '#test/integration/life.ts';
import { eventually, type House, house, Tenant } from '#test/integration/tenant.ts';
import { findings } from './findings.ts';
import { Lenders } from './lenders.ts';

let here: House;
let life: Life;
let owner: pg.Client;
beforeAll(async () => {
  here = house();
  owner = new pg.Client({ connectionString: here.stack.databaseUrl });
  await owner.connect();
  life = await Life.open(here, 21);
  await life.go(60);
}, 60_000);
afterAll(async () => {
  await life.tenant.close();
  await owner.end();
});

const silent = { warn: () => undefined, error: () => undefined };
const withinMs = 240_000;

function rebuilding(over: Partial<RebuildOptions> = {}) {
  const { kafkaBrokers, schemaRegistryUrl, databaseUrl } = here.stack;
  const kafka = connectKafka(kafkaBrokers, 'rebuild');
  return rebuild({ kafka, schemaRegistryUrl, ownerUrl: databaseUrl, say: silent, ...over });
}

/** What whoever may read anything of this lender is answered, to the byte. */
async function everyAnswer(): Promise<Map<string, string>> {
  const paths = [
    '/loans',
    '/loan-events',
    '/clients',
    '/product-configurations',
    '/bounds',
    '/merchants/shop-1/book?on=2026-05-01',
  ];
  for (const on of ['2026-02-20', '2026-03-20', '2026-07-01']) paths.push(`/dues?on=${on}`);
  for (const client of life.clients) {
    for (const read of [
      '',
      '/payment-options?on=2026-04-01',
      '/statement?from=2026-01-01&to=2026-06-30',
      '/receipts',
      '/obligations',
      '/book-version',
    ])
      paths.push(`/clients/${client}${read}`);
  }
  for (const { id } of life.loans) {
    for (const read of ['', '/schedule?on=2026-05-01', '/evidence', '/payoff-quotes'])
      paths.push(`/loans/${id}${read}`);
  }
  for (const receipt of life.receipts) paths.push(`/receipts/${receipt}`, `/receipts/${receipt}/evidence`);
  const answers = new Map<string, string>();
  for (const path of paths) {
    const { status, body } = await life.tenant.get(path);
    answers.set(path, `${status} ${JSON.stringify(body)}`);
  }
  expect([...answers].filter(([, answer]) => !answer.startsWith('200'))).toEqual([]);
  return answers;
}

async function audited(): Promise<string[]> {
  const { kafkaBrokers, schemaRegistryUrl, databaseUrl, redisUrl } = here.stack;
  const database = openForAudit({ url: databaseUrl, name: 'audit' });
  const redis = openRedis(redisUrl, 'audit');
  await eventually(() => redis.status === 'ready');
  const kafka = connectKafka(kafkaBrokers, 'audit');
  const options = {
    database,
    kafka,
    schemaRegistryUrl,
    kindOf: deciderFor,
    say: silent,
    cache: new SnapshotCache(redis, deciderFor),
  };
  try {
    const { findings: found } = await audit({ ...options, most: 10_000 });
    return found.filter(({ where }) => where.startsWith(life.tenant.id)).map(told);
  } finally {
    redis.disconnect();
    await database.end();
  }
}

async function schemasBefore(): Promise<string[]> {
  const { rows } = await owner.query("SELECT nspname FROM pg_namespace WHERE nspname LIKE 'before\\_%'");
  return rows.map(({ nspname }: { nspname: string }) => nspname);
}

test(
  'beside the one that serves, while lenders report: every answer is the same, and nothing acknowledged is lost',
  async () => {
    const tenant = await Tenant.open(here);
    const lenders = new Lenders({ tenant, seed: 77, clients: 6, workers: 6 });
    await lenders.prepare();
    const before = await everyAnswer();
    lenders.start();
    await eventually(() => lenders.acknowledged.size > 50);
    const rebuilt = await rebuilding();
    expect(rebuilt.differences).toEqual([]);
    expect(await schemasBefore()).toEqual([rebuilt.before]);
    // What served before is out of the way: whatever is answered now is answered from the new tables.
    await owner.query(`DROP SCHEMA ${rebuilt.before} CASCADE`);
    const many = lenders.acknowledged.size;
    await eventually(() => lenders.acknowledged.size > many + 100);
    await lenders.stop();
    expect(await everyAnswer()).toEqual(before);
    expect(lenders.surprises).toEqual([]);
    expect(await findings(here, tenant.id, lenders.acknowledged)).toEqual([]);
    await life.go(30);
    expect(await audited()).toEqual([]);
    await tenant.close();
  },
  withinMs,
);

test(
  'beside one that is wrong: nothing is changed and the difference is told, until it is accepted',
  async () => {
    const receipt = life.receipts[0] as string;
    const right = await life.tenant.get(`/receipts/${receipt}`);
    const wrong = `UPDATE facts SET body = replace(body::text, '"minor_units":', '"minor_units":9')::json
      WHERE tenant_id = $1 AND namespace = 'receipts' AND reference = $2`;
    await owner.query(wrong, [life.tenant.id, receipt]);
    const refused = await rebuilding();
    expect(refused).toMatchObject({ before: undefined, differences: [{ table: 'facts' }] });
    expect(refused.differences[0]?.row).toContain(`${life.tenant.id} c/client-`);
    expect(await schemasBefore()).toEqual([]);
    const accepted = await rebuilding({ acceptsDifferences: true });
    expect(accepted.before).toBeDefined();
    await owner.query(`DROP SCHEMA ${accepted.before} CASCADE`);
    expect(await audited()).toEqual([]);
    expect((await life.tenant.get(`/receipts/${receipt}`)).body).toEqual(right.body);
  },
  withinMs,
);

test(
  'of a database that is lost with facts the topic was not told of: what was acknowledged is there, once',
  async () => {
    const page = await life.tenant.get('/clients?limit=1');
    const kept = await secretsKept();
    const tenant = await Tenant.open(here);
    const lenders = new Lenders({ tenant, seed: 78, clients: 6, workers: 12 });
    await lenders.prepare();
    const before = await everyAnswer();
    lenders.start();
    await eventually(() => lenders.acknowledged.size > 100);
    // Killed between an acknowledgement and the topic, as likely as not.
    await killService(here.services, 'processor');
    await killService(here.services, 'gateway');
    await owner.query('ALTER SCHEMA public RENAME TO gone');
    await owner.query('CREATE SCHEMA public');
    const { lost } = await rebuilding({ isLost: true, secretsUrl: kept });
    expect(lost?.begunLater).toEqual([]);
    // Whoever waited when it was killed was waiting for these.
    expect(lost?.submittedAgain).toBeGreaterThan(0);
    const redis = openRedis(here.stack.redisUrl, 'rebuild');
    await eventually(() => redis.status === 'ready');
    await dropCachedBooks(redis);
    redis.disconnect();
    await startService(here.services, 'processor');
    await startService(here.services, 'gateway');
    const many = lenders.acknowledged.size;
    await eventually(() => lenders.acknowledged.size > many + 50, 30_000);
    await lenders.stop();
    expect(lenders.surprises).toEqual([]);
    expect(await findings(here, tenant.id, lenders.acknowledged)).toEqual([]);
    expect(await everyAnswer()).toEqual(before);
    const next = await life.tenant.get(`/clients?limit=1&cursor=${page.body.cursor}`);
    expect(next.status).toBe(200);
    await life.go(20);
    expect(await audited()).toEqual([]);
    await owner.query('DROP SCHEMA gone CASCADE');
    for (const schema of await schemasBefore()) await owner.query(`DROP SCHEMA ${schema} CASCADE`);
    await owner.query(`DROP DATABASE ${new URL(kept).pathname.slice(1)} WITH (FORCE)`);
    await tenant.close();
  },
  withinMs,
);

/** A database that has nothing left but what no fact says. */
async function secretsKept(): Promise<string> {
  const name = `kept_${randomUUID().slice(0, 8)}`;
  await owner.query(`CREATE DATABASE ${name}`);
  const url = new URL(here.stack.databaseUrl);
  url.pathname = `/${name}`;
  await migrate(url.href);
  const { rows } = await owner.query('SELECT name, secret FROM cell_secrets');
  const other = new pg.Client({ connectionString: url.href });
  await other.connect();
  for (const { name: of, secret } of rows)
    await other.query('UPDATE cell_secrets SET secret = $2 WHERE name = $1', [of, secret]);
  await other.end();
  return url.href;
}
