/** The login of the services is replaced while a service runs. */
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { operatorEnvironment, serviceEnvironment } from '#deploy/dev/services.ts';
import { createNextLogin, dropLogin } from '#libs/database/rotate-login.ts';
import { createServiceLogin } from '#libs/database/service-login.ts';
import { CliProcess, type CliResult } from '#test/support/cli-process.ts';
import { ServiceProcess } from '#test/support/service-process.ts';
import { Tenant, testEnvironment } from '#test/support/tenant.ts';

const login = `rotated_${randomBytes(4).toString('hex')}`;
const secondLogin = `${login}_2`;
const thirdLogin = `${login}_3`;
const northLogin = `${login}_north`;
const otherLogin = `${login}_other`;
const otherOwner = `${login}_owner`;
let dir: string;
let file: string;
let owner: pg.Client;
let service: ServiceProcess;
let tenant: Tenant;
beforeAll(async () => {
  const { stack } = testEnvironment();
  dir = mkdtempSync(join(tmpdir(), 'lending-logins-'));
  file = join(dir, 'database-url');
  owner = new pg.Client({ connectionString: stack.databaseUrl });
  await owner.connect();
  const url = new URL(stack.databaseUrl);
  url.username = login;
  url.password = 'first';
  await createServiceLogin(stack.databaseUrl, url.href);
  writeFileSync(file, `${url.href}\n`, { mode: 0o640 });
  service = await ServiceProcess.start('query', {
    ...serviceEnvironment(stack),
    DATABASE_URL: '',
    DATABASE_URL_FILE: file,
  });
  tenant = await Tenant.open(testEnvironment());
  await service.waitUntilReady();
});
afterAll(async () => {
  await service.stop();
  await tenant.close();
  for (const role of [login, secondLogin, thirdLogin, northLogin, `${northLogin}_2`, otherLogin, otherOwner])
    await owner.query(`DROP ROLE IF EXISTS ${role}`);
  await owner.end();
  rmSync(dir, { recursive: true });
});

function runLogin(...args: string[]): Promise<CliResult> {
  return runLoginWith({}, ...args);
}

function runLoginWith(variables: Readonly<Record<string, string>>, ...args: string[]): Promise<CliResult> {
  const { stack } = testEnvironment();
  const env = { ...operatorEnvironment(stack), DATABASE_URL: '', DATABASE_URL_FILE: file, ...variables };
  return new CliProcess(['login', ...args], env).result;
}

/** The logins of all sessions of the started service, the file's and the former one. */
async function usedLogins(): Promise<string[]> {
  const { rows } = await owner.query(
    'SELECT DISTINCT usename::text AS name FROM pg_stat_activity WHERE usename IN ($1, $2) ORDER BY name',
    [login, secondLogin],
  );
  return rows.map(({ name }) => name);
}

test('a login in use is not retired', async () => {
  expect(await usedLogins()).toEqual([login]);
  expect(await runLogin('retire', login)).toMatchObject({ code: 2, err: expect.stringContaining('rotate it first') });
});

test('after a rotation the service uses the new login without a restart, and the former one can be retired', async () => {
  const rotated = await runLogin('rotate');
  expect(rotated).toMatchObject({ code: 0, err: '' });
  expect(JSON.parse(rotated.out)).toEqual({ login: secondLogin, written_to: file });
  expect(readFileSync(file, 'utf8')).toContain(`postgres://${secondLogin}:`);
  expect(statSync(file).mode & 0o777).toBe(0o640);
  const planned = await runLogin('retire', login, '--dry-run');
  const { retired, sessions } = JSON.parse(planned.out);
  expect(retired).toBe(false);
  expect(sessions).toContainEqual({ application: expect.stringMatching(/^query-/), sessions: expect.any(Number) });
  const early = await runLogin('retire', login, '--yes');
  expect(early).toMatchObject({ code: 1, err: expect.stringMatching(/still has sessions:\n {2}query-.*: \d/) });
  expect(await runLogin('retire', login, '--terminate', '--yes')).toMatchObject({ code: 0, err: '' });
  expect((await owner.query('SELECT FROM pg_roles WHERE rolname = $1', [login])).rowCount).toBe(0);
  await service.waitUntilReady();
  expect((await tenant.at(service.baseUrl).get('/bounds')).status).toBe(200);
  expect(await usedLogins()).toEqual([secondLogin]);
});

