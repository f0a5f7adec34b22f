/** A Client is registered once, before any Loan or Receipt of theirs. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Desk, expectRefused, newReference } from './desk.ts';
import { house } from './tenant.ts';

let desk: Desk;
beforeAll(async () => {
  desk = await Desk.open(house());
});
afterAll(() => desk.close());

const signed = { actor: 'ana', basis: 'signed the contract' };

describe('a Client', () => {
  test('is registered once, and answered as recorded when registered again the same way', async () => {
    const id = newReference('c');
    const body = { ...signed, context: { branch: 12, tags: ['new', null] } };
    const first = await desk.tenant.put(`/clients/${id}`, body);
    expect(first.status).toBe(201);
    expect(first.body).toEqual({
      client_id: id,
      tenant_id: desk.tenant.id,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/),
      ...body,
    });
    const again = await desk.tenant.put(`/clients/${id}`, body);
    expect([again.status, again.body]).toEqual([200, first.body]);
    const reordered = `{"context": {"tags": ["new", null], "branch": 1.2e1}, "basis": "signed the contract", "actor": "ana" }`;
    expect(
      [await desk.tenant.put(`/clients/${id}`, reordered)].map(({ status, body: told }) => [status, told]),
    ).toEqual([[200, first.body]]);
  });

  test('is not registered again on another basis', async () => {
    const id = newReference('c');
    await desk.tenant.put(`/clients/${id}`, signed);
    for (const other of [
      { ...signed, actor: 'bea' },
      { ...signed, basis: 'by telephone' },
      { ...signed, context: {} },
    ]) {
      expectRefused(await desk.tenant.put(`/clients/${id}`, other), 409, 'client_registered', { recorded_id: id });
    }
    expect((await desk.tenant.put(`/clients/${id}`, signed)).status).toBe(200);
  });

  test('registered twice at the same moment is registered once', async () => {
    const id = newReference('c');
    const told = await Promise.all(Array.from({ length: 8 }, () => desk.tenant.put(`/clients/${id}`, signed)));
    expect(told.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 200, 200, 201]);
    expect(new Set(told.map(({ body }) => body.created_at)).size).toBe(1);
  });

  test('is the same person in no other Tenancy', async () => {
    const id = newReference('c');
    await desk.tenant.put(`/clients/${id}`, signed);
    const other = await Desk.open(house());
    const told = await other.tenant.put(`/clients/${id}`, { ...signed, basis: 'another house' });
    expect([told.status, told.body.tenant_id]).toEqual([201, other.tenant.id]);
    await other.close();
  });

  test.each([
    ['no actor', { basis: 'none' }, 'missing_field', '/actor'],
    ['no basis', { actor: 'ana' }, 'missing_field', '/basis'],
    ['a member nobody reads', { ...signed, nickname: 'Nini' }, 'unknown_field', '/nickname'],
    ['an actor that is no identifier', { ...signed, actor: 'ana maria' }, 'invalid_identifier', '/actor'],
    ['an empty basis', { ...signed, basis: '' }, 'invalid_field', '/basis'],
    ['a basis that is a book', { ...signed, basis: 'x'.repeat(2_001) }, 'invalid_field', '/basis'],
    ['a context that is a list', { ...signed, context: [] }, 'invalid_field', '/context'],
    ['a context above 16 KiB', { ...signed, context: { x: 'y'.repeat(17_000) } }, 'invalid_field', '/context'],
  ] as const)('is not registered with %s', async (_, body, code, field) => {
    expectRefused(await desk.tenant.put(`/clients/${newReference('c')}`, body), 422, code, { field });
  });

  test('has a name of letters, digits, - and _', async () => {
    for (const name of ['a.b', 'a%20b', 'x'.repeat(65), '%C3%A9']) {
      const told = await desk.tenant.put(`/clients/${name}`, signed);
      expectRefused(told, 422, 'invalid_identifier');
    }
  });
});
