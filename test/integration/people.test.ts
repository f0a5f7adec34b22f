/** Rules about persons of the console that must hold in the database, whatever the pages offer. */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { query } from '#libs/database/database.ts';
import { openDatabase } from '#libs/database/pool.ts';
import { changeAccess, changeOperator, resetSecondFactor } from '#libs/people/administer-people.ts';
import { changePassword } from '#libs/people/change-password.ts';
import { allAuthenticatorApps, encryptTotpSecrets } from '#libs/people/encrypt-totp-secrets.ts';
import {
  type Invitation,
  invite,
  inviteFromConsole,
  makeSignInLink,
  TooManyRolesError,
} from '#libs/people/invitations.ts';
import { hashPassword } from '#libs/people/passwords.ts';
import { listPeopleOfTenancy } from '#libs/people/people-list.ts';
import { ensurePerson, findPerson, hasRightsNotInForce, type Person } from '#libs/people/persons.ts';
import { redeemLink } from '#libs/people/redeem-link.ts';
import { maxRoles, type Rights } from '#libs/people/roles.ts';
import { disableSecondFactor, enableSecondFactor, useSecondFactor } from '#libs/people/second-factor.ts';
import { findSession, openSession } from '#libs/people/sessions.ts';
import { completeSignIn, signIn } from '#libs/people/sign-in.ts';
import { newTotpSecret, totpCode } from '#libs/people/totp.ts';
import { TotpSecrets } from '#libs/people/totp-secrets.ts';
import { silentLogger } from '#libs/runtime/logging.ts';
import { createScratchDatabase, type ScratchDatabase } from '#test/support/scratch-database.ts';
import { eventually } from '#test/support/tenant.ts';

const origin = { channel: 'command_line' } as const;
const by = { actor: 'test', origin };
const browser = { address: '127.0.0.1', userAgent: 'test' };
const operator: Rights = { isOperator: true, roles: new Map() };
const adminOf = (...tenancies: string[]): Rights => ({
  isOperator: false,
  roles: new Map(tenancies.map((tenantId) => [tenantId, 'admin'])),
});

let scratch: ScratchDatabase;
beforeAll(async () => {
  scratch = await createScratchDatabase('people');
  const text = `INSERT INTO tenancies (tenant_id, name, live, jurisdiction, time_zone, created_at, revision)
    SELECT t, t, false, 'MX', 'America/Mexico_City', 0, 1 FROM unnest($1::text[]) t`;
  await query(scratch.database, 'test_tenancies', text, [['a', 'b']]);
});
afterAll(() => scratch.drop());

const inTenancy = (email: string, tenantId: string): Invitation => ({ email, as: { tenantId, role: 'admin' }, ...by });
const asOperator = (email: string): Invitation => ({ email, as: 'operator', ...by });
/** Of a console with these in `TOTP_KEY`. */
const factors = (...keys: Buffer[]) => ({ database: scratch.database, totpSecrets: new TotpSecrets(() => keys) });
const signInContext = (...keys: Buffer[]) => ({
  ...factors(...keys),
  logger: silentLogger,
});
const tokenOf = (path: string | undefined) => path?.split('/').at(-1) ?? '';
const redeem = (path: string | undefined, passwordHash = 'unused') =>
  redeemLink(scratch.database, tokenOf(path), { passwordHash, origin });

async function signedUp(invitation: Invitation): Promise<Person> {
  await redeem(await invite(scratch.database, invitation));
  return ensurePerson(scratch.database, invitation.email);
}

async function present({ id }: Pick<Person, 'id'>): Promise<Person> {
  const person = await findPerson(scratch.database, id);
  if (person === undefined) throw new Error(`there is no person ${id}`);
  return person;
}

/** By an admin of Tenancy a, who uses the link instead of the person. */
async function takenByAdmin(email: string): Promise<Person> {
  const { person, path } = await inviteFromConsole(scratch.database, inTenancy(email, 'a'), adminOf('a'));
  await redeem(path);
  return present(person);
}

async function addPasskey({ id }: Person, name: string): Promise<void> {
  const text = `INSERT INTO console.passkeys (credential_id, person_id, name, public_key, sign_count, transports, created_at)
    VALUES ($1, $2, $1, '', 0, '', 0)`;
  await query(scratch.database, 'test_passkey', text, [name, id]);
}

interface StoredAct {
  readonly action: string;
  readonly before?: string | null;
  readonly after?: string | null;
}

