/** What a page says after a form was done. The address names it, so that loading the page again repeats nothing. */
import type { Request } from 'express';
import { queryText } from './form.ts';
import { type Content, html } from './html.ts';

/** Nothing for a name that is not among the words. */
export function doneNotice(request: Request<object>, words: Readonly<Record<string, string>>): Content {
  const name = queryText(request, 'done');
  return Object.hasOwn(words, name) && html`<p role="status" class="notice">${words[name]}</p>`;
}
