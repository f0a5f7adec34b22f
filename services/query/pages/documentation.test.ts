import { expect, test } from '@jest/globals';
import { openApi } from '#libs/api/openapi/document.ts';
import type { PublicRequest, RouteHandler, RouteResponse } from '#libs/http/handler.ts';
import { isRefusal } from '#libs/schema/refusals.ts';
import { documentPages } from './api-description.ts';
import { documentationHandler } from './documentation.ts';

type PageRequest = Pick<PublicRequest, 'header' | 'acceptsEncoding' | 'path'>;

const page = { url: '/docs/guide/signing', type: 'text/html; charset=utf-8', content: '<p>signed</p>' };

async function read(handler: RouteHandler<PublicRequest>, path: string) {
  const handle = handler as RouteHandler<PageRequest>;
  const answer = await handle({ path, header: () => undefined, acceptsEncoding: () => false });
  return isRefusal(answer) ? answer.code : answer;
}

test('the OpenAPI document is answered complete', async () => {
  const answer = await read(documentPages().readOpenApi as RouteHandler<PublicRequest>, '/v1/openapi.json');
  expect(JSON.parse(String((answer as RouteResponse).bytes))).toEqual(openApi);
});

test('a page is answered with a policy that allows only its own scripts and styles', async () => {
  const handler = documentationHandler(async () => [page]);
  const answer = (await read(handler, '/docs/guide/signing')) as RouteResponse;
  expect({ ...answer, bytes: String(answer.bytes) }).toMatchObject({
    status: 200,
    type: page.type,
    bytes: page.content,
  });
  expect(answer.headers?.['Content-Security-Policy']).toMatch(
    /^default-src 'none'; script-src 'self'; style-src 'self';/,
  );
  expect(await read(handler, '/docs/guide/signing/')).toMatchObject({ status: 200 });
  expect(await read(handler, '/docs/guide/unknown')).toBe('no_route');
  expect(await read(handler, '/docs/unknown')).toBe('no_route');
  expect(await read(handler, '/docs/signing')).toMatchObject({ status: 302, headers: { Location: page.url } });
});

test('the site is rendered once, and again after a failure', async () => {
  let count = 0;
  const handler = documentationHandler(async () => {
    count += 1;
    if (count === 1) throw new Error('no memory');
    return [page];
  });
  await expect(read(handler, page.url)).rejects.toThrow('no memory');
  await Promise.all([read(handler, page.url), read(handler, page.url)]);
  expect(count).toBe(2);
});
