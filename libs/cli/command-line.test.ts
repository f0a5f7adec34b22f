import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { runCommandLine } from './command-line.ts';
import { exitCodes } from './exit-codes.ts';
import { formatError } from './format-error.ts';
import { inProcessCommands } from './testing/in-process-commands.ts';

const secret = `lsk_test_${Buffer.alloc(32, 7).toString('base64url')}`;

const { out, err, environment, run } = inProcessCommands(() => {
  Object.assign(process.env, { LENDING_URL: 'http://127.0.0.1:1', LENDING_KEY: secret, LENDING_TENANT: 'demo' });
});

const words = (line: string): string[] => line.split(' ');

describe('a wrong command line', () => {
  test.each<[string, string, string]>([
    ['kye list demo', "unknown command 'kye'\n(Did you mean key?)", 'lending '],
    ['cal GET /livez', "unknown command 'cal'\n(Did you mean call?)", 'lending '],
    ['status', "unknown command 'status'", 'lending '],
    ['key polish demo', "unknown command 'polish'", 'lending key '],
    ['key revoke demo --acter me', "unknown option '--acter'\n(Did you mean --actor?)", 'lending key revoke '],
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
    ['key revoke demo', 'name one key by its fingerprint, or all keys by --all', 'lending key revoke '],
    ['key revoke demo abc --all', 'name one key by its fingerprint, or all keys by --all', 'lending key revoke '],
    ['key rotate demo abc --overlap soon', 'Expected a duration such as 30s, 10m or 24h', 'lending key rotate '],
    ['client show ada --on today', 'Expected a day as YYYY-MM-DD.', 'lending client show '],
    ['call GET /livez --contract-version new', 'Expected the day of a version', 'lending call '],
    ['call GET /livez --patience 2w', 'Expected a duration such as 30s, 10m or 24h', 'lending call '],
    ['profile use none', 'there is no profile none; profiles are: none', 'lending profile use '],
    [`profile set acme --key ${secret}`, '--key takes no secret: the shell keeps', 'lending profile set '],
    ['profile set acme --url acme.example', 'expected an address such as https://', 'lending profile set '],
    ['completion tcsh', 'Allowed choices are bash, zsh, fish.', 'lending completion '],
    ['console invite ana --operator', '"ana" is no e-mail address', 'lending console invite '],
    [
      'console invite a@b.c --operator --tenant demo --role finance',
      "cannot be used with option '--operator'",
      'lending console invite ',
    ],
    ['console invite a@b.c', 'no role is stated; set --operator', 'lending console invite '],
    ['rebuild --accept-differences --dry-run', "cannot be used with option '--dry-run'", 'lending rebuild '],
    ['rebuild --secrets-from /old-url', '--secrets-from needs --lost', 'lending rebuild '],
    ['tenancy open demo --time-zone Atlantis', 'Expected an IANA time zone', 'lending tenancy open '],
    ['book release demo c/ada', "required option '--basis <text>' not specified", 'lending book release '],
    ['book release demo ada --basis x', "Expected c/ and the Client's id, or t.", 'lending book release '],
    ['audit --state /tmp/a --partitions 0-3,x', 'Expected partitions from 0 to', 'lending audit '],
    ['audit --state /tmp/a --partitions 3-2', 'Expected partitions from 0 to', 'lending audit '],
    ['audit --partitions 0-3', '--partitions needs --state', 'lending audit '],
    ['audit --most 0', 'Expected a whole number from 1 to 100000.', 'lending audit '],
    ['profile set no/slash', 'The name of a profile has 1 to 64 letters', 'lending profile set '],
    ['tail --profile no/slash', 'The name of a profile has 1 to 64 letters', 'lending '],
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

  test.each([
    ['kye list demo --json', "unknown command 'kye'\n(Did you mean key?)"],
    ['key revoke demo --acter me --json', "unknown option '--acter'\n(Did you mean --actor?)"],
    ['key list --json', "missing required argument 'tenancy'"],
    ['key mint demo --json', "required option '--scope <scope>' not specified"],
    ['key revoke demo --json', 'name one key by its fingerprint, or all keys by --all'],
    ['profile use none --json', 'there is no profile none; profiles are: none'],
  ])('%p is refused in one line of JSON', async (line, error) => {
    const { code, out: printed, err: text } = await run(words(line));
    expect([code, printed]).toEqual([2, '']);
    expect(JSON.parse(text)).toEqual({ error, code: 'wrong_use', exit_code: 2 });
  });

  test.each<[string, Record<string, string>, string]>([
    ['call GET /livez', { LENDING_URL: '' }, 'LENDING_URL is not set; set'],
    ['events follow', { LENDING_URL: '', LENDING_KEY: '' }, 'LENDING_URL and LENDING_KEY are not set; set'],
    [
      'events follow',
      { LENDING_KEY: '', LENDING_KEY_FILE: '/gone' },
      'LENDING_KEY_FILE is "/gone", which cannot be read (ENOENT)',
    ],
    ['events follow', { LENDING_KEY: 'lsk' }, 'LENDING_KEY is not the secret of a key; expected lsk_test_'],
    ['events follow', { LENDING_TENANT: '' }, 'no Tenancy is given; set --tenant or LENDING_TENANT'],
    ['events follow', { LENDING_TENANT: 'a/b' }, 'LENDING_TENANT is "a/b"; expected the id of a Tenancy'],
    ['key list demo', { DATABASE_URL: '' }, 'DATABASE_URL is empty; set a URL that starts with postgres://'],
    ['tenancy open demo', { KAFKA_BROKERS: '' }, 'KAFKA_BROKERS is empty; set host:port[,host:port]'],
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

const cell = {
  KAFKA_BROKERS: '127.0.0.1:9',
  SCHEMA_REGISTRY_URL: 'http://127.0.0.1:9',
  DATABASE_URL: 'postgres://services:hidden@127.0.0.1:9/lending',
  DATABASE_OWNER_URL: 'postgres://owner:hidden@127.0.0.1:9/lending',
  REDIS_URL: 'redis://127.0.0.1:9',
};

test.each([
  ['postgres://owner:hidden@old/lending', '--secrets-from holds a password, and the shell keeps'],
  ['mysql://hidden@old/lending', '--secrets-from is no URL of a database'],
  ['/gone/url', '/gone/url: no such file or directory'],
])('the secrets of a lost database are not copied from %s', async (database, message) => {
  Object.assign(process.env, cell);
  const result = await run(['rebuild', '--lost', '--secrets-from', database, '--yes']);
  expect(result).toEqual({ code: database.startsWith('/') ? 1 : 2, out: '', err: expect.stringContaining(message) });
  expect(result.err).not.toContain('hidden');
});

describe('what cannot be undone', () => {
  test.each([
    [
      'rebuild',
      'The tables of 127.0.0.1:9/lending are built again, and replace those that serve now, if they are equal.',
    ],
    ['rebuild --lost', 'The empty database 127.0.0.1:9/lending is filled'],
    ['topic remake', 'Submissions that were in Kafka alone are lost.'],
    ['reconcile', 'are written to it'],
    ['login rotate --owner', 'The login that owns the tables gets a new password at once.'],
    ['login retire former', 'The login former of the database is dropped for good'],
  ])('is refused without a terminal and --yes, with what it would do: %s', async (line, consequence) => {
    Object.assign(process.env, cell);
    const result = await run(words(line));
    expect(result).toEqual({ code: 2, out: '', err: expect.stringContaining(consequence) });
    expect(result.err).toContain('The cell: database 127.0.0.1:9/lending, Kafka 127.0.0.1:9.');
    expect(result.err).toContain('There is no terminal to confirm this on; add --yes');
    expect(result.err).not.toContain('hidden');
  });
});

test('the help of a command has its examples and defaults, and no colours where --no-color asks for none', async () => {
  process.env['FORCE_COLOR'] = '1';
  const { out: coloured } = await run(words('receipts post --help'));
  expect(coloured).toContain('\x1b[');
  out.mockReset();
  const { out: plain } = await run(words('receipts post --help --no-color'));
  expect(plain).not.toContain('\x1b[');
  expect(plain).toContain('--batch <number>');
  expect(plain).toContain('(default: 500)');
  expect(plain).toContain('--patience <duration>');
  expect(plain).toContain('\nExamples:\n  lending receipts post receipts.csv\n');
});

test('help is at most 100 columns wide, and no wider than the terminal', async () => {
  const { columns } = process.stdout;
  const widest = async (...args: string[]): Promise<number> => {
    out.mockReset();
    const { out: shown } = await run(args);
    return Math.max(
      ...shown
        .split('\n')
        .filter((line) => !/^ {2}lending /.test(line))
        .map((line) => line.length),
    );
  };
  for (const width of [80, 100, 160]) {
    process.stdout.columns = width;
    for (const args of [['--help'], ['audit', '--help'], ['receipts', 'post', '--help'], ['tenancy', 'open', '--help']])
      expect([args, width, (await widest(...args)) <= Math.min(100, width)]).toEqual([args, width, true]);
  }
  process.stdout.columns = columns;
});

test('a zone that Node does not list, as another name of one that it does, is a time zone', async () => {
  for (const zone of ['UTC', 'Asia/Kolkata', 'America/Argentina/Buenos_Aires']) {
    let isAccepted = false;
    await runCommandLine(['tenancy', 'open', 'acme', '--time-zone', zone], async () => {
      isAccepted = true;
      throw new Error('it is down');
    });
    expect([zone, isAccepted]).toEqual([zone, true]);
  }
});

test('help with the name of a command shows its help', async () => {
  const { out: shown } = await run(words('help key rotate'));
  expect(shown).toMatch(/^Usage: lending key rotate /);
});

test('the help of a group lists its own commands alone', async () => {
  const { out: shown } = await run(words('key --help'));
  expect(shown).toContain('rotate');
  expect(shown).not.toContain('receipts');
  expect(shown).toContain('show this help');
});

test('--version prints the version of the package, and help exit-codes the codes', async () => {
  expect(await run(['--version'])).toEqual({ code: undefined, out: expect.stringMatching(/^\d+\.\d+\.\d+$/), err: '' });
  out.mockReset();
  const { out: shown } = await run(words('help exit-codes'));
  for (const { code } of exitCodes) expect(shown).toMatch(new RegExp(`^ +${code}  `, 'm'));
});

test('completion offers commands, options and choices', async () => {
  const offered = async (...typed: string[]): Promise<string> => {
    out.mockReset();
    return (await run(['complete', '--', ...typed])).out;
  };
  expect(await offered('key', '')).toMatch(/^rotate\t/m);
  expect(await offered('key', 'mint', 'demo', '--scope', '')).toMatch(/^read\t\n?/m);
  expect(await offered('tenancy', 'open', 'demo', '--j')).toMatch(/^--jurisdiction\t/m);
  expect(await offered('exit-codes', '--j')).toContain('--json');
  expect(await offered('completion', '--j')).not.toContain('--json');
  for (const shell of ['bash', 'zsh', 'fish']) {
    out.mockReset();
    expect((await run(['completion', shell])).out).toContain('lending');
  }
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

test.each(['list', 'revoke'])(
  'key %s for a cell that does not answer fails and exits',
  async (verb) => {
    const args = [join(import.meta.dirname, 'main.ts'), 'key', verb, 'demo', ...(verb === 'revoke' ? ['--all'] : [])];
    const result = await new Promise((resolve) => {
      execFile(
        process.execPath,
        args,
        { env: { ...environment, ...unreachableCell }, timeout: 60_000 },
        (error, out, err) => resolve({ code: error?.code, isKilled: error?.killed, out, err }),
      );
    });
    expect(result).toEqual({ code: 1, isKilled: false, out: '', err: expect.stringContaining('did not answer') });
  },
  70_000,
);

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
