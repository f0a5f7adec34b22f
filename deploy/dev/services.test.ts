/** What a start decides before and while the services start: ports, logins, and the answer of a second start. */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { BackingServiceAddresses } from './backing-services.ts';
import { describeRunningStart } from './dev-files.ts';
import { chooseConsolePort, chooseHttpPort, freePort, isFree, servicesUrlIn } from './ports.ts';
import { stopFolder } from './process-supervisor.ts';
import { startServices } from './services.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'lending-services-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

async function whileListening<Result>(port: number, host: string, work: () => Promise<Result>): Promise<Result> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host, ipv6Only: host.includes(':') }, resolve);
  });
  try {
    return await work();
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
}

const hasIpv6 = Object.values(networkInterfaces()).some((each) => each?.some(({ family }) => family === 'IPv6'));
const hosts = ['127.0.0.1', '0.0.0.0', ...(hasIpv6 ? ['::1', '::'] : [])];

// A development server may listen on one of them alone; the services listen on all.
test.each(hosts)('a port on which something listens at %s is not free', async (host) => {
  const port = await freePort();
  await whileListening(port, host, async () => expect(await isFree(port)).toBe(false));
  expect(await isFree(port)).toBe(true);
});

describe('the port of the API', () => {
  test('is the one of PORT', async () => {
    const port = await freePort();
    expect(await chooseHttpPort({ PORT: String(port) })).toMatchObject({ port });
  });

  test('is never another than the one of PORT, also when that is in use', async () => {
    const port = await freePort();
    await whileListening(port, '127.0.0.1', () =>
      expect(chooseHttpPort({ PORT: String(port) })).rejects.toThrow(`PORT is ${port}, which is in use`),
    );
  });

  test.each(['eighty', '80.5', '65536', '-1'])('cannot be %s', async (PORT) => {
    await expect(chooseHttpPort({ PORT })).rejects.toThrow('PORT');
  });

  test.each([{}, { PORT: '' }, { PORT: '0' }])('is a free one for %p', async (env) => {
    expect(await isFree((await chooseHttpPort(env)).port)).toBe(true);
  });
});

test('the port of the console is never the one of the API', async () => {
  const { port, busy } = await chooseConsolePort({}, new Set([8090]));
  expect(busy).toBe(8090);
  expect(port).not.toBe(8090);
});

const running = {
  KAFKA_BROKERS: '127.0.0.1:1',
  SCHEMA_REGISTRY_URL: 'http://127.0.0.1:2',
  DATABASE_URL: 'postgres://services:x@127.0.0.1:3/lending',
  DATABASE_OWNER_URL: 'postgres://lending:y@127.0.0.1:3/lending',
  REDIS_URL: 'redis://127.0.0.1:4',
  LENDING_URL: 'http://127.0.0.1:8080',
};

describe('a second start', () => {
  test.each([{}, { DATABASE_URL: '', PORT: '' }, { PORT: '0' }, { PORT: '8080' }, { ...running, PORT: '8080' }])(
    'succeeds where the environment asks for nothing else: %p',
    (env) => {
      expect(describeRunningStart(env, running)).toEqual({
        exitCode: 0,
        text: 'The service is running already at http://127.0.0.1:8080; its keys are in .data/dev.json.',
      });
    },
  );

  test('fails and names the variables that ask for something else, without their passwords', () => {
    const env = { DATABASE_URL: 'postgres://me:secret@127.0.0.1:1/d', KAFKA_BROKERS: '127.0.0.1:1', PORT: '31999' };
    expect(describeRunningStart(env, running)).toEqual({
      exitCode: 1,
      text: 'The service is running already at http://127.0.0.1:8080, but not with the DATABASE_URL and PORT of the environment; stop it first, or unset these variables.',
    });
  });

  test('fails while the first one is not ready and the environment asks for something', () => {
    expect(describeRunningStart({ REDIS_URL: 'redis://127.0.0.1:4' }, {})).toEqual({
      exitCode: 1,
      text: 'A start is in progress, and it is not known yet whether it uses the REDIS_URL of the environment; try again when it is ready.',
    });
  });

  test('succeeds while the first one is not ready and the environment asks for nothing', () => {
    expect(describeRunningStart({}, {})).toMatchObject({ exitCode: 0 });
  });
});

test('the services log in with a name and a password of their own, the same at every start', () => {
  const ownerUrl = 'postgres://lending:owner@127.0.0.1:5432/lending';
  const url = new URL(servicesUrlIn(dir, ownerUrl));
  expect(url.username).toBe('lending_services');
  expect(url.password).toMatch(/^[\w-]{24}$/);
  expect(servicesUrlIn(dir, ownerUrl)).toBe(url.href);
  expect(statSync(join(dir, 'services-password')).mode & 0o777).toBe(0o600);
});

/** Nothing listens at these addresses. */
const backingServices = {
  dir: '/nowhere',
  kafkaBrokers: '127.0.0.1:1',
  schemaRegistryUrl: 'http://127.0.0.1:1',
  databaseUrl: 'postgres://127.0.0.1:1/lending',
  servicesDatabaseUrl: 'postgres://127.0.0.1:1/lending',
  redisUrl: 'redis://127.0.0.1:1',
  sources: { kafka: 'embedded', registry: 'embedded', postgres: 'embedded', redis: 'embedded' },
} as const satisfies BackingServiceAddresses;

test('a start fails with the log of the service that does not start', async () => {
  process.env['GATEWAY_PROCESSES'] = 'many';
  try {
    await expect(startServices({ dir, backingServices, log: () => undefined })).rejects.toThrow(
      /^gateway exited before it was ready; its log is .*gateway\.log, which ends:\n[\s\S]*GATEWAY_PROCESSES/,
    );
  } finally {
    delete process.env['GATEWAY_PROCESSES'];
    await stopFolder(dir, () => undefined);
  }
});
