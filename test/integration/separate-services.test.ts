/** Ingress and query as separate services, as in a cell where writes and reads scale independently. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { serviceEnvironment } from '#deploy/dev/services.ts';
import { validateRefusal } from '#test/openapi/document-validator.ts';
import { ServiceProcess } from '#test/support/service-process.ts';
import { authorization } from '#test/support/signed-request.ts';
import { Tenant, type TestEnvironment, testEnvironment } from '#test/support/tenant.ts';

let environment: TestEnvironment;
let ingress: ServiceProcess;
let query: ServiceProcess;
let writer: Tenant;
let reader: Tenant;
beforeAll(async () => {
  environment = testEnvironment();
  const env = serviceEnvironment(environment.stack);
  [ingress, query] = await Promise.all([ServiceProcess.start('ingress', env), ServiceProcess.start('query', env)]);
  await Promise.all([ingress.waitUntilReady(), query.waitUntilReady()]);
  const opened = await Tenant.open(environment);
  writer = opened.at(ingress.baseUrl);
  reader = opened.at(query.baseUrl);
});
afterAll(async () => {
  ingress.kill();
  query.kill();
  await writer.close();
});

/** The status for a route of the other service. The OpenAPI document describes both together, so only the refusal is validated. */
async function refusedBy({ baseUrl }: ServiceProcess, method: string, path: string, body = ''): Promise<number> {
  const target = `/v1/tenants/${writer.id}${path}`;
  const signed = authorization(writer.signer, { method, target, body: Buffer.from(body) });
  const headers = { Authorization: signed, 'Content-Type': 'application/json' };
  const answer = await fetch(baseUrl + target, { method, headers, ...(body === '' ? {} : { body }) });
  const { status } = answer;
  validateRefusal(
    { method, target },
    { status, headers: Object.fromEntries(answer.headers), text: await answer.text() },
  );
  return status;
}

const walkedIn = { actor: 'teller', basis: 'walked in' };

describe('separate ingress and query services', () => {
  test('serve one lender: what the ingress recorded the query reads at once', async () => {
    for (const client of ['ada', 'bo', 'cy', 'di', 'eve']) {
      expect((await writer.put(`/clients/${client}`, walkedIn)).status).toBe(201);
      expect(await reader.get(`/clients/${client}`)).toMatchObject({ status: 200, body: { client_id: client } });
    }
  });

  test('serve only their own routes, and both answer the bounds', async () => {
    expect(await refusedBy(query, 'PUT', '/clients/ada', JSON.stringify(walkedIn))).toBe(405);
    expect(await refusedBy(ingress, 'GET', '/clients/ada')).toBe(405);
    for (const tenant of [writer, reader]) expect((await tenant.get('/bounds')).status).toBe(200);
  });

  test('name themselves in their metrics', async () => {
    for (const [name, service] of Object.entries({ ingress, query })) {
      const figures = await (await fetch(`${service.operationsUrl}/metrics`)).text();
      expect(figures).toContain(`process_cpu_seconds_total{service="${name}"}`);
    }
  });

  test('exit cleanly on SIGTERM, and every write answered 201 can be read', async () => {
    const answered: string[] = [];
    const write = async (index: number): Promise<void> => {
      const client = `late-${index}`;
      const { status } = await writer.put(`/clients/${client}`, walkedIn);
      if (status === 201) answered.push(client);
    };
    // Later connections are dropped; every accepted request is answered.
    const writes = Array.from({ length: 40 }, (_, index) => write(index).catch(() => undefined));
    await writes[0];
    expect(await Promise.all([ingress.stop(), query.stop()])).toEqual([
      [0, null],
      [0, null],
    ]);
    await Promise.all(writes);
    expect(answered.length).toBeGreaterThan(0);
    const home = writer.at(environment.services.baseUrl);
    for (const client of answered) expect((await home.get(`/clients/${client}`)).status).toBe(200);
  });
});
