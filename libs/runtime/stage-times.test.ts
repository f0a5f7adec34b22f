import { expect, test } from '@jest/globals';
import { metrics } from './metrics-registry.ts';
import { stageTimes } from './stage-times.ts';

test('a stage is measured by its name, whether it succeeds or fails', async () => {
  const measure = stageTimes({ name: 'test_stage_seconds', help: 'A test.' }, ['load', 'commit']);
  expect(await measure('load', async () => 7)).toBe(7);
  await expect(measure('commit', () => Promise.reject(new Error('fenced')))).rejects.toThrow('fenced');
  const text = await metrics.metrics();
  expect(text).toMatch(/test_stage_seconds_count\{stage="load"\} 1/);
  expect(text).toMatch(/test_stage_seconds_count\{stage="commit"\} 1/);
});
