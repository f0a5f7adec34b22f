/** A development start against a cell named by the environment refuses to write where other lenders have data. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Redis } from 'ioredis';
import type { AddressSource, BackingServiceAddresses } from '#deploy/dev/backing-services.ts';
import { demoTenancyNames } from '#deploy/dev/demo-tenancies.ts';
import { describeSubmissionTopic, findForeignData } from '#deploy/dev/used-cell-check.ts';
import { migrate } from '#libs/database/migrate.ts';
import { refuseUsedCell } from '#test/stack/used-cell.ts';
import { createPartitions } from '#test/support/partitions.ts';
import { createScratchDatabase, type ScratchDatabase } from '#test/support/scratch-database.ts';
import { Tenant, testEnvironment } from '#test/support/tenant.ts';

let scratch: ScratchDatabase;
let addresses: BackingServiceAddresses;
beforeAll(async () => {
  scratch = await createScratchDatabase('foreign-data', { migrated: false });
  addresses = { ...testEnvironment().stack, databaseUrl: scratch.ownerUrl };
});
afterAll(() => scratch.drop());

/** The cell where each service comes from the environment or is the project's own. */
function cellWith(postgres: AddressSource, kafka: AddressSource): BackingServiceAddresses {
  return { ...addresses, sources: { kafka, postgres, registry: 'embedded', redis: 'embedded' } };
}

function insertTenancy(tenantId: string, name: string): Promise<unknown> {
  return scratch.owner.query(
    "INSERT INTO tenancies (tenant_id, name, live, jurisdiction, time_zone, created_at, revision) VALUES ($1, $2, true, 'MX', 'UTC', 0, 1)",
    [tenantId, name],
  );
}

const findings = (stack: BackingServiceAddresses, clusterId?: string) =>
  findForeignData(stack, { tenancies: demoTenancyNames, ...(clusterId === undefined ? {} : { clusterId }) });

// Each test continues with the cell as the test before it left it.
describe('a cell that the environment names', () => {
  test('may be used while its database has no tables', async () => {
    expect(await findings(cellWith('environment', 'embedded'))).toBeUndefined();
  });

  test('may be used while it has no Tenancy', async () => {
    await migrate(addresses.databaseUrl);
    await createPartitions(addresses.databaseUrl);
    expect(await findings(cellWith('environment', 'embedded'))).toBeUndefined();
  });

  test('may not be used when its topic holds submissions of others', async () => {
    // Opening a Tenancy writes to the submissions topic of this run.
    await (await Tenant.open(testEnvironment())).close();
    for (const postgres of ['environment', 'embedded'] as const)
      expect(await findings(cellWith(postgres, 'environment'))).toContain('lending.submissions holds submissions');
  });

  test('may not be used when it has Tenancies of others, which are named', async () => {
    await insertTenancy('acme', 'Acme');
    expect(await findings(cellWith('environment', 'environment'))).toBe('its database holds the Tenancies acme');
  });

  test('may not be used when a Tenancy of others has the id of the demo Tenancy', async () => {
    await insertTenancy('demo', 'A lender of demonstrations');
    expect(await findings(cellWith('environment', 'embedded'))).toContain('acme, demo');
  });

  test('may be used again after an earlier development start, also when other Tenancies were opened since', async () => {
    await scratch.owner.query("DELETE FROM tenancies WHERE tenant_id = 'demo'");
    await insertTenancy('demo', 'Demo demo');
    expect(await findings(cellWith('environment', 'embedded'))).toBeUndefined();
  });

  test('may not be used when Kafka is not the cluster the earlier start used', async () => {
    const { clusterId } = await describeSubmissionTopic(addresses.kafkaBrokers);
    for (const postgres of ['environment', 'embedded'] as const) {
      const named = cellWith(postgres, 'environment');
      expect(await findings(named)).toContain('lending.submissions holds submissions');
      expect(await findings(named, 'another')).toContain('lending.submissions holds submissions');
      expect(await findings(named, clusterId)).toBe(
        'its topic lending.submissions holds submissions that the database has not recorded',
      );
    }
    await scratch.owner.query('UPDATE partitions SET epoch = 1, next_offset = 1 WHERE partition = 0');
    expect(await findings(cellWith('environment', 'environment'), clusterId)).toBeUndefined();
    expect(await findings(cellWith('embedded', 'environment'), clusterId)).toBeUndefined();
  });

  test('is refused by the test run when it holds data of others', async () => {
    await expect(refuseUsedCell(cellWith('environment', 'embedded'), {})).rejects.toThrow(
      'holds the Tenancies acme, demo',
    );
    await expect(refuseUsedCell(cellWith('embedded', 'environment'), {})).rejects.toThrow('holds submissions');
    const redisNamed = { ...cellWith('embedded', 'embedded').sources, redis: 'environment' as const };
    const redis = new Redis(addresses.redisUrl);
    await redis.set('a-key', 'other data', 'EX', 60);
    redis.disconnect();
    await expect(refuseUsedCell({ ...addresses, sources: redisNamed }, {})).rejects.toThrow(/its Redis holds \d+ keys/);
    await refuseUsedCell(cellWith('environment', 'environment'), { LENDING_TESTS_IN_USED_CELL: 'yes' });
    await refuseUsedCell(cellWith('embedded', 'embedded'), {});
  });
});

test('embedded backing services are not checked', async () => {
  await scratch.owner.query('DELETE FROM tenancies');
  await insertTenancy('acme', 'Acme');
  expect(await findings(cellWith('embedded', 'embedded'))).toBeUndefined();
});