async function actsOn(subject: string): Promise<readonly StoredAct[]> {
  const text = 'SELECT body FROM console.unrecorded_acts WHERE body::json ->> $1 = $2 ORDER BY act_id';
  const rows = await query<{ body: string }>(scratch.database, 'test_acts', text, ['subject', subject]);
  return rows.map(({ body }) => JSON.parse(body) as StoredAct);
}

test('an invitation to a Tenancy in the database of the persons takes one connection', async () => {
  const database = openDatabase({ url: scratch.servicesUrl, name: 'people', connections: 1 });
  try {
    const invitation = { ...inTenancy('one-connection@lender.example', 'a'), tenancies: database };
    expect(await invite(database, invitation)).toContain('/sign-in/link/');
    expect((await inviteFromConsole(database, invitation, operator)).person.email).toBe(invitation.email);
  } finally {
    await database.end();
  }
});

test('the last operator who can sign in is neither unmade nor disabled, also by two changes at once', async () => {
  const { database } = scratch;
  const first = await signedUp(asOperator('first@lender.example'));
  await invite(database, asOperator('never-signed-in@lender.example'));
  const { id: limited } = await takenByAdmin('limited@lender.example');
  await changeOperator(database, { personId: limited, isOperator: true }, by);
  const unmake = ({ id }: Person) => changeOperator(database, { personId: id, isOperator: false }, by);
  const disable = ({ id }: Person) => changeAccess(database, { personId: id, isDisabled: true }, by);
  expect([await unmake(first), await disable(first)]).toEqual(['last operator', 'last operator']);
  const second = await signedUp(asOperator('second@lender.example'));
  expect((await Promise.all([unmake(first), disable(second)])).sort()).toEqual(['done', 'last operator']);
  await Promise.all([first, second].map(({ id }) => changeAccess(database, { personId: id, isDisabled: false }, by)));
});

test('an admin who knows the password of an invited person never holds rights that the admin could not give', async () => {
  const { database } = scratch;
  const person = await takenByAdmin('taken@lender.example');
  const session = (await openSession(database, person, browser, 'password')) ?? '';
  await addPasskey(person, 'admin');
  const secret = newTotpSecret();
  await enableSecondFactor(factors(), person, {
    secret,
    code: totpCode(secret, Math.floor(Date.now() / 30_000)),
    origin,
  });

  await changeOperator(database, { personId: person.id, isOperator: true }, by);
  await inviteFromConsole(database, inTenancy(person.email, 'b'), adminOf('b'));
  const held = await findSession(database, session);
  expect(held?.person).toMatchObject({ isOperator: false, roles: new Map([['a', 'admin']]) });
  expect(hasRightsNotInForce(await present(person))).toBe(true);
  // A password that the holder of the session chooses changes nothing about it.
  const change = { passwordHash: 'chosen', removePasskeys: false, presentToken: session, origin };
  expect(await changePassword(database, await present(person), change)).toBe(true);
  expect(await present(person)).toMatchObject({ isOperator: false, passwordHash: 'chosen' });

  // What was given comes into force for the person, and the admin is left with nothing.
  expect(await redeem(await makeSignInLink(database, person, by))).toBe('done');
  const roles = new Map([
    ['a', 'admin'],
    ['b', 'admin'],
  ]);
  expect(await present(person)).toMatchObject({ isOperator: true, roles, totpSecret: null, credentialScope: null });
  expect(await findSession(database, session)).toBeUndefined();
  const [{ count }] = (await query<{ count: number }>(
    database,
    'test_passkeys',
    'SELECT count(*)::integer FROM console.passkeys WHERE person_id = $1',
    [person.id],
  )) as [{ count: number }];
  expect(count).toBe(0);
  expect((await actsOn(person.email)).at(-1)).toMatchObject({
    action: 'password_set',
    before: 'password, authenticator app, passkey admin',
  });
  await changeOperator(database, { personId: person.id, isOperator: false }, by);
});

test('an admin of two Tenancies gives roles in both without an operator', async () => {
  const { database } = scratch;
  const both = adminOf('a', 'b');
  const { person, path } = await inviteFromConsole(database, inTenancy('both@lender.example', 'a'), both);
  await redeem(path);
  await inviteFromConsole(database, inTenancy('both@lender.example', 'b'), both);
  expect([...(await present(person)).roles.keys()].sort()).toEqual(['a', 'b']);
});

