import { envelope } from '#libs/api/error-envelope.ts';
import type { RouteName } from '#libs/api/routes.ts';
import type { Authenticated } from '#libs/auth/authenticate.ts';
import { callerRequestId, type Head, type RequestHead, readHead } from '#libs/http/request-head.ts';
import { Timing } from '#libs/http/timing.ts';
import { mint } from '#libs/runtime/uuid.ts';
import type { Refusal } from '#libs/schema/refusals.ts';

/** What is asked, with what the door has learnt of it so far; it need not have been read further than its head. */
export class RequestContext {
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
  /** What was thrown, where the answer says nothing of it. */
  cause: unknown;
  /** Sent with the answer, whatever it is. */
  readonly headers: HeaderFields = {};

  constructor(request: RequestHead, receivedAt: number, baseline: string) {
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

  /** Names and values in turn, as they go to the line: to make an object of them and take it apart again costs more. */
  fields(mayBeKept = false): string[] {
    const fields = [
      'Request-Id',
      this.requestId,
      'Contract-Version',
      this.version,
      'Server-Timing',
      this.timing.header(this.authenticated !== undefined),
      'Cache-Control',
      mayBeKept ? 'private, no-cache' : 'no-store',
    ];
    if (mayBeKept) fields.push('Vary', 'Contract-Version');
    if (this.callerRequestId !== undefined) fields.push('Caller-Request-Id', this.callerRequestId);
    return listed(fields, this.headers);
  }

  /** All of a refusal that is sent. */
  refused(refusal: Refusal): Sent {
    const { retryAfter, status } = refusal;
    const fields = this.fields();
    if (retryAfter !== undefined) fields.push('Retry-After', String(retryAfter));
    if (status === 401) fields.push('WWW-Authenticate', 'Service-Ed25519');
    return withText(status, fields, JSON.stringify(envelope(refusal, this.requestId)));
  }
}

export interface Sent {
  readonly status: number;
  readonly fields: string[];
  readonly text: string;
  /** Where no character takes more than a byte, none has to be looked at to be written. */
  readonly encoding: 'latin1' | 'utf8';
}

export type HeaderFields = { [name: string]: string };

export function listed(all: string[], fields: Readonly<HeaderFields>): string[] {
  for (const name in fields) all.push(name, fields[name] as string);
  return all;
}

export function withText(status: number, fields: string[], text: string, type = 'application/json'): Sent {
  const length = Buffer.byteLength(text);
  fields.push('Content-Type', type, 'Content-Length', String(length));
  return { status, fields, text, encoding: length === text.length ? 'latin1' : 'utf8' };
}