test('where the file cannot be replaced, such as a mounted Secret, the new URL is printed instead of lost', async () => {
  mkdirSync(`${file}.new`);
  const rotated = await runLogin('rotate');
  expect(rotated).toMatchObject({ code: 0, err: '' });
  expect(JSON.parse(rotated.out)).toEqual({
    login: thirdLogin,
    url: expect.stringMatching(`^postgres://${thirdLogin}:[^@]+@`),
  });
  expect(readFileSync(file, 'utf8')).toContain(`postgres://${secondLogin}:`);
});

test('the login of a further database is replaced in the file of all of them, and retired', async () => {
  const { stack } = testEnvironment();
  const url = new URL(stack.databaseUrl);
  url.username = northLogin;
  url.password = 'first';
  await createServiceLogin(stack.databaseUrl, url.href);
  const urlsFile = join(dir, 'partition-urls');
  writeFileSync(urlsFile, `south=${url.href}\nnorth=${url.href}\n`);
  const variables = {
    PARTITION_DATABASE_URLS: '',
    PARTITION_DATABASE_URLS_FILE: urlsFile,
    PARTITION_DATABASE_OWNER_URLS: `north=${stack.databaseUrl}`,
  };

  const unknown = await runLoginWith(variables, 'rotate', '--database', 'south');
  expect(unknown).toMatchObject({
    code: 2,
    err: expect.stringContaining('PARTITION_DATABASE_OWNER_URLS has no database south'),
  });
  const current = await runLoginWith(variables, 'retire', northLogin, '--database', 'north');
  expect(current).toMatchObject({ code: 2, err: expect.stringContaining('the login of PARTITION_DATABASE_URLS') });

  const rotated = await runLoginWith(variables, 'rotate', '--database', 'north');
  expect(rotated).toMatchObject({ code: 0, err: '' });
  expect(JSON.parse(rotated.out)).toEqual({ login: `${northLogin}_2`, written_to: urlsFile });
  const [south = '', north = ''] = readFileSync(urlsFile, 'utf8').split('\n');
  expect(south).toBe(`south=${url.href}`);
  const session = new pg.Client({ connectionString: north.replace('north=', '') });
  await session.connect();
  await session.end();
  expect(await runLoginWith(variables, 'retire', northLogin, '--database', 'north', '--yes')).toMatchObject({
    code: 0,
  });
  expect((await owner.query('SELECT FROM pg_roles WHERE rolname = $1', [northLogin])).rowCount).toBe(0);
});

test('an owner that may create roles and is no superuser ends the sessions of the login', async () => {
  const url = (role: string): string => {
    const changed = new URL(testEnvironment().stack.databaseUrl);
    changed.username = role;
    changed.password = 'other';
    return changed.href;
  };
  await owner.query(`CREATE ROLE ${otherOwner} LOGIN CREATEROLE PASSWORD 'other'`);
  await owner.query(`GRANT lending_service TO ${otherOwner} WITH ADMIN OPTION`);
  await createServiceLogin(url(otherOwner), url(otherLogin));
  const session = new pg.Client({ connectionString: url(otherLogin) });
  const ended = new Promise((resolve) => session.on('error', resolve));
  await session.connect();
  expect(await dropLogin(url(otherOwner), otherLogin, { terminate: true })).toEqual([]);
  await ended;
  expect((await owner.query('SELECT FROM pg_roles WHERE rolname = $1', [otherLogin])).rowCount).toBe(0);
});

test('a login that owns the tables is not rotated, and no login is created', async () => {
  const { databaseUrl } = testEnvironment().stack;
  const countRoles = async () => (await owner.query('SELECT FROM pg_roles')).rowCount;
  const before = await countRoles();
  await expect(createNextLogin(databaseUrl, databaseUrl)).rejects.toThrow(
    /^the services' login \w+[^_\d] owns the tables/,
  );
  expect(await countRoles()).toBe(before);
});

test('a login that is not one of the services cannot be retired', async () => {
  const [{ name }] = (await owner.query('SELECT current_user::text AS name')).rows;
  expect(await runLogin('retire', name, '--yes')).toMatchObject({
    code: 1,
    err: expect.stringContaining('owns the tables'),
  });
});
