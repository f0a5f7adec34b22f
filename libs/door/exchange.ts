import type { IncomingMessage, ServerResponse } from 'node:http';
import { envelope } from '#libs/contract/envelope.ts';
import { isRefusal, type Refusal } from '#libs/contract/refusals.ts';
import { isProbe } from '#libs/contract/route.ts';
import { type RouteName, routes } from '#libs/contract/routes.ts';
import type { Authenticated } from '#libs/door/authenticate.ts';
import type { Answer, Outcome, Streaming } from '#libs/door/handler.ts';
import { callerRequestId, type Head, readHead } from '#libs/door/head.ts';
import { Timing } from '#libs/door/timing.ts';
import { mint } from '#libs/submission/mint.ts';

/** One request and its answer, with what the door has learnt of it so far. */
export class Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly requestId = mint();
  readonly timing = new Timing();
  readonly head: Head;
  readonly method: string;
  /** Exactly as on the request line. */
  readonly target: string;
  readonly path: string;
  readonly queryText: string;
  readonly callerRequestId: string | undefined;
  readonly receivedAt: number;
  version: string;
  route: RouteName | undefined;
  authenticated: Authenticated | undefined;
  /** What of its body is counted among all that are held. */
  held = 0;
  /** What was thrown, where the answer says nothing of it. */
  cause: unknown;
  /** Whether the caller may keep the answer, to ask with its tag whether it still stands. */
  #mayBeKept = false;
  /** Sent with the answer, whatever it is. */
  readonly headers: { [name: string]: string } = {};

  constructor(request: IncomingMessage, response: ServerResponse, receivedAt: number, baseline: string) {
    this.request = request;
    this.response = response;
    this.receivedAt = receivedAt;
    this.version = baseline;
    this.method = request.method ?? '';
    // Express rewrites `url` where it is mounted below a path, and keeps what was sent.
    this.target = (request as { readonly originalUrl?: string }).originalUrl ?? request.url ?? '';
    const mark = this.target.indexOf('?');
    this.path = mark < 0 ? this.target : this.target.slice(0, mark);
    this.queryText = mark < 0 ? '' : this.target.slice(mark + 1);
    this.head = readHead(request);
    this.callerRequestId = callerRequestId(this.head);
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

  /** Sends the outcome; says what was refused. */
  answer(outcome: Outcome): void {
    this.#mayBeKept = !isRefusal(outcome) && this.#isRead();
    if (isRefusal(outcome)) this.#refuse(outcome);
    else if (outcome.text !== undefined) this.#send(outcome.status, outcome.text, outcome.type, outcome.headers);
    else if (outcome.body !== undefined)
      this.#send(outcome.status, JSON.stringify(outcome.body), outcome.type, outcome.headers);
    else this.#send(outcome.status, undefined, undefined, outcome.headers);
  }

  /** Sends an answer piece by piece, as fast as the caller takes it, until it ends or the caller leaves. */
  async stream({ status, type = 'text/event-stream', headers }: Answer, { pieces, ends }: Streaming): Promise<void> {
    const { response, timing } = this;
    timing.stop();
    response.writeHead(status, listed(this.#own(), { 'Content-Type': type, ...headers }));
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

  #refuse(refusal: Refusal): void {
    const { retryAfter, status } = refusal;
    const more: { [name: string]: string } = {};
    if (retryAfter !== undefined) more['Retry-After'] = String(retryAfter);
    if (status === 401) more['WWW-Authenticate'] = 'Service-Ed25519';
    this.#send(status, JSON.stringify(envelope(refusal, this.requestId)), undefined, more);
  }

  #send(status: number, text: string | undefined, type = 'application/json', headers: Fields = {}): void {
    const { response } = this;
    if (response.headersSent) {
      response.destroy();
      return;
    }
    const all = this.#own();
    if (text === undefined) {
      response.writeHead(status, listed(all, headers)).end();
      return;
    }
    all.push('Content-Type', type, 'Content-Length', String(Buffer.byteLength(text)));
    response.writeHead(status, listed(all, headers));
    if (status === 413) this.#lingerAfter(text);
    // As text it leaves in one write together with the head.
    else response.end(text);
  }

  #isRead(): boolean {
    const { method, route } = this;
    return (method === 'GET' || method === 'HEAD') && route !== undefined && !isProbe(routes[route]);
  }

  /** Names and values in turn, as they go to the line: to make an object of them and take it apart again costs more. */
  #own(): string[] {
    const own = [
      'Request-Id',
      this.requestId,
      'Contract-Version',
      this.version,
      'Server-Timing',
      this.timing.header(this.authenticated !== undefined),
      'Cache-Control',
      this.#mayBeKept ? 'private, no-cache' : 'no-store',
    ];
    if (this.#mayBeKept) own.push('Vary', 'Contract-Version');
    if (this.callerRequestId !== undefined) own.push('Caller-Request-Id', this.callerRequestId);
    return listed(own, this.headers);
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

type Fields = { readonly [name: string]: string };

function listed(all: string[], fields: Fields): string[] {
  for (const name in fields) all.push(name, fields[name] as string);
  return all;
}

const lingerMs = 1000;
/** A caller that takes nothing for so long is gone, or as good as. */
const stalledMs = 60_000;
