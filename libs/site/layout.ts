/** The frame of every page: header with search, navigation, content and the list of its headings. */
import { type Content, type Html, html, toText } from './html.ts';
import { homeUrl, type NavigationLink, navigationGroups } from './navigation.ts';
import type { Page } from './page.ts';

/** A site without a script still shows every page; the search and the buttons need one. */
export function renderPage(page: Page): string {
  return `<!doctype html>${toText(documentOf(page))}`;
}

function documentOf({ url, title, description, content, headings, isWide = false }: Page): Html {
  const isHome = url === homeUrl;
  return html`<html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="description" content=${description} />
      <title>${isHome ? title : `${title} · Lending documentation`}</title>
      <link rel="icon" href="/docs/assets/icon.svg" type="image/svg+xml" />
      <link rel="stylesheet" href="/docs/assets/docs.css" />
      <script src="/docs/assets/theme.js"></script>
      <script type="module" src="/docs/assets/docs.js"></script>
    </head>
    <body>
      <a class="skip" href="#content">Skip to the content</a>
      ${header()}
      <details class="phone-menu"><summary>Menu</summary>${navigation(url)}</details>
      <div class=${`columns${isWide ? ' wide' : ''}`}>
        <div class="sidebar">${navigation(url)}</div>
        <main id="content">
          <h1>${title}</h1>
          ${content} ${neighbours(url)}
        </main>
        ${isWide || headings.length < 2 ? null : contents(headings)}
      </div>
    </body>
  </html>`;
}

function header(): Html {
  return html`<header class="top">
    <a class="brand" href=${homeUrl}><img src="/docs/assets/icon.svg" alt="" width="24" height="24" /> Lending <span>docs</span></a>
    <div class="search" role="search">
      <input type="search" id="search" placeholder="Search" autocomplete="off" spellcheck="false" role="combobox" aria-label="Search the documentation" aria-expanded="false" aria-controls="search-results" aria-autocomplete="list" />
      <kbd aria-hidden="true">/</kbd>
      <div id="search-results" role="listbox" aria-label="Results" hidden></div>
    </div>
    <nav class="top-links" aria-label="Documents">
      <a href="/docs/reference/loans">API</a>
      <a href="/v1/openapi.json">OpenAPI</a>
      <a href="/changelog">Changelog</a>
    </nav>
    <button type="button" class="theme-button" id="theme" aria-label="Change between light and dark">
      <svg viewBox="0 0 20 20" width="18" height="18" aria-hidden="true"><circle cx="10" cy="10" r="7" fill="none" stroke="currentColor" stroke-width="1.8" /><path d="M10 3a7 7 0 0 1 0 14z" fill="currentColor" /></svg>
    </button>
  </header>`;
}

function navigation(current: string): Html {
  return html`<nav aria-label="Pages">
    ${navigationGroups().map(
      ({ title, links }) => html`<div>
        <p class="nav-title">${title}</p>
        <ul>
          ${links.map((link) => navigationItem(link, current))}
        </ul>
      </div>`,
    )}
  </nav>`;
}

function navigationItem({ url, title, pages = [] }: NavigationLink, current: string): Html {
  const isOpen = [url, ...pages.map((page) => page.url)].includes(current);
  return html`<li>
    <a href=${url} aria-current=${url === current ? 'page' : undefined}>${title}</a>
    ${isOpen && pages.length > 0 ? html`<ul>${pages.map((page) => navigationItem(page, current))}</ul>` : null}
  </li>`;
}

function contents(headings: Page['headings']): Html {
  return html`<div class="contents">
    <nav aria-label="On this page">
      <p class="nav-title">On this page</p>
      <ul>
        ${headings.map(({ id, text, level }) => html`<li class=${`level-${level}`}><a href=${`#${id}`}>${text}</a></li>`)}
      </ul>
    </nav>
  </div>`;
}

/** The page before and after this one. */
function neighbours(url: string): Content {
  const links = navigationGroups()
    .flatMap((group) => group.links)
    .flatMap((link) => [link, ...(link.pages ?? [])])
    .filter((link) => link.url.startsWith('/docs'));
  const at = links.findIndex((link) => link.url === url);
  if (at < 0) return null;
  const [before, after] = [links[at - 1], links[at + 1]];
  return html`<nav class="neighbours" aria-label="Previous and next page">
    ${before === undefined ? html`<span></span>` : html`<a href=${before.url} rel="prev"><small>Previous</small>${before.title}</a>`}
    ${after === undefined ? null : html`<a href=${after.url} rel="next"><small>Next</small>${after.title}</a>`}
  </nav>`;
}
