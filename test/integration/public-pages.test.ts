/** Pages that need no key: the OpenAPI document, documentation, changelog and health, validated against the document. */
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { validateResponse } from '#test/openapi/document-validator.ts';
import { testEnvironment } from '#test/support/tenant.ts';

async function open(
  target: string,
  method = 'GET',
  requestHeaders: Readonly<Record<string, string>> = {},
): Promise<{ status: number; headers: Headers; text: string }> {
  const response = await fetch(testEnvironment().services.baseUrl + target, { method, headers: requestHeaders });
  const { status, headers } = response;
  const text = await response.text();
  validateResponse({ method, target }, { status, headers: Object.fromEntries(headers), text });
  return { status, headers, text };
}

test.each(['/livez', '/readyz', '/v1/openapi.json', '/docs', '/changelog'])(
  '%s can be read without a key',
  async (path) => {
    expect((await open(path)).status).toBe(200);
    expect(await open(path, 'HEAD')).toMatchObject({ status: 200, text: '' });
  },
);

test.each(['/v1/openapi.json', '/docs', '/changelog'])('%s is answered 304 while its tag is current', async (path) => {
  const { headers } = await open(path);
  expect(headers.get('content-encoding')).toBe('gzip');
  const again = await open(path, 'GET', { 'If-None-Match': headers.get('etag') as string });
  expect(again).toMatchObject({ status: 304, text: '' });
});

test('pages of the documentation and what they load are answered, and an unknown page is not', async () => {
  for (const path of [
    '/docs/guide/signing',
    '/docs/reference/errors',
    '/docs/assets/docs.css',
    '/docs/assets/search.json',
  ]) {
    const response = await fetch(testEnvironment().services.baseUrl + path);
    expect({ path, status: response.status }).toEqual({ path, status: 200 });
    expect(response.headers.get('content-security-policy')).toContain("script-src 'self'");
  }
  expect((await fetch(`${testEnvironment().services.baseUrl}/docs/guide/unknown`)).status).toBe(404);
});

test('the served OpenAPI document is the published one', async () => {
  const { text } = await open('/v1/openapi.json');
  const published = readFileSync(new URL('../../schemas/openapi.json', import.meta.url), 'utf8');
  expect(JSON.parse(text)).toEqual(JSON.parse(published));
});

test('the changelog has an entry for each version and each deprecation', async () => {
  const { headers, text } = await open('/changelog');
  expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
  for (const id of ['2026-10-15', '2026-10-16', 'vat_rate_bps']) expect(text).toContain(`<h2 id="${id}">`);
  expect(text).toContain('2027-01-15');
});
