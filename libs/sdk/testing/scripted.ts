/** A service that answers what a test says, over a real line, and keeps what it was sent. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { World } from '../src/retrying.ts';

export interface Sent {
  readonly method: string;
  readonly target: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** Answers one request; the last of a script answers all that follow. */
export type Reply = (sent: Sent, response: ServerResponse) => void;

export interface Scripted {
  readonly baseUrl: string;
  readonly sent: Sent[];
  close(): Promise<void>;
}

export async function scripted(...script: Reply[]): Promise<Scripted> {
  const sent: Sent[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      const one = { method, target: url, headers, body: Buffer.concat(chunks).toString('utf8') };
      const reply = script[Math.min(sent.push(one), script.length) - 1];
      reply?.(one, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sent,
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

export function answer(status: number, body: unknown, headers: Record<string, string> = {}): Reply {
  return (_, response) => {
    response.writeHead(status, { 'Content-Type': 'application/json', 'Request-Id': 'r-1', ...headers });
    response.end(JSON.stringify(body));
  };
}

export function refusal(status: number, code: string, retry: string, more: object = {}): Reply {
  return answer(status, { error: `It is ${code}.`, code, retry, request_id: 'r-1', ...more });
}

/** The line breaks before anything is answered. */
export const breakLine: Reply = (_, response) => {
  response.destroy();
};

/** A world in which waiting takes no time and is remembered. */
export function quickWorld(startsAt = 1_793_232_000_000): World & { readonly pauses: number[] } {
  const pauses: number[] = [];
  let now = startsAt;
  return {
    pauses,
    now: () => now,
    random: () => 0.5,
    async pause(ms, signal) {
      signal?.throwIfAborted();
      pauses.push(ms);
      now += ms;
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}
