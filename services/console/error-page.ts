/** Pages for what cannot be shown. */
import type { ErrorRequestHandler, RequestHandler, Response } from 'express';
import { DependencyUnavailableError } from '#libs/runtime/dependency.ts';
import { LendingError, LendingUnreachable } from '#libs/sdk/src/errors.ts';
import { type ConsoleContext, visitOf } from './console-context.ts';
import { html } from './html.ts';
import { sendPage } from './page.ts';
import { refusalText } from './refusal-text.ts';

export function sendErrorPage(response: Response, status: number, text: string): void {
  const { texts } = visitOf(response);
  const content = html`<p>${text}</p><p><a href="/">${texts.errors.back}</a></p>`;
  sendPage(response, { status, title: texts.errors.title, content });
}

export const answerNotFound: RequestHandler = (_request, response) => {
  sendErrorPage(response, 404, visitOf(response).texts.errors.notFound);
};

export function answerError({ logger }: ConsoleContext): ErrorRequestHandler {
  return (error: unknown, request, response, next) => {
    // The path may hold a token.
    const fault = { err: error, method: request.method };
    if (response.headersSent) {
      logger.error({ event: 'console.answer_incomplete', ...fault }, 'failed to complete an answer');
      // Otherwise the browser would keep a part of a file as the whole.
      response.destroy();
      return;
    }
    if (response.locals['visit'] === undefined) return next(error);
    const { texts } = visitOf(response);
    const { errors } = texts;
    if (error instanceof LendingError && error.status === 404) return sendErrorPage(response, 404, errors.notFound);
    if (error instanceof LendingError && error.status < 500 && error.status !== 429) {
      return sendErrorPage(response, 422, refusalText(texts, error));
    }
    const status = error instanceof LendingError ? statusOfRefusal(error) : httpStatusOf(error);
    if (status === 429) return sendErrorPage(response, status, errors.busy);
    if (status < 500) return sendErrorPage(response, status, status === 413 ? errors.tooLarge : errors.unreadable);
    logger.error({ event: 'console.request_failed', ...fault }, 'failed to answer a page');
    sendErrorPage(response, status, errors.unavailable);
  };
}

/** Of the query API: overload (429) and an unavailable backing service (503) pass, other errors are faults. */
function statusOfRefusal({ status }: LendingError): number {
  return status === 429 || status === 503 ? 503 : 500;
}

function httpStatusOf(error: unknown): number {
  if (error instanceof DependencyUnavailableError || error instanceof LendingUnreachable) return 503;
  const status = (error as { status?: unknown } | null)?.status;
  return typeof status === 'number' && status >= 400 && status < 500 ? status : 500;
}
