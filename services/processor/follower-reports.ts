/** What the followers of the databases reported last, as one state. A follower that hangs does not report. */
import type { FollowerState } from './movement-follower.ts';

/** Longer than a round of a follower takes; it reports after each. */
export const maxReportAgeMs = 60_000;

interface Follower {
  partitionCount: number;
  report: { readonly state: FollowerState; readonly receivedAt: number } | undefined;
}

export class FollowerReports<Key> {
  readonly #now: () => number;
  /** Those with partitions: without, a follower does not report. */
  readonly #followers = new Map<Key, Follower>();

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  assign(key: Key, partitionCount: number): void {
    const follower = this.#followers.get(key);
    if (partitionCount === 0) this.#followers.delete(key);
    else if (follower === undefined) this.#followers.set(key, { partitionCount, report: undefined });
    else follower.partitionCount = partitionCount;
  }

  add(key: Key, state: FollowerState): void {
    const follower = this.#followers.get(key);
    if (follower !== undefined) follower.report = { state, receivedAt: this.#now() };
  }

  /** Of a follower without a recent report, no partition is known; what waited then waits still. */
  get state(): FollowerState {
    let [behind, stoppedPartitions, unknownPartitions, oldestSeconds] = [0, 0, 0, 0];
    for (const { partitionCount, report } of this.#followers.values()) {
      const ageMs = report === undefined ? Number.POSITIVE_INFINITY : this.#now() - report.receivedAt;
      unknownPartitions += ageMs < maxReportAgeMs ? (report?.state.unknownPartitions ?? 0) : partitionCount;
      if (report === undefined) continue;
      const { state } = report;
      behind += state.behind;
      stoppedPartitions += state.stoppedPartitions;
      if (state.oldestSeconds > 0) oldestSeconds = Math.max(oldestSeconds, state.oldestSeconds + ageMs / 1_000);
    }
    return { behind, stoppedPartitions, unknownPartitions, oldestSeconds };
  }
}
