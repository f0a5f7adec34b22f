import { expect, test } from '@jest/globals';
import { metrics } from '#libs/runtime/metrics-registry.ts';
import { reportPool } from './pool-metrics.ts';

test('a statement that waits beside an idle connection does not count as waiting', async () => {
  const pool = { totalCount: 8, idleCount: 0, waitingCount: 3 };
  reportPool(pool);
  expect(await metrics.metrics()).toMatch(/^lending_database_waiting 3$/m);
  Object.assign(pool, { idleCount: 1, waitingCount: 1 });
  const text = await metrics.metrics();
  expect(text).toMatch(/^lending_database_waiting 0$/m);
  expect(text).toMatch(/^lending_database_connections\{state="busy"\} 7$/m);
});
