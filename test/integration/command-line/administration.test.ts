/** Administration by the command line: Tenancies and keys. */
import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parseSigner, type Signer } from '#libs/auth/signer.ts';
import { checkTopicOfCell } from '#libs/cli/repair.ts';
import { readCheckResults } from '#libs/database/check-results.ts';
import { openDatabase } from '#libs/database/pool.ts';
import { connectKafka } from '#libs/kafka/kafka-client.ts';
import { topicOffsets } from '#libs/kafka/topic-offsets.ts';
import { topics } from '#libs/kafka/topics.ts';
import { silentLogger } from '#libs/runtime/logging.ts';
import { isRefusal } from '#libs/schema/refusals.ts';
import { openAdministration } from '#libs/submission/open-submission-client.ts';
import { runAdminCommand } from '#test/support/cli-process.ts';
import { partitionCount } from '#test/support/partitions.ts';
import { authorization } from '#test/support/signed-request.ts';
import { eventually, type TestEnvironment, testEnvironment } from '#test/support/tenant.ts';
import { openTestDatabases } from '#test/support/test-databases.ts';

let environment: TestEnvironment;
let opened: Awaited<ReturnType<typeof openAdministration>>;
beforeAll(async () => {
  environment = testEnvironment();
  opened = await openAdministration(environment.stack, silentLogger);
});
afterAll(() => opened.close());

const noTenancy = (id: string): string =>
  `there is no Tenancy ${id}; lending tenancy list lists all, lending tenancy open ${id} opens it\n`;

function newTenancyId(): string {
  return `t-${randomBytes(6).toString('hex')}`;
}

/** As the command line opens it, without another process. */
async function openTenancy(id: string, { live = false } = {}): Promise<void> {
  const tenancy = { tenantId: id, name: id, live, jurisdiction: 'MX', timeZone: 'America/Mexico_City' };
  expect(isRefusal(await opened.administration.openTenancy('test', tenancy))).toBe(false);
}

/** A signed read of the Tenancy's bounds, on a connection of its own: any instance may answer it. */
async function readBounds(tenantId: string, signer: Signer): Promise<Response> {
  const target = `/v1/tenants/${tenantId}/bounds`;
  const credentials = authorization(signer, { method: 'GET', target, body: new Uint8Array() });
  const headers = { Authorization: credentials, Connection: 'close' };
  return fetch(environment.services.baseUrl + target, { headers });
}

async function boundsStatus(tenantId: string, signer: Signer): Promise<number> {
  return (await readBounds(tenantId, signer)).status;
}

describe('a Tenancy opened by the command line', () => {
  test('can be opened again the same way, and is refused with other values', async () => {
    const id = newTenancyId();
    const tenancy = JSON.parse((await runAdminCommand('tenancy', 'open', id, '--name', 'One')).out);
    expect(tenancy).toMatchObject({ id, name: 'One', live: false, jurisdiction: 'MX' });
    expect(JSON.parse((await runAdminCommand('tenancy', 'open', id, '--name', 'One')).out)).toEqual(tenancy);
    const again = await runAdminCommand('tenancy', 'open', id, '--name', 'Two');
    expect(again).toMatchObject({ code: 1, out: '' });
    expect(again.err).toContain('reference_reused');
  });

  test('cannot be live in the test market ZZ', async () => {
    const id = newTenancyId();
    const live = await runAdminCommand('tenancy', 'open', id, '--jurisdiction', 'ZZ', '--live');
    expect(live).toMatchObject({ code: 1, out: '' });
    expect(live.err).toContain('--jurisdiction of a live Tenancy\n  given: ZZ\n  allowed: MX\n');
    const unknown = await runAdminCommand('tenancy', 'open', id, '--jurisdiction', 'US');
    expect(unknown).toMatchObject({ code: 1, err: expect.stringContaining('allowed: MX, ZZ\n') });
    const inTestMarket = await runAdminCommand('tenancy', 'open', id, '--jurisdiction', 'ZZ');
    expect(JSON.parse(inTestMarket.out)).toMatchObject({ id, live: false, jurisdiction: 'ZZ' });
  });

  test('has keys whose secret is shown once and which can be revoked', async () => {
    const id = newTenancyId();
    await openTenancy(id);
    const minted = JSON.parse((await runAdminCommand('key', 'mint', id, '--scope', 'write', '--label', 'first')).out);
    expect(minted.secret).toMatch(/^lsk_test_[A-Za-z0-9_-]{43}$/);
    const signer = parseSigner(minted.secret) as Signer;
    await eventually(async () => (await boundsStatus(id, signer)) === 200);

    const listed = await runAdminCommand('key', 'list', id);
    expect(JSON.parse(listed.out)).toEqual([
      expect.objectContaining({ fp: minted.fp, scope: 'write', holder: 'service', label: 'first', revoked_at: null }),
    ]);
    expect(listed.out).not.toContain(minted.secret);

    const unconfirmed = await runAdminCommand('key', 'revoke', id, minted.fp);
    expect(unconfirmed).toMatchObject({ code: 2, out: '', err: expect.stringContaining('add --yes') });
    expect((await runAdminCommand('key', 'revoke', id, minted.fp, '--yes')).code).toBe(0);
    await eventually(async () => (await boundsStatus(id, signer)) !== 200);
    expect(await boundsStatus(id, signer)).toBe(401);
    const [revoked] = JSON.parse((await runAdminCommand('key', 'list', id)).out);
    expect(revoked.revoked_at).toMatch(/Z$/);
  });

  test('has live or test keys depending on the Tenancy', async () => {
    const id = newTenancyId();
    await openTenancy(id, { live: true });
    const minted = JSON.parse((await runAdminCommand('key', 'mint', id, '--scope', 'read', '--holder', 'agent')).out);
    expect(minted.secret).toMatch(/^lsk_live_/);
  });
});

