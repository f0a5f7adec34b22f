/** Every form of the console that changes something leaves an act in the audit list. Over plain HTTP. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { generateKey } from '#libs/auth/signer.ts';
import { fingerprint } from '#libs/auth/signing-scheme.ts';
import { type Database, query } from '#libs/database/database.ts';
import { newTotpSecret, totpCode } from '#libs/people/totp.ts';
import { type OpenedDatabases, openTestDatabases } from '#test/support/test-databases.ts';
import { addConsolePerson, inviteToConsole, openConsoleSession } from '../support/console-person.ts';
import { eventually, Tenant, testEnvironment } from '../support/tenant.ts';
import { testPassword } from './browser.ts';
import { consoleRoutes, fillPath } from './console-routes.ts';
import { ConsoleVisitor } from './console-visitor.ts';

/** They compute, check, or prepare the next form. A language is no right. */
const withoutAct = [
  '/language',
  '/account/session',
  '/sign-in/passkey/options',
  '/account/passkeys/options',
  '/tenancies/:tenant/signature',
  '/tenancies/:tenant/clients/:client/simulation',
];
/** They need an authenticator or a parked book: account.test.ts and health.test.ts look for their acts. */
const inOtherTests = ['/sign-in/passkey', '/account/passkeys', '/health/parked/:tenant/:book'];

const domain = `acts-${Date.now()}.example`;
const present = testPassword;
const other = 'some other words instead';
const newPasswords = { password: other, repeated: other };

let opened: OpenedDatabases;
/** Of the persons. */
let database: Database;
let tenant: Tenant;

beforeAll(async () => {
  opened = await openTestDatabases(testEnvironment(), { name: 'recorded-acts', connections: 1 });
  database = opened.databases.home;
  tenant = await Tenant.open(testEnvironment());
});
afterAll(async () => {
  await Promise.all([tenant.close(), opened.close()]);
});

const posted = new Set<string>();

/** Posts the form of this route. */
async function post(
  visitor: ConsoleVisitor,
  path: string,
  { params = {}, ...fields }: { params?: Readonly<Record<string, string>> } & Record<string, unknown> = {},
): Promise<string> {
  const filled = fillPath(path, { tenant: tenant.id, ...params });
  const { status, text } = await visitor.post(filled, fields as Record<string, string>);
  expect([path, status < 400, status]).toEqual([path, true, status]);
  posted.add(path);
  return text;
}

async function addPerson(name: string, as: 'operator' | 'support') {
  const email = `${name}@${domain}`;
  const rights = as === 'operator' ? as : { tenantId: tenant.id, role: as };
  const person = await addConsolePerson(opened.databases, { email, as: rights, password: testPassword });
  return { ...person, visitor: new ConsoleVisitor({ session: await openConsoleSession(database, person) }) };
}

/** The actions in the audit list that concern this text, the oldest first, once there are as many. */
async function actionsOn(reader: ConsoleVisitor, list: string, subject: string, expected: readonly string[]) {
  let actions: string[] = [];
  await eventually(async () => {
    const { text } = await reader.get(`${list}.csv?person=${encodeURIComponent(subject)}`);
    actions = text
      .trim()
      .split('\r\n')
      .slice(1)
      .map((line) => line.split(',')[3] ?? '')
      .reverse();
    return actions.length >= expected.length;
  });
  return actions;
}

test('whatever is done to a Tenancy, to persons and to the own account is in the audit list', async () => {
  const operator = await addPerson('operator', 'operator');
  const colleague = await addPerson('colleague', 'support');
  const act = (path: string, fields: Record<string, unknown> = {}) => post(operator.visitor, path, fields as never);

  const bounds = { concurrent: '9', patience_ms: '900', per_second: '90', burst: '9' };
  await act('/tenancies/:tenant/bounds', bounds);
  const { publicKey } = generateKey('test');
  const key = {
    label: 'of the test',
    scope: 'read',
    holder: 'service',
    public_key: Buffer.from(publicKey).toString('hex'),
  };
  await act('/tenancies/:tenant/keys', { ...key, present });
  await act('/tenancies/:tenant/keys/:fp/revoke', { params: { fp: fingerprint(publicKey) } });
  await act('/tenancies/:tenant/people', { email: `invited@${domain}`, role: 'finance', present });
  const params = { person: colleague.id };
  await act('/tenancies/:tenant/people/:person', { params, role: 'finance', present });
  await act('/tenancies/:tenant/people/:person/removal', { params, present });
  const opened = `opened-${Date.now()}`;
  const tenancy = { id: opened, name: 'opened', jurisdiction: 'MX', time_zone: 'America/Mexico_City' };
  await act('/open-tenancy', { ...tenancy, present });
  const inTenancy = ['bounds_set', 'key_minted', 'key_revoked', 'invited', 'role_changed', 'role_changed'];
  const list = `/tenancies/${tenant.id}/audit-list`;
  expect(await actionsOn(operator.visitor, list, operator.email, inTenancy)).toEqual(inTenancy);
  const openings = await actionsOn(operator.visitor, `/tenancies/${opened}/audit-list`, operator.email, [
    'tenancy_opened',
  ]);
  expect(openings).toEqual(['tenancy_opened']);

  await act('/people', { email: `new-operator@${domain}`, present });
  await query(database, 'test_totp', 'UPDATE console.persons SET totp_secret = $2 WHERE person_id = $1', [
    colleague.id,
    newTotpSecret(),
  ]);
  const onPerson = [
    'operator',
    'operator/removal',
    'second-factor/removal',
    'sessions/removal',
    'disable',
    'enable',
    'link',
  ];
  for (const action of onPerson) await act(`/people/:person/${action}`, { params, present });
  const onColleague = [
    ...['password_set', 'signed_in', 'operator_changed', 'operator_changed', 'second_factor_reset'],
    ...['signed_out_everywhere', 'access_changed', 'access_changed', 'link_made'],
  ];
  expect(await actionsOn(operator.visitor, '/audit-list', colleague.email, onColleague)).toEqual(onColleague);
});