test('a request that was signed in by the earlier password gets no session and sets no password after a new one', async () => {
  const { database } = scratch;
  const earlier = await takenByAdmin('in-flight@lender.example');
  await redeem(await makeSignInLink(database, earlier, by), 'of the person');
  expect(await openSession(database, earlier, browser, 'password')).toBeUndefined();
  const change = { passwordHash: 'of the admin', removePasskeys: false, presentToken: '', origin };
  expect(await changePassword(database, earlier, change)).toBe(false);
  expect((await present(earlier)).passwordHash).toBe('of the person');
});

test('the link of an admin sets a first password only, and leaves that of an operator', async () => {
  const { database } = scratch;
  const ana = await signedUp(inTenancy('ana@lender.example', 'b'));
  const ofAdmin = await inviteFromConsole(database, inTenancy(ana.email, 'a'), adminOf('a'));
  expect(await redeem(ofAdmin.path, 'of the admin')).toBe('has password');
  expect((await present(ana)).passwordHash).toBe('unused');

  const byOperator = await inviteFromConsole(database, asOperator('chief@lender.example'), operator);
  const squatting = await inviteFromConsole(database, inTenancy('chief@lender.example', 'a'), adminOf('a'));
  expect(await redeem(squatting.path)).toBe('done');
  expect((await present(byOperator.person)).isOperator).toBe(false);
  expect(await redeem(byOperator.path)).toBe('done');
  expect((await present(byOperator.person)).isOperator).toBe(true);
  const again = await inviteFromConsole(database, asOperator('chief@lender.example'), operator);
  expect(again.path).toBeUndefined();
  await changeOperator(database, { personId: byOperator.person.id, isOperator: false }, by);
});

test('an invitation returns the right that the person had there before', async () => {
  const { database } = scratch;
  const email = 'again@lender.example';
  const roles = ['support', 'finance', 'finance'] as const;
  const before: unknown[] = [];
  for (const role of roles) {
    const invited = await inviteFromConsole(database, { email, as: { tenantId: 'a', role }, ...by }, operator);
    before.push(invited.before);
  }
  before.push((await inviteFromConsole(database, inTenancy(email, 'b'), operator)).before);
  before.push((await inviteFromConsole(database, asOperator(email), operator)).before);
  const again = await inviteFromConsole(database, asOperator(email), operator);
  expect([...before, again.before]).toEqual([null, 'support', 'finance', null, null, 'operator']);
  await changeOperator(database, { personId: again.person.id, isOperator: false }, by);
});

test('a new password removes the passkeys where the person wishes it', async () => {
  const { database } = scratch;
  const person = await signedUp(inTenancy('passkeys@lender.example', 'a'));
  await addPasskey(person, 'phone');
  const change = { passwordHash: 'next', removePasskeys: true, presentToken: '', origin };
  expect(await changePassword(database, person, change)).toBe(true);
  expect((await actsOn(person.email)).at(-1)).toMatchObject({ before: 'password, passkey phone', after: 'password' });
});

test('of two roles that are given at once, the second is recorded with the first as what was before', async () => {
  const { database } = scratch;
  const email = 'race@lender.example';
  await invite(database, inTenancy(email, 'b'));
  const roles = ['admin', 'support', 'finance'] as const;
  await Promise.all(roles.map((role) => invite(database, { email, as: { tenantId: 'a', role }, ...by })));
  const acts = (await actsOn(email)).slice(1);
  const ends = acts.map(({ after }) => after);
  const starts = acts.map(({ before }) => before);
  expect(starts.filter((before) => before === null)).toHaveLength(1);
  expect(new Set(starts).size).toBe(3);
  expect(ends.sort()).toEqual(['admin', 'finance', 'support']);
});

test('a disabled person has no use of a link, and no password that the release before could accept', async () => {
  const { database } = scratch;
  const email = 'gone@lender.example';
  const password = 'four unrelated words here';
  await redeem(await invite(database, inTenancy(email, 'a')), await hashPassword(password));
  const { id } = await ensurePerson(database, email);
  await changeAccess(database, { personId: id, isDisabled: true }, by);
  const link = await invite(database, inTenancy(email, 'a'));
  expect(await redeem(link)).toBe('used');
  expect((await present({ id })).passwordHash).toBeNull();
  expect(await signIn(signInContext(), { email, password }, browser)).toEqual({ failure: 'wrong' });
  await changeAccess(database, { personId: id, isDisabled: false }, by);
  expect(await signIn(signInContext(), { email, password }, browser)).toHaveProperty('token');
});

