/** A connection pooler that drops the settings of a session, or shares sessions, is refused. */
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { serviceEnvironment } from '#deploy/dev/services.ts';
import { openDatabase, openOwnerDatabase, openReadOnlyDatabase } from '#libs/database/pool.ts';
import { createScratchDatabase, type ScratchDatabase } from '#test/support/scratch-database.ts';
import { ServiceProcess } from '#test/support/service-process.ts';
import { StartupProxy } from '#test/support/startup-proxy.ts';
import { testEnvironment } from '#test/support/tenant.ts';

let scratch: ScratchDatabase;
const proxies: StartupProxy[] = [];
beforeAll(async () => {
  scratch = await createScratchDatabase('pooler');
});
afterAll(async () => {
  for (const proxy of proxies) proxy.close();
  await scratch.drop();
});

async function pooler(url: string, change: Parameters<typeof StartupProxy.open>[1]): Promise<string> {
  const proxy = await StartupProxy.open(url, change);
  proxies.push(proxy);
  return proxy.url;
}

/** PgBouncer with `ignore_startup_parameters = options`. */
const dropOptions = ({ options: _, ...rest }: Readonly<Record<string, string>>) => rest;

describe('a session', () => {
  const open = { openDatabase, openReadOnlyDatabase };
  test.each(['openDatabase', 'openReadOnlyDatabase'] as const)(
    'of %s without the requested settings is refused, and the error says what to do',
    async (kind) => {
      const url = await pooler(scratch.servicesUrl, dropOptions);
      const pool = open[kind]({ url, name: 'dropped', maxHoldMs: 2_000 });
      const refused = pool.query('SELECT 1');
      await expect(refused).rejects.toThrow(
        /role is none, expected lending_service.*PgBouncer.*connect to Postgres directly/,
      );
      expect(pool.totalCount).toBe(0);
      await pool.end();
    },
  );

  test('names every setting that is not in force', async () => {
    const url = await pooler(scratch.servicesUrl, dropOptions);
    const pool = openDatabase({ url, name: 'dropped', maxHoldMs: 2_000 });
    const error = await pool.connect().catch(String);
    for (const name of ['role', 'statement_timeout', 'enable_seqscan', 'plan_cache_mode'])
      expect(error).toContain(name);
    await pool.end();
  });

  test('that is shared is refused although its settings are the requested ones', async () => {
    const url = await pooler(scratch.servicesUrl, ({ options = '', ...rest }) => ({
      ...rest,
      options: options.replace(/lending\.session=\S+/, 'lending.session=of-another-connection'),
    }));
    const pool = openDatabase({ url, name: 'shared' });
    await expect(pool.query('SELECT 1')).rejects.toThrow('(lending.session is not that of this connection)');
    await pool.end();
  });

  test('has the settings of the service, of an audit and of a rebuild', async () => {
    const { servicesUrl: url, ownerUrl } = scratch;
    const pools = [
      openDatabase({ url, name: 'direct', maxHoldMs: 60_000 }),
      openReadOnlyDatabase({ url, name: 'direct' }),
      openOwnerDatabase({ url: ownerUrl, name: 'direct' }, 'public'),
    ];
    for (const pool of pools) {
      expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
      await pool.end();
    }
  });
});

describe('a service', () => {
  test.each(['gateway', 'processor'])('%s refuses to start behind a pooler that drops its settings', async (name) => {
    const url = await pooler(testEnvironment().stack.servicesDatabaseUrl, dropOptions);
    const service = await ServiceProcess.start(
      name,
      { ...serviceEnvironment(testEnvironment().stack), DATABASE_URL: url },
      { stdio: ['ignore', 'pipe', 'ignore'] },
    );
    const log = text(service.process.stdout as NodeJS.ReadableStream);
    expect(await service.exited).toEqual([1, null]);
    const last = JSON.parse((await log).trimEnd().split('\n').at(-1) ?? '');
    expect(last).toMatchObject({ event: 'service.start_failed', err: { type: 'SessionSettingsError' } });
    expect(last.err.message).toContain('PgBouncer');
  });
});