describe('a Tenancy that is closed', () => {
  test('accepts no request and no key, is listed as closed, and can be opened again', async () => {
    const id = newTenancyId();
    await openTenancy(id);
    const minted = JSON.parse((await runAdminCommand('key', 'mint', id, '--scope', 'write')).out);
    const signer = parseSigner(minted.secret) as Signer;
    await eventually(async () => (await boundsStatus(id, signer)) === 200);

    const basis = ['--basis', 'contract ended'];
    expect(await runAdminCommand('tenancy', 'close', id)).toMatchObject({
      code: 2,
      err: expect.stringContaining('--basis'),
    });
    const unconfirmed = await runAdminCommand('tenancy', 'close', id, ...basis);
    expect(unconfirmed).toMatchObject({ code: 2, out: '', err: expect.stringContaining('add --yes') });
    const plan = await runAdminCommand('tenancy', 'close', id, ...basis, '--dry-run', '--json');
    expect(JSON.parse(plan.out)).toMatchObject({ id, closed_at: null, revoked_keys: [{ fp: minted.fp }] });
    expect(await boundsStatus(id, signer)).toBe(200);

    const closed = await runAdminCommand('tenancy', 'close', id, ...basis, '--yes', '--actor', 'ana', '--json');
    const closing = { id, closed_at: expect.stringMatching(/Z$/), revoked_keys: [{ fp: minted.fp }] };
    expect(JSON.parse(closed.out)).toMatchObject(closing);
    await eventually(async () => (await boundsStatus(id, signer)) === 401);
    const listed = JSON.parse((await runAdminCommand('tenancy', 'list', '--json')).out);
    expect(listed).toContainEqual(expect.objectContaining({ id, closed_at: closing.closed_at }));

    const explained = { code: 1, out: '', err: expect.stringContaining(`lending tenancy open ${id} --again`) };
    expect(await runAdminCommand('key', 'mint', id, '--scope', 'read')).toEqual(explained);
    expect(await runAdminCommand('tenancy', 'set-bounds', id, '--burst', '5')).toEqual(explained);
    expect(await runAdminCommand('tenancy', 'open', id)).toEqual(explained);

    const again = JSON.parse((await runAdminCommand('tenancy', 'open', id, '--again')).out);
    expect(again).toMatchObject({ id, name: id });
    expect(again).not.toHaveProperty('closed_at');
    const shown = JSON.parse((await runAdminCommand('tenancy', 'show', id)).out);
    expect(shown).toMatchObject({
      closed_at: null,
      keys: [{ fp: minted.fp, revoked_at: expect.stringMatching(/Z$/) }],
    });
    const successor = JSON.parse((await runAdminCommand('key', 'mint', id, '--scope', 'read')).out);
    await eventually(async () => (await boundsStatus(id, parseSigner(successor.secret) as Signer)) === 200);
    expect(await boundsStatus(id, signer)).toBe(401);
  });

  test('was open before: what does not exist is neither closed nor opened again', async () => {
    const id = newTenancyId();
    const refused = { code: 1, out: '', err: noTenancy(id) };
    expect(await runAdminCommand('tenancy', 'close', id, '--basis', 'none', '--yes')).toEqual(refused);
    expect(await runAdminCommand('tenancy', 'open', id, '--again')).toEqual(refused);
  });
});

