/**
 * The order of the tests with a stack. The longest ones run first, so that no worker is left with one of them at the end.
 * The fault tests share one database: those that audit or rebuild it run before it is large, and one whose data make every
 * audit slow runs last.
 */
const first = [
  ...['production-topology.test.ts', 'explorer.test.ts', 'documentation.test.ts'],
  ...['audit.test.ts', 'database-set-back.test.ts', 'rebuild.test.ts'],
];
const last = ['large-contexts.test.ts'];

export default class TestOrder {
  sort(tests) {
    return tests.toSorted((one, other) => rank(one) - rank(other) || (one.path < other.path ? -1 : 1));
  }

  /** Jest calls it with the durations; this order does not depend on them. */
  cacheResults() {}
}

function rank({ path }) {
  const isNamedIn = (names) => names.some((name) => path.endsWith(`/${name}`));
  return isNamedIn(first) ? 0 : isNamedIn(last) ? 2 : 1;
}
