/** What a person does from the command line, and what a caller then may. */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { call } from '#libs/cli/call.ts';
import { type House, house } from '#test/integration/tenant.ts';
import { administering } from './lending.ts';

let here: House;
beforeAll(() => {
  here = house();
});

function aTenancy(): string {
  return `t-${randomBytes(6).toString('hex')}`;
}

async function until<Value>(ask: () => Promise<Value>, isSo: (value: Value) => boolean): Promise<Value> {
  for (const end = Date.now() + 10_000; ; ) {
    const value = await ask();
    if (isSo(value)) return value;
    if (Date.now() > end) throw new Error(`still ${JSON.stringify(value)}`);
    await sleep(20);
  }
}

describe('a Tenancy opened on the command line', () => {
  test('is answered again when it is opened again the same way, and refused another way', async () => {
    const id = aTenancy();
    const opened = JSON.parse((await administering('tenancy', 'open', id, '--name', 'One')).out);
    expect(opened).toMatchObject({ id, name: 'One', live: false, jurisdiction: 'MX' });
    expect(JSON.parse((await administering('tenancy', 'open', id, '--name', 'One')).out)).toEqual(opened);
    const again = await administering('tenancy', 'open', id, '--name', 'Two');
    expect(again).toMatchObject({ code: 1, out: '' });
    expect(again.err).toContain('reference_reused');
  });

  test('gives its caller a key that is shown once, and that a revocation ends', async () => {
    const id = aTenancy();
    await administering('tenancy', 'open', id);
    const minted = JSON.parse((await administering('key', 'mint', id, '--scope', 'write', '--label', 'first')).out);
    expect(minted.secret).toMatch(/^lsk_test_[A-Za-z0-9_-]{43}$/);
    const { baseUrl } = here.services;
    const target = `/v1/tenants/${id}/bounds`;
    const bounds = () =>
      call({ baseUrl, secret: minted.secret, method: 'GET', target, body: undefined, nowMs: Date.now() });
    await until(bounds, ({ status }) => status === 200);

    const listed = await administering('key', 'list', id);
    expect(JSON.parse(listed.out)).toEqual([
      expect.objectContaining({ fp: minted.fp, scope: 'write', holder: 'service', label: 'first', revoked_at: null }),
    ]);
    expect(listed.out).not.toContain(minted.secret);

    expect((await administering('key', 'revoke', id, minted.fp)).code).toBe(0);
    expect((await until(bounds, ({ status }) => status !== 200)).status).toBe(401);
    const [revoked] = JSON.parse((await administering('key', 'list', id)).out);
    expect(revoked.revoked_at).toMatch(/Z$/);
  });

  test('gives keys that say whether it is live', async () => {
    const id = aTenancy();
    await administering('tenancy', 'open', id, '--live');
    const minted = JSON.parse((await administering('key', 'mint', id, '--scope', 'read', '--holder', 'agent')).out);
    expect(minted.secret).toMatch(/^lsk_live_/);
  });
});

describe('the command line', () => {
  test.each([
    ['mint', ['--scope', 'read']],
    ['list', []],
    ['revoke', ['0'.repeat(32)]],
  ])('says in words that there is no such Tenancy: key %s', async (verb, more) => {
    const id = aTenancy();
    const err = `there is no Tenancy ${id}; lending tenancy open ${id} opens it\n`;
    expect(await administering('key', verb, id, ...more)).toEqual({ code: 1, out: '', err });
  });

  test('says in words that a Tenancy has no such key, and lists none where there is none', async () => {
    const id = aTenancy();
    await administering('tenancy', 'open', id);
    expect(await administering('key', 'list', id)).toEqual({ code: 0, out: '[]\n', err: '' });
    const done = await administering('key', 'revoke', id, '0'.repeat(32));
    expect(done).toMatchObject({ code: 1, out: '', err: expect.stringContaining(`the Tenancy ${id} has no key 000`) });
  });

  test.each([
    [['key', 'mint', 'demo'], '--scope is read or write', 'lending key mint TENANCY'],
    [['key', 'polish', 'demo'], 'no such command', 'Did you mean key mint, key revoke, or key list?'],
    [['tenancy', 'open', 'no spaces'], '1 to 64 letters', 'lending tenancy open ID'],
    [['tenancy', 'open', 'demo', '--time-zone', 'Atlantis'], 'no time zone', 'lending tenancy open ID'],
    [['key', 'list', 'demo', '--scope', 'read'], "Unknown option '--scope'", 'lending key list TENANCY'],
  ])('says what is wrong with %j and how it is used', async (args, said, how) => {
    const done = await administering(...args);
    expect(done).toMatchObject({ code: 2, out: '' });
    expect(done.err).toContain(said);
    expect(done.err).toContain(how);
  });

  test('prepares a cell that is prepared already without changing it', async () => {
    expect(JSON.parse((await administering('prepare')).out)).toEqual({ migrations: [] });
  });
});
