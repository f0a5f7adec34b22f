/** The documentation site: complete, linked, and with nothing that a strict content security policy refuses. */
import { readdirSync } from 'node:fs';
import { brotliCompressSync, constants } from 'node:zlib';
import { expect, test } from '@jest/globals';
import { contract } from '#libs/api/contract-versions.ts';
import { operations } from '#libs/api/openapi/document.ts';
import { type RouteName, routes } from '#libs/api/routes.ts';
import { catalogue } from '#libs/schema/refusals.ts';
import { guideGroups } from './navigation.ts';
import type { SearchRecord } from './page.ts';
import { schemas } from './reference/api-document.ts';
import { resources } from './reference/resources.ts';
import { sampleLanguages } from './samples/languages.ts';
import { samplesOf } from './samples/operation-samples.ts';
import { staticSiteFiles } from './site.ts';

/** As the service compresses them. */
const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };
const files = staticSiteFiles();
const pages = files.flatMap(({ url, type, content }) =>
  type.startsWith('text/html') && typeof content === 'string' ? [{ url, text: content }] : [],
);
const idsOf = new Map(pages.map(({ url, text }) => [url, [...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)]));
const searchRecords = JSON.parse(
  String(files.find(({ url }) => url === '/docs/assets/search.json')?.content),
) as readonly SearchRecord[];
const pageAt = (url: string): string => pages.find((page) => page.url === url)?.text ?? '';

test('every link and every anchor leads somewhere', () => {
  const broken: string[] = [];
  let count = 0;
  for (const { url, text } of pages) {
    for (const [, target = ''] of text.matchAll(/(?:href|src)="([^"]+)"/g)) {
      count += 1;
      const [path = '', anchor] = target.split('#');
      const to = path === '' ? url : path;
      const isFound = anchor === undefined ? files.some((file) => file.url === to) : idsOf.get(to)?.includes(anchor);
      if (!isFound) broken.push(`${target} on ${url}`);
    }
  }
  expect(broken).toEqual([]);
  expect(count).toBeGreaterThan(3_000);
});

test('a README of an SDK links to guides as pages, and a guide to it', () => {
  expect(pageAt('/docs/sdk/python')).toContain('href="/docs/guide/events#a-consumer-of-movements"');
  expect(pageAt('/docs/guide/events')).toContain('href="/docs/sdk/java#every-fact-from-the-topic"');
});

test('no page has an id twice', () => {
  const repeated = [...idsOf].flatMap(([url, ids]) =>
    ids.filter((id, index) => ids.indexOf(id) !== index).map((id) => `${id} on ${url}`),
  );
  expect(repeated).toEqual([]);
});

test('every operation is on one page of the reference, and the first page keeps its anchor', () => {
  expect(resources.flatMap((resource) => resource.operations).sort()).toEqual(Object.keys(operations).sort());
  expect(idsOf.get('/docs')).toEqual(expect.arrayContaining(Object.keys(routes)));
});

