/** Commands that cannot be undone: each asks first, does nothing without an answer, and shows with `--dry-run` what it would do. */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { operatorEnvironment } from '#deploy/dev/services.ts';
import { formatSecret } from '#libs/auth/signer.ts';
import { commandDescription } from '#libs/cli/command.ts';
import { allCommands, describedProgram, fullName } from '#libs/cli/command-tree.ts';
import { writeProfiles } from '#libs/cli/profiles.ts';
import { createServiceLogin } from '#libs/database/service-login.ts';
import { bookKey } from '#libs/kafka/book-key-partition.ts';
import { connectKafka } from '#libs/kafka/kafka-client.ts';
import { TopicWriter } from '#libs/kafka/topic-writer.ts';
import { topics } from '#libs/kafka/topics.ts';
import { CliProcess, type CliResult, callerEnvironment } from '#test/support/cli-process.ts';
import { partitionCount, partitionOf } from '#test/support/partitions.ts';
import { eventually, Tenant, testEnvironment } from '#test/support/tenant.ts';
import { type OpenedDatabases, openTestDatabases, queryAll } from '#test/support/test-databases.ts';

const login = `questions_${randomBytes(4).toString('hex')}`;
const newDatabase = `${login}_new`;
const olderDatabase = `${login}_older`;
const liveTenancy = `t-${randomBytes(6).toString('hex')}`;
const secret = formatSecret({ environment: 'test', seed: randomBytes(32) });
let folder: string;
let profiles: string;
let owner: pg.Client;
let opened: OpenedDatabases;
let tenant: Tenant;
let fp: string;
let parkedClient: string;

beforeAll(async () => {
  const { stack } = testEnvironment();
  folder = mkdtempSync(join(tmpdir(), 'lending-questions-'));
  profiles = join(folder, 'profiles.json');
  writeFileSync(join(folder, 'clients.csv'), 'client_id,basis\neva,form\n');
  writeProfiles({ LENDING_CONFIG: profiles }, { profiles: { acme: { key: secret } } });
  owner = new pg.Client({ connectionString: stack.databaseUrl });
  await owner.connect();
  opened = await openTestDatabases(testEnvironment(), { name: 'questions', as: 'audit' });
  await owner.query(`CREATE DATABASE ${newDatabase}`);
  await createOlderDatabase();
  const url = new URL(stack.databaseUrl);
  url.username = login;
  url.password = 'first';
  await createServiceLogin(stack.databaseUrl, url.href);
  tenant = await Tenant.open(testEnvironment());
  ({ fp } = tenant.signer);
  parkedClient = `parked-${randomBytes(4).toString('hex')}`;
  await tenant.put(`/clients/${parkedClient}`, { actor: 'test', basis: 'test' });
  await parkBook();
});
afterAll(async () => {
  await tenant.close();
  await opened.close();
  for (const name of [newDatabase, olderDatabase]) await owner.query(`DROP DATABASE ${name}`);
  await owner.query(`DROP ROLE ${login}`);
  await owner.end();
  rmSync(folder, { recursive: true });
});

/** In use, and without the migrations of this release. */
async function createOlderDatabase(): Promise<void> {
  await owner.query(`CREATE DATABASE ${olderDatabase}`);
  const database = new pg.Client({ connectionString: inDatabase(olderDatabase)['DATABASE_URL'] });
  await database.connect();
  await database.query(`CREATE TABLE partitions AS SELECT partition, 1 AS epoch, 5 AS next_offset, 6 AS next_event
    FROM generate_series(0, ${partitionCount - 1}) AS partition`);
  await database.end();
}

/** By a record that cannot be decoded. */
async function parkBook(): Promise<void> {
  const key = bookKey(tenant.id, `c/${parkedClient}`);
  const writer = await TopicWriter.open(connectKafka(testEnvironment().stack.kafkaBrokers, 'questions'));
  await writer.append({ topic: topics.submissions, partition: partitionOf(key), key, value: Buffer.from('no record') });
  await writer.close();
  await eventually(async () => (await countParked()) === 1);
}

async function countParked(): Promise<number> {
  const text = 'SELECT FROM books WHERE parked AND tenant_id = $1';
  return (await queryAll(opened.databases, 'parked_books', text, [tenant.id])).length;
}

interface Row {
  /** After `lending`. */
  readonly line: string;
  /** A part of the question. */
  readonly consequence: string;
  /** Where the line itself has what another dry run does not take, or takes long. */
  readonly dryRun?: string;
  /** What the dry run prints as JSON. */
  readonly plan: object;
  readonly env?: () => Record<string, string>;
}

/** As the owner. */
function inDatabase(name: string): Record<string, string> {
  const { href } = Object.assign(new URL(testEnvironment().stack.databaseUrl), { pathname: `/${name}` });
  return { DATABASE_URL: href, DATABASE_OWNER_URL: href };
}

