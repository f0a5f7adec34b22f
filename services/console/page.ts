/** The layout of every page: head, navigation, content. */
import type { Response } from 'express';
import { renderToString } from 'preact-render-to-string';
import { type Visit, visitOf } from './console-context.ts';
import { csrfInput } from './form.ts';
import { type Content, type Html, html } from './html.ts';
import { languages } from './languages.ts';

export interface Page {
  readonly title: string;
  readonly content: Content;
  readonly status?: number;
  /** Scripts of `assets/` that the page needs, by name. Pages are readable without them. */
  readonly scripts?: readonly string[];
}

export function sendPage(response: Response, page: Page): void {
  const visit = visitOf(response);
  response
    .status(page.status ?? 200)
    .type('html')
    .send(`<!doctype html>${renderToString(documentOf(visit, page) as Parameters<typeof renderToString>[0])}`);
}

function documentOf(visit: Visit, { title, content, scripts = [] }: Page): Html {
  const { texts, assets } = visit;
  return html`<html lang=${texts.language}>
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <title>${title} · ${texts.console}</title>
      <link rel="icon" href=${assets.url('icon.svg')} />
      <link rel="stylesheet" href=${assets.url('pico.css')} />
      <link rel="stylesheet" href=${assets.url('console.css')} />
      ${scripts.map((name) => html`<script type="module" src=${assets.url(name)}></script>`)}
    </head>
    <body>
      <a class="skip" href="#content">${texts.skipToContent}</a>
      <header class="container">${navigation(visit)}</header>
      <main class="container" id="content"><h1>${title}</h1>${content}</main>
      <footer class="container">${languageForm(visit)}</footer>
    </body>
  </html>`;
}

/** The areas, in the order of the navigation. A new area adds its line here. */
function navigation({ texts, person, path, browserToken }: Visit): Html {
  const areas = [
    ...(person === undefined ? [] : [{ href: '/tenancies', text: texts.tenancies.title }]),
    ...(person?.isOperator === true ? [{ href: '/audit-list', text: texts.auditList.title }] : []),
  ];
  return html`<nav aria-label=${texts.console}>
    <ul>
      <li><strong>${texts.console}</strong></li>
      ${areas.map(({ href, text }) => {
        const current = path === href || path.startsWith(`${href}/`) ? 'page' : undefined;
        return html`<li><a href=${href} aria-current=${current}>${text}</a></li>`;
      })}
    </ul>
    ${
      person &&
      html`<ul>
        <li>${person.email}</li>
        <li>
          <form class="inline-form" method="post" action="/sign-out">
            ${csrfInput(browserToken)}
            <button class="plain-button">${texts.signOut}</button>
          </form>
        </li>
      </ul>`
    }
  </nav>`;
}

function languageForm({ texts, browserToken, path }: Visit): Html {
  const others = Object.entries(languages).filter(([, each]) => each !== texts);
  return html`<form class="inline-form" method="post" action="/language">
    ${csrfInput(browserToken)}
    <input type="hidden" name="path" value=${path} />
    ${others.map(
      ([name, each]) =>
        html`<button class="plain-button" name="language" value=${name} lang=${name}>${each.languageName}</button>`,
    )}
  </form>`;
}
