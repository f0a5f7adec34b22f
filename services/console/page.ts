/** The layout of every page: head, navigation, content. */
import type { Response } from 'express';
import { renderToString } from 'preact-render-to-string';
import { type Visit, visitOf } from './console-context.ts';
import { csrfInput } from './form.ts';
import { type Content, type Html, html } from './html.ts';
import { languages } from './languages.ts';
import { installationNavigation, tenancyNavigation } from './navigation.ts';
import { packageAssets } from './package-assets.ts';
import { sessionNotice } from './sign-in/session-notice.ts';

export interface Page {
  readonly title: string;
  readonly content: Content;
  readonly status?: number;
  /** Scripts of `assets/` that the page needs, by name. Pages are readable without them. */
  readonly scripts?: readonly string[];
  /** Style sheets of `assets/` beside the common ones, by name. */
  readonly styles?: readonly string[];
}

export function sendPage(response: Response, page: Page): void {
  const visit = visitOf(response);
  response
    .status(page.status ?? 200)
    .type('html')
    .send(`<!doctype html>${renderToString(documentOf(visit, page) as Parameters<typeof renderToString>[0])}`);
}

function documentOf(visit: Visit, { title, content, scripts: ofPage = [], styles = [] }: Page): Html {
  const { texts, assets, tenantId } = visit;
  const titles = [title, ...(tenantId === undefined || tenantId === title ? [] : [tenantId]), texts.console];
  const scripts = visit.person === undefined ? ofPage : [...ofPage, 'session-end.js'];
  return html`<html lang=${texts.language}>
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <title>${titles.join(' · ')}</title>
      <link rel="icon" href=${assets.url('icon.svg')} />
      <link rel="stylesheet" href=${assets.url('pico.css')} />
      <link rel="stylesheet" href=${assets.url('console.css')} />
      ${styles.map((name) => html`<link rel="stylesheet" href=${assets.url(name)} />`)}
      ${scripts.map((name) => script(assets.url(name), Object.hasOwn(packageAssets, name)))}
    </head>
    <body>
      <a class="skip" href="#content">${texts.skipToContent}</a>
      <header>${installationNavigation(visit)}</header>
      <div class="columns">
        ${tenancyNavigation(visit)}
        <main id="content"><h1>${title}</h1>${content}</main>
      </div>
      <footer>${languageForm(visit)}</footer>
      ${sessionNotice(visit)}
    </body>
  </html>`;
}

/** Both kinds run in the order of the page once it is read. Browser builds of packages are no modules: they set globals. */
function script(url: string, isPackage: boolean): Html {
  return isPackage ? html`<script defer src=${url}></script>` : html`<script type="module" src=${url}></script>`;
}

function languageForm({ texts, browserToken, target }: Visit): Html {
  const others = Object.entries(languages).filter(([, each]) => each !== texts);
  return html`<form class="inline-form" method="post" action="/language">
    ${csrfInput(browserToken)}
    <input type="hidden" name="path" value=${target} />
    ${others.map(
      ([name, each]) =>
        html`<button class="plain-button" name="language" value=${name} lang=${name}>${each.languageName}</button>`,
    )}
  </form>`;
}
