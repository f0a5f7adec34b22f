/** Which cell a command of `npm run lending` uses, and what it says where that does not run. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { projectDir } from './dev-files.ts';
import { freePort } from './ports.ts';
import { requireRunning, selectCell, withoutProxy } from './selected-cell.ts';

describe('the command line', () => {
  let clone: string;
  beforeAll(() => {
    clone = mkdtempSync(join(tmpdir(), 'lending-clone-'));
    const isCopied = (path: string): boolean => !/[\\/](?:node_modules|dist)$/.test(path);
    for (const part of ['package.json', 'deploy', 'libs', 'schemas']) {
      cpSync(join(projectDir, part), join(clone, part), { recursive: true, filter: isCopied });
    }
  });
  afterAll(() => rmSync(clone, { recursive: true }));

  function showHelp(project: string, ...nodeOptions: string[]): Promise<unknown> {
    const args = [...nodeOptions, join(project, 'deploy', 'dev', 'lending.mjs'), '--help'];
    return new Promise((resolve) => {
      execFile(process.execPath, args, (error, out, err) => resolve({ code: error?.code ?? 0, out, err }));
    });
  }

  const installFirst = {
    code: 1,
    out: '',
    err: 'Run npm start first: it installs the packages and the Node that the command line needs.\n',
  };

  test('says in a clean clone what to do first', async () => {
    expect(await showHelp(clone)).toEqual(installFirst);
  });

  test.each([[], ['--no-experimental-strip-types']])(
    'runs where everything is installed, also by a Node that cannot run TypeScript: %p',
    async (...nodeOptions) => {
      const shown = { code: 0, out: expect.stringContaining('verify-evidence'), err: '' };
      expect(await showHelp(projectDir, ...nodeOptions)).toEqual(shown);
    },
  );

  test('says in a clean clone what to do first, also on a Node that cannot run TypeScript', async () => {
    expect(await showHelp(clone, '--no-experimental-strip-types')).toEqual(installFirst);
  });
});

const lastStart = {
  KAFKA_BROKERS: 'dev:1',
  SCHEMA_REGISTRY_URL: 'http://dev:2',
  DATABASE_URL: 'postgres://services@dev:3/lending',
  DATABASE_OWNER_URL: 'postgres://owner@dev:3/lending',
  REDIS_URL: 'redis://dev:4',
  LENDING_URL: 'http://dev:5',
  LENDING_KEY: 'lsk_test_dev',
  LENDING_TENANT: 'demo',
};
const production = {
  KAFKA_BROKERS: 'prod:1',
  SCHEMA_REGISTRY_URL: 'http://prod:2',
  DATABASE_URL: 'postgres://services@prod:3/lending',
  REDIS_URL: 'redis://prod:4',
};

describe('the selected cell', () => {
  test('is that of npm start where the environment names none', () => {
    const selected = selectCell({ PATH: '/bin', DATABASE_URL: '' }, lastStart);
    expect(selected).toEqual({ variables: lastStart, notice: undefined });
  });

  test('is that of the environment, with no address of npm start', () => {
    const { LENDING_URL, LENDING_KEY, LENDING_TENANT } = lastStart;
    const variables = { LENDING_URL, LENDING_KEY, LENDING_TENANT };
    expect(selectCell(production, lastStart)).toEqual({ variables, notice: undefined });
  });

  test.each(Object.keys(production))('comes with a notice of what is missing where only %s is named', (name) => {
    const { variables, notice } = selectCell({ [name]: 'somewhere' }, lastStart);
    expect(Object.keys(variables)).toEqual(['LENDING_URL', 'LENDING_KEY', 'LENDING_TENANT']);
    const missing = Object.keys(production).filter((other) => other !== name);
    expect(notice).toBe(
      `The environment names ${name}, so no address of npm start is used. Not set: ${missing.join(', ')}.`,
    );
  });

  test('does not combine the owner of one database with the address of another', () => {
    const { variables } = selectCell({ DATABASE_OWNER_URL: 'postgres://owner@prod:3/lending' }, lastStart);
    expect(variables).not.toHaveProperty('DATABASE_URL');
  });

  test('accepts another key at npm start, and sends no key of npm start elsewhere', () => {
    const withKey = selectCell({ LENDING_KEY: 'lsk_test_mine' }, lastStart).variables;
    expect(withKey).toMatchObject({ LENDING_URL: 'http://dev:5' });
    expect(withKey).not.toHaveProperty('LENDING_KEY');
    expect(withKey).not.toHaveProperty('LENDING_TENANT');
    expect(selectCell({ LENDING_URL: 'https://prod' }, lastStart).variables).not.toHaveProperty('LENDING_KEY');
  });

  test.each(['other', 'demo'])('has the key of npm start with LENDING_TENANT=%s, which --tenant may replace', (id) => {
    const { variables } = selectCell({ LENDING_TENANT: id }, lastStart);
    expect(variables).toMatchObject({ LENDING_URL: 'http://dev:5', LENDING_KEY: 'lsk_test_dev' });
    expect(variables).not.toHaveProperty('LENDING_TENANT');
  });

  test('is none where there is none', () => {
    expect(selectCell({}, {})).toEqual({ variables: {}, notice: undefined });
  });
});

describe('a command', () => {
  const server = createServer((socket) => socket.destroy());
  let openPort: number;
  let closedPort: number;
  beforeAll(async () => {
    await once(server.listen(0, '127.0.0.1'), 'listening');
    openPort = (server.address() as AddressInfo).port;
    closedPort = await freePort();
  });
  afterAll(() => void server.close());

  const stackAt = (port: number) => ({
    KAFKA_BROKERS: `127.0.0.1:${port},localhost:${port}`,
    SCHEMA_REGISTRY_URL: `http://127.0.0.1:${port}`,
    DATABASE_URL: `postgres://services:secret@127.0.0.1:${port}/lending`,
    REDIS_URL: `redis://127.0.0.1:${port}`,
    LENDING_URL: `http://127.0.0.1:${port}`,
  });

  test('of a caller fails where nothing listens at the URL of npm start', async () => {
    const stopped = stackAt(closedPort);
    await expect(requireRunning('service', stopped, stopped)).rejects.toThrow(
      `npm start is not running: nothing listens at 127.0.0.1:${closedPort}, the`,
    );
  });

  test('of an operator fails where nothing listens at any address, and prints no password', async () => {
    const stopped = stackAt(closedPort);
    const message: unknown = await requireRunning('cell', stopped, stopped).catch(String);
    expect(message).toContain(`nothing listens at 127.0.0.1:${closedPort}, localhost:${closedPort}, `);
    expect(message).not.toContain('secret');
  });

  test.each(['service', 'cell'] as const)('that needs a %s fails where no start left an address', async (target) => {
    await expect(requireRunning(target, {}, {})).rejects.toThrow('npm start is not running or not ready yet');
  });

  test('runs where npm start runs, also when one of its services is down', async () => {
    const running = stackAt(openPort);
    await requireRunning('service', running, running);
    await requireRunning('cell', running, running);
    const withoutRedis = { ...running, REDIS_URL: `redis://127.0.0.1:${closedPort}` };
    await requireRunning('cell', withoutRedis, withoutRedis);
  });

  test('runs where the environment names another cell, or none is needed', async () => {
    await requireRunning('cell', stackAt(closedPort), {});
    await requireRunning('service', { LENDING_URL: `http://127.0.0.1:${closedPort}` }, {});
    await requireRunning('cell', { DATABASE_URL: 'postgres://prod/lending' }, {});
    await requireRunning('none', {}, {});
  });
});

describe('a service on this machine', () => {
  const service = createHttpServer((_request, response) => response.end('answered'));
  let url: string;
  beforeAll(async () => {
    await once(service.listen(0, '127.0.0.1'), 'listening');
    url = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
  });
  afterAll(() => void service.close());

  /** In a process that uses the proxy of its environment; nothing listens at that one. */
  async function fetchWith(noProxy: Record<string, string>): Promise<string> {
    const source = `
import { withoutProxy } from '${join(import.meta.dirname, 'selected-cell.ts')}';
Object.assign(process.env, withoutProxy(process.env, '${url}'));
console.log(await (await fetch('${url}')).text());
`;
    const { NO_PROXY: _upper, no_proxy: _lower, ...rest } = process.env;
    const env = { ...rest, NODE_USE_ENV_PROXY: '1', HTTP_PROXY: 'http://127.0.0.1:9', ...noProxy };
    const args = ['--input-type=module-typescript', '-e', source];
    return (await promisify(execFile)(process.execPath, args, { env })).stdout.trim();
  }

  test.each([{}, { NO_PROXY: '*' }, { no_proxy: 'inside.example' }])(
    'is called without a proxy with %p',
    async (env) => {
      expect(await fetchWith(env)).toBe('answered');
    },
  );

  test('does not replace other exceptions from the proxy', () => {
    expect(withoutProxy({ NO_PROXY: 'inside.example' }, url)['NO_PROXY']).toBe('inside.example,127.0.0.1');
  });
});
