/** A development start that was told of a cell finds out whether somebody lives there before it writes anything. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Redis } from 'ioredis';
import pg from 'pg';
import type { StackFacts, Way } from '#deploy/stack/stack.ts';
import { logOf, strangersIn } from '#deploy/stack/strangers.ts';
import { demoInhabitants } from '#deploy/start/demo.ts';
import { migrate } from '#libs/database/migrate.ts';
import { refuseUsedCell } from '#test/stack/empty-cell.ts';
import { house, Tenant } from './tenant.ts';

const scratch = `cell_${randomUUID().slice(0, 8)}`;
let owner: pg.Client;
let cell: pg.Client;
let facts: StackFacts;
beforeAll(async () => {
  const { stack } = house();
  owner = new pg.Client({ connectionString: stack.databaseUrl });
  await owner.connect();
  await owner.query(`CREATE DATABASE ${scratch}`);
  const url = new URL(stack.databaseUrl);
  url.pathname = `/${scratch}`;
  facts = { ...stack, databaseUrl: url.href };
  cell = new pg.Client({ connectionString: url.href });
  await cell.connect();
});
afterAll(async () => {
  await cell.end();
  await owner.query(`DROP DATABASE ${scratch} WITH (FORCE)`);
  await owner.end();
});

function taken(postgres: Way, kafka: Way): StackFacts {
  return { ...facts, took: { kafka, postgres, registry: 'embedded', redis: 'embedded' } };
}

function open(tenantId: string, name: string): Promise<unknown> {
  return cell.query(
    "INSERT INTO tenancies (tenant_id, name, live, jurisdiction, time_zone, created_at, revision) VALUES ($1, $2, true, 'MX', 'UTC', 0, 1)",
    [tenantId, name],
  );
}

const look = (stack: StackFacts, log?: string) =>
  strangersIn(stack, { inhabitants: demoInhabitants, ...(log === undefined ? {} : { log }) });

// Each test finds what the one before it left: a cell as it fills.
describe('a cell that the environment names', () => {
  test('is free while its database has no tables', async () => {
    expect(await look(taken('environment', 'embedded'))).toBeUndefined();
  });

  test('is free while nobody was opened in it', async () => {
    await migrate(facts.databaseUrl);
    expect(await look(taken('environment', 'embedded'))).toBeUndefined();
  });

  test('is not free where its log holds what others submitted', async () => {
    // Whatever was opened in the house went through its log.
    await (await Tenant.open(house())).close();
    for (const postgres of ['environment', 'embedded'] as const)
      expect(await look(taken(postgres, 'environment'))).toContain('lending.submissions holds submissions');
  });

  test('is not free where others were opened in it, who are named', async () => {
    await open('acme', 'Acme');
    expect(await look(taken('environment', 'environment'))).toBe('its database holds the Tenancies acme');
  });

  test('is not free because one of them has the name of ours for its own', async () => {
    await open('demo', 'A lender of demonstrations');
    expect(await look(taken('environment', 'embedded'))).toContain('acme, demo');
  });

  test('is free where a development start has opened its own before, whoever was opened beside', async () => {
    await cell.query("DELETE FROM tenancies WHERE tenant_id = 'demo'");
    await open('demo', 'Demo demo');
    expect(await look(taken('environment', 'embedded'))).toBeUndefined();
  });

  test('is not free where a log is named that is another than that start worked on, whoever owns the database', async () => {
    const { cluster } = await logOf(facts.kafkaBrokers);
    for (const postgres of ['environment', 'embedded'] as const) {
      const both = taken(postgres, 'environment');
      expect(await look(both)).toContain('lending.submissions holds submissions');
      expect(await look(both, 'another')).toContain('lending.submissions holds submissions');
      expect(await look(both, cluster)).toBe(
        'its topic lending.submissions holds submissions the database knows nothing of',
      );
    }
    await cell.query(
      'INSERT INTO partitions (partition, epoch, next_offset) VALUES (0, 1, 1) ON CONFLICT (partition) DO UPDATE SET next_offset = 1',
    );
    expect(await look(taken('environment', 'environment'), cluster)).toBeUndefined();
    expect(await look(taken('embedded', 'environment'), cluster)).toBeUndefined();
  });

  test('is left alone by tests, whoever lives in it', async () => {
    await expect(refuseUsedCell(taken('environment', 'embedded'), {})).rejects.toThrow(
      'holds the Tenancies acme, demo',
    );
    await expect(refuseUsedCell(taken('embedded', 'environment'), {})).rejects.toThrow('holds submissions');
    const redisNamed = { ...taken('embedded', 'embedded').took, redis: 'environment' as const };
    const redis = new Redis(facts.redisUrl);
    await redis.set('a-key', 'of others', 'EX', 60);
    redis.disconnect();
    await expect(refuseUsedCell({ ...facts, took: redisNamed }, {})).rejects.toThrow(/its Redis holds \d+ keys/);
    await refuseUsedCell(taken('environment', 'environment'), { LENDING_TESTS_IN_USED_CELL: 'yes' });
    await refuseUsedCell(taken('embedded', 'embedded'), {});
  });
});

test('a stack of our own is asked nothing', async () => {
  await cell.query('DELETE FROM tenancies');
  await open('acme', 'Acme');
  expect(await look(taken('embedded', 'embedded'))).toBeUndefined();
});
