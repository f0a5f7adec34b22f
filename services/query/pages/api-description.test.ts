import { expect, test } from '@jest/globals';
import { openApi } from '#libs/api/openapi/document.ts';
import { type RouteName, routes } from '#libs/api/routes.ts';
import type { PublicRequest, RouteHandler, RouteResponse } from '#libs/http/handler.ts';
import { catalogue } from '#libs/schema/refusals.ts';
import { documentPages } from './api-description.ts';
import { renderProse } from './html.ts';

async function responseOf(name: 'readOpenApi' | 'readDocs'): Promise<RouteResponse> {
  const handle = documentPages()[name] as RouteHandler<Pick<PublicRequest, 'header' | 'acceptsEncoding'>>;
  return (await handle({ header: () => undefined, acceptsEncoding: () => false })) as RouteResponse;
}

const page = await responseOf('readDocs');
const html = String(page.bytes);

test('the OpenAPI document is answered complete', async () => {
  expect(JSON.parse(String((await responseOf('readOpenApi')).bytes))).toEqual(openApi);
});

test('the page has every route with its method and path', () => {
  for (const name of Object.keys(routes) as RouteName[]) {
    const { method, path } = routes[name];
    expect(html).toContain(`<section id="${name}">`);
    expect(html).toContain(`<span class="method">${method}</span>${path}</code>`);
  }
});

test('the page has every refusal code', () => {
  for (const code of Object.keys(catalogue)) expect(html).toContain(`<tr><td><code>${code}</code></td>`);
});

test('every link leads to an anchor on the page or to another page of the service', () => {
  const anchors = new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => `#${id}`));
  const links = [...html.matchAll(/href="([^"]+)"/g)].map(([, href]) => href as string);
  expect(links.length).toBeGreaterThan(200);
  expect(links.filter((href) => !anchors.has(href))).toEqual(['/v1/openapi.json', '/changelog']);
});

test('the page loads nothing and runs no script', () => {
  expect(html).not.toMatch(/<script|<link|<img|<iframe|@import|url\(|src=|https?:\/\//);
  expect(page.headers?.['Content-Security-Policy']).toMatch(/^default-src 'none'; style-src 'sha256-/);
});

test('every opened element is closed', () => {
  const open: string[] = [];
  for (const [, slash, name] of html.matchAll(/<(\/?)([a-z][a-z0-9]*)[^>]*>/g)) {
    if (name === 'meta') continue;
    if (slash === '') open.push(name as string);
    else expect(open.pop()).toBe(name);
  }
  expect(open).toEqual([]);
});

test('HTML in descriptions is escaped', () => {
  expect(renderProse('a <b> & `<i>`\n\n1. **one**\n2. two')).toBe(
    '<p>a &lt;b&gt; &amp; <code>&lt;i&gt;</code></p>\n<ol><li><strong>one</strong></li><li>two</li></ol>',
  );
});
