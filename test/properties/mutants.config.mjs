/**
 * `npm run test:mutants`: mutation tests of the fold. Every mutant of the plan, the allocation and the acts runs against the tests
 * that need no services.
 */
export default {
  mutate: [
    'libs/ledger/charges/plan.ts',
    'libs/ledger/receipts/*.ts',
    'libs/ledger/acts/*.ts',
    '!libs/ledger/**/*.test.ts',
  ],
  commandRunner: { command: 'node test/properties/run-mutant-tests.ts' },
  // Without tsconfig.json: Stryker reads it through an interface that TypeScript 7 no longer has.
  ignorePatterns: ['/*', '!/libs', '!/test', '!/package.json'],
  tempDirName: '.data/mutants',
  concurrency: 1,
  timeoutMS: 10_000,
  reporters: ['progress-append-only', 'clear-text', 'json'],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  jsonReporter: { fileName: '.data/mutants.json' },
};
