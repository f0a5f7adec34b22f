// `npm test` runs the tiers one after the other (test/run/main.ts) and names each in LENDING_TESTS: unit, integration or
// faults. Without the variable all tests match, as for a single file: npm run jest -- libs/money.
const foldersOf = { integration: ['test/integration', 'test/tooling'], faults: ['test/faults'] };
const tier = process.env.LENDING_TESTS;
const needsStack = tier in foldersOf;

export default {
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  testMatch: needsStack ? foldersOf[tier].map((folder) => `<rootDir>/${folder}/**/*.test.ts`) : ['**/*.test.ts'],
  testPathIgnorePatterns: [
    '/node_modules/',
    '/.data/',
    ...(tier === 'unit'
      ? Object.values(foldersOf).flatMap((folders) => folders.map((each) => `<rootDir>/${each}/`))
      : []),
  ],
  modulePathIgnorePatterns: ['/.data/'],
  // Long enough for a slow machine; a wait that never ends fails after it.
  testTimeout: needsStack ? 60_000 : 20_000,
  // The services and backing services run on the same cores.
  ...(needsStack ? { maxWorkers: tier === 'faults' ? 1 : 2 } : {}),
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
