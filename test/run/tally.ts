/** How many tests passed: what jest reported, held against how it ended. */

export type Tally = { readonly passed: number; readonly failed: number; readonly skipped: number };

export const none: Tally = { passed: 0, failed: 0, skipped: 0 };
export const oneFailed: Tally = { ...none, failed: 1 };

export function add(a: Tally, b: Tally): Tally {
  return { passed: a.passed + b.passed, failed: a.failed + b.failed, skipped: a.skipped + b.skipped };
}

type Report = {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numTodoTests: number;
  /** Files that could not even be loaded, or whose worker died: they hold tests that did not pass. */
  readonly numRuntimeErrorTestSuites: number;
};

/** `report` is undefined where jest ended without one; `code` is null where it was killed. */
export function tallyOf(report: string | undefined, code: number | null): Tally {
  const told = reported(report);
  // Without a word nothing can be counted as passed; an end that is not well is a failure, whatever was told.
  if (told === undefined) return oneFailed;
  return code !== 0 && told.failed === 0 ? add(told, oneFailed) : told;
}

function reported(text: string | undefined): Tally | undefined {
  if (text === undefined) return undefined;
  let report: Report;
  try {
    report = JSON.parse(text) as Report;
  } catch {
    return undefined;
  }
  const tally = {
    passed: report.numPassedTests,
    failed: report.numFailedTests + report.numRuntimeErrorTestSuites,
    skipped: report.numPendingTests + report.numTodoTests,
  };
  return Object.values(tally).every(Number.isInteger) ? tally : undefined;
}
