// `npm test` runs these one after the other (test/run/main.ts); without LENDING_TESTS it is all of them at once.
const needsStack = { journeys: 'test/integration', faults: 'test/faults' };
const part = process.env.LENDING_TESTS;

export default {
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  testMatch: part in needsStack ? [`<rootDir>/${needsStack[part]}/**/*.test.ts`] : ['**/*.test.ts'],
  testPathIgnorePatterns: [
    '/node_modules/',
    '/.data/',
    ...(part === 'pure' ? Object.values(needsStack).map((folder) => `<rootDir>/${folder}/`) : []),
  ],
  modulePathIgnorePatterns: ['/.data/'],
  // What is waited for in vain fails later; what a slow machine brings late is not failed for it.
  testTimeout: part in needsStack ? 60_000 : 20_000,
  // The services and the backing services run beside them, on as few cores.
  ...(part in needsStack ? { maxWorkers: part === 'faults' ? 1 : 2 } : {}),
  transform: {
    '\\.ts$': [
      '@swc/jest',
      {
        jsc: { target: 'es2024', parser: { syntax: 'typescript' }, experimental: { keepImportAttributes: true } },
        module: { type: 'es6' },
      },
    ],
  },
};
