/** An HTTP server that answers with scripted replies and records the requests. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Clock } from '../src/retry.ts';

export interface ReceivedRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** Answers one request; the last reply of a script answers all further requests. */
export type ScriptedReply = (sent: ReceivedRequest, response: ServerResponse) => void;

export interface ScriptedService {
  readonly baseUrl: string;
  readonly sent: ReceivedRequest[];
  close(): Promise<void>;
}

export async function startScriptedService(...script: ScriptedReply[]): Promise<ScriptedService> {
  const sent: ReceivedRequest[] = [];
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

export function replyWith(status: number, body: unknown, headers: Record<string, string> = {}): ScriptedReply {
  return (_, response) => {
    response.writeHead(status, { 'Content-Type': 'application/json', 'Request-Id': 'r-1', ...headers });
    response.end(JSON.stringify(body));
  };
}

export function refuseWith(status: number, code: string, retry: string, more: object = {}): ScriptedReply {
  return replyWith(status, { error: `It is ${code}.`, code, retry, request_id: 'r-1', ...more });
}

/** Closes the connection without a response. */
export const closeConnection: ScriptedReply = (_, response) => {
  response.destroy();
};

/** A clock whose pauses take no time and are recorded. */
export function instantClock(startsAt = 1_793_232_000_000): Clock & { readonly pauses: number[] } {
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