test('a sign-in that has to wait is answered before that is recorded', async () => {
  const { database, owner } = scratch;
  const { email } = await signedUp(inTenancy('guessed@lender.example', 'a'));
  await query(database, 'test_no_password', 'UPDATE console.persons SET password_hash = NULL WHERE email = $1', [
    email,
  ]);
  const elsewhere = { ...browser, address: '192.0.2.77' };
  const guess = () => signIn(signInContext(), { email, password: 'a guess' }, elsewhere);
  for (let attempt = 0; attempt < 5; attempt += 1) expect(await guess()).toEqual({ failure: 'wrong' });
  await owner.query('BEGIN');
  await owner.query('SELECT FROM console.persons WHERE email = $1 FOR UPDATE', [email]);
  expect(await guess()).toMatchObject({ failure: 'wait' });
  await owner.query('COMMIT');
  await eventually(async () => (await actsOn(email)).some(({ action }) => action === 'sign_in_paused'));
});

test('an admin sees how people sign in only where their rights lie in Tenancies of the admin', async () => {
  const { database } = scratch;
  await signedUp(inTenancy('seen-own@lender.example', 'a'));
  await signedUp(inTenancy('seen-other@lender.example', 'b'));
  for (const name of ['seen-own', 'seen-other', 'seen-new'])
    await inviteFromConsole(database, inTenancy(`${name}@lender.example`, 'a'), adminOf('a'));
  const statesFor = async (reader: Rights) => {
    const { people } = await listPeopleOfTenancy(database, 'a', { after: 'seen', reader });
    return people.flatMap(({ email, state }) =>
      email.startsWith('seen') ? [[email.split('@')[0], state !== null]] : [],
    );
  };
  const names = ['seen-new', 'seen-other', 'seen-own'];
  expect(await statesFor(adminOf('a'))).toEqual(names.map((name) => [name, name === 'seen-own']));
  expect(await statesFor(adminOf('a', 'b'))).toEqual(names.map((name) => [name, name !== 'seen-new']));
  expect(await statesFor(operator)).toEqual(names.map((name) => [name, true]));
});

test('a code and a recovery code are each accepted once, also by two browsers at once', async () => {
  const { id } = await signedUp(inTenancy('codes@lender.example', 'a'));
  const secret = newTotpSecret();
  const step = () => Math.floor(Date.now() / 30_000);
  const setup = { secret, code: totpCode(secret, step() - 1), origin };
  const [recoveryCode = ''] = (await enableSecondFactor(factors(), await present({ id }), setup)) ?? [];
  const person = await present({ id });
  const twice = (code: string) => Promise.all([0, 1].map(() => useSecondFactor(factors(), person, code)));
  const [code, earlier] = [totpCode(secret, step()), totpCode(secret, step() - 1)];
  expect((await twice(code)).filter((method) => method === 'code')).toHaveLength(1);
  expect(await useSecondFactor(factors(), person, earlier)).toBeUndefined();
  expect((await twice(recoveryCode.toUpperCase())).filter((method) => method === 'recovery code')).toHaveLength(1);
  expect(await useSecondFactor(factors(), person, '')).toBeUndefined();
});

test('a secret that was stored as it is works with a key, and is encrypted when it is used or by the command', async () => {
  const { database } = scratch;
  const [key, nextKey] = [randomBytes(32), randomBytes(32)] as const;
  const { id, email } = await signedUp(inTenancy('encrypted@lender.example', 'a'));
  const secret = newTotpSecret();
  const step = () => Math.floor(Date.now() / 30_000);
  const setup = { secret, code: totpCode(secret, step() - 1), origin };
  await enableSecondFactor(factors(), await present({ id }), setup);
  expect((await present({ id })).totpSecret).toBe(secret);
  expect(await useSecondFactor(factors(key), await present({ id }), totpCode(secret, step()))).toBe('code');
  expect((await present({ id })).totpSecret).not.toContain(secret);
  const encrypt = (keys: Buffer[], options = {}) =>
    encryptTotpSecrets(database, factors(...keys).totpSecrets, { ...options, ...by });
  expect(await encrypt([nextKey])).toMatchObject({ unreadable: expect.arrayContaining([email]) });
  expect(await encrypt([nextKey, key], { dryRun: true })).toMatchObject({ unreadable: [] });
  expect((await encrypt([nextKey, key])).changed).toBeGreaterThan(0);
  expect(await encrypt([nextKey])).toMatchObject({ changed: 0, unreadable: [] });
  const next = totpCode(secret, step() + 1);
  expect(await useSecondFactor(factors(nextKey), await present({ id }), next)).toBe('code');
  await encrypt([nextKey], { plain: true });
  expect((await present({ id })).totpSecret).toBe(secret);
  const acts = (await actsOn(allAuthenticatorApps)).map(({ action, after }) => ({
    action,
    ...JSON.parse(after ?? ''),
  }));
  const act = { action: 'secrets_encrypted', changed: expect.any(Number), unreadable: 0 };
  expect(acts.slice(-2)).toEqual(['encrypted', 'plain'].map((stored) => ({ ...act, stored })));
});