describe('a Tenancy with keys', () => {
  let id: string;
  beforeAll(async () => {
    id = newTenancyId();
    await openTenancy(id);
  });

  test('is listed, and shown with its bounds and keys', async () => {
    const listed = JSON.parse((await runAdminCommand('tenancy', 'list', '--json')).out);
    expect(listed).toContainEqual(expect.objectContaining({ id, jurisdiction: 'MX', bounds: 'default' }));
    const shown = JSON.parse((await runAdminCommand('tenancy', 'show', id)).out);
    expect(shown).toMatchObject({ id, bounds: { source: 'default' }, keys: [] });
  });

  test('gets a successor of a key, which is revoked after the overlap', async () => {
    const former = JSON.parse((await runAdminCommand('key', 'mint', id, '--scope', 'read', '--label', 'reports')).out);
    const plan = await runAdminCommand('key', 'rotate', id, former.fp, '--overlap', '0s', '--dry-run');
    expect(JSON.parse(plan.out)).toMatchObject({ former: former.fp, former_revoked: 'at once' });
    const rotated = await runAdminCommand('key', 'rotate', id, former.fp, '--overlap', '1s', '--yes', '--actor', 'ana');
    const successor = JSON.parse(rotated.out);
    expect(successor).toMatchObject({ scope: 'read', label: 'reports', secret: expect.stringMatching(/^lsk_test_/) });
    const keys = JSON.parse((await runAdminCommand('key', 'list', id)).out);
    const revoked = new Map(keys.map((key: { fp: string; revoked_at: string | null }) => [key.fp, key.revoked_at]));
    expect(revoked.get(former.fp)).toMatch(/Z$/);
    expect(revoked.get(successor.fp)).toBeNull();
    const again = await runAdminCommand('key', 'rotate', id, former.fp);
    expect(again).toMatchObject({ code: 1, out: '', err: expect.stringContaining('was revoked at') });

    const all = await runAdminCommand('key', 'revoke', id, '--all', '--yes');
    expect(JSON.parse(all.out)).toMatchObject([{ fp: successor.fp }]);
  });
});

describe('the bounds of a Tenancy', () => {
  const defaults = { concurrent: 16, patience_ms: 2_000, per_second: 50, burst: 100, source: 'default' };

  test('are set by the command line, apply on every instance, and can be made the default ones again', async () => {
    const id = newTenancyId();
    await openTenancy(id);
    const minted = JSON.parse((await runAdminCommand('key', 'mint', id, '--scope', 'read')).out);
    const signer = parseSigner(minted.secret) as Signer;
    await eventually(async () => (await boundsStatus(id, signer)) === 200);
    const bounds = async (...options: string[]) =>
      JSON.parse((await runAdminCommand('tenancy', 'bounds', id, ...options)).out);
    const onEveryInstance = (expected: object) =>
      eventually(async () => {
        const answers = await Promise.all(Array.from({ length: 8 }, () => readBounds(id, signer)));
        const texts = await Promise.all(answers.map((answer) => answer.text()));
        return texts.every((text) => isDeepStrictEqual(JSON.parse(text), expected));
      });

    expect(await bounds()).toEqual(defaults);
    const wider = { ...defaults, concurrent: 40, burst: 300, source: 'tenancy' };
    expect(await bounds('--concurrent', '40', '--burst', '300')).toEqual(wider);
    await onEveryInstance(wider);
    expect(await bounds('--per-second', '200')).toEqual({ ...wider, per_second: 200 });
    expect(await bounds()).toEqual({ ...wider, per_second: 200 });
    expect(await bounds('--default')).toEqual(defaults);
    await onEveryInstance(defaults);
  });

  test('are recorded as facts of the Tenancy, with the person who set them', async () => {
    const id = newTenancyId();
    await openTenancy(id);
    await runAdminCommand('tenancy', 'bounds', id, '--concurrent', '3', '--actor', 'maria');
    const { databases, close } = await openTestDatabases(environment, { name: 'administration' });
    const { rows } = await databases
      .ofTenancy(id)
      .query("SELECT body FROM facts WHERE tenant_id = $1 AND kind = 'bounds_set' ORDER BY sequence", [id]);
    await close();
    expect(rows.map(({ body }) => body)).toEqual([
      {
        bounds: { concurrent: 3, patience_ms: 2_000, per_second: 50, burst: 100 },
        before: null,
        actor: 'maria',
        origin: { channel: 'command_line' },
      },
    ]);
  });

  test('of a Tenancy that does not exist are not set', async () => {
    const id = newTenancyId();
    const refused = { code: 1, out: '', err: noTenancy(id) };
    expect(await runAdminCommand('tenancy', 'set-bounds', id, '--burst', '5')).toEqual(refused);
  });
});

describe('an invitation to the console', () => {
  test('to a Tenancy is a link, and is refused where the Tenancy does not exist', async () => {
    const id = newTenancyId();
    const invitation = ['console', 'invite', `${id}@example.com`, '--tenant', id, '--role', 'support'];
    const refused = await runAdminCommand(...invitation);
    expect(refused).toMatchObject({ code: 1, out: '', err: expect.stringContaining(`there is no Tenancy ${id}`) });
    await openTenancy(id);
    const { sign_in_url } = JSON.parse((await runAdminCommand(...invitation)).out);
    expect(sign_in_url).toMatch(/\/sign-in\/link\/.+/);
  });
});

