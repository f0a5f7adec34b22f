/**
 * What a page says after a form was done. The address names it, so that loading the page again repeats nothing, with a proof:
 * a link that someone else made says nothing.
 */
import type { Request } from 'express';
import { isDoneProof, newDoneProof } from '#libs/people/secret-tokens.ts';
import type { Visit } from './console-context.ts';
import { queryText } from './form.ts';
import { type Content, html } from './html.ts';

/** The address to go to after the form. */
export function donePath({ browserToken }: Visit, path: string, name: string): string {
  const proof = newDoneProof(browserToken, `${path} ${name}`);
  return `${path}?${new URLSearchParams({ done: name, proof })}`;
}

/** Nothing for a name that is not among the words, or was not done by a form of this browser. */
export function doneNotice(
  { browserToken, path }: Visit,
  request: Request<object>,
  words: Readonly<Record<string, string>>,
): Content {
  const name = queryText(request, 'done');
  const isDone = isDoneProof(browserToken, `${path} ${name}`, queryText(request, 'proof'));
  return isDone && Object.hasOwn(words, name) && html`<p role="status" class="notice">${words[name]}</p>`;
}
