/** Pages for what cannot be shown. */
import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { ErrorRequestHandler, RequestHandler, Response } from 'express';
import { DependencyUnavailableError } from '#libs/runtime/dependency.ts';
import { RefusalError, UnreachableError } from '#libs/sdk/src/errors.ts';
import { type ConsoleContext, visitOf } from './console-context.ts';
import { html } from './html.ts';
import { ownPath } from './own-path.ts';
import { sendPage } from './page.ts';
import { refusalText } from './refusal-text.ts';
import { tryAgainNotices } from './try-again-notices.ts';

export function sendErrorPage(response: Response, status: number, text: string): void {
  const { texts } = visitOf(response);
  const content = html`<p>${text}</p><p><a href="/">${texts.errors.back}</a></p>`;
  sendPage(response, { status, title: texts.errors.title, content });
}

export const answerNotFound: RequestHandler = (_request, response) => {
  sendErrorPage(response, 404, visitOf(response).texts.errors.notFound);
};

export function answerError({ logger }: ConsoleContext): ErrorRequestHandler {
  return (error: unknown, request, response, _next) => {
    // The path may hold a token: a reference names the fault in the log and on the page.
    const fault = { err: error, method: request.method, reference: randomUUID() };
    if (response.headersSent) {
      logger.error({ event: 'console.answer_incomplete', ...fault }, 'failed to complete an answer');
      // Otherwise the browser would keep a part of a file as the whole.
      response.destroy();
      return;
    }
    if (response.locals['visit'] === undefined) return sendBareError(response, error);
    const { texts } = visitOf(response);
    const { errors } = texts;
    if (error instanceof RefusalError && error.status === 404) return sendErrorPage(response, 404, errors.notFound);
    if (error instanceof RefusalError && error.status < 500 && error.status !== 429) {
      return sendErrorPage(response, 422, refusalText(texts, error));
    }
    const status = error instanceof RefusalError ? statusOfRefusal(error) : httpStatusOf(error);
    if (status === 429) return sendErrorPage(response, status, errors.busy);
    if (status < 500) return sendErrorPage(response, status, status === 413 ? errors.tooLarge : errors.unreadable);
    logger.error({ event: 'console.request_failed', ...fault }, 'failed to answer a page');
    sendUnavailable(response, { status, reference: fault.reference, isPage: request.method === 'GET' });
  };
}

interface Unavailability {
  readonly status: number;
  readonly reference: string;
  /** A form that could not be answered is not sent again by itself. */
  readonly isPage: boolean;
}

/** Where the service may answer soon, a script asks again: a very large book is read for a while, and then in memory. */
function sendUnavailable(response: Response, { status, reference, isPage }: Unavailability): void {
  const { texts, target } = visitOf(response);
  const { errors } = texts;
  const isPassing = status === 503 && isPage;
  if (status === 503) response.setHeader('Retry-After', '5');
  const content = html`<p>${errors.unavailable}</p>
    ${isPassing && tryAgainNotices(texts, 503, errors.triesAgain)}
    <p>${isPassing && html`<a href=${ownPath(target)}>${errors.tryAgain}</a>${' · '}`}<a href="/">${errors.back}</a></p>
    <p><small>${errors.reference} <code>${reference}</code></small></p>`;
  sendPage(response, { status, title: errors.title, content, scripts: isPassing ? ['try-again.js'] : [] });
}

/** An address that cannot be decoded, before the browser is known. Express itself would send the stack of the error. */
function sendBareError(response: Response, error: unknown): void {
  const status = httpStatusOf(error);
  response
    .status(status)
    .type('text')
    .send(STATUS_CODES[status] ?? 'Error');
}

/** Of the query API: overload (429) and an unavailable backing service (503) pass, other errors are faults. */
function statusOfRefusal({ status }: RefusalError): number {
  return status === 429 || status === 503 ? 503 : 500;
}

function httpStatusOf(error: unknown): number {
  if (error instanceof DependencyUnavailableError || error instanceof UnreachableError) return 503;
  const status = (error as { status?: unknown } | null)?.status;
  return typeof status === 'number' && status >= 400 && status < 500 ? status : 500;
}
