/** A client of the feed's event stream that collects the events it receives. */
import { request } from 'node:http';
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import type { Signer } from '#libs/auth/signer.ts';
import { validateResponse } from '#test/openapi/document-validator.ts';
import { authorization } from '#test/support/signed-request.ts';
import { type Tenant, testEnvironment } from './tenant.ts';

export interface FeedStreamOptions {
  readonly signer?: Signer;
  readonly lastEventId?: string | undefined;
  readonly baseUrl?: string;
}

export class FeedStream {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly events: EventSourceMessage[] = [];
  retryMs: number | undefined;
  heartbeats = 0;
  /** Set when the connection closes: `complete` if the response was complete. */
  ending: 'complete' | 'aborted' | undefined;
  readonly close: () => void;

  private constructor(status: number, headers: FeedStream['headers'], close: () => void) {
    this.status = status;
    this.headers = headers;
    this.close = close;
  }

  static open(
    tenant: Tenant,
    { signer = tenant.signer, lastEventId, baseUrl = testEnvironment().services.baseUrl }: FeedStreamOptions = {},
  ): Promise<FeedStream> {
    const target = `/v1/tenants/${tenant.id}/loan-events/stream`;
    const headers = {
      authorization: authorization(signer, { method: 'GET', target, body: Buffer.alloc(0) }),
      ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
    };
    return new Promise((resolve, reject) => {
      const outgoing = request(`${baseUrl}${target}`, { headers, agent: false }, (response) => {
        const stream = new FeedStream(response.statusCode ?? 0, response.headers, () => outgoing.destroy());
        const parser = createParser({
          onEvent: (event) => stream.events.push(event),
          onRetry: (ms) => {
            stream.retryMs = ms;
          },
          onComment: () => {
            stream.heartbeats += 1;
          },
        });
        response.setEncoding('utf8').on('data', (chunk: string) => parser.feed(chunk));
        response.on('error', () => undefined);
        try {
          const { statusCode: status = 0, headers } = response;
          validateResponse({ method: 'GET', target }, { status, headers, text: '' });
        } catch (error) {
          outgoing.destroy();
          reject(error);
          return;
        }
        response.on('close', () => {
          stream.ending = response.complete ? 'complete' : 'aborted';
        });
        resolve(stream);
      });
      outgoing.on('error', reject);
      outgoing.end();
    });
  }

  get lastEventId(): string | undefined {
    return this.events.at(-1)?.id;
  }

  // biome-ignore lint/suspicious/noExplicitAny: each test states what it expects of the rows
  get rows(): any[] {
    return this.events.map(({ data }) => JSON.parse(data));
  }
}
