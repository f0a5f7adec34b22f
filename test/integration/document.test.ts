/** What everybody may read without a key: the document, the pages and the probes, held to the document themselves. */
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { holdToDocument } from '#test/openapi/held.ts';
import { house } from './tenant.ts';

async function open(target: string, method = 'GET'): Promise<{ status: number; text: string }> {
  const got = await fetch(house().services.baseUrl + target, { method });
  const text = await got.text();
  holdToDocument({ method, target }, { status: got.status, headers: Object.fromEntries(got.headers), text });
  return { status: got.status, text };
}

test.each(['/livez', '/readyz', '/v1/openapi.json', '/docs', '/changelog'])('%s is open to everybody', async (path) => {
  expect((await open(path)).status).toBe(200);
  expect(await open(path, 'HEAD')).toEqual({ status: 200, text: '' });
});

test('the document answered is the one that is published', async () => {
  const { text } = await open('/v1/openapi.json');
  const published = readFileSync(new URL('../../schemas/openapi.json', import.meta.url), 'utf8');
  expect(JSON.parse(text)).toEqual(JSON.parse(published));
});
