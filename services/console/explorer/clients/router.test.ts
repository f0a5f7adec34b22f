import type { AddressInfo } from 'node:net';
import { expect, test } from '@jest/globals';
import express, { type Response } from 'express';
import { RefusalError } from '#libs/sdk/src/errors.ts';
import type { ConsoleContext } from '../../console-context.ts';
import type { CsvDownloads } from '../../csv-download.ts';
import { answerError } from '../../error-page.ts';
import { visitOfOperator } from '../../testing/rendered-page.ts';
import { en } from '../../texts/en.ts';
import { clientsRouter } from './router.ts';

const notFound = new RefusalError(
  'GET /clients/unknown',
  404,
  { code: 'not_found', error: 'sentence', retry: 'never', request_id: 'id' },
  false,
);

/** It knows no Client, and has no company profile; the book of any name reads as an empty one. */
const api = {
  readClient: () => Promise.reject(notFound),
  readCompanyProfile: () => Promise.reject(notFound),
  readBookVersion: () => Promise.resolve({ facts: 0 }),
  listLoans: () => Promise.resolve({ loans: [] }),
  readStatement: () => Promise.resolve({ loans: [], currencies: [] }),
};

test('a Client who does not exist has no statement: neither a page to print nor a file', async () => {
  const parts = { preparation: { isReady: () => Promise.resolve(true) } };
  const tenancy = { id: 'acme', live: false, timeZone: 'UTC', bounds: null };
  const context = {
    readApi: { of: () => Promise.resolve({ api, isLive: false }), parts },
    databases: { ofTenancy: () => ({ query: () => Promise.resolve({ rows: [tenancy] }) }) },
    logger: { error: () => undefined },
  } as unknown as ConsoleContext;
  const downloads = { send: (response: Response) => response.send('') };
  const app = express();
  app.use((_request, response, next) => {
    response.locals['visit'] = visitOfOperator();
    next();
  });
  app.use(clientsRouter(context, downloads as unknown as CsvDownloads));
  app.use(answerError(context));
  const server = app.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/tenancies/acme/clients/unknown`;
  const answers = await Promise.all(['statement', 'statement.csv'].map((page) => fetch(`${url}/${page}`)));
  const texts = await Promise.all(answers.map((answer) => answer.text()));
  await new Promise((resolve) => server.close(resolve));
  expect(answers.map(({ status }) => status)).toEqual([404, 404]);
  for (const text of texts) expect(text).toContain(en.errors.notFound);
});
