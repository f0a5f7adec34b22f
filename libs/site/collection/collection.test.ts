import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { expect, test } from '@jest/globals';
import { authorizationHeader, generateKey, parseSigner, type Signer } from '#libs/auth/signer.ts';
import { collectionFiles } from './collection.ts';

const folder = join(import.meta.dirname, '../../../schemas/bruno');

test('the collection in schemas/bruno is up to date (npm run schemas:bruno)', () => {
  const stored = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => [path.slice(folder.length + 1), readFileSync(path, 'utf8')] as const);
  expect(Object.fromEntries(stored)).toEqual(Object.fromEntries(collectionFiles()));
});

test.each([
  ['GET', '/v1/tenants/{{tenant}}/clients?limit=2', undefined, undefined],
  ['POST', '/v1/tenants/{{tenant}}/receipts', '{"client_id":"{{client}}","basis":"señal {1}"}', 'key-{{client}}'],
])('%s %s is signed as the service expects it, with its variables filled in', (method, path, body, idempotencyKey) => {
  const { secret } = generateKey('test');
  const variables: Readonly<Record<string, string>> = { secret, tenant: 'acme', client: 'ada', baseUrl: 'https://api' };
  const interpolate = (text: string): string =>
    text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => variables[name] ?? '');
  const headers = new Map(idempotencyKey === undefined ? [] : [['Idempotency-Key', idempotencyKey]]);
  let sent = body;
  const req = {
    getUrl: () => `{{baseUrl}}${path}`,
    getMethod: () => method,
    getBody: () => body,
    getHeader: (name: string) => headers.get(name),
    setHeader: (name: string, value: string) => headers.set(name, value),
    setBody: (text: string) => {
      sent = text;
    },
  };
  const script = readFileSync(join(import.meta.dirname, 'sign-request.js'), 'utf8');
  const require = createRequire(import.meta.url);
  runInNewContext(script, {
    bru: { interpolate, getVar: (name: string) => variables[name] },
    req,
    require,
    Buffer,
    Date,
    Math,
  });
  const authorization = headers.get('Authorization') ?? '';
  const expected = {
    method,
    target: interpolate(path),
    body: body && interpolate(body),
    idempotencyKey: idempotencyKey && interpolate(idempotencyKey),
    nowMs: Number(/ts=(\d+)/.exec(authorization)?.[1]) * 1_000,
  };
  expect(authorization).toBe(authorizationHeader(parseSigner(secret) as Signer, expected));
  expect(sent).toBe(expected.body);
});