test('every object is on one page, and its anchor on the page of all objects leads there', () => {
  const index = pageAt('/docs/reference/objects');
  const moved = [...index.matchAll(/<li id="(\w+)" data-moved(?:="\w*")?><a href="([^"#]+)#\1">/g)];
  expect(moved.map(([, name]) => name).sort()).toEqual(Object.keys(schemas).sort());
  const holders = moved.map(([, name = '']) => [...idsOf].filter(([, ids]) => ids.includes(name)).map(([url]) => url));
  expect(holders).toEqual(moved.map(([, , url]) => expect.arrayContaining(['/docs/reference/objects', url])));
  expect(new Set(holders.map(({ length }) => length))).toEqual(new Set([2]));
});

test('the navigation shows the pages of the objects where one of them is read', () => {
  const link = 'href="/docs/reference/objects/loans"';
  expect(pageAt('/docs/reference/objects/shared')).toContain(link);
  expect(pageAt('/docs/reference/loans').split('<main')[0]).not.toContain(link);
});

test('every refusal code has an anchor on the page of errors', () => {
  expect(idsOf.get('/docs/reference/errors')).toEqual(expect.arrayContaining(Object.keys(catalogue)));
});

test('the page of errors explains every member of details that a code names', () => {
  const page = pageAt('/docs/reference/errors');
  const keys = new Set(Object.values(catalogue).flatMap(({ details }): readonly string[] => details));
  expect([...keys].filter((key) => !page.includes(`<li><code>${key}</code>: `))).toEqual([]);
});

test('the schemas of the topics and of every kind of fact are files of the site', () => {
  const kinds = readdirSync(new URL('../../schemas/facts', import.meta.url));
  const names = ['asyncapi.json', 'book-event.avsc', 'movement.avsc', ...kinds.map((name) => `facts/${name}`)];
  const served = files.filter(({ url }) => url.startsWith('/docs/schemas/')).map(({ url }) => url);
  expect(served.sort()).toEqual(names.map((name) => `/docs/schemas/${name}`).sort());
});

test('every file of docs/guide is in the navigation', () => {
  const named = guideGroups.flatMap((group) => group.pages.map(([file]) => `${file}.md`));
  const found = readdirSync(new URL('../../docs/guide', import.meta.url)).filter((name) => name.endsWith('.md'));
  expect(named.sort()).toEqual(found.sort());
});

test('the guide to versions names every version of the contract, and the newest as the current one', () => {
  const versions = contract.versions.map(({ version }) => version);
  const page = pageAt('/docs/guide/versions');
  expect(versions.filter((version) => !page.includes(`<code class="unbroken">${version}</code>`))).toEqual([]);
  const row = new RegExp(`>${versions.at(-1)}</code></td>\\s*<td>The current one`);
  expect(page).toMatch(row);
});

test('every member of an object without a name of its own is shown', () => {
  const objects = pageAt('/docs/reference/objects/credit-policies');
  // An object in a list, in a list, in an object.
  expect(objects).toContain('The points of a value in this range.');
  // An object under each name that the caller chooses.
  expect(pageAt('/docs/reference/credit-decisions')).toContain('The day on which the value was observed.');
});

test('a field of several plain types shows the values and limits of each, and no empty list of members', () => {
  const empty = pages.filter(({ text }) =>
    /<summary>Members[^<]*<\/summary>\s*(?:<\/details>|<ul class="fields">\s*<\/ul>)/.test(text),
  );
  expect(empty.map(({ url }) => url)).toEqual([]);
  expect(pageAt('/docs/reference/receipts')).toMatch(
    /<code>returned_by_bank<\/code>.*More may be added\.<\/span><\/span><\/p><p class="limits">.*or string.*at most 2000 characters/,
  );
});

test('the search finds what stands in code of a guide', () => {
  const found = searchRecords.filter(({ text }) => text.includes('isolation_level'));
  expect(found.map(({ url }) => url)).toEqual(['/docs/guide/events#a-consumer-of-movements']);
});

test('the search finds an operation by a value that a member of its body may have', () => {
  const found = searchRecords.filter(({ text }) => /\breturned_by_bank\b/.test(text)).map(({ url }) => url);
  expect(found).toEqual(
    expect.arrayContaining(['/docs/reference/receipts#reverseReceipt', '/docs/reference/objects/receipts#ReversalAct']),
  );
});

test('the search finds by a word of readers the page that answers them', () => {
  const found = searchRecords.filter(({ keywords }) => keywords?.split(' ').includes('refund')).map(({ url }) => url);
  expect(found).toContain('/docs/reference/receipts#reverseReceipt');
});

test('the search knows the members of objects without a name of their own', () => {
  const found = searchRecords.filter(({ text }) => /\bwhen_unknown\b/.test(text));
  expect(found.map(({ url }) => url)).toContain('/docs/reference/objects/credit-policies#StatedPolicyContent');
});

test('every operation has a sample in each language, or in curl alone where it needs no key', () => {
  const text = resources.map(({ slug }) => pageAt(`/docs/reference/${slug}`)).join();
  const names = Object.keys(routes) as RouteName[];
  for (const name of names) {
    const languages = samplesOf(name).map(({ language }) => language.id);
    expect({ name, languages }).toEqual({
      name,
      languages: routes[name].isPublic ? ['curl'] : sampleLanguages.map(({ id }) => id),
    });
    for (const id of languages) expect(text).toContain(`name="language-${name}" value="${id}"`);
  }
});

test('the last step of the quick start is shown in the language that the reader has chosen', () => {
  const [, tabs = ''] =
    /<h2 id="pay-the-loan-off">.*?(<div class="samples">.*?)<h2/s.exec(pageAt('/docs/guide/quick-start')) ?? [];
  const valuesOf = (pattern: RegExp) => [...tabs.matchAll(pattern)].map(([, value]) => value);
  const ids = sampleLanguages.map(({ id }) => id);
  expect(valuesOf(/<input type="radio" [^>]*value="(\w+)"/g)).toEqual(ids);
  expect(valuesOf(/<div class="sample" data-language="(\w+)">/g)).toEqual(ids);
});

test('the guide to credit registers its applicant before an application is decided', () => {
  const page = pageAt('/docs/guide/credit');
  const [registered, decided] = ['PUT /v1/tenants/demo/clients/carla', '"client_id": "carla"'].map((text) =>
    page.replaceAll(/<[^>]+>|&quot;/g, (found) => (found === '&quot;' ? '"' : '')).indexOf(text),
  );
  expect(registered).toBeGreaterThan(0);
  expect(decided).toBeGreaterThan(registered as number);
});

test('pages have no script and no style of their own, and load nothing from another host', () => {
  for (const { text } of pages) {
    expect(text).not.toMatch(/<style|<script(?! (?:type="module" )?src="\/docs\/assets\/)| style="| on[a-z]+="/);
    expect(text).not.toMatch(/(?:href|src)="(?:https?:)?\/\//);
  }
});

test('no mark of Markdown is left outside of code blocks', () => {
  const words = (text: string) => text.replace(/<pre.*?<\/pre>/gs, '').replace(/<[^>]*>/g, ' ');
  expect(pages.filter(({ text }) => /`|\]\(/.test(words(text))).map(({ url }) => url)).toEqual([]);
});

test('no page takes more than 24 KB to transfer', () => {
  const large = pages.filter(({ text }) => brotliCompressSync(text, quality).length > 24_000).map(({ url }) => url);
  expect(large).toEqual([]);
});
