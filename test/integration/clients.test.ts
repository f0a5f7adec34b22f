/** A Client is registered once, before its first Loan or Receipt. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { expectRefusal, Lender, uniqueReference } from '#test/support/lender.ts';
import { testEnvironment } from '#test/support/tenant.ts';

let lender: Lender;
beforeAll(async () => {
  lender = await Lender.open(testEnvironment());
});
afterAll(() => lender.close());

const registration = { actor: 'ana', basis: 'signed the contract' };

describe('a Client', () => {
  test('is registered once; an identical registration answers the recorded one', async () => {
    const id = uniqueReference('c');
    const body = { ...registration, context: { branch: 12, tags: ['new', null] } };
    const first = await lender.tenant.put(`/clients/${id}`, body);
    expect(first.status).toBe(201);
    expect(first.body).toEqual({
      client_id: id,
      tenant_id: lender.tenant.id,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/),
      ...body,
    });
    const again = await lender.tenant.put(`/clients/${id}`, body);
    expect([again.status, again.body]).toEqual([200, first.body]);
    const reordered = `{"context": {"tags": ["new", null], "branch": 1.2e1}, "basis": "signed the contract", "actor": "ana" }`;
    expect(
      [await lender.tenant.put(`/clients/${id}`, reordered)].map(({ status, body: response }) => [status, response]),
    ).toEqual([[200, first.body]]);
  });

  test('cannot be registered again with other members', async () => {
    const id = uniqueReference('c');
    await lender.tenant.put(`/clients/${id}`, registration);
    for (const other of [
      { ...registration, actor: 'bea' },
      { ...registration, basis: 'by telephone' },
      { ...registration, context: {} },
    ]) {
      expectRefusal(await lender.tenant.put(`/clients/${id}`, other), 409, 'client_registered', { recorded_id: id });
    }
    expect((await lender.tenant.put(`/clients/${id}`, registration)).status).toBe(200);
  });

  test('registered several times concurrently is registered once', async () => {
    const id = uniqueReference('c');
    const responses = await Promise.all(
      Array.from({ length: 8 }, () => lender.tenant.put(`/clients/${id}`, registration)),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 200, 200, 201]);
    expect(new Set(responses.map(({ body }) => body.created_at)).size).toBe(1);
  });

  test('is unknown to other Tenancies', async () => {
    const id = uniqueReference('c');
    await lender.tenant.put(`/clients/${id}`, registration);
    const other = await Lender.open(testEnvironment());
    const response = await other.tenant.put(`/clients/${id}`, { ...registration, basis: 'another lender' });
    expect([response.status, response.body.tenant_id]).toEqual([201, other.tenant.id]);
    await other.close();
  });

  test.each([
    ['no actor', { basis: 'none' }, 'missing_field', '/actor'],
    ['no basis', { actor: 'ana' }, 'missing_field', '/basis'],
    ['an unknown member', { ...registration, nickname: 'Nini' }, 'unknown_field', '/nickname'],
    ['an actor that is not an identifier', { ...registration, actor: 'ana maria' }, 'invalid_identifier', '/actor'],
    ['an empty basis', { ...registration, basis: '' }, 'invalid_field', '/basis'],
    ['a basis of more than 2,000 characters', { ...registration, basis: 'x'.repeat(2_001) }, 'invalid_field', '/basis'],
    ['a context that is a list', { ...registration, context: [] }, 'invalid_field', '/context'],
    ['a context above 16 KiB', { ...registration, context: { x: 'y'.repeat(17_000) } }, 'invalid_field', '/context'],
  ] as const)('cannot be registered with %s', async (_, body, code, field) => {
    expectRefusal(await lender.tenant.put(`/clients/${uniqueReference('c')}`, body), 422, code, { field });
  });

  test('has an id of letters, digits, - and _', async () => {
    for (const name of ['a.b', 'a%20b', 'x'.repeat(65), '%C3%A9']) {
      const response = await lender.tenant.put(`/clients/${name}`, registration);
      expectRefusal(response, 422, 'invalid_identifier');
    }
  });
});
