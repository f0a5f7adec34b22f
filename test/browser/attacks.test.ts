/** Attacks on the console, tried over all of its routes, and refused. */
import { readdirSync, readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { projectDir } from '#deploy/dev/dev-files.ts';
import { generateKey } from '#libs/auth/signer.ts';
import { type Database, query } from '#libs/database/database.ts';
import { invite, inviteFromConsole } from '#libs/people/invitations.ts';
import { findPersonByEmail } from '#libs/people/persons.ts';
import type { Role } from '#libs/people/roles.ts';
import { csrfToken, newToken, tokenHash } from '#libs/people/secret-tokens.ts';
import { newTotpSecret } from '#libs/people/totp.ts';
import { statableFields } from '#services/console/products/field-kinds.ts';
import { inputNames } from '#services/console/products/rehearsal-form-values.ts';
import { filterNames } from '#services/console/request-log/list-page.ts';
import { emptyForm } from '#services/console/signature/request-form.ts';
import { type ActName, fieldsOf, simulatedActs } from '#services/console/simulation/acts.ts';
import { inputName, maxRows } from '#services/console/simulation/rows.ts';
import { type OpenedDatabases, openTestDatabases } from '#test/support/test-databases.ts';
import { addConsolePerson, openConsoleSession, setPasswordByLink } from '../support/console-person.ts';
import { testEnvironment } from '../support/tenant.ts';
import { consoleUrl, testPassword } from './browser.ts';
import { type ConsoleRoute, consoleApp, consoleRoutes, fillPath } from './console-routes.ts';
import { ConsoleVisitor } from './console-visitor.ts';
import { type MarkedLender, markup, openMarkedLender } from './marked-lender.ts';

const routes = consoleRoutes();
const pages = routes.filter(({ method }) => method === 'GET');
const forms = routes.filter(({ method }) => method === 'POST');
const describeRoute = ({ method, path }: ConsoleRoute) => `${method} ${path}`;
const isPublic = ({ path }: ConsoleRoute) => /^\/($|sign-in|sign-out$|language$|assets\/)/.test(path);
const isOfTenancy = ({ path }: ConsoleRoute) => path.startsWith('/tenancies/:tenant');

let opened: OpenedDatabases;
/** Of the persons. */
let database: Database;
let own: MarkedLender;
let foreign: MarkedLender;
const people = new Map<string, { readonly email: string; readonly id: string }>();

async function addPerson(name: string, as: 'operator' | { readonly tenantId: string; readonly role: Role }) {
  const email = `${name}-${Date.now()}@attacks.example`;
  people.set(name, await addConsolePerson(opened.databases, { email, as, password: testPassword }));
}

async function sessionOf(name: string): Promise<string> {
  const person = await findPersonByEmail(database, people.get(name)?.email ?? '');
  if (person === undefined) throw new Error(`there is no person ${name}`);
  return openConsoleSession(database, person, markup);
}

const signedIn = async (name: string) => new ConsoleVisitor({ session: await sessionOf(name) });

beforeAll(async () => {
  opened = await openTestDatabases(testEnvironment(), { name: 'attacks' });
  database = opened.databases.home;
  [own, foreign] = await Promise.all([openMarkedLender('own'), openMarkedLender('foreign')]);
  const tenantId = own.lender.tenant.id;
  await addPerson('operator', 'operator');
  for (const role of ['admin', 'support', 'finance'] as const) await addPerson(role, { tenantId, role });
  await addPerson('stranger', { tenantId: foreign.lender.tenant.id, role: 'support' });
});
afterAll(async () => {
  await Promise.all([own.lender.close(), foreign.lender.close(), opened.close()]);
});

/** The path with the ids of this lender; `person` has a role in it. */
function pathOf({ path }: ConsoleRoute, { ids }: MarkedLender, over: Readonly<Record<string, string>> = {}): string {
  const person = people.get(ids === own.ids ? 'finance' : 'stranger')?.id ?? '';
  return fillPath(path, { ...ids, person, ...over });
}

test('nothing but signing in is answered without a session', async () => {
  const visitor = new ConsoleVisitor();
  for (const route of routes.filter((each) => !isPublic(each))) {
    const path = pathOf(route, own);
    const { status, headers } = route.method === 'GET' ? await visitor.get(path) : await visitor.post(path);
    const target = path === '/tenancies' || route.method === 'POST' ? '' : `?next=${encodeURIComponent(path)}`;
    const expected = [describeRoute(route), 303, `/sign-in${target}`];
    expect([describeRoute(route), status, headers['location']]).toEqual(expected);
  }
});

test('a form without the token of its own session, or from another site, is refused', async () => {
  const visitor = await signedIn('operator');
  const others = await signedIn('operator');
  const attempts: [string, Record<string, string>, Record<string, string>][] = [
    ['without a token', { _csrf: '' }, {}],
    ['with an invented token', { _csrf: newToken() }, {}],
    ['with the token of another session', { _csrf: others.csrf }, {}],
    ['from another site', {}, { 'Sec-Fetch-Site': 'cross-site' }],
    ['from another host of the site', {}, { 'Sec-Fetch-Site': 'same-site' }],
    ['from another origin', {}, { Origin: 'https://attacker.example' }],
    ['from a page without an origin', {}, { Origin: 'null' }],
  ];
  for (const route of forms) {
    for (const [attempt, fields, headers] of attempts) {
      const { status } = await visitor.post(pathOf(route, own), fields, headers);
      expect([describeRoute(route), attempt, status]).toEqual([describeRoute(route), attempt, 403]);
    }
  }
});

test('support and finance reach nothing of admins and operators, and admins nothing of operators', async () => {
  const allowed = (role: string, route: ConsoleRoute) => role === 'admin' && !route.isForOperators;
  for (const role of ['support', 'finance', 'admin']) {
    const visitor = await signedIn(role);
    for (const route of routes.filter((each) => each.isForAdmins || each.isForOperators)) {
      if (allowed(role, route)) continue;
      const path = pathOf(route, own);
      const { status } = route.method === 'GET' ? await visitor.get(path) : await visitor.post(path);
      expect([role, describeRoute(route), status]).toEqual([role, describeRoute(route), 403]);
    }
  }
});

/** They compute or check, and change nothing. */
const harmlessForms = ['/tenancies/:tenant/signature', '/tenancies/:tenant/clients/:client/simulation'];
/** Of each person alone. */
const personalPaths = /^\/(account|tenancies$|language$|sign-out$)/;

test('every form that changes a Tenancy is for admins, and every page outside of Tenancies is for operators', () => {
  const changing = forms.filter((route) => isOfTenancy(route) && !harmlessForms.includes(route.path));
  expect(changing.filter(({ isForAdmins }) => !isForAdmins)).toEqual([]);
  const outside = routes.filter((route) => !isOfTenancy(route) && !isPublic(route) && !personalPaths.test(route.path));
  expect(outside.filter(({ isForOperators }) => !isForOperators)).toEqual([]);
  expect([changing.length, outside.length].every((count) => count > 5)).toBe(true);
});

/** What these name is of one Tenancy alone. Ids of Clients and products may be the same in several. */
const recordParameters = /:(loan|reference|request|fp|person|kind)/;

test('another Tenancy, and what is in it, does not exist for people without a role there', async () => {
  const visitor = await signedIn('admin');
  const { tenant: _, ...foreignIds } = foreign.ids;
  const person = people.get('stranger')?.id ?? '';
  const problems: string[] = [];
  let pagesWithOwnTexts = 0;
  for (const route of routes.filter(isOfTenancy)) {
    const ask = (path: string) => (route.method === 'GET' ? visitor.get(path) : visitor.post(path));
    const inForeign = await ask(pathOf(route, foreign));
    if (inForeign.status !== 404) problems.push(`${inForeign.status} ${describeRoute(route)} of another Tenancy`);
    const { status, text } = await ask(pathOf(route, own, { ...foreignIds, person }));
    const needs404 = recordParameters.test(route.path);
    if (needs404 && status !== 404) problems.push(`${status} ${describeRoute(route)} with ids of another Tenancy`);
    if (text.includes(foreign.mark)) problems.push(`${describeRoute(route)} shows texts of another Tenancy`);
    if (route.method === 'GET' && (await visitor.get(pathOf(route, own))).text.includes(own.mark))
      pagesWithOwnTexts += 1;
  }
  expect(problems).toEqual([]);
  expect(pagesWithOwnTexts).toBeGreaterThan(3);
});

test('no page may be framed, cached, or run a script that is not a file of the console', async () => {
  const visitor = await signedIn('operator');
  for (const route of pages.filter(({ path }) => !path.startsWith('/assets/'))) {
    const { headers } = await visitor.get(pathOf(route, own));
    const policy = String(headers['content-security-policy']);
    expect({ route: describeRoute(route), ...headers }).toMatchObject({
      route: describeRoute(route),
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    });
    for (const directive of [
      "frame-ancestors 'none'",
      "default-src 'none'",
      "script-src 'self'",
      "form-action 'self'",
    ]) {
      expect(policy).toContain(directive);
    }
    expect(policy).not.toMatch(/unsafe|\*|https?:/);
  }
});

/** Unlike what the book holds. */
const reflected = `"'><img src=y onerror=alert(3)>`;
const isHtml = (type: unknown) => String(type).startsWith('text/html');

/** The parameters that pages read, by the calls in their sources. */
function queryNames(): readonly string[] {
  const folder = join(projectDir, 'services', 'console');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  const calls = /queryText\(request, '(\w+)'\)/g;
  const names = files.flatMap((file) =>
    [...readFileSync(join(folder, file), 'utf8').matchAll(calls)].map(([, name]) => name),
  );
  return [...new Set([...names.filter((name) => name !== undefined), ...filterNames, 'version', 'with', 'limit'])];
}

test('a text that a request carries is never part of the page as markup', async () => {
  const visitor = await signedIn('operator');
  const names = queryNames();
  expect(names.length).toBeGreaterThan(30);
  let shown = 0;
  for (const route of pages.filter(({ path }) => !path.startsWith('/assets/'))) {
    const path = pathOf(route, own);
    const first = await visitor.get(path);
    if (!isHtml(first.headers['content-type'])) {
      const { headers } = await visitor.get(`${path}?${new URLSearchParams(names.map((name) => [name, reflected]))}`);
      // A browser stores it, or shows it as text.
      expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff' });
      continue;
    }
    // One at a time: a page that refuses one shows none of the others.
    for (const name of names) {
      const { text } = await visitor.get(`${path}?${new URLSearchParams({ [name]: reflected })}`);
      expect([describeRoute(route), name, text.includes('<img src=y')]).toEqual([describeRoute(route), name, false]);
      if (text.includes('&lt;img src=y')) shown += 1;
    }
    const isInPath = route.path.includes(':') && !isOfTenancy(route);
    if (isInPath)
      expect((await visitor.get(fillPath(route.path, { ...own.ids, person: reflected }))).text).not.toContain(
        '<img src=y',
      );
  }
  // As text, in fields and sentences.
  expect(shown).toBeGreaterThan(15);
});

/** Every field of a form that shows it again. Nothing of it is accepted. */
function markedForms(): readonly (readonly [string, Readonly<Record<string, string>>])[] {
  const marked = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, reflected]));
  const ofAct = (act: ActName, index: number) => ({
    ...marked(['loan', 'currency', ...fieldsOf(act)].map((field) => inputName(index % maxRows, field))),
    [inputName(index % maxRows, 'act')]: act,
  });
  const acts = (Object.keys(simulatedActs) as ActName[]).map(ofAct);
  const simulation = '/tenancies/:tenant/clients/:client/simulation';
  const signature = '/tenancies/:tenant/signature';
  const message = `POST /v1/${reflected} HTTP/1.1\nHost: ${reflected}\nAuthorization: ${reflected}\nIdempotency-Key: ${reflected}`;
  return [
    [signature, marked(Object.keys(emptyForm))],
    [signature, { ...marked(['body', 'signed_text', 'body_as']), message }],
    ...acts.flatMap((fields) => [
      [simulation, { ...fields, on: reflected }] as const,
      [simulation, { ...fields, on: '2026-05-20', do: 'simulate' }] as const,
    ]),
    ['/tenancies/:tenant/bounds', marked(['concurrent', 'patience_ms', 'per_second', 'burst'])],
    ['/open-tenancy', marked(['id', 'name', 'live', 'jurisdiction', 'time_zone', 'present'])],
  ];
}

