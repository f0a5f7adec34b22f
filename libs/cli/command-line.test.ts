import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { runCommandLine } from './command-line.ts';
import { formatError } from './format-error.ts';

const out = jest.spyOn(console, 'log').mockImplementation(() => undefined);
const err = jest.spyOn(console, 'error').mockImplementation(() => undefined);
const { exitCode } = process;
const environment = { ...process.env };
const secret = `lsk_test_${Buffer.alloc(32, 7).toString('base64url')}`;

beforeEach(() => {
  process.exitCode = undefined;
  Object.assign(process.env, { LENDING_URL: 'http://127.0.0.1:1', LENDING_KEY: secret, LENDING_TENANT: 'demo' });
});
afterEach(() => {
  process.exitCode = exitCode;
  process.env = { ...environment };
  out.mockReset();
  err.mockReset();
});

async function run(args: readonly string[]) {
  await runCommandLine(args);
  return { code: process.exitCode, out: out.mock.calls.join('\n'), err: err.mock.calls.join('\n') };
}

const words = (line: string): string[] => line.split(' ');

describe('a wrong command line', () => {
  test.each<[string, string, string]>([
    ['kye list demo', "unknown command 'kye'\n(Did you mean key?)", 'lending '],
    ['cal GET /livez', "unknown command 'cal'\n(Did you mean call?)", 'lending '],
    ['status', "unknown command 'status'", 'lending '],
    ['key polish demo', "unknown command 'polish'", 'lending key '],
    ['key list demo --acter me', "unknown option '--acter'\n(Did you mean --actor?)", 'lending key list '],
    ['key list demo --scope read', "unknown option '--scope'", 'lending key list '],
    ['key list demo -x', "unknown option '-x'", 'lending key list '],
    ['key list demo more', 'too many arguments', 'lending key list '],
    ['key list demo --actor', "option '--actor <name>' argument missing", 'lending key list '],
    ['key list demo --actor --help', 'option --actor needs a value, seen the option --help', 'lending key list '],
    ['key list demo --actor no/slash', 'An actor has 1 to 64 letters, digits, - and _.', 'lending key list '],
    ['key list no/slash', 'A Tenancy id has 1 to 64 letters, digits, - and _.', 'lending key list '],
    ['key list', "missing required argument 'tenancy'", 'lending key list '],
    ['key mint demo', "required option '--scope <scope>' not specified", 'lending key mint '],
    ['key mint demo --scope all', 'Allowed choices are read, write.', 'lending key mint '],
    ['key revoke demo', "missing required argument 'fingerprint'", 'lending key revoke '],
    ['tenancy open demo --time-zone Atlantis', 'Expected an IANA time zone', 'lending tenancy open '],
    ['book release demo c/ada', "required option '--basis <text>' not specified", 'lending book release '],
    ['book release demo ada --basis x', "Expected c/ and the Client's id, or t.", 'lending book release '],
    ['audit --most 0', 'Expected a whole number from 1 to 100000.', 'lending audit '],
    ['prepare --replicas many', 'Expected a whole number from 1 to 99.', 'lending prepare '],
    ['call fetch /livez', 'Expected one of GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS.', 'lending call '],
    ['call GET v1/tenants', 'Expected a path that begins with /', 'lending call '],
    ['call POST /v1/tenants/demo/receipts', 'POST needs a body; add it as JSON', 'lending call '],
    ['call put /v1/tenants/demo/clients/ada', 'PUT needs a body; add it as JSON', 'lending call '],
    ['call GET /livez {}', 'GET takes no body; remove it', 'lending call '],
    ['client show --on 2026-01-01', "missing required argument 'client'", 'lending client show '],
    ['client show ada', "required option '--on <day>' not specified", 'lending client show '],
    ['loan show --on 2026-01-01', 'name the Loan by its id or by --reference', 'lending loan show '],
    ['loan show loan-1 --on 2026-01-01', 'use --reference loan-1', 'lending loan show '],
    ['events follow all', 'too many arguments', 'lending events follow '],
    ['receipts post', "missing required argument 'file'", 'lending receipts post '],
    ['receipts post a.csv b.csv', 'too many arguments', 'lending receipts post '],
    ['receipts post - --format csv', 'standard input has no outcome file', 'lending receipts post '],
    ['receipts post receipts.txt', 'does not show the format; use --format csv', 'lending receipts post '],
    ['receipts post a.csv --batch 1001', 'Expected a whole number from 1 to 1000.', 'lending receipts post '],
    ['receipts post a.csv --delimiter ::', 'Expected one character.', 'lending receipts post '],
    ['verify-evidence', "missing required argument 'file'", 'lending verify-evidence '],
    ['verify-evidence x.json --key ab=cd', 'Expected fp=PUBLICKEY with 32 bytes', 'lending verify-evidence '],
  ])('%p is refused with what is wrong and the usage', async (line, message, command) => {
    const result = await run(words(line));
    expect(result).toEqual({ code: 2, out: '', err: expect.stringContaining(message) });
    expect(result.err).toContain(`Usage: ${command}`);
  });

  test.each<[string, Record<string, string>, string]>([
    ['call GET /livez', { LENDING_URL: '' }, 'LENDING_URL is not set; set'],
    ['events follow', { LENDING_URL: '', LENDING_KEY: '' }, 'LENDING_URL and LENDING_KEY is not set; set'],
    [
      'events follow',
      { LENDING_KEY: '', LENDING_KEY_FILE: '/gone' },
      'LENDING_KEY_FILE is "/gone", which cannot be read (ENOENT)',
    ],
    ['events follow', { LENDING_KEY: 'lsk' }, 'LENDING_KEY is not the secret of a key; expected lsk_test_'],
    ['events follow', { LENDING_TENANT: '' }, 'no Tenancy is given; set --tenant or LENDING_TENANT'],
    ['key list demo', { KAFKA_BROKERS: '', DATABASE_URL: '' }, 'KAFKA_BROKERS is empty; set host:port[,host:port]'],
  ])('%p with the environment %j says which variable to set', async (line, env, message) => {
    Object.assign(process.env, env);
    expect(await run(words(line))).toEqual({ code: 2, out: '', err: expect.stringContaining(message) });
  });
});

