/**
 * `npm run mutants`: whether the tests of the fold notice a fold gone wrong. Every change of the plan, the placing of
 * money and the acts is tried alone against the tests that need no house.
 */
export default {
  mutate: [
    'libs/book/charges/plan.ts',
    'libs/book/receipts/*.ts',
    'libs/book/acts/*.ts',
    '!libs/book/**/*.test.ts',
  ],
  testRunner: 'jest',
  testRunnerNodeArgs: ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'],
  jest: {
    projectType: 'custom',
    config: {
      testEnvironment: 'node',
      extensionsToTreatAsEsm: ['.ts'],
      testMatch: ['<rootDir>/libs/book/{acts,charges,receipts}/*.test.ts', '<rootDir>/test/laws/worked-books.test.ts'],
      transform: {
        '\\.ts$': [
          '@swc/jest',
          { jsc: { target: 'es2024', parser: { syntax: 'typescript' } }, module: { type: 'es6' } },
        ],
      },
    },
    enableFindRelatedTests: false,
  },
  coverageAnalysis: 'perTest',
  // Without the tsconfig, which Stryker would read through an interface that TypeScript 7 no longer has.
  ignorePatterns: ['/*', '!/libs', '!/test', '!/package.json'],
  // Beside the other things that are made while the house is worked on; jest and the rest pass it over.
  tempDirName: '.data/mutants',
  concurrency: 1,
  timeoutMS: 10_000,
  // What runs as a module loads is run by every test.
  ignoreStatic: true,
  reporters: ['clear-text', 'json'],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  jsonReporter: { fileName: '.data/mutants.json' },
};