test('a text in a form, and in the values of a rehearsal, is never part of the page as markup', async () => {
  const visitor = await signedIn('operator');
  const answers: [string, string][] = [];
  for (const [path, fields] of markedForms()) {
    answers.push([path, (await visitor.post(fillPath(path, own.ids), fields)).text]);
  }
  const rehearsal = '/tenancies/:tenant/products/:configuration/rehearsal';
  const names = statableFields('instalment').flatMap(inputNames);
  for (const marked of [names, ...names.map((name) => [name])]) {
    const values = new URLSearchParams([['on', '2026-05-20'], ...marked.map((name) => [name, reflected])]);
    answers.push([rehearsal, (await visitor.get(`${fillPath(rehearsal, own.ids)}?${values}`)).text]);
  }
  let shown = 0;
  for (const [path, text] of answers) {
    expect([path, text.includes('<img src=y')]).toEqual([path, false]);
    shown += text.split('&lt;img src=y').length - 1;
  }
  expect(new Set(answers.filter(([, text]) => text.includes('&lt;img src=y')).map(([path]) => path))).toEqual(
    new Set(answers.map(([path]) => path)),
  );
  expect(shown).toBeGreaterThan(100);
});

test('the address after a change of language, and after signing in, is one of the console', async () => {
  const visitor = await signedIn('support');
  const targets = ['https://attacker.example/', '//attacker.example', '/\\attacker.example', '\\\\attacker.example'];
  const others = [
    'javascript:alert(1)',
    '/%2f/attacker.example',
    'http:attacker.example',
    '/..//attacker.example',
    '\t//attacker.example',
  ];
  for (const path of [...targets, ...others]) {
    const { status, headers } = await visitor.post('/language', { language: 'en', path });
    const target = new URL(String(headers['location']), consoleUrl());
    expect([path, status, target.origin]).toEqual([path, 303, consoleUrl()]);
    const next = (await visitor.get(`/sign-in?next=${encodeURIComponent(path)}`)).headers['location'];
    expect([path, new URL(String(next), consoleUrl()).origin]).toEqual([path, consoleUrl()]);
  }
  const { headers } = await visitor.post('/language', { language: 'en', path: '/tenancies?after=a%26b' });
  expect(headers['location']).toBe('/tenancies?after=a%26b');
});

