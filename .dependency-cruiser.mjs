// The borders of the house: who may import whom.
const pure = '^libs/(book|tenancy|credit|calendar|money|markets|turn)/';
const tests = '\\.test\\.ts$';

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    {
      name: 'no-cycles',
      comment: 'Files that need each other are one idea in two places.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'found',
      comment: 'An import that leads nowhere.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'pure-imports-pure',
      comment:
        'What the book amounts to depends on no driver, clock or machine; the catalogue of refusals and big.js are as pure.',
      severity: 'error',
      from: { path: pure, pathNot: tests },
      to: { pathNot: [pure, '^libs/contract/', '(^|/)node_modules/(@types|big\\.js)/'] },
    },
    {
      name: 'contract-is-pure',
      comment: 'The pure libraries stand on it.',
      severity: 'error',
      from: { path: '^libs/contract/', pathNot: tests },
      to: { pathNot: [pure, '^libs/contract/', '^schemas/', '(^|/)node_modules/(@types|big\\.js)/'] },
    },
    {
      name: 'acts-stand-alone',
      comment: 'What two acts share is a noun of the book, not a matter between them.',
      severity: 'error',
      from: { path: '^libs/book/acts/([^/]+)\\.ts$', pathNot: tests },
      to: { path: '^libs/book/acts/', pathNot: '^libs/book/acts/$1\\.ts$' },
    },
    {
      name: 'sdk-is-a-guest',
      comment: 'What a caller installs carries nothing of the service.',
      severity: 'error',
      from: { path: '^libs/sdk/src/', pathNot: tests },
      to: { pathNot: ['^libs/sdk/src/', '(^|/)node_modules/(tweetnacl|kafkajs|avsc|@types)/'] },
    },
    {
      name: 'sdk-installs-light',
      comment: 'Who does not read the topic installs nothing for it.',
      severity: 'error',
      from: { path: '^libs/sdk/src/', pathNot: ['^libs/sdk/src/events/', tests] },
      to: { pathNot: ['^libs/sdk/src/(?!events/)', '(^|/)node_modules/tweetnacl/'] },
    },
    {
      name: 'libs-know-no-service',
      comment: 'A library that needs a service is part of it.',
      severity: 'error',
      from: { path: '^libs/', pathNot: tests },
      to: { path: ['^services/', '^deploy/', '^test/'] },
    },
    {
      name: 'services-scale-apart',
      comment: 'Only the gateway mounts others.',
      severity: 'error',
      from: { path: '^services/([^/]+)/', pathNot: ['^services/gateway/', tests] },
      to: { path: '^services/', pathNot: '^services/$1/' },
    },
    {
      name: 'tests-are-not-code',
      severity: 'error',
      comment: 'What is needed outside of tests lives outside of tests.',
      from: { path: '^(libs|services|deploy)/', pathNot: tests },
      to: { path: ['^test/', tests] },
    },
    {
      name: 'kafka-behind-its-port',
      comment: 'The client is unmaintained: the day it is replaced must touch libs/log alone.',
      severity: 'error',
      from: { pathNot: ['^libs/log/', '^libs/sdk/src/events/', '^deploy/stack/', '^test/', tests] },
      to: { path: '(^|/)node_modules/kafkajs/' },
    },
    {
      name: 'registry-behind-its-port',
      comment: 'Its client is slow to load: libs/log loads the part that is needed, when it is needed.',
      severity: 'error',
      from: { pathNot: '^libs/log/schema-registry\\.ts$' },
      to: { path: '(^|/)node_modules/@confluentinc/' },
    },
    {
      name: 'databases-behind-their-port',
      comment: 'What is stored, and the errors of its drivers, are met in libs/store.',
      severity: 'error',
      from: { pathNot: ['^libs/store/', '^deploy/stack/', '^test/', tests] },
      to: { path: '(^|/)node_modules/(pg|ioredis|node-pg-migrate)/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'nothing-of-development-in-production',
      comment: 'A production install leaves the development dependencies out.',
      severity: 'error',
      from: { path: '^(libs|services)/', pathNot: tests },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'], pathNot: '(^|/)node_modules/@types/' },
    },
  ],
  options: {
    parser: 'swc',
    doNotFollow: { path: ['node_modules'] },
    exclude: { path: ['^\\.data', '^reports', '^libs/sdk/dist'] },
    enhancedResolveOptions: {
      extensions: ['.ts', '.mjs', '.js', '.json'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
};
