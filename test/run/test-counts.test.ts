import { describe, expect, test } from '@jest/globals';
import { addCounts, parseReport } from './test-counts.ts';

const counts = {
  numPassedTests: 5,
  numFailedTests: 0,
  numPendingTests: 1,
  numTodoTests: 1,
  numRuntimeErrorTestSuites: 0,
};
const report = (changed: Partial<typeof counts> = {}): string => JSON.stringify({ ...counts, ...changed });
const failed = { passed: 0, failed: 1, skipped: 0 };

describe('the counts of a jest run', () => {
  test('are those of its report where it exited with 0', () => {
    expect(parseReport(report(), 0)).toEqual({ passed: 5, failed: 0, skipped: 2 });
  });

  test('include files that failed to load among the failed tests', () => {
    expect(parseReport(report({ numFailedTests: 2, numRuntimeErrorTestSuites: 1 }), 1)).toMatchObject({ failed: 3 });
  });

  test.each([
    ['exits with 1 although no test failed', report(), 1, { passed: 5, failed: 1, skipped: 2 }],
    ['is killed after its report', report(), null, { passed: 5, failed: 1, skipped: 2 }],
    ['is killed before its report', undefined, null, failed],
    ['exits with 0 without a report', undefined, 0, failed],
    ['writes half a report', report().slice(0, 20), 1, failed],
    ['writes a report without counts', '{}', 0, failed],
  ])('hold a failure where jest %s', (_what, text, code, expected) => {
    expect(parseReport(text, code)).toEqual(expected);
  });

  test('add up over the tiers', () => {
    expect(addCounts(parseReport(report(), 0), failed)).toEqual({ passed: 5, failed: 1, skipped: 2 });
  });
});