test('signing in gives a new cookie, whatever the browser had before, with all of its flags', async () => {
  const planted = newToken();
  const visitor = new ConsoleVisitor();
  visitor.cookies.set('lending_visitor', planted);
  visitor.cookies.set('lending_session', planted);
  await visitor.get('/sign-in');
  const email = people.get('support')?.email ?? '';
  const { status, setCookies } = await visitor.post('/sign-in', { email, password: testPassword });
  expect(status).toBe(303);
  const session = setCookies.find((line) => line.startsWith('lending_session='));
  expect(session).toMatch(/; Path=\/; HttpOnly; SameSite=Strict$/);
  expect(session).not.toContain(planted);
  expect((await new ConsoleVisitor({ session: planted }).get('/tenancies')).status).toBe(303);
});

test('behind HTTPS the cookies are of this host alone and never sent without it', async () => {
  const server = consoleApp({ isSecure: true }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { setCookies, headers } = await new ConsoleVisitor({ url }).get('/sign-in');
  expect(setCookies).toHaveLength(1);
  expect(setCookies[0]).toMatch(/^__Host-lending_visitor=[^;]+; Path=\/; HttpOnly; Secure; SameSite=Strict$/);
  expect(headers['strict-transport-security']).toContain('max-age=');
  await new Promise((resolve) => server.close(resolve));
});

test('a stolen cookie is worth nothing after sign-out, and after signing out everywhere', async () => {
  const isSignedIn = async (session: string) =>
    (await new ConsoleVisitor({ session }).get('/tenancies')).status === 200;
  const [first, second, third] = await Promise.all([1, 2, 3].map(() => sessionOf('finance')));
  for (const session of [first, second, third]) expect(await isSignedIn(session ?? '')).toBe(true);
  await new ConsoleVisitor({ session: first ?? '' }).post('/sign-out');
  expect([await isSignedIn(first ?? ''), await isSignedIn(second ?? '')]).toEqual([false, true]);
  await new ConsoleVisitor({ session: second ?? '' }).post('/account/sign-out-everywhere');
  expect([await isSignedIn(second ?? ''), await isSignedIn(third ?? '')]).toEqual([false, false]);
});

test('a form of an expired session is kept, and sent once the same person has signed in again', async () => {
  const tenantId = own.lender.tenant.id;
  for (const name of ['absent', 'other']) await addPerson(name, { tenantId, role: 'admin' });
  const path = `/tenancies/${tenantId}/people`;
  const openForm = async () => {
    const visitor = await signedIn('absent');
    const form = { _csrf: visitor.csrf, email: `${markup}@attacks.example`, role: 'finance', present: testPassword };
    const expire = 'UPDATE console.sessions SET last_seen_at = 0 WHERE token_hash = $1';
    await query(database, 'test_expire', expire, [tokenHash(visitor.cookies.get('lending_session') ?? '')]);
    return { visitor, form };
  };
  const signInAgain = async (visitor: ConsoleVisitor, name: string) => {
    await visitor.get('/sign-in');
    const _csrf = csrfToken(visitor.cookies.get('lending_visitor') ?? '');
    const credentials = { email: people.get(name)?.email ?? '', password: testPassword, next: `${path}?after=a` };
    const { status, headers } = await visitor.post('/sign-in', { _csrf, ...credentials });
    expect([status, headers['location']]).toEqual([303, `${path}?after=a`]);
  };
  const { visitor, form } = await openForm();
  const kept = await visitor.post(path, form);
  expect([kept.status, kept.text.includes('@attacks.example'), kept.text.includes('<img src=x')]).toEqual([
    401,
    true,
    false,
  ]);
  expect(kept.text).not.toContain(testPassword);
  expect((await visitor.post(path, form, { Origin: 'https://attacker.example' })).status).toBe(403);
  await signInAgain(visitor, 'absent');
  // The address is wrong, and the form is shown with it.
  expect((await visitor.post(path, form)).status).toBe(422);
  await visitor.post('/sign-out');
  await signInAgain(visitor, 'absent');
  expect((await visitor.post(path, form)).status).toBe(403);

  const second = await openForm();
  await signInAgain(second.visitor, 'other');
  expect((await second.visitor.post(path, second.form)).status).toBe(403);
});

test('guesses of one password, of one second factor, and from one address have to wait', async () => {
  const tenantId = own.lender.tenant.id;
  await addPerson('guessed', { tenantId, role: 'support' });
  await addPerson('coded', { tenantId, role: 'support' });
  const [guessed, coded] = ['guessed', 'coded'].map((name) => people.get(name)?.email ?? '');
  const from = (address: string) => new ConsoleVisitor({ address });
  const guess = async (visitor: ConsoleVisitor, email: string, password: string) =>
    (await visitor.post('/sign-in', { email, password })).status;
  // From one address: the account waits there. Its owner still signs in elsewhere.
  const answers = [];
  for (let index = 0; index < 6; index += 1) {
    answers.push(await from('127.0.1.1').post('/sign-in', { email: guessed ?? '', password: 'wrong' }));
  }
  expect(answers.map(({ status }) => status)).toEqual([...Array(5).fill(401), 429]);
  expect(answers.map(({ headers }) => Number(headers['retry-after'] ?? 0) > 0)).toEqual([
    ...Array(5).fill(false),
    true,
  ]);
  expect(answers.at(-1)?.text).toMatch(/Try again in \d+ seconds?\./);
  expect(await guess(from('127.0.1.2'), guessed ?? '', testPassword)).toBe(303);
  // From many addresses: the account waits in all but those in which its owner signed in before.
  const spread = [];
  for (let index = 0; index < 16; index += 1)
    spread.push(await guess(from(`127.0.1.${index + 10}`), guessed ?? '', 'wrong'));
  expect([spread.slice(0, 14), spread.includes(429)]).toEqual([Array(14).fill(401), true]);
  expect(await guess(from('127.0.1.9'), guessed ?? '', testPassword)).toBe(429);
  expect(await guess(from('127.0.1.2'), guessed ?? '', testPassword)).toBe(303);

  const set = 'UPDATE console.persons SET totp_secret = $2 WHERE email = $1';
  await query(database, 'test_totp', set, [coded, newTotpSecret()]);
  const second = from('127.0.2.1');
  expect(await guess(second, coded ?? '', testPassword)).toBe(303);
  const codes = [];
  for (let index = 0; index < 6; index += 1)
    codes.push((await second.post('/sign-in/code', { code: 'no-code' })).status);
  expect([codes[0], codes.at(-1)]).toEqual([401, 429]);

  // One address, many accounts; others go on.
  const attacker = from('127.0.3.1');
  const many = [];
  for (let index = 0; index < 22; index += 1)
    many.push(await guess(attacker, `unknown-${index}@attacks.example`, 'wrong'));
  expect([many.slice(0, 20).includes(429), many.includes(429)]).toEqual([false, true]);
  // What an address that has to wait tries counts for no account.
  await addPerson('spared', { tenantId, role: 'support' });
  const spared = people.get('spared')?.email ?? '';
  for (let index = 0; index < 25; index += 1) await guess(attacker, spared, 'wrong');
  const counted = 'SELECT subject FROM console.sign_in_attempts WHERE strpos(subject, $1) > 0';
  const subjects = await query<{ subject: string }>(database, 'test_attempts', counted, [spared]);
  expect(subjects.length).toBeLessThan(3);
  expect(await guess(from('127.0.3.2'), 'unknown@attacks.example', 'wrong')).toBe(401);
});

test('an operator right for a person whose password an admin may know is not in force, and the pages say so', async () => {
  const tenantId = own.lender.tenant.id;
  const issuer = { isOperator: false, roles: new Map([[tenantId, 'admin' as const]]) };
  const origin = { channel: 'console' } as const;
  const invitation = {
    email: 'limited@attacks.example',
    as: { tenantId, role: 'support' },
    actor: 'test',
    origin,
    tenancies: opened.databases.ofTenancy(tenantId),
  } as const;
  const { person, path = '' } = await inviteFromConsole(database, invitation, issuer);
  await setPasswordByLink(database, path, testPassword);
  people.set('limited', person);
  const [operator, limited] = await Promise.all([signedIn('operator'), signedIn('limited')]);
  const notice = 'who may know it';
  expect((await operator.get(`/people/${person.id}/operator`)).text).toContain(notice);
  expect((await operator.post(`/people/${person.id}/operator`, { present: testPassword })).status).toBe(303);
  expect((await operator.get(`/people/${person.id}`)).text).toContain(notice);
  const { text: list } = await operator.get('/people?search=limited@');
  expect(list).toContain(`operator (not in force), support in ${tenantId}`);
  expect(list).not.toContain(`support in ${tenantId} (not in force)`);
  for (const page of ['/people', '/health', '/open-tenancy', `/tenancies/${foreign.lender.tenant.id}`])
    expect([page, [403, 404].includes((await limited.get(page)).status)]).toEqual([page, true]);
  const { text } = await limited.get('/tenancies');
  expect(text).toContain('You were given rights that are not in force');
  expect([text.includes(tenantId), text.includes(foreign.lender.tenant.id)]).toEqual([true, false]);
});

test('with the session of an operator alone, nothing is done to a person, nor to the operator', async () => {
  await addPerson('victim', { tenantId: own.lender.tenant.id, role: 'support' });
  const [victim, operator] = ['victim', 'operator'].map((name) => people.get(name)?.id ?? '');
  const visitor = await signedIn('operator');
  const actions = forms.map(({ path }) => path).filter((path) => path.startsWith('/people/:person/'));
  expect(actions.length).toBeGreaterThan(5);
  for (const path of actions) {
    const { status } = await visitor.post(fillPath(path, { person: operator ?? '' }), { present: testPassword });
    expect([path, 'the own account', status]).toEqual([path, 'the own account', 422]);
  }
  // Fewer than the attempts without a pause.
  for (const path of ['/people/:person/operator', '/people/:person/link'])
    expect([path, (await visitor.post(fillPath(path, { person: victim ?? '' }))).status]).toEqual([path, 422]);
  expect((await visitor.post('/people', { email: 'new@attacks.example' })).status).toBe(422);
  expect(await findPersonByEmail(database, 'new@attacks.example')).toBeUndefined();
  const present = await findPersonByEmail(database, people.get('victim')?.email ?? '');
  expect(present).toMatchObject({ isOperator: false, isDisabled: false });
});

test.each(['operator', 'admin'] as const)(
  'with the session of an %s alone, no person is invited to a Tenancy and no role changes',
  async (kind) => {
    const tenantId = own.lender.tenant.id;
    const [robbed, colleague] = [`robbed-${kind}`, `colleague-of-${kind}`];
    await addPerson(robbed, kind === 'operator' ? kind : { tenantId, role: kind });
    await addPerson(colleague, { tenantId, role: 'support' });
    const visitor = await signedIn(robbed);
    const paths = forms.map(({ path }) => path).filter((path) => path.startsWith('/tenancies/:tenant/people'));
    expect(paths).toHaveLength(3);
    const email = `invited-by-thief-of-${kind}@attacks.example`;
    for (const path of paths) {
      for (const fields of [{}, { present: 'a wrong password' }]) {
        const filled = fillPath(path, { tenant: tenantId, person: people.get(colleague)?.id ?? '' });
        const { status, text } = await visitor.post(filled, { email, role: 'admin', ...fields });
        expect([path, status, text.includes('/sign-in/link/')]).toEqual([path, 422, false]);
      }
    }
    expect(await findPersonByEmail(database, email)).toBeUndefined();
    const { granted } = (await findPersonByEmail(database, people.get(colleague)?.email ?? '')) ?? {};
    expect(granted?.roles.get(tenantId)).toBe('support');
  },
);

test('with the session of an operator alone, no Tenancy is opened and no key is minted', async () => {
  await addPerson('robbed', 'operator');
  const visitor = await signedIn('robbed');
  const tenantId = own.lender.tenant.id;
  const keysBefore = (await own.lender.tenant.administration.listKeys(tenantId)).length;
  const public_key = Buffer.from(generateKey('test').publicKey).toString('hex');
  const opened = `opened-by-thief-${Date.now()}`;
  const tenancy = { id: opened, name: 'a name', jurisdiction: 'MX', time_zone: 'America/Mexico_City' };
  for (const present of ['', 'a wrong password']) {
    const key = { label: 'of a thief', scope: 'write', holder: 'service', public_key, present };
    expect((await visitor.post(`/tenancies/${tenantId}/keys`, key)).status).toBe(422);
    const { status, text } = await visitor.post('/open-tenancy', { ...tenancy, present });
    // What was entered is still there.
    expect([status, text.includes(opened)]).toEqual([422, true]);
  }
  expect(await own.lender.tenant.administration.listKeys(tenantId)).toHaveLength(keysBefore);
  expect(await own.lender.tenant.administration.isLive(opened)).toBeUndefined();
});

test('an invitation to a Tenancy makes no link for an invited operator, and leaves the open one alone', async () => {
  const email = 'invited-operator@attacks.example';
  const link = await invite(database, { email, as: 'operator', actor: 'test', origin: { channel: 'command_line' } });
  const tenantId = own.lender.tenant.id;
  const visitor = await signedIn('operator');
  const fields = { email, role: 'support', present: testPassword };
  const { status, text } = await visitor.post(`/tenancies/${tenantId}/people`, fields);
  expect([status, text.includes('/sign-in/link/')]).toEqual([201, false]);
  expect((await new ConsoleVisitor().get(link)).status).toBe(200);
});

test('cancelled passkey dialogs do not make an address wait, and wrong answers do', async () => {
  const visitor = new ConsoleVisitor({ address: '127.0.4.1' });
  // Browsers know no passkeys for an address of numbers.
  const atHost = { Host: new URL(consoleUrl()).host.replace('127.0.0.1', 'localhost') };
  const post = async (path: string, fields = {}) => (await visitor.post(path, fields, atHost)).status;
  const begun = [];
  for (let index = 0; index < 25; index += 1) begun.push(await post('/sign-in/passkey/options'));
  expect(new Set(begun)).toEqual(new Set([200]));
  // Nothing is stored for them: they need no session.
  const stored = 'SELECT FROM console.passkey_challenges WHERE browser_hash = $1';
  const browser = tokenHash(visitor.cookies.get('lending_visitor') ?? '');
  expect(await query(database, 'test_challenges', stored, [browser])).toHaveLength(0);
  const answered = [];
  for (let index = 0; index < 22; index += 1)
    answered.push(await post('/sign-in/passkey', { response: JSON.stringify({ id: 'unknown\0' }) }));
  expect([answered.slice(0, 20), answered.includes(429)]).toEqual([Array(20).fill(401), true]);
});

test('a control character in an address or in a form is refused before anything is done', async () => {
  const visitor = await signedIn('operator');
  const name = 'a\0\x1b';
  const statuses = [
    await new ConsoleVisitor().post('/sign-in', { email: `${name}@attacks.example`, password: testPassword }),
    await visitor.post('/account/passkeys/options', { name, present: testPassword }),
    await visitor.post('/people', { email: `${name}@attacks.example`, present: testPassword }),
    await visitor.get(`/people?search=${encodeURIComponent(name)}`),
    await visitor.get(`/tenancies/${encodeURIComponent(name)}`),
  ].map(({ status }) => status);
  expect(statuses).toEqual(Array(5).fill(400));
});
