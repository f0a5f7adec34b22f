/** What a balancer asks, and what whoever runs the house looks at. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { fetched } from '#test/openapi/fetched.ts';
import { type House, house } from './tenant.ts';

let here: House;
beforeAll(() => {
  here = house();
});

describe('the house', () => {
  test.each(['/livez', '/readyz'])(
    'answers %s without a credential and with the headers of every answer',
    async (path) => {
      for (const method of ['GET', 'HEAD']) {
        const answer = await fetched(here.services.baseUrl + path, { method });
        expect(answer.status).toBe(200);
        expect(answer.headers.get('Request-Id')).toMatch(/^[0-9a-f-]{36}$/);
        expect(answer.headers.get('Contract-Version')).toMatch(/^\d{4}-\d\d-\d\d$/);
        expect(answer.headers.get('Server-Timing')).toMatch(/^total;dur=/);
      }
    },
  );

  test('asks of whoever is asked after its health no version', async () => {
    const headers = { 'Contract-Version': 'yesterday' };
    expect((await fetched(`${here.services.baseUrl}/readyz`, { headers })).status).toBe(200);
  });

  test.each(['gateway', 'processor'] as const)('tells the figures of the %s on a port of their own', async (name) => {
    const figures = await (await fetch(`${here.services.operations[name]}/metrics`)).text();
    expect(figures).toContain(`process_cpu_seconds_total{service="${name}"}`);
    expect(figures).toContain('lending_');
    expect((await fetch(`${here.services.baseUrl}/metrics`)).status).not.toBe(200);
  });
});
