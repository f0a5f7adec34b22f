/** Pages of a long book that is not in memory: one that says so is answered at once, and asks again by itself. */
import type { NextFunction, Request, Response } from 'express';
import { type ConsoleContext, visitOf } from './console-context.ts';
import { queryText } from './form.ts';
import { html } from './html.ts';
import { ownPath } from './own-path.ts';
import { sendPage } from './page.ts';

interface BookPath {
  readonly tenant: string;
  readonly client?: string;
  readonly loan?: string;
}

/** After `requireTenancy`. */
export function requireReadyBook({ readApi }: ConsoleContext) {
  return async <Path extends BookPath>(request: Request<Path>, response: Response, next: NextFunction) => {
    const { tenant, loan, client = queryText(request, 'client_id') } = request.params;
    const { preparation } = readApi.parts;
    const isReady = loan === undefined ? preparation.isReady(tenant, client) : preparation.isLoanReady(tenant, loan);
    if (await isReady) return next();
    sendBookIsRead(response);
  };
}

function sendBookIsRead(response: Response): void {
  const { texts, target } = visitOf(response);
  const { bookIsRead, tryAgain } = texts.errors;
  const content = html`<p role="status" data-try-again>${bookIsRead}</p>
    <p><a href=${ownPath(target)}>${tryAgain}</a></p>`;
  response.setHeader('Retry-After', '1');
  sendPage(response, { status: 202, title: texts.errors.bookIsReadTitle, content, scripts: ['try-again.js'] });
}
