/** The database login of the services can neither change nor delete recorded facts. */
import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { createServiceLogin } from '#libs/database/service-login.ts';
import { testEnvironment } from '#test/support/tenant.ts';

let ownerUrl: string;
let owner: pg.Client;
let services: pg.Client;
beforeAll(async () => {
  const { databaseUrl, servicesDatabaseUrl } = testEnvironment().stack;
  ownerUrl = databaseUrl;
  owner = new pg.Client({ connectionString: databaseUrl });
  services = new pg.Client({ connectionString: servicesDatabaseUrl });
  await Promise.all([owner.connect(), services.connect()]);
});
afterAll(async () => {
  await Promise.all([owner.end(), services.end()]);
});

describe('the login of the services', () => {
  test('is used by every running service', async () => {
    const { rows } = await owner.query(
      `SELECT DISTINCT usename FROM pg_stat_activity WHERE application_name ~ '^(gateway|processor)' AND datname = current_database()`,
    );
    expect(rows).toEqual([{ usename: services.user }]);
    expect(services.user).not.toBe(owner.user);
  });

  const forbidden = [
    'DROP TABLE facts',
    'TRUNCATE facts',
    'TRUNCATE facts, request_evidence, request_bodies, submission_references, reference_hashes',
    'ALTER TABLE facts ADD COLUMN more text',
    'ALTER TABLE facts DISABLE TRIGGER ALL',
    'DROP INDEX facts_by_event_number',
    'UPDATE facts SET body = body',
    'DELETE FROM facts',
    'UPDATE request_evidence SET body = body',
    'UPDATE request_bodies SET body = body',
    'DELETE FROM submission_references',
    'DELETE FROM reference_hashes',
    'DELETE FROM books',
    'DELETE FROM keys',
    'CREATE TABLE mine (a int)',
    'CREATE OR REPLACE FUNCTION load_books(a text[], b text[], c boolean) RETURNS int LANGUAGE sql AS $$SELECT 1$$',
    'ALTER ROLE lending_service CREATEROLE',
    'CREATE ROLE another SUPERUSER',
    'SET SESSION AUTHORIZATION owner',
    'SET ROLE owner',
  ];
  const roles = ['RESET ROLE', 'SET ROLE NONE', 'SET ROLE lending_service'];
  test.each(forbidden.flatMap((statement) => roles.map((role) => [statement, role])))(
    'may not %s after %s',
    async (statement, role) => {
      await services.query(role);
      const executed = statement.replace(/\bowner$/, pg.escapeIdentifier(String(owner.user)));
      // Forbidden, or not visible to this role at all.
      await expect(services.query(executed)).rejects.toMatchObject({ code: expect.stringMatching(/^(42501|42P13)$/) });
    },
  );
});

describe('a login for the services', () => {
  const createdLogins: string[] = [];
  afterEach(async () => {
    for (const login of createdLogins.splice(0)) await owner.query(`DROP ROLE IF EXISTS ${pg.escapeIdentifier(login)}`);
  });

  function newLogin(): { login: string; url: string } {
    const login = `it's "odd" ${randomBytes(4).toString('hex')}`;
    createdLogins.push(login);
    const url = new URL(ownerUrl);
    url.username = encodeURIComponent(login);
    url.password = encodeURIComponent(`p'a"s:s@wörd/`);
    return { login, url: url.href };
  }

  test('is created when it is missing, can be granted again, and has the rights of the services', async () => {
    const { url } = newLogin();
    await createServiceLogin(ownerUrl, url);
    await createServiceLogin(ownerUrl, url);
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      await expect(client.query('SELECT count(*) FROM facts')).resolves.toMatchObject({ rowCount: 1 });
      await expect(client.query('DELETE FROM facts')).rejects.toMatchObject({ code: '42501' });
    } finally {
      await client.end();
    }
  });

  test('that exists already becomes a member of the service role', async () => {
    const { login, url } = newLogin();
    await owner.query(`CREATE ROLE ${pg.escapeIdentifier(login)} LOGIN`);
    await createServiceLogin(ownerUrl, url);
    const { rows } = await owner.query("SELECT pg_has_role($1, 'lending_service', 'MEMBER') AS is_member", [login]);
    expect(rows).toEqual([{ is_member: true }]);
  });

  test.each([
    ['is a superuser', 'SUPERUSER'],
    ['may create roles', 'CREATEROLE'],
    ['is a member of the owner', 'IN ROLE owner'],
  ])('is refused when it %s', async (_what, powers) => {
    const { login, url } = newLogin();
    const granted = powers.replace('owner', pg.escapeIdentifier(String(owner.user)));
    await owner.query(`CREATE ROLE ${pg.escapeIdentifier(login)} LOGIN ${granted}`);
    await expect(createServiceLogin(ownerUrl, url)).rejects.toThrow('owns the tables or may become their owner');
  });
});
