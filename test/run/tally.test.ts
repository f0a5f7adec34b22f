import { describe, expect, test } from '@jest/globals';
import { add, tallyOf } from './tally.ts';

const counts = {
  numPassedTests: 5,
  numFailedTests: 0,
  numPendingTests: 1,
  numTodoTests: 1,
  numRuntimeErrorTestSuites: 0,
};
const report = (changed: Partial<typeof counts> = {}): string => JSON.stringify({ ...counts, ...changed });
const failed = { passed: 0, failed: 1, skipped: 0 };

describe('a run of jest', () => {
  test('that ended well counts as it reports', () => {
    expect(tallyOf(report(), 0)).toEqual({ passed: 5, failed: 0, skipped: 2 });
  });

  test('counts files that could not be loaded among the failed', () => {
    expect(tallyOf(report({ numFailedTests: 2, numRuntimeErrorTestSuites: 1 }), 1)).toMatchObject({ failed: 3 });
  });

  test.each([
    ['ended badly though it reports no failure', report(), 1, { passed: 5, failed: 1, skipped: 2 }],
    ['was killed after its report', report(), null, { passed: 5, failed: 1, skipped: 2 }],
    ['was killed before it', undefined, null, failed],
    ['ended well and reported nothing', undefined, 0, failed],
    ['reported half', report().slice(0, 20), 1, failed],
    ['reported something else', '{}', 0, failed],
  ])('that %s has failed', (_what, text, code, expected) => {
    expect(tallyOf(text, code)).toEqual(expected);
  });

  test('adds to the one before it', () => {
    expect(add(tallyOf(report(), 0), failed)).toEqual({ passed: 5, failed: 1, skipped: 2 });
  });
});
