/** What a release of a parked book came to, and its repetition until nothing waits. */

/** The result of one release. */
export interface ReleaseResult {
  readonly released: boolean;
  /** How many submissions still wait. */
  readonly left: number;
  readonly submissions: readonly { readonly place: string; readonly came_to: string }[];
}

export function parseReleaseResult(record: Readonly<Record<string, unknown>>): ReleaseResult {
  const { released, left, submissions } = record as Partial<ReleaseResult>;
  if (typeof released !== 'boolean' || typeof left !== 'number' || !Array.isArray(submissions)) {
    throw new Error(`unexpected answer to a release: ${JSON.stringify(record)}; expected released, left, submissions`);
  }
  return { released, left, submissions };
}

/** Repeats the release until no submission waits. An error after the first release is returned with its results. */
export async function releaseUntilEmpty(
  release: (drop: readonly string[]) => Promise<ReleaseResult>,
  drop: readonly string[],
): Promise<ReleaseResult & { readonly stopped?: string }> {
  let { submissions, ...state } = await release(drop);
  const remainingDrops = new Set(drop);
  let last = submissions;
  while (state.left > 0 && last.every(({ came_to }) => came_to !== 'parked')) {
    for (const { place } of last) remainingDrops.delete(place);
    try {
      ({ submissions: last, ...state } = await release([...remainingDrops]));
    } catch (cause) {
      return { ...state, submissions, stopped: cause instanceof Error ? cause.message : String(cause) };
    }
    submissions = [...submissions, ...last];
  }
  return { ...state, submissions };
}
