/**
 * The order of the tests. All tests of a tier with a stack share one database: those that audit it, rebuild it, compare all
 * of it or wait for the movements of all its facts run before it is large, and those that make it large run last. The longest
 * ones run first, so that no worker is left with one of them at the end.
 */
const first = [
  // They collect all garbage of their worker again and again, which takes seven times as long once it has run a hundred files.
  ...['json-bytes.test.ts', 'book-bytes.test.ts'],
  'properties/snapshot.test.ts',
  ...['stored-loan-state.test.ts', 'demo.test.ts'],
  ...['guides.test.ts', 'production-topology.test.ts'],
  ...[
    'downstream/sdk.test.ts',
    'browser/pages.test.ts',
    'publishing.test.ts',
    'explorer.test.ts',
    'administration.test.ts',
  ],
  ...['placement.test.ts', 'browser/documentation.test.ts', 'faults/start.test.ts'],
  ...['audit.test.ts', 'database-set-back.test.ts', 'rebuild.test.ts', 'downstream-consumer.test.ts'],
  ...['release-crashes.test.ts', 'crashes-under-load.test.ts'],
];
const last = ['batch-backlog.test.ts', 'large-contexts.test.ts'];

export default class TestOrder {
  sort(tests) {
    return tests.toSorted((one, other) => rank(one) - rank(other) || (one.path < other.path ? -1 : 1));
  }

  /** Jest calls it with the durations; this order does not depend on them. */
  cacheResults() {}
}

/** The place in the list of the first ones, the same for all others, and then those of the last ones. */
function rank({ path }) {
  const placeIn = (names) => names.findIndex((name) => path.endsWith(`/${name}`));
  return placeIn(first) === -1 ? first.length + 1 + placeIn(last) : placeIn(first);
}
