import { availableParallelism } from 'node:os';

// test/run/main.ts runs the tiers and names each in LENDING_TESTS: unit, integration, faults or release. Without the variable all
// tests match, as for a single file: npm run jest -- libs/money.
// Tests of deploy, tooling and the cluster start processes or the toolchain, so they belong to the integration tier.
const foldersOf = {
  integration: ['test/integration', 'test/browser', 'test/cluster', 'test/tooling', 'deploy'],
  faults: ['test/faults'],
  release: ['test/release'],
};
// Of the tests that neither stop nor start a service of the shared cell, so many run beside the integration tests that both tiers
// end at about the same time.
const withIntegration = [
  ...['start', 'movements', 'divided-tables', 'shortened-log'],
  ...['silent-redis-connection', 'starter', 'deleted-submissions', 'reconciliation'],
].map((name) => `<rootDir>/test/faults/${name}.test.ts`);
const tier = process.env.LENDING_TESTS;
const needsStack = tier in foldersOf;

export default {
  testEnvironment: '<rootDir>/test/run/node-environment.mjs',
  extensionsToTreatAsEsm: ['.ts'],
  testMatch: needsStack
    ? [
        ...foldersOf[tier].map((folder) => `<rootDir>/${folder}/**/*.test.ts`),
        ...(tier === 'integration' ? withIntegration : []),
      ]
    : ['**/*.test.ts'],
  testPathIgnorePatterns: [
    '/node_modules/',
    '/.data/',
    ...(tier === 'unit'
      ? Object.values(foldersOf).flatMap((folders) => folders.map((each) => `<rootDir>/${each}/`))
      : []),
    ...(tier === 'faults' ? withIntegration : []),
  ],
  modulePathIgnorePatterns: ['/.data/'],
  // Long enough for a slow machine; a wait that never ends fails after it.
  testTimeout: tier === 'unit' ? 60_000 : 240_000,
  testSequencer: '<rootDir>/test/run/test-order.mjs',
  // With a stack, the services and backing services run on the same cores. Unit tests also wait for timers and processes:
  // one worker more than cores takes 50 s instead of 59 s on 2 cores.
  maxWorkers: needsStack ? (tier === 'faults' ? 1 : 2) : availableParallelism() + 1,
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
