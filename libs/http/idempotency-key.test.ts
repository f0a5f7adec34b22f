import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { IdempotencyGuard, RouteHandlers, RouteResult } from '#libs/http/handler.ts';
import { addKey, keyRingOfTwoTenancies, send, startTestServer } from '#libs/http/testing/server.ts';
import { startTestService, type TestService } from '#libs/http/testing/service.ts';
import { DependencyUnavailableError } from '#libs/runtime/dependency.ts';
import { refuse } from '#libs/schema/refusals.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.server.close());

test('a refused body and a fault of the service are outcomes of a key, an unavailable dependency is not', async () => {
  const stored = new Map<string, RouteResult>();
  const guard: IdempotencyGuard = async ({ request, execute, setHeader }) => {
    const replayed = stored.get(request.idempotencyKey);
    if (replayed) setHeader('Idempotent-Replayed', 'true');
    const outcome = replayed ?? (await execute());
    stored.set(request.idempotencyKey, outcome);
    return outcome;
  };
  let fault: Error = new Error('broken');
  const handlers: RouteHandlers = {
    createConfiguration: () => {
      throw fault;
    },
    // What a parked book answers.
    writeConfigurationVersion: () => refuse('internal_error'),
    registerClient: () => refuse('internal_error'),
  };
  const keyRing = keyRingOfTwoTenancies();
  const signer = addKey(keyRing);
  const keyedServer = await startTestServer({ handlers, idempotency: guard }, keyRing);
  const target = '/v1/tenants/acme/product-configurations';
  let retry: string | undefined;
  const sendKeyed = async (idempotencyKey: string, body: string, overrides: object = {}): Promise<string> => {
    const response = await send(
      keyedServer.port,
      service.receiptRequest({ target, body, signer, idempotencyKey, ...overrides }),
    );
    retry = response.json.retry;
    return `${response.status} ${response.json.code} ${response.headers['idempotent-replayed'] ?? 'new'}`;
  };
  const validBody = '{"archetype":"bnpl","values":{}}';
  expect(await sendKeyed('a', '{}')).toBe('422 missing_field new');
  expect(await sendKeyed('a', validBody)).toBe('422 missing_field true');
  expect(await sendKeyed('b', '{')).toBe('400 invalid_body new');
  expect(await sendKeyed('b', validBody, { headers: [] })).toBe('415 unsupported_media_type new');
  expect(await sendKeyed('b', validBody)).toBe('500 internal_error new');
  expect(await sendKeyed('b', validBody)).toBe('500 internal_error true');
  expect(retry).toBe('after_change');
  const version = { target: `${target}/bnp-000001/versions` };
  for (const replayed of ['new', 'true']) {
    expect(await sendKeyed('d', '{"values":{}}', version)).toBe(`500 internal_error ${replayed}`);
    expect(retry).toBe('after_change');
  }
  const client = { target: '/v1/tenants/acme/clients/c-1', method: 'PUT' };
  expect(await sendKeyed('e', '{"actor":"ana","basis":"signed"}', client)).toBe('500 internal_error new');
  expect(retry).toBe('as_is');
  fault = new DependencyUnavailableError('configurations');
  expect(await sendKeyed('c', validBody)).toBe('503 unavailable new');
  expect(await sendKeyed('c', validBody)).toBe('503 unavailable new');
  await keyedServer.close();
});
