/** What a page answers where the service, or the query API behind it, cannot answer. */
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import express, { type Express } from 'express';
import { newToken } from '#libs/people/secret-tokens.ts';
import { DependencyUnavailableError } from '#libs/runtime/dependency.ts';
import { RefusalError, UnreachableError } from '#libs/sdk/src/errors.ts';
import { createConsoleApp } from './app.ts';
import type { ConsoleContext, Visit } from './console-context.ts';
import { answerError } from './error-page.ts';
import { en } from './texts/en.ts';
import { es } from './texts/es.ts';

interface LogFields {
  readonly event: string;
  readonly reference: string;
}

const logged: LogFields[] = [];
const logger = { error: (fields: LogFields) => logged.push(fields) } as never;
const loggedEvents = (): readonly string[] => logged.map(({ event }) => event);

function refusal(status: number, code: string): RefusalError {
  const body = { code, error: 'sentence', retry: 'as_is', request_id: 'id' } as const;
  return new RefusalError('GET /dues', status, body, false);
}

const errors: Readonly<Record<string, Error>> = {
  'not-found': refusal(404, 'not_found'),
  refused: refusal(409, 'loan_held'),
  busy: refusal(429, 'rate_exceeded'),
  unavailable: refusal(503, 'unavailable'),
  broken: refusal(500, 'internal_error'),
  unreachable: new UnreachableError('GET /dues', new Error('no answer'), false),
  dependency: new DependencyUnavailableError('postgres', { cause: new Error('no connection') }),
  bug: new Error('bug'),
};

/** The console while Postgres refuses connections. */
function appWithoutDatabase(): Express {
  const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
  const router = express.Router();
  router.get('/assets/:name', (_request, response) => response.send());
  const context = {
    database: { query: () => Promise.reject(refused) },
    assets: { url: (name: string) => name, router },
    isSecure: false,
    url: undefined,
    proxies: 0,
    logger,
  };
  return createConsoleApp(context as unknown as ConsoleContext);
}

let server: Server;
beforeAll(async () => {
  const app = express();
  app.use('/without-database', appWithoutDatabase());
  app.use((request, response, next) => {
    const visit = { texts: en, browserToken: '', path: request.path, target: request.path, clocks: {}, address: '' };
    response.locals['visit'] = { ...visit, assets: { url: (name: string) => name } } as unknown as Visit;
    next();
  });
  app.get('/begun', (_request, response) => {
    response.write('a part');
    throw new Error('in the middle');
  });
  app.all('/:name', ({ params }) => {
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
    expect(loggedEvents()).toEqual(isLogged ? ['console.request_failed'] : []);
  },
);

test.each([
  ['a page that may be answered soon', 'GET', 'unavailable', '5', true],
  ['a form, which is sent once', 'POST', 'unavailable', '5', false],
  ['a page with a fault', 'GET', 'bug', null, false],
])('%s: the page says whether it asks again by itself', async (_, method, name, retryAfter, triesAgain) => {
  const answer = await fetch(urlOf(name), { method });
  const text = await answer.text();
  expect([answer.headers.get('Retry-After'), text.includes('data-try-again')]).toEqual([retryAfter, triesAgain]);
  expect(text.includes('src="try-again.js"')).toBe(triesAgain);
  expect(text.includes(`href="/${name}"`)).toBe(triesAgain);
});

test('a fault is named by the same reference on the page and in the log', async () => {
  logged.length = 0;
  const text = await fetch(urlOf('bug')).then((answer) => answer.text());
  expect(text).toContain(`<code>${logged[0]?.reference}</code>`);
  const refused = await fetch(urlOf('refused')).then((answer) => answer.text());
  expect(refused).not.toContain(en.errors.reference);
});

test('an answer that cannot be completed ends as an error, so that a browser keeps no part of a file', async () => {
  logged.length = 0;
  await expect(fetch(urlOf('begun')).then((answer) => answer.text())).rejects.toThrow();
  expect(loggedEvents()).toEqual(['console.answer_incomplete']);
});

test('without Postgres the error page has the language of the signed-in person, and no answer has a stack trace', async () => {
  logged.length = 0;
  const cookie = `lending_session=${newToken()}; lending_language=es`;
  const answer = await fetch(urlOf('without-database/tenancies?after=a'), { headers: { cookie } });
  const text = await answer.text();
  expect([answer.status, text.includes(es.errors.unavailable)]).toEqual([503, true]);
  expect(text).toContain('data-try-again');
  expect(text).not.toContain('ECONNREFUSED');
  expect(loggedEvents()).toEqual(['console.request_failed']);

  // The address may be anything that a link elsewhere says.
  const elsewhere = await fetch(urlOf('without-database//attacker.example/'), { headers: { cookie } });
  expect(await elsewhere.text()).not.toContain('href="//');

  const undecodable = await fetch(urlOf('without-database/assets/%E0'));
  expect([undecodable.status, await undecodable.text()]).toEqual([400, 'Bad Request']);
});
