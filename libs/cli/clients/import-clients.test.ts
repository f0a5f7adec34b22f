import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { inProcessCommands } from '../testing/in-process-commands.ts';

const folder = mkdtempSync(join(tmpdir(), 'lending-clients-'));
afterAll(() => rmSync(folder, { recursive: true }));

const { run } = inProcessCommands(() => {
  const LENDING_KEY = `lsk_test_${Buffer.alloc(32, 7).toString('base64url')}`;
  Object.assign(process.env, { LENDING_URL: 'http://127.0.0.1:1', LENDING_KEY, LENDING_TENANT: 'demo' });
});

function fileOf(...lines: string[]): string {
  const file = join(folder, 'clients.csv');
  writeFileSync(file, lines.map((line) => `${line}\n`).join(''));
  return file;
}

test('cells may be separated by semicolons, as spreadsheets of many countries write them', async () => {
  const file = fileOf('client_id;basis', 'ana;form, signed', 'luis;form');
  const read = await run(['client', 'import', file, '--delimiter', ';', '--dry-run']);
  expect(read).toMatchObject({
    code: undefined,
    out: '2 Clients can be sent, 0 lines cannot be read; nothing was sent',
  });
});

test.each([
  ['client_id;basis', "(for cells separated by semicolons use --delimiter ';'); expected client_id, basis"],
  ['client_id,basis,basis', 'duplicate column basis; name each column once'],
  ['basis,actor', 'the first line does not name the column client_id'],
])('a first line with the columns %s is refused with what is wrong', async (columns, message) => {
  const refused = await run(['client', 'import', fileOf(columns, 'ana'), '--dry-run']);
  expect(refused).toMatchObject({ code: 1, out: '', err: expect.stringContaining(message) });
});

test('an import that stops says how to continue', async () => {
  const stopped = await run(['client', 'import', fileOf('client_id,basis', 'ana,form'), '--yes']);
  expect(stopped).toMatchObject({ code: 1, out: '' });
  expect(stopped.err).toContain('Stopped after 0 lines. To continue, run the same command');
  expect(stopped.err).toContain('http://127.0.0.1:1 does not answer');
});

test('the question counts the lines that can be read, and names the Tenancy and the service', async () => {
  const asked = await run(['client', 'import', fileOf('client_id,basis', 'ana,form', 'luis,', 'eva,form')]);
  expect(asked).toMatchObject({ code: 2, out: '' });
  expect(asked.err).toContain('2 lines are registered for good as Clients in demo at http://127.0.0.1:1.');
});

test('a file without a line that can be read is reported without a question', async () => {
  const reported = await run(['client', 'import', fileOf('client_id,basis', 'luis,'), '--json']);
  expect(reported).toMatchObject({ code: 1, err: '' });
  expect(JSON.parse(reported.out)).toMatchObject({ registered: 0, refused: 0, unreadable: 1, faults: [{ line: 2 }] });
});
