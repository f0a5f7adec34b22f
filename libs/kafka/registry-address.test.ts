/** A registry that lets in only who gives a name and a password, as managed ones do. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { fromEnvironment } from '#deploy/stack/environment.ts';
import { registryAnswers } from '#libs/runtime/backing.ts';
import { registryAddress } from './registry-address.ts';
import { SchemaRegistry } from './schema-registry.ts';

let guarded: Server;
let host: string;
beforeAll(async () => {
  guarded = createServer((request, response) => {
    const [, given = ''] = request.headers.authorization?.split(' ') ?? [];
    const isLetIn = Buffer.from(given, 'base64').toString() === 'us er:p@ss:wörd';
    const answer = request.method === 'GET' ? [] : { id: 7, compatibility: 'NONE' };
    response.writeHead(isLetIn ? 200 : 401, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify(isLetIn ? answer : { error_code: 401, message: 'who are you?' }));
  });
  await new Promise<void>((resolve) => guarded.listen(0, '127.0.0.1', resolve));
  host = `127.0.0.1:${(guarded.address() as AddressInfo).port}/registry`;
});
afterAll(async () => {
  guarded.closeAllConnections();
  await new Promise((resolve) => guarded.close(resolve));
});

const login = `us%20er:${encodeURIComponent('p@ss:wörd')}`;

describe('a registry behind a name and a password', () => {
  test('is found by a start, by a probe and by whoever registers a schema', async () => {
    const url = `http://${login}@${host}/`;
    expect(await fromEnvironment({ SCHEMA_REGISTRY_URL: url })).toEqual({ registry: url });
    await expect(registryAnswers(url)()).resolves.toBeUndefined();
    expect(await new SchemaRegistry(url).register('x-value', { type: 'string' }, 'NONE')).toBe(7);
  });

  test('is not there for who gives none or another, and what was given is not told', async () => {
    const url = `http://somebody:hidden@${host}`;
    await expect(registryAnswers(`http://${host}`)()).rejects.toThrow('401');
    await expect(registryAnswers(url)()).rejects.toThrow('401');
    const refused = await new SchemaRegistry(url).register('x-value', { type: 'string' }, 'NONE').catch(String);
    expect(refused).toContain('answered 401');
    expect(refused).not.toContain('hidden');
    await expect(fromEnvironment({ SCHEMA_REGISTRY_URL: url })).rejects.toThrow(/^(?!.*hidden).*answered 401/);
  });
});

test('an address without them is as it was told', () => {
  expect(registryAddress('https://schemas.example:8081/apis/ccompat/v7/')).toEqual({
    url: 'https://schemas.example:8081/apis/ccompat/v7',
    userInfo: undefined,
    headers: {},
  });
});
