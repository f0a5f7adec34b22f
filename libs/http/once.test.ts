import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { IdempotencyGuard, RouteHandlers, RouteResult } from '#libs/http/handler.ts';
import { type House, openHouse } from '#libs/http/testing/pipeline.ts';
import { addKey, send, serve, twoTenancies } from '#libs/http/testing/server.ts';
import { DependencyUnavailableError } from '#libs/runtime/dependency-unavailable.ts';
import { refuse } from '#libs/schema/refusals.ts';

let house: House;
beforeAll(async () => {
  house = await openHouse();
});
afterAll(() => house.served.close());

test('under a key even a body refused for its fields is an outcome, and our own fault is; a store away is none', async () => {
  const kept = new Map<string, RouteResult>();
  const once: IdempotencyGuard = async ({ admitted, act, header }) => {
    const replayed = kept.get(admitted.idempotencyKey);
    if (replayed) header('Idempotent-Replayed', 'true');
    const outcome = replayed ?? (await act());
    kept.set(admitted.idempotencyKey, outcome);
    return outcome;
  };
  let fault: Error = new Error('broken');
  const handlers: RouteHandlers = {
    createConfiguration: () => {
      throw fault;
    },
    // As the book says it, where it waits for a person.
    writeConfigurationVersion: () => refuse('internal_error'),
    registerClient: () => refuse('internal_error'),
  };
  const keyedRing = twoTenancies();
  const signer = addKey(keyedRing);
  const keyed = await serve({ handlers, once }, keyedRing);
  const target = '/v1/tenants/acme/product-configurations';
  let retry: string | undefined;
  const tell = async (idempotencyKey: string, body: string, more: object = {}): Promise<string> => {
    const got = await send(keyed.port, house.posting({ target, body, signer, idempotencyKey, ...more }));
    retry = got.json.retry;
    return `${got.status} ${got.json.code} ${got.headers['idempotent-replayed'] ?? 'anew'}`;
  };
  const whole = '{"archetype":"bnpl","values":{}}';
  expect(await tell('a', '{}')).toBe('422 missing_field anew');
  expect(await tell('a', whole)).toBe('422 missing_field true');
  expect(await tell('b', '{')).toBe('400 invalid_body anew');
  expect(await tell('b', whole, { headers: [] })).toBe('415 unsupported_media_type anew');
  expect(await tell('b', whole)).toBe('500 internal_error anew');
  expect(await tell('b', whole)).toBe('500 internal_error true');
  expect(retry).toBe('after_change');
  const version = { target: `${target}/bnp-000001/versions` };
  for (const how of ['anew', 'true']) {
    expect(await tell('d', '{"values":{}}', version)).toBe(`500 internal_error ${how}`);
    expect(retry).toBe('after_change');
  }
  const client = { target: '/v1/tenants/acme/clients/c-1', method: 'PUT' };
  expect(await tell('e', '{"actor":"ana","basis":"signed"}', client)).toBe('500 internal_error anew');
  expect(retry).toBe('as_is');
  fault = new DependencyUnavailableError('configurations');
  expect(await tell('c', whole)).toBe('503 unavailable anew');
  expect(await tell('c', whole)).toBe('503 unavailable anew');
  await keyed.close();
});
