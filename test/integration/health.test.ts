/** Health checks for load balancers, and metrics for operators. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { fetchValidated } from '#test/openapi/document-validator.ts';
import { type TestEnvironment, testEnvironment } from '#test/support/tenant.ts';

let environment: TestEnvironment;
beforeAll(() => {
  environment = testEnvironment();
});

describe('a service', () => {
  test.each(['/livez', '/readyz'])('answers %s without a key and with the common headers', async (path) => {
    for (const method of ['GET', 'HEAD']) {
      const answer = await fetchValidated(environment.services.baseUrl + path, { method });
      expect(answer.status).toBe(200);
      expect(answer.headers.get('Request-Id')).toMatch(/^[0-9a-f-]{36}$/);
      expect(answer.headers.get('Contract-Version')).toMatch(/^\d{4}-\d\d-\d\d$/);
      expect(answer.headers.get('Server-Timing')).toMatch(/^total;dur=/);
    }
  });

  test('ignores an invalid Contract-Version header on a health check', async () => {
    const headers = { 'Contract-Version': 'yesterday' };
    expect((await fetchValidated(`${environment.services.baseUrl}/readyz`, { headers })).status).toBe(200);
  });

  test.each(['gateway', 'processor'] as const)('serves the metrics of the %s on a separate port', async (name) => {
    const figures = await (await fetch(`${environment.services.operations[name]}/metrics`)).text();
    expect(figures).toContain(`process_cpu_seconds_total{service="${name}"}`);
    expect(figures).toContain('lending_');
    expect((await fetch(`${environment.services.baseUrl}/metrics`)).status).not.toBe(200);
  });
});
