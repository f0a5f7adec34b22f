/** The whole documentation site as files: pages, style sheet, scripts and the records of the search. */
import { readdirSync, readFileSync } from 'node:fs';
import { contract } from '#libs/api/contract-versions.ts';
import { openApi } from '#libs/api/openapi/document.ts';
import { changelogPage } from './changelog-page.ts';
import { guidePage, pictures, pictureUrl, sdkPage } from './guide-page.ts';
import { homePage } from './home-page.ts';
import { renderPage } from './layout.ts';
import { guideGroups, sdks } from './navigation.ts';
import { packageAssets } from './package-assets.ts';
import type { Page } from './page.ts';
import { referencePages } from './reference/pages.ts';
import { sampleTabsCss } from './samples/sample-tabs.ts';
import { withKeywords } from './search-keywords.ts';

export interface SiteFile {
  /** The path of its address. */
  readonly url: string;
  readonly type: string;
  readonly content: string | Uint8Array;
}

const css = 'text/css; charset=utf-8';
const script = 'text/javascript; charset=utf-8';
const packages = new URL('../../node_modules/', import.meta.url);
const schemas = new URL('../../schemas/', import.meta.url);

export function sitePages(): readonly Page[] {
  const guides = guideGroups.flatMap(({ pages }) => pages.map(([file]) => guidePage(file)));
  return [homePage(), ...guides, ...sdks.map(sdkPage), ...referencePages(), changelogPage(contract)];
}

export function siteFiles(): readonly SiteFile[] {
  const pages = sitePages();
  return [
    ...pages.map((page) => ({ url: page.url, type: 'text/html; charset=utf-8', content: renderPage(page) })),
    asset('docs.css', css, ownAsset('docs.css') + sampleTabsCss()),
    asset('docs.js', script, ownAsset('docs.js')),
    asset('theme.js', script, ownAsset('theme.js')),
    asset('icon.svg', 'image/svg+xml', ownAsset('icon.svg')),
    ...Object.entries(packageAssets).map(([name, file]) =>
      asset(name, script, readFileSync(new URL(file, packages), 'utf8')),
    ),
    ...screenshots(),
    ...topicSchemas(),
    asset('search.json', 'application/json', JSON.stringify(withKeywords(pages.flatMap(({ records }) => records)))),
  ];
}

/** For a web server of its own: also the document that the service serves beside the site. */
export function staticSiteFiles(): readonly SiteFile[] {
  const document = { url: '/v1/openapi.json', type: 'application/json', content: JSON.stringify(openApi) };
  return [...siteFiles(), document];
}

function asset(name: string, type: string, content: string): SiteFile {
  return { url: `/docs/assets/${name}`, type, content };
}

/** Screenshots of the console, which are too large to be part of a page. */
function screenshots(): SiteFile[] {
  const names = readdirSync(pictures).filter((name) => name.endsWith('.jpeg'));
  return names.map((name) => ({
    url: pictureUrl(name),
    type: 'image/jpeg',
    content: readFileSync(new URL(name, pictures)),
  }));
}

/** The schemas of the topics and of the bodies of facts, for consumers without the repository. */
function topicSchemas(): SiteFile[] {
  const facts = readdirSync(new URL('facts/', schemas)).map((name) => `facts/${name}`);
  return ['asyncapi.json', 'book-event.avsc', 'movement.avsc', ...facts].map((name) => ({
    url: `/docs/schemas/${name}`,
    type: 'application/json',
    content: readFileSync(new URL(name, schemas), 'utf8'),
  }));
}

function ownAsset(name: string): string {
  return readFileSync(new URL(`assets/${name}`, import.meta.url), 'utf8');
}