test('a code that no key of the installation can check counts for nothing, and a recovery code still signs in', async () => {
  const { database } = scratch;
  const email = 'key-lost@lender.example';
  const password = 'four unrelated words here';
  await redeem(await invite(database, inTenancy(email, 'a')), await hashPassword(password));
  const { id } = await ensurePerson(database, email);
  const secret = newTotpSecret();
  const setup = { secret, code: totpCode(secret, Math.floor(Date.now() / 30_000)), origin };
  const [recoveryCode = ''] = (await enableSecondFactor(factors(randomBytes(32)), await present({ id }), setup)) ?? [];
  const withOtherKey = signInContext(randomBytes(32));
  const enter = async (code: string) => {
    const result = await signIn(withOtherKey, { email, password }, browser);
    const pendingToken = 'pendingToken' in result ? result.pendingToken : '';
    return completeSignIn(withOtherKey, { pendingToken, code }, browser);
  };
  // More than are free of a pause.
  for (let attempt = 0; attempt < 8; attempt += 1) expect(await enter('123456')).toEqual({ failure: 'unreadable' });
  const text = 'SELECT max(attempts) AS attempts FROM console.sign_in_attempts WHERE strpos(subject, $1) > 0';
  expect(await query(database, 'test_attempts', text, [email])).toEqual([{ attempts: 0 }]);
  expect((await actsOn(email)).map(({ action }) => action)).not.toContain('second_factor_refused');
  expect(await enter(recoveryCode)).toHaveProperty('token');
});

test('a second factor that is not set is not recorded as removed', async () => {
  const { database } = scratch;
  const person = await signedUp(inTenancy('no-factor@lender.example', 'a'));
  const before = await actsOn(person.email);
  await disableSecondFactor(database, person, origin);
  await resetSecondFactor(database, person.id, by);
  expect(await actsOn(person.email)).toEqual(before);
});

test('a session ends half an hour after its last request, and twelve hours after it began whatever was requested', async () => {
  const person = await signedUp(inTenancy('expiring@lender.example', 'a'));
  const token = (await openSession(scratch.database, person, browser, 'password')) ?? '';
  const minute = 60_000;
  const found = async ({ began, seen }: { readonly began: number; readonly seen: number }) => {
    const text = 'UPDATE console.sessions SET created_at = $2, last_seen_at = $3 WHERE person_id = $1';
    const now = Date.now();
    await query(scratch.database, 'test_age', text, [person.id, now - began * minute, now - seen * minute]);
    const session = await findSession(scratch.database, token);
    return session && Math.round(session.endsInMs / minute);
  };
  expect(await found({ began: 29, seen: 29 })).toBe(30);
  expect(await found({ began: 31, seen: 31 })).toBeUndefined();
  expect(await found({ began: 719, seen: 0 })).toBe(1);
  expect(await found({ began: 721, seen: 0 })).toBeUndefined();
});

test('one person has roles in at most a thousand Tenancies, and keeps those', async () => {
  const { database } = scratch;
  const email = 'everywhere@lender.example';
  const { id } = await signedUp(inTenancy(email, 'a'));
  const text = `INSERT INTO console.roles (person_id, tenant_id, role)
    SELECT $1, 'lender-' || n, 'support' FROM generate_series(1, $2::int) n`;
  await query(database, 'test_roles', text, [id, maxRoles - 1]);
  await expect(invite(database, inTenancy(email, 'b'))).rejects.toThrow(TooManyRolesError);
  await invite(database, inTenancy(email, 'a'));
  expect((await findPerson(database, id))?.granted.roles.size).toBe(maxRoles);
});
