import { expect, test } from '@jest/globals';
import { formatRequest } from './request-log.ts';

const logged = {
  request_id: '01a0c1f2-0000-7000-8000-000000000001',
  received_at: '2026-03-20T10:00:00.000000Z',
  duration_us: 900,
  fp: '21fe31dfa154a261626bf854046fd227',
  method: 'POST',
  route: 'reportReceipt',
  status: 201,
  target: '/v1/tenants/demo/receipts',
};

test('the columns of the log are in line whatever the code, and the path is last', () => {
  const lines = [logged, { ...logged, status: 422, code: 'penalty_rate_outside_corridor' }].map(formatRequest);
  const positions = lines.map((line) => [line.indexOf(' POST '), line.indexOf(logged.request_id)]);
  expect(positions[1]).toEqual(positions[0]);
  expect(lines[0]).toMatch(/ {2}\/receipts$/);
});
