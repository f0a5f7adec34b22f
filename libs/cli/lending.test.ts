import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { lending } from './lending.ts';

const out = jest.spyOn(console, 'log').mockImplementation(() => undefined);
const err = jest.spyOn(console, 'error').mockImplementation(() => undefined);
const { exitCode } = process;

beforeEach(() => {
  process.exitCode = undefined;
});
afterEach(() => {
  process.exitCode = exitCode;
  out.mockReset();
  err.mockReset();
});

async function typing(line: string) {
  await lending(line.split(' '));
  return { code: process.exitCode, out: out.mock.calls.join('\n'), err: err.mock.calls.join('\n') };
}

const all = 'lending help tells of all.';
const keyList = `lending key list TENANCY [--actor NAME]; --help says more, ${all}`;

test.each([
  ['kye list demo', `kye list: no such command. Did you mean key list?\n${all}`],
  ['cal GET /livez', `cal GET: no such command. Did you mean call?\n${all}`],
  ['key', `key: no such command. Did you mean key mint, key revoke, or key list?\n${all}`],
  ['key polish demo', `key polish: no such command. Did you mean key mint, key revoke, or key list?\n${all}`],
  ['verify x.json', `verify x.json: no such command. Did you mean verify-evidence?\n${all}`],
  ['status', `status: no such command.\n${all}`],
  ['key list demo --acter me', `Unknown option '--acter'. Did you mean --actor?\n${keyList}`],
  ['key list demo --scope read', `Unknown option '--scope'.\n${keyList}`],
  ['key list demo -x', `Unknown option '-x'.\n${keyList}`],
  ['key list demo --actor', `Option '--actor <value>' argument missing.\n${keyList}`],
  ['key list demo --actor --help', `Option '--actor' argument is ambiguous.\n${keyList}`],
  ['key list demo --help=yes', `Option '-h, --help' does not take an argument.\n${keyList}`],
  [
    'client show',
    `CLIENT is missing\nlending client show CLIENT --on DAY [--json] [--tenant ID]; --help says more, ${all}`,
  ],
])('%p is answered in two lines', async (line, said) => {
  expect(await typing(line)).toEqual({ code: 2, out: '', err: said });
});

test.each([
  ['key list demo', ['cell']],
  ['call GET /livez', ['service']],
  ['verify-evidence x.json --help', []],
  ['key list demo --help', []],
  ['key list demo --acter me', []],
  // As a cursor may begin, one in 64 of them.
  ['key list demo --actor -me', ['cell']],
  ['key list demo --actor --me', ['cell']],
  ['key list demo --actor -h', []],
  ['key list demo --actor --actor=me', []],
  ['key list demo --actor --', []],
  ['key list demo -- --actor -me', ['cell']],
])('%p asks whether somebody is there for %j', async (line, asked) => {
  const needs: string[] = [];
  await lending(line.split(' '), async (each) => {
    needs.push(each);
    throw new Error('nobody is there');
  });
  expect(needs).toEqual(asked);
  if (asked.length > 0) expect([process.exitCode, err.mock.calls]).toEqual([1, [['nobody is there']]]);
});

test.each(['help', '--help', 'key polish --help'])('%p tells of all commands', async (line) => {
  const told = await typing(line);
  expect(told).toMatchObject({ code: undefined, err: '' });
  expect(told.out).toContain('lending key list TENANCY');
  expect(told.out).toContain('lending call METHOD PATH');
});
