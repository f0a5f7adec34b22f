/** Ingress and query each by itself, as a cell runs them whose writes and reads scale apart. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { environmentOf } from '#deploy/start/house.ts';
import { authorization } from '#test/load/caller.ts';
import { holdToRefusal } from '#test/openapi/held.ts';
import { LoneService } from './lone-service.ts';
import { type House, house, Tenant } from './tenant.ts';

let here: House;
let ingress: LoneService;
let query: LoneService;
let writer: Tenant;
let reader: Tenant;
beforeAll(async () => {
  here = house();
  const env = environmentOf(here.stack);
  [ingress, query] = await Promise.all([LoneService.start('ingress', env), LoneService.start('query', env)]);
  await Promise.all([ingress.untilReady(), query.untilReady()]);
  const opened = await Tenant.open(here);
  writer = opened.at(ingress.baseUrl);
  reader = opened.at(query.baseUrl);
});
afterAll(async () => {
  ingress.kill();
  query.kill();
  await writer.close();
});

/** What one half alone says of a route of the other, which the document of the whole does not describe. */
async function refusedBy({ baseUrl }: LoneService, method: string, path: string, body = ''): Promise<number> {
  const target = `/v1/tenants/${writer.id}${path}`;
  const signed = authorization(writer.signer, { method, target, body: Buffer.from(body) });
  const headers = { Authorization: signed, 'Content-Type': 'application/json' };
  const answer = await fetch(baseUrl + target, { method, headers, ...(body === '' ? {} : { body }) });
  const { status } = answer;
  holdToRefusal({ method, target }, { status, headers: Object.fromEntries(answer.headers), text: await answer.text() });
  return status;
}

const walkedIn = { actor: 'teller', basis: 'walked in' };

describe('an ingress and a query that run apart', () => {
  test('serve one lender: what one has taken in the other answers at once', async () => {
    for (const client of ['ada', 'bo', 'cy', 'di', 'eve']) {
      expect((await writer.put(`/clients/${client}`, walkedIn)).status).toBe(201);
      expect(await reader.get(`/clients/${client}`)).toMatchObject({ status: 200, body: { client_id: client } });
    }
  });

  test('do each its own job alone, and both tell a caller its bounds', async () => {
    expect(await refusedBy(query, 'PUT', '/clients/ada', JSON.stringify(walkedIn))).toBe(405);
    expect(await refusedBy(ingress, 'GET', '/clients/ada')).toBe(405);
    for (const tenant of [writer, reader]) expect((await tenant.get('/bounds')).status).toBe(200);
  });

  test('name themselves in their figures', async () => {
    for (const [name, service] of Object.entries({ ingress, query })) {
      const figures = await (await fetch(`${service.operations}/metrics`)).text();
      expect(figures).toContain(`process_cpu_seconds_total{service="${name}"}`);
    }
  });

  test('end well when they are told to, and every write that was answered is read in the house', async () => {
    const answered: string[] = [];
    const write = async (nth: number): Promise<void> => {
      const client = `late-${nth}`;
      const { status } = await writer.put(`/clients/${client}`, walkedIn);
      if (status === 201) answered.push(client);
    };
    // A door found closed drops the line of whoever comes later; nobody who was let in goes without an answer.
    const writes = Array.from({ length: 40 }, (_, nth) => write(nth).catch(() => undefined));
    await writes[0];
    expect(await Promise.all([ingress.stop(), query.stop()])).toEqual([
      [0, null],
      [0, null],
    ]);
    await Promise.all(writes);
    expect(answered.length).toBeGreaterThan(0);
    const home = writer.at(here.services.baseUrl);
    for (const client of answered) expect((await home.get(`/clients/${client}`)).status).toBe(200);
  });
});
