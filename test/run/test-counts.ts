/** How many tests passed, failed and were skipped, from jest's report and exit code. */

export type TestCounts = { readonly passed: number; readonly failed: number; readonly skipped: number };

export const noTests: TestCounts = { passed: 0, failed: 0, skipped: 0 };
export const oneFailure: TestCounts = { ...noTests, failed: 1 };

export function addCounts(a: TestCounts, b: TestCounts): TestCounts {
  return { passed: a.passed + b.passed, failed: a.failed + b.failed, skipped: a.skipped + b.skipped };
}

type JestReport = {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numTodoTests: number;
  /** Files that failed to load, or whose worker died. */
  readonly numRuntimeErrorTestSuites: number;
};

/** `report` is undefined where jest wrote none; `exitCode` is null where jest was killed. */
export function parseReport(report: string | undefined, exitCode: number | null): TestCounts {
  const counts = countsIn(report);
  if (counts === undefined) return oneFailure;
  // A bad exit is a failure even where no test failed.
  return exitCode !== 0 && counts.failed === 0 ? addCounts(counts, oneFailure) : counts;
}

function countsIn(text: string | undefined): TestCounts | undefined {
  if (text === undefined) return undefined;
  let report: JestReport;
  try {
    report = JSON.parse(text) as JestReport;
  } catch {
    return undefined;
  }
  const counts = {
    passed: report.numPassedTests,
    failed: report.numFailedTests + report.numRuntimeErrorTestSuites,
    skipped: report.numPendingTests + report.numTodoTests,
  };
  return Object.values(counts).every(Number.isInteger) ? counts : undefined;
}
