import type { IncomingMessage, ServerResponse } from 'node:http';
import { isProbe } from '#libs/api/route.ts';
import { routes } from '#libs/api/routes.ts';
import type { RouteResponse, RouteResult, Streaming } from '#libs/http/handler.ts';
import { listed, RequestContext, type Sent, withText } from '#libs/http/request-context.ts';
import { isRefusal } from '#libs/schema/refusals.ts';

/** One request and its answer. */
export class Exchange extends RequestContext {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** What of its body is counted among all that are held. */
  held = 0;

  constructor(request: IncomingMessage, response: ServerResponse, receivedAt: number, baseline: string) {
    super(request, receivedAt, baseline);
    this.request = request;
    this.response = response;
  }

  header(name: string): string | undefined {
    const value = this.request.headers[name.toLowerCase()];
    return Array.isArray(value) ? value[0] : value;
  }

  gone(): AbortSignal {
    const controller = new AbortController();
    if (this.response.destroyed) controller.abort();
    else this.response.once('close', () => controller.abort());
    return controller.signal;
  }

  answer(outcome: RouteResult): void {
    const { response } = this;
    if (response.headersSent) {
      response.destroy();
      return;
    }
    if (isRefusal(outcome)) {
      this.#send(this.refused(outcome));
      return;
    }
    const { status, type, headers = {}, body } = outcome;
    const { text = body === undefined ? undefined : JSON.stringify(body) } = outcome;
    const fields = listed(this.fields(this.#mayBeKept()), headers);
    if (text === undefined) response.writeHead(status, fields).end();
    else this.#send(withText(status, fields, text, type));
  }

  /** Sends an answer piece by piece, as fast as the caller takes it, until it ends or the caller leaves. */
  async stream(
    { status, type = 'text/event-stream', headers }: RouteResponse,
    { pieces, ends }: Streaming,
  ): Promise<void> {
    const { response, timing } = this;
    timing.stop();
    response.writeHead(status, listed(this.fields(), { 'Content-Type': type, ...headers }));
    response.flushHeaders();
    if (this.method === 'HEAD') {
      response.end();
      return;
    }
    for await (const piece of pieces) {
      if (response.destroyed) break;
      if (!response.write(piece)) await this.#taken(ends);
    }
    // What nobody takes any more would keep the line for as long as the other side likes.
    if (ends.aborted && response.writableNeedDrain) response.destroy();
    else response.end();
  }

  /** Resolves when the caller has taken what was written, has left, or is not to be waited for any longer. */
  #taken(ends: AbortSignal): Promise<void> {
    const { response } = this;
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        response.off('drain', done).off('close', done);
        ends.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(() => response.destroy(), stalledMs);
      response.once('drain', done).once('close', done);
      ends.addEventListener('abort', done);
      if (ends.aborted || response.destroyed) done();
    });
  }

  #send({ status, fields, text, encoding }: Sent): void {
    const { response } = this;
    response.writeHead(status, fields);
    if (status === 413) this.#lingerAfter(text);
    // As text it leaves in one write together with the head.
    else response.end(text, encoding);
  }

  /** Whether the caller may keep the answer, to ask with its tag whether it still stands. */
  #mayBeKept(): boolean {
    const { method, route } = this;
    return (method === 'GET' || method === 'HEAD') && route !== undefined && !isProbe(routes[route]);
  }

  /**
   * The answer is whole at once, but the line is closed only when the caller has stopped sending or had a second to:
   * closed with bytes unread, TCP would take the answer away again.
   */
  #lingerAfter(text: string): void {
    const { request, response } = this;
    response.write(text);
    const done = (): void => {
      clearTimeout(timer);
      response.end();
    };
    const timer = setTimeout(done, lingerMs);
    request.once('end', done).once('close', done).resume();
  }
}

const lingerMs = 1000;
/** A caller that takes nothing for so long is gone, or as good as. */
const stalledMs = 60_000;
