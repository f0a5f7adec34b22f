// Who may import whom. docs/architecture.md explains the layers; `npm run check` runs these rules.

/** Folders of libs/, lowest first: a folder imports only itself and folders before it. */
const layers = [
  'runtime',
  'money',
  'calendar',
  'schema',
  'product',
  'credit',
  'ledger',
  'tenant',
  'api',
  'site',
  'auth',
  'kafka',
  'redis',
  'database',
  'people',
  'submission',
  'http',
  'verify',
  'cli',
];

const domain = '^libs/(money|calendar|schema|product|credit|ledger|tenant)/';
const tests = ['\\.test\\.ts$', '/testing/'];
const pureModules = '(^|/)node_modules/(@types|big\\.js)/';

const noUpwardImports = layers.slice(0, -1).map((folder, index) => ({
  name: `${folder}-imports-nothing-above`,
  comment: 'Imports point from higher layers to lower ones.',
  severity: 'error',
  from: { path: `^libs/${folder}/`, pathNot: tests },
  to: { path: `^libs/(${layers.slice(index + 1).join('|')})/` },
}));

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    ...noUpwardImports,
    {
      name: 'no-cycles',
      comment: 'Files that import each other cannot be understood or tested apart.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-unresolved-imports',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'domain-is-pure',
      comment: 'Figures depend on facts alone: no driver, no clock, no randomness, no Node module.',
      severity: 'error',
      from: { path: domain, pathNot: tests },
      to: { pathNot: [domain, pureModules] },
    },
    {
      name: 'api-is-pure',
      comment: 'Routes, bodies and answers are data over the domain.',
      severity: 'error',
      from: { path: '^libs/api/', pathNot: tests },
      to: { pathNot: [domain, '^libs/api/', '^schemas/', pureModules] },
    },
    {
      name: 'acts-import-no-act',
      comment: 'What two acts share belongs to the ledger, so that each act can be read alone.',
      severity: 'error',
      from: { path: '^libs/ledger/acts/([^/]+)\\.ts$', pathNot: [...tests, '/manifest\\.ts$'] },
      to: { path: '^libs/ledger/acts/', pathNot: '^libs/ledger/acts/$1\\.ts$' },
    },
    {
      name: 'sdk-is-self-contained',
      comment: 'The SDK is a package of its own and carries nothing of the service.',
      severity: 'error',
      from: { path: '^libs/sdk/src/', pathNot: tests },
      to: { pathNot: ['^libs/sdk/src/', '(^|/)node_modules/(tweetnacl|kafkajs|avsc|@types)/'] },
    },
    {
      name: 'sdk-needs-kafka-only-for-events',
      comment: 'A caller that does not consume the topic installs no Kafka client.',
      severity: 'error',
      from: { path: '^libs/sdk/src/', pathNot: ['^libs/sdk/src/topics/', ...tests] },
      to: { pathNot: ['^libs/sdk/src/(?!topics/)', '(^|/)node_modules/tweetnacl/'] },
    },
    {
      name: 'libs-import-no-service',
      severity: 'error',
      from: { path: '^libs/', pathNot: tests },
      to: { path: ['^services/', '^deploy/', '^test/'] },
    },
    {
      name: 'services-import-no-service',
      comment: 'Services run and scale apart. Only the gateway contains others, and the console contains the reads.',
      severity: 'error',
      from: { path: '^services/([^/]+)/', pathNot: ['^services/gateway/', '^services/console/', ...tests] },
      to: { path: '^services/', pathNot: '^services/$1/' },
    },
    {
      name: 'console-imports-only-query',
      comment: 'Every figure of the console is an answer of the query routes.',
      severity: 'error',
      from: { path: '^services/console/', pathNot: tests },
      to: { path: '^services/(?!console/|query/)' },
    },
    {
      name: 'production-imports-no-test',
      severity: 'error',
      from: { path: '^(libs|services|deploy)/', pathNot: tests },
      to: { path: ['^test/', ...tests] },
    },
    {
      name: 'kafkajs-only-in-libs-kafka',
      comment: 'The client is unmaintained: replacing it must touch libs/kafka alone.',
      severity: 'error',
      from: { pathNot: ['^libs/kafka/', '^libs/sdk/src/topics/', '^deploy/', '^test/', ...tests] },
      to: { path: '(^|/)node_modules/kafkajs/' },
    },
    {
      name: 'schema-registry-client-only-in-libs-kafka',
      severity: 'error',
      from: { pathNot: '^libs/kafka/schema-registry\\.ts$' },
      to: { path: '(^|/)node_modules/@confluentinc/' },
    },
    {
      name: 'database-drivers-only-in-database-and-redis',
      severity: 'error',
      from: { pathNot: ['^libs/(database|redis)/', '^deploy/', '^test/', ...tests] },
      to: { path: '(^|/)node_modules/(pg|ioredis|node-pg-migrate)/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'no-development-dependency-in-production',
      comment: 'A production install leaves the development dependencies out.',
      severity: 'error',
      from: { path: '^(libs|services)/', pathNot: tests },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'], pathNot: '(^|/)node_modules/@types/' },
    },
  ],
  options: {
    parser: 'swc',
    doNotFollow: { path: ['node_modules'] },
    exclude: { path: ['^\\.data', '^reports', '^libs/sdk/dist', '^libs/site/assets/'] },
    enhancedResolveOptions: {
      extensions: ['.ts', '.mjs', '.js', '.json'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
};