describe('a command', () => {
  test.each<[string, string[]]>([
    ['key list demo', ['cell']],
    ['call GET /livez', ['service']],
    ['verify-evidence x.json', ['none']],
    ['key list demo --help', []],
    ['key list demo --acter me', []],
    // A cursor may begin with a dash.
    ['events follow --from -me', ['service']],
    ['events follow --from --me', ['service']],
    ['events follow --from --json', []],
    ['key list demo --actor -h', []],
    ['key list --actor me -- demo', ['cell']],
  ])('%p checks the targets %j before it runs', async (line, expected) => {
    const targets: string[] = [];
    await runCommandLine(words(line), async (target) => {
      targets.push(target);
      throw new Error('it is down');
    });
    expect(targets).toEqual(expected);
    if (expected.length > 0) expect([process.exitCode, err.mock.calls]).toEqual([1, [['it is down']]]);
  });

  test.each([[[]], [['help']], [['--help']], [['-h']]])('%j lists all commands', async (args) => {
    const result = await run(args);
    expect(result).toMatchObject({ code: undefined, err: '' });
    for (const name of ['call', 'receipts', 'verify-evidence', 'key', 'rebuild']) expect(result.out).toContain(name);
  });

  test('explains itself with --help', async () => {
    const result = await run(['verify-evidence', '--help']);
    expect(result).toMatchObject({ code: undefined, err: '' });
    expect(result.out).toContain('Not proved: that no other fact was recorded');
  });

  test('of the README is known, with its options', async () => {
    const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
    const lines = [...readme.matchAll(/^npm run -s lending -- (.+?)(?: +#.*)?$/gm)].map(([, line]) => String(line));
    expect(lines.length).toBeGreaterThan(6);
    for (const line of lines) {
      const args = [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, word]) => quoted ?? String(word));
      const command = args.includes('|') ? args.slice(0, args.indexOf('|')) : args;
      let isKnown = false;
      await runCommandLine(command, async () => {
        isKnown = true;
        throw new Error('it is down');
      });
      expect({ line, isKnown: isKnown || command.includes('--help') }).toEqual({ line, isKnown: true });
    }
  });
});

describe('an error message', () => {
  test('of a missing file has its name and no error code', async () => {
    expect(await readFile('nowhere.csv').catch(formatError)).toBe('nowhere.csv: no such file or directory');
  });

  test('of a folder given as a file has no error code', async () => {
    const message = await readFile(tmpdir()).catch(formatError);
    expect(message).toMatch(/illegal operation on a directory$/);
    expect(message).not.toContain('EISDIR');
  });

  test('of another error is its own', () => {
    expect(formatError(new Error('it holds no facts'))).toBe('it holds no facts');
    expect(formatError('plain')).toBe('plain');
  });
});

const unreachableCell = {
  KAFKA_BROKERS: '127.0.0.1:9',
  SCHEMA_REGISTRY_URL: 'http://127.0.0.1:9',
  DATABASE_URL: 'postgres://127.0.0.1:9/lending',
  REDIS_URL: 'redis://127.0.0.1:9',
};

test('a command for a cell that does not answer fails and exits', async () => {
  const args = [join(import.meta.dirname, 'main.ts'), 'key', 'list', 'demo'];
  const result = await new Promise((resolve) => {
    execFile(
      process.execPath,
      args,
      { env: { ...environment, ...unreachableCell }, timeout: 15_000 },
      (error, out, err) => resolve({ code: error?.code, isKilled: error?.killed, out, err }),
    );
  });
  expect(result).toEqual({ code: 1, isKilled: false, out: '', err: expect.stringContaining('did not answer') });
}, 20_000);

describe('the exit', () => {
  const module = JSON.stringify(join(import.meta.dirname, 'command-line.ts'));
  const script = (body: string): string =>
    `import { exitAfterOutput } from ${module};\nsetInterval(() => undefined, 1_000);\n${body}`;

  test('does not wait for open handles, and keeps the exit code and all output for a slow reader', async () => {
    const body = `process.exitCode = 3; console.log('x'.repeat(1_000_000)); exitAfterOutput();`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script(body)]);
    let output = '';
    await sleep(500);
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
    const [code] = await once(child, 'close');
    expect([code, output.length]).toEqual([3, 1_000_001]);
  });

  test.each(["console.log('text');", ''])('keeps its code when the reader has closed the output: %s', async (print) => {
    const body = `process.on('message', () => { process.exitCode = 3; ${print} exitAfterOutput(); });`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script(body)], {
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    let errors = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (errors += text));
    child.stdout?.destroy();
    child.send('continue');
    const [code] = await once(child, 'close');
    expect([code, errors]).toEqual([3, '']);
  });
});
