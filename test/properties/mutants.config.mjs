/**
 * `npm run mutants`: whether the tests of the fold notice a fold gone wrong. Every change of the plan, the placing of
 * money and the acts is tried alone against the tests that need no house.
 */
export default {
  mutate: [
    'libs/ledger/charges/plan.ts',
    'libs/ledger/receipts/*.ts',
    'libs/ledger/acts/*.ts',
    '!libs/ledger/**/*.test.ts',
  ],
  commandRunner: { command: 'node test/properties/mutants.ts' },
  // Without the tsconfig, which Stryker would read through an interface that TypeScript 7 no longer has.
  ignorePatterns: ['/*', '!/libs', '!/test', '!/package.json'],
  // Beside the other things that are made while the house is worked on; jest and the rest pass it over.
  tempDirName: '.data/mutants',
  concurrency: 1,
  timeoutMS: 10_000,
  reporters: ['progress-append-only', 'clear-text', 'json'],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  jsonReporter: { fileName: '.data/mutants.json' },
};
