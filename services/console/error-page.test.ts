/** What a page answers where the service, or the query API behind it, cannot answer. */
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import express from 'express';
import { DependencyUnavailableError } from '#libs/runtime/dependency.ts';
import { LendingError, LendingUnreachable } from '#libs/sdk/src/errors.ts';
import type { ConsoleContext, Visit } from './console-context.ts';
import { answerError } from './error-page.ts';
import { en } from './texts/en.ts';

const logged: string[] = [];
const logger = { error: ({ event }: { readonly event: string }) => logged.push(event) } as never;

function refusal(status: number, code: string): LendingError {
  const body = { code, error: 'sentence', retry: 'as_is', request_id: 'id' } as const;
  return new LendingError('GET /dues', status, body, false);
}

const errors: Readonly<Record<string, Error>> = {
  'not-found': refusal(404, 'not_found'),
  refused: refusal(409, 'loan_held'),
  busy: refusal(429, 'rate_exceeded'),
  unavailable: refusal(503, 'unavailable'),
  broken: refusal(500, 'internal_error'),
  unreachable: new LendingUnreachable('GET /dues', new Error('no answer'), false),
  dependency: new DependencyUnavailableError('postgres', { cause: new Error('no connection') }),
  bug: new Error('bug'),
};

let server: Server;
beforeAll(async () => {
  const app = express();
  app.use((request, response, next) => {
    const visit = { texts: en, browserToken: '', path: request.path, target: request.path, clocks: {}, address: '' };
    response.locals['visit'] = { ...visit, assets: { url: (name: string) => name } } as unknown as Visit;
    next();
  });
  app.get('/begun', (_request, response) => {
    response.write('a part');
    throw new Error('in the middle');
  });
  app.get('/:name', ({ params }) => {
    throw errors[params.name];
  });
  app.use(answerError({ logger } as unknown as ConsoleContext));
  server = app.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

const urlOf = (name: string): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}/${name}`;

test.each([
  ['not-found', 404, en.errors.notFound, false],
  ['refused', 422, 'loan_held', false],
  ['busy', 503, en.errors.unavailable, true],
  ['unavailable', 503, en.errors.unavailable, true],
  ['broken', 500, en.errors.unavailable, true],
  ['unreachable', 503, en.errors.unavailable, true],
  ['dependency', 503, en.errors.unavailable, true],
  ['bug', 500, en.errors.unavailable, true],
])(
  '%s is answered %i with its sentence, and logged where it is not about the request',
  async (name, status, text, isLogged) => {
    logged.length = 0;
    const answer = await fetch(urlOf(name));
    expect([answer.status, await answer.text()]).toEqual([status, expect.stringContaining(text)]);
    expect(logged).toEqual(isLogged ? ['console.request_failed'] : []);
  },
);

test('an answer that cannot be completed ends as an error, so that a browser keeps no part of a file', async () => {
  logged.length = 0;
  await expect(fetch(urlOf('begun')).then((answer) => answer.text())).rejects.toThrow();
  expect(logged).toEqual(['console.answer_incomplete']);
});