/** Every irreversible command, and each of its options that makes it so. */
const rows: readonly Row[] = [
  {
    line: `tenancy open ${liveTenancy} --live`,
    consequence: `The live Tenancy ${liveTenancy} is opened`,
    plan: { exists: false, id: liveTenancy, live: true, jurisdiction: 'MX' },
  },
  {
    line: 'tenancy close TENANCY --basis why',
    consequence: 'is closed: its keys are revoked for good',
    plan: { closed_at: null, revoked_keys: expect.any(Array) },
  },
  {
    line: 'key rotate TENANCY KEY --overlap 0s',
    consequence: 'is revoked for good at once',
    plan: { former_revoked: 'at once' },
  },
  {
    line: 'key revoke TENANCY KEY',
    consequence: 'is revoked for good',
    plan: [{ scope: 'write' }],
  },
  { line: 'key revoke TENANCY --all', consequence: 'All keys of', plan: [{ scope: 'write' }] },
  {
    line: 'book release TENANCY c/PARKED --basis why',
    consequence: 'Submissions that are decided now, and recorded for good: 1',
    plan: { decided: [expect.any(String)], dropped: [] },
  },
  {
    line: 'rebuild',
    consequence: 'replace those that serve now',
    dryRun: 'rebuild --movements',
    plan: { movements: expect.any(Number) },
  },
  {
    line: 'rebuild --movements',
    consequence: 'All records of lending.movements are removed',
    plan: { records: expect.any(Number) },
  },
  {
    line: 'rebuild --lost',
    consequence: 'is filled from lending.book-events',
    plan: { events: expect.any(Number) },
    env: () => inDatabase(newDatabase),
  },
  {
    line: 'prepare',
    consequence: 'is in use, and these migrations, which only go forward',
    plan: { migrations: expect.arrayContaining([expect.any(String)]), missing_topics: [] },
    env: () => inDatabase(olderDatabase),
  },
  {
    line: 'partition move 0 --to home',
    consequence: 'The facts of partition 0 are copied to home',
    plan: { from: 'home', to: 'home', facts: 0 },
  },
  {
    line: 'login rotate --owner',
    consequence: 'gets a new password at once',
    plan: { rotated: false, login: expect.any(String) },
  },
  {
    line: `login retire ${login}`,
    consequence: `The login ${login} of the database is dropped for good`,
    plan: { login, retired: false },
  },
  {
    line: 'topic repair --partition 0',
    consequence: 'in the partitions 0 are removed and written again',
    plan: { partitions: [0], written_again: false },
  },
  {
    line: 'topic remake',
    consequence: 'Submissions that were in Kafka alone are lost',
    plan: { missing_topics: [], restarted: [] },
  },
  {
    line: 'reconcile',
    consequence: 'are written to it',
    plan: { partitions: expect.any(Array) },
  },
  {
    line: 'profile set acme --key-file other.key',
    consequence: 'the secret of the key',
    plan: { name: 'acme', key: expect.stringContaining('other.key') },
  },
  {
    line: 'client import CLIENTS',
    consequence: '1 line is registered for good as Clients in',
    plan: { readable: 1, unreadable: 0, faults: [] },
    env: () => callerEnvironment(tenant),
  },
  { line: 'profile remove acme', consequence: 'the secret of the key', plan: { name: 'acme' } },
];

function run(line: string, env: Readonly<Record<string, string>> = {}): Promise<CliResult> {
  const typed = line
    .replace('TENANCY', tenant.id)
    .replace('KEY', fp)
    .replace('PARKED', parkedClient)
    .replace('CLIENTS', join(folder, 'clients.csv'));
  const { stack } = testEnvironment();
  const given = { ...operatorEnvironment(stack), LENDING_CONFIG: profiles, ...env };
  return new CliProcess(typed.split(' '), given).result;
}

/** Of all that the lines of the table would change. */
async function state(): Promise<object> {
  const text = 'SELECT count(*) FROM facts WHERE tenant_id = ANY ($1)';
  const facts = await queryAll(opened.databases, 'count_facts', text, [[tenant.id, liveTenancy]]);
  const { rows: logins } = await owner.query(
    'SELECT rolname, rolpassword FROM pg_authid WHERE rolname IN ($1, current_user)',
    [login],
  );
  return { facts, logins, parked: await countParked(), profiles: readFileSync(profiles, 'utf8') };
}

test('the table has a line for every command that cannot be undone', async () => {
  const irreversible = allCommands(await describedProgram())
    .filter(({ commands }) => commands.length === 0)
    .filter((command) => command.name() !== 'complete' && command.name() !== 'help')
    .filter((command) => commandDescription(command).effect === 'irreversible')
    .map((command) => fullName(command).replace('lending ', ''));
  const missing = irreversible.filter((name) => !rows.some(({ line }) => `${line} `.startsWith(`${name} `)));
  expect(missing).toEqual([]);
});

test.each(rows.map((row) => [row.line, row] as const))(
  '%s shows with --dry-run what it would do, and does nothing',
  async (_line, row) => {
    const before = await state();
    const shown = await run(`${row.dryRun ?? row.line} --dry-run --json`, row.env?.());
    expect(shown).toMatchObject({ err: '' });
    expect(JSON.parse(shown.out)).toMatchObject(row.plan);
    expect(await state()).toEqual(before);
  },
);

test.each(rows.map((row) => [row.line, row] as const))(
  '%s asks first, and without a terminal and --yes does nothing',
  async (line, row) => {
    const before = await state();
    const refused = await run(line, row.env?.());
    expect(refused).toMatchObject({ code: 2, out: '' });
    expect(refused.err).toContain(row.consequence);
    expect(refused.err).toContain('There is no terminal to confirm this on; add --yes');
    expect(await state()).toEqual(before);
  },
);
