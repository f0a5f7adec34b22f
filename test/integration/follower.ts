/** Somebody who follows the feed over one line, and notes what it is told. */
import { request } from 'node:http';
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import type { Signer } from '#libs/auth/sign.ts';
import { authorization } from '#test/load/caller.ts';
import { holdToDocument } from '#test/openapi/held.ts';
import { house, type Tenant } from './tenant.ts';

export interface Opening {
  readonly signer?: Signer;
  readonly lastEventId?: string | undefined;
  readonly baseUrl?: string;
}

export class Follower {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly events: EventSourceMessage[] = [];
  retryMs: number | undefined;
  heartbeats = 0;
  /** How it ended: `cleanly` where the last piece came whole. */
  ended: 'cleanly' | 'cut' | undefined;
  readonly leave: () => void;

  private constructor(status: number, headers: Follower['headers'], leave: () => void) {
    this.status = status;
    this.headers = headers;
    this.leave = leave;
  }

  static open(
    tenant: Tenant,
    { signer = tenant.signer, lastEventId, baseUrl = house().services.baseUrl }: Opening = {},
  ): Promise<Follower> {
    const target = `/v1/tenants/${tenant.id}/loan-events/stream`;
    const headers = {
      authorization: authorization(signer, { method: 'GET', target, body: Buffer.alloc(0) }),
      ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
    };
    return new Promise((resolve, reject) => {
      const asked = request(`${baseUrl}${target}`, { headers, agent: false }, (response) => {
        const follower = new Follower(response.statusCode ?? 0, response.headers, () => asked.destroy());
        const parser = createParser({
          onEvent: (event) => follower.events.push(event),
          onRetry: (ms) => {
            follower.retryMs = ms;
          },
          onComment: () => {
            follower.heartbeats += 1;
          },
        });
        response.setEncoding('utf8').on('data', (piece: string) => parser.feed(piece));
        response.on('error', () => undefined);
        try {
          const { statusCode: status = 0, headers } = response;
          holdToDocument({ method: 'GET', target }, { status, headers, text: '' });
        } catch (fault) {
          asked.destroy();
          reject(fault);
          return;
        }
        response.on('close', () => {
          follower.ended = response.complete ? 'cleanly' : 'cut';
        });
        resolve(follower);
      });
      asked.on('error', reject);
      asked.end();
    });
  }

  get lastEventId(): string | undefined {
    return this.events.at(-1)?.id;
  }

  // A journey reads whatever came.
  // biome-ignore lint/suspicious/noExplicitAny: what is expected of it is what the journey says
  get rows(): any[] {
    return this.events.map(({ data }) => JSON.parse(data));
  }
}
