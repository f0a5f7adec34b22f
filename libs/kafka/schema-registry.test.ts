import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { CertificateAuthority } from '#deploy/cluster/certificates.ts';
import { addressesFromEnvironment } from '#deploy/dev/environment.ts';
import { waitForDependency } from '#libs/runtime/dependency.ts';
import { type LogFields, silentLogger } from '#libs/runtime/logging.ts';
import { parseRegistryUrl, SchemaRegistry, schemaRegistryCheck } from './schema-registry.ts';

/** A registry that requires a user name and a password, as managed ones do. */
let registry: Server;
let host: string;
beforeAll(async () => {
  registry = createServer((request, response) => {
    const [, credentials = ''] = request.headers.authorization?.split(' ') ?? [];
    const isAuthorized = Buffer.from(credentials, 'base64').toString() === 'us er:p@ss:wörd';
    const answer = request.method === 'GET' ? [] : { id: 7, compatibility: 'NONE' };
    response.writeHead(isAuthorized ? 200 : 401, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify(isAuthorized ? answer : { error_code: 401, message: 'unauthorized' }));
  });
  await new Promise<void>((resolve) => registry.listen(0, '127.0.0.1', resolve));
  host = `127.0.0.1:${(registry.address() as AddressInfo).port}/registry`;
});
afterAll(async () => {
  registry.closeAllConnections();
  await new Promise((resolve) => registry.close(resolve));
});

const login = `us%20er:${encodeURIComponent('p@ss:wörd')}`;

describe('a registry that requires credentials', () => {
  test('accepts the credentials of the URL from the dev start, the health check and the client', async () => {
    const url = `http://${login}@${host}/`;
    expect(await addressesFromEnvironment({ SCHEMA_REGISTRY_URL: url })).toEqual({ registry: url });
    await expect(schemaRegistryCheck(url)()).resolves.toBeUndefined();
    expect(await new SchemaRegistry(url).register('x-value', { type: 'string' }, 'NONE')).toBe(7);
  });

  test('rejects missing or wrong credentials, and no error contains the password', async () => {
    const url = `http://somebody:hidden@${host}`;
    await expect(schemaRegistryCheck(`http://${host}`)()).rejects.toThrow('401');
    await expect(schemaRegistryCheck(url)()).rejects.toThrow('401');
    const refused = await new SchemaRegistry(url).register('x-value', { type: 'string' }, 'NONE').catch(String);
    expect(refused).toContain('answered 401');
    expect(refused).not.toContain('hidden');
    await expect(addressesFromEnvironment({ SCHEMA_REGISTRY_URL: url })).rejects.toThrow(/^(?!.*hidden).*401/);
  });
});

test('a service that starts waits until its schema is registered, and does not register it', async () => {
  let isRegistered = false;
  const requests = new Set<string>();
  const server = createServer((request, response) => {
    requests.add(`${request.method} ${request.url?.split('?')[0]}`);
    response.writeHead(isRegistered ? 200 : 404, { 'Content-Type': 'application/json' });
    response.end(
      JSON.stringify(isRegistered ? { id: 7, version: 1 } : { error_code: 40_403, message: 'no such schema' }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const client = new SchemaRegistry(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const logged: LogFields[] = [];
  const warn = (fields: LogFields): void => {
    logged.push(fields);
    isRegistered = true;
  };
  try {
    const open = () => client.findId('x-value', { type: 'string' });
    expect(await waitForDependency('the schema registry', open, { warn })).toBe(7);
    expect(String(logged[0]?.['err'])).toMatch(
      /for x-value; run `lending prepare` of this release, or, .*degraded\.md$/,
    );
    expect([...requests]).toEqual(['POST /subjects/x-value']);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

describe('a registry by https://', () => {
  test('is verified with the authority of SCHEMA_REGISTRY_CA and sees the client certificate', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'lending-registry-'));
    const authority = await CertificateAuthority.open(dir);
    const [server, client] = await Promise.all([authority.issue('registry'), authority.issue('lending-gateway')]);
    const [cert, key, ca] = [server.certificate, server.key, authority.file].map((path) => readFileSync(path, 'utf8'));
    const secured = createSecureServer({ cert, key, ca, requestCert: true }, (request, response) => {
      const body = request.method === 'GET' ? [] : { id: 7, compatibility: 'NONE' };
      response.setHeader('Content-Type', 'application/json').end(JSON.stringify(body));
    });
    await new Promise<void>((resolve) => secured.listen(0, '127.0.0.1', resolve));
    const url = `https://127.0.0.1:${(secured.address() as AddressInfo).port}`;
    const variables = {
      SCHEMA_REGISTRY_URL: url,
      SCHEMA_REGISTRY_CA: authority.file,
      SCHEMA_REGISTRY_CERT: client.certificate,
      SCHEMA_REGISTRY_KEY: client.key,
    };
    const lines: LogFields[] = [];
    const logger = { ...silentLogger, warn: (fields: LogFields) => void lines.push(fields) };
    try {
      const unknownAuthority = schemaRegistryCheck(url, logger);
      for (let attempt = 0; attempt < 3; attempt += 1) {
        await expect(unknownAuthority()).rejects.toMatchObject({ code: 'SELF_SIGNED_CERT_IN_CHAIN' });
      }
      expect(lines.map(({ event, dependency }) => [event, dependency])).toEqual([
        ['dependency.unavailable', 'registry'],
      ]);
      Object.assign(process.env, variables);
      await expect(schemaRegistryCheck(url)()).resolves.toBeUndefined();
      expect(await new SchemaRegistry(url).register('x-value', { type: 'string' }, 'NONE')).toBe(7);
    } finally {
      for (const name of Object.keys(variables)) delete process.env[name];
      secured.closeAllConnections();
      secured.close();
      rmSync(dir, { recursive: true });
    }
  });
});

test('a URL without credentials stays as it is, without its trailing slash', () => {
  expect(parseRegistryUrl('https://schemas.example:8081/apis/ccompat/v7/')).toEqual({
    url: 'https://schemas.example:8081/apis/ccompat/v7',
    userInfo: undefined,
    headers: {},
  });
});