test('what a person does to the own account, and each sign-in and sign-out, is in the audit list', async () => {
  const reader = (await addPerson('reader', 'operator')).visitor;
  const email = `own@${domain}`;
  const link = await inviteToConsole(opened.databases, { email, as: { tenantId: tenant.id, role: 'support' } });
  const visitor = new ConsoleVisitor();
  await post(visitor, '/sign-in/link/:token', {
    params: { token: link.split('/').at(-1) ?? '' },
    password: testPassword,
    repeated: testPassword,
  });
  const secret = newTotpSecret();
  const code = totpCode(secret, Math.floor(Date.now() / 30_000));
  await post(visitor, '/account/authenticator', { secret, code, present });
  const recovery = await post(visitor, '/account/recovery-codes', { present });
  const recoveryCode = /<li><code>([a-z0-9-]+)<\/code>/.exec(recovery)?.[1] ?? '';
  await post(visitor, '/sign-out');
  await visitor.get('/sign-in');
  await post(visitor, '/sign-in', { email, password: testPassword });
  expect((await visitor.post('/sign-in/code', { code: 'no-code' })).status).toBe(401);
  await post(visitor, '/sign-in/code', { code: recoveryCode });
  await post(visitor, '/account/authenticator/removal', { present });
  const passkey = `INSERT INTO console.passkeys
    (credential_id, person_id, name, public_key, sign_count, transports, created_at)
    SELECT $2, person_id, 'laptop', '', 0, '', 0 FROM console.persons WHERE email = $1`;
  await query(database, 'test_passkey', passkey, [email, `passkey-${Date.now()}`]);
  const id = /removal\?id=([\w-]+)/.exec((await visitor.get('/account')).text)?.[1] ?? '';
  await post(visitor, '/account/passkeys/removal', { id, present });
  await post(visitor, '/account/password', { ...newPasswords, present });
  await post(visitor, '/account/sign-out-everywhere');
  const stranger = new ConsoleVisitor({ address: '127.0.5.1' });
  for (let index = 0; index < 8; index += 1) await stranger.post('/sign-in', { email, password: 'wrong' });
  const expected = [
    ...['password_set', 'signed_in', 'totp_changed', 'recovery_codes_renewed', 'signed_out', 'second_factor_refused'],
    ...['signed_in', 'totp_changed', 'passkey_removed', 'password_set', 'signed_out_everywhere', 'sign_in_paused'],
  ];
  expect(await actionsOn(reader, '/audit-list', email, expected)).toEqual(expected);
});

test('a closed Tenancy is marked in the list and on its page, which then offers neither keys nor bounds', async () => {
  const operator = await addPerson('closer', 'operator');
  const id = `closing-${Date.now()}`;
  const tenancy = { id, name: 'to be closed', jurisdiction: 'MX', time_zone: 'America/Mexico_City' };
  await post(operator.visitor, '/open-tenancy', { ...tenancy, present });
  const rowOf = async () =>
    (await operator.visitor.get(`/tenancies?after=${id.slice(0, -1)}`)).text
      .split('<tr')
      .find((row) => row.includes(id));
  const offers = async () => {
    const { text } = await operator.visitor.get(`/tenancies/${id}`);
    return ['was closed on', 'data-mint=', `/tenancies/${id}/bounds`].map((part) => text.includes(part));
  };
  expect(await rowOf()).toContain('>open<');
  expect(await offers()).toEqual([false, true, true]);
  const { administration } = tenant;
  expect(await administration.closeTenancy('test', id, 'the lender left')).toHaveProperty('closed_at');
  expect(await rowOf()).toContain('<mark>closed</mark>');
  expect(await offers()).toEqual([true, false, false]);
  expect(await administration.reopenTenancy('test', id)).not.toHaveProperty('closed_at');
  expect(await rowOf()).toContain('>open<');
});

test('no other form of the console changes anything', () => {
  const forms = new Set(consoleRoutes().flatMap(({ method, path }) => (method === 'POST' ? [path] : [])));
  expect([...forms].sort()).toEqual([...posted, ...withoutAct, ...inOtherTests].sort());
});
