import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { addressesFromEnvironment } from '#deploy/dev/environment.ts';
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

test('a URL without credentials stays as it is, without its trailing slash', () => {
  expect(parseRegistryUrl('https://schemas.example:8081/apis/ccompat/v7/')).toEqual({
    url: 'https://schemas.example:8081/apis/ccompat/v7',
    userInfo: undefined,
    headers: {},
  });
});
