import { expect, test } from '@jest/globals';
import { Registry } from 'prom-client';
import { requestMetrics } from './request-metrics.ts';

test('requests are counted by route, status and refusal code, and their durations by route', async () => {
  const registry = new Registry();
  const observe = requestMetrics(registry);
  observe({ route: 'reportReceipt', status: 201, code: undefined, seconds: 0.0015 });
  observe({ route: 'reportReceipt', status: 201, code: undefined, seconds: 7 });
  observe({ route: 'none', status: 503, code: 'unavailable', seconds: 0.0001 });
  const text = await registry.metrics();
  expect(text).toContain('lending_requests_total{route="reportReceipt",status="201",code=""} 2');
  expect(text).toContain('lending_requests_total{route="none",status="503",code="unavailable"} 1');
  expect(text).toContain('lending_request_seconds_bucket{le="0.002",route="reportReceipt"} 1');
  expect(text).toContain('lending_request_seconds_bucket{le="5",route="reportReceipt"} 1');
  expect(text).toContain('lending_request_seconds_count{route="reportReceipt"} 2');
});
