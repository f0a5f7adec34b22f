import { afterEach, expect, jest, test } from '@jest/globals';
import { describeProgress, formatDuration, ProgressLine, withoutProgress } from './progress-line.ts';

test.each([
  [{ count: 1_200, total: 4_000 }, 4_000, '1,200 of 4,000 facts, 300/s, 10 s left'],
  [{ count: 1_200 }, 4_000, '1,200 facts, 300/s'],
  [{ count: 4_000, total: 4_000 }, 61_000, '1 min 1 s …'],
  [{ count: 0 }, 65_000, '1 min 5 s …'],
])('the progress %j is shown with its rate and the time left', (progress, elapsedMs, text) => {
  expect(describeProgress(progress, elapsedMs, 'facts')).toBe(text);
});

afterEach(() => void jest.useRealTimers());

test('each part of the work has a rate of its own, and the line is cleared at the end', () => {
  jest.useFakeTimers();
  const written: string[] = [];
  const line = new ProgressLine({ isTTY: true, write: (text) => written.push(text) }, 'facts');
  line.set(1_000, 4_000);
  jest.advanceTimersByTime(4_000);
  expect(written.at(-1)).toBe('\r1,000 of 4,000 facts, 250/s, 12 s left\x1b[K');
  line.set(0, 1_000);
  line.set(100, 1_000);
  jest.advanceTimersByTime(1_000);
  expect(written.at(-1)).toBe('\r100 of 1,000 facts, 100/s, 9 s left\x1b[K');
  line.end();
  jest.advanceTimersByTime(1_000);
  expect(written.at(-1)).toBe('\r\x1b[K');
});

test('of lines within each other the newest is drawn, and none during a question, whose time is not counted', async () => {
  jest.useFakeTimers();
  const written: string[] = [];
  const out = { isTTY: true, write: (text: string) => written.push(text) };
  const outer = new ProgressLine(out, 'answers');
  jest.advanceTimersByTime(3_000);
  const inner = new ProgressLine(out, 'facts');
  expect(written.splice(0).at(-1)).toBe('\r\x1b[K');
  jest.advanceTimersByTime(1_000);
  expect(written).toEqual([]);
  inner.end();
  jest.advanceTimersByTime(1_000);
  expect(written.at(-1)).toBe('\r5 s …\x1b[K');
  await withoutProgress(async () => {
    expect(written.splice(0).at(-1)).toBe('\r\x1b[K');
    jest.advanceTimersByTime(10_000);
  });
  expect(written).toEqual([]);
  jest.advanceTimersByTime(2_000);
  expect(written.at(-1)).toBe('\r2 s …\x1b[K');
  outer.end();
});

test('a duration has at most two units', () => {
  expect([0.2, 59, 185, 7_800].map(formatDuration)).toEqual(['1 s', '59 s', '3 min 5 s', '2 h 10 min']);
});