describe('the command line', () => {
  test.each([
    ['mint', ['--scope', 'read']],
    ['list', []],
    ['revoke', ['0'.repeat(32)]],
  ])('names the missing Tenancy and how to open it: key %s', async (verb, options) => {
    const id = newTenancyId();
    expect(await runAdminCommand('key', verb, id, ...options)).toEqual({ code: 1, out: '', err: noTenancy(id) });
  });

  test('says that a Tenancy has no such key, and lists no keys for a new Tenancy', async () => {
    const id = newTenancyId();
    await openTenancy(id);
    expect(await runAdminCommand('key', 'list', id)).toEqual({ code: 0, out: '[]\n', err: '' });
    const done = await runAdminCommand('key', 'revoke', id, '0'.repeat(32));
    expect(done).toMatchObject({ code: 1, out: '', err: expect.stringContaining(`the Tenancy ${id} has no key 000`) });
  });

  test.each([
    [['key', 'mint', 'demo'], '--scope <scope>', 'lending key mint'],
    [['key', 'polish', 'demo'], "unknown command 'polish'", 'lending key'],
    [['tenancy', 'open', 'no spaces'], '1 to 64 letters', 'lending tenancy open'],
    [['tenancy', 'open', 'demo', '--time-zone', 'Atlantis'], 'Expected an IANA time zone', 'lending tenancy open'],
    [['key', 'list', 'demo', '--scope', 'read'], "unknown option '--scope'", 'lending key list'],
  ])('explains what is wrong with %j and prints the usage', async (args, message, usage) => {
    const done = await runAdminCommand(...args);
    expect(done).toMatchObject({ code: 2, out: '' });
    expect(done.err).toContain(message);
    expect(done.err).toContain(usage);
  });

  test('shows without a question what a repair would change, and changes nothing', async () => {
    const remake = await runAdminCommand('topic', 'remake', '--dry-run', '--json');
    expect(remake).toMatchObject({ code: 0, err: '' });
    expect(JSON.parse(remake.out)).toEqual({ missing_topics: [], restarted: [] });
    const lost = await runAdminCommand('rebuild', '--lost', '--dry-run');
    const reason = /the database contains facts|--lost without --database does not know several databases/;
    expect(lost).toMatchObject({ code: 1, out: '', err: expect.stringMatching(reason) });
    const counted = await runAdminCommand('rebuild', '--movements', '--dry-run', '--json');
    expect(counted).toMatchObject({ code: 0, err: '' });
    const { records } = JSON.parse(counted.out);
    expect(JSON.parse(counted.out)).toEqual({ records: expect.any(Number), movements: expect.any(Number) });
    const text = await runAdminCommand('rebuild', '--movements', '--dry-run');
    expect(text.out).toMatch(
      /^[\d,]+ records of lending.movements would be removed\nthe running processors would write [\d,]+ movements\nnothing was changed\n$/,
    );
    const after = JSON.parse((await runAdminCommand('rebuild', '--movements', '--dry-run', '--json')).out);
    expect(after.records).toBeGreaterThanOrEqual(records);
  });

  test('counts the events that a check of the topic reads, and all there are', async () => {
    const ranges = await topicOffsets(connectKafka(environment.stack.kafkaBrokers, 'test'), topics.bookEvents);
    const published = [...ranges.values()].reduce((sum, { low, high }) => sum + high - low, 0);
    const progress: (readonly [read: number, total: number])[] = [];
    const onRead = (read: number, total: number) => void progress.push([read, total]);
    await checkTopicOfCell(environment.stack, () => undefined, onRead);
    const [first, last] = [progress[0], progress.at(-1)];
    expect(first?.[0]).toBe(0);
    // Others publish meanwhile.
    expect(first?.[1]).toBeGreaterThanOrEqual(published);
    expect(last?.[0]).toBe(last?.[1]);
    const read = progress.map(([done]) => done);
    expect(read).toEqual(read.toSorted((one, other) => one - other));
  });

  test('records the result of a check of the topic, where the services read it', async () => {
    const { code } = await runAdminCommand('topic', 'check', '--record', '--json');
    const database = openDatabase({ url: environment.stack.databaseUrl, name: 'test' });
    const [result] = (await readCheckResults(database)).filter(({ name }) => name === 'topic');
    expect(result?.findings === 0).toBe(code === 0);
    expect(result?.ageSeconds).toBeGreaterThanOrEqual(0);
    await database.end();
  });

  test('prepares an already prepared cell without changing it', async () => {
    expect(JSON.parse((await runAdminCommand('prepare')).out)).toEqual({
      migrations: [],
      partitions: partitionCount,
    });
  });
});
