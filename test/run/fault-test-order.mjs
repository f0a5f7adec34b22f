/**
 * The order of the fault tests, which share one database: a test whose data make every audit slow runs last. After it the
 * audit tests take ten times as long.
 */
const last = ['large-contexts.test.ts'];

export default class FaultTestOrder {
  sort(tests) {
    return tests.toSorted((one, other) => rank(one) - rank(other) || (one.path < other.path ? -1 : 1));
  }

  /** Jest calls it with the durations; this order does not depend on them. */
  cacheResults() {}
}

function rank({ path }) {
  return last.some((name) => path.endsWith(name)) ? 1 : 0;
}
