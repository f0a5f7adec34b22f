/** Finds the items that the database rejects, by trying each of them alone and rolling back. They are parked (A9). */
import { tryCommit } from '#libs/database/commit-batch.ts';
import type { Database } from '#libs/database/database.ts';
import { DependencyUnavailableError } from '#libs/runtime/dependency.ts';
import type { BatchDecider } from './batch-decider.ts';
import { asUndecodable, type DecodedEntry, type EntryItem, isDecoded, type LogEntry } from './log-entry.ts';

interface TrialOptions {
  readonly database: Database;
  readonly decider: BatchDecider;
  /** False once the partitions may belong to another instance. */
  readonly isCurrent: () => boolean;
}

/**
 * The entry with its failures marked, so that the next attempt parks them. An entry of which not even the marked items
 * can be parked becomes undecodable. Undefined where the database is unavailable: the entry is tried again as it is.
 */
export async function markFailures(
  options: TrialOptions,
  entry: LogEntry,
  cause: unknown,
): Promise<LogEntry | undefined> {
  if (!isDecoded(entry)) return undefined;
  if (hasOnlyFailures(entry)) return asUndecodable(entry, cause);
  try {
    return { ...entry, failures: await findFailures(options, entry, cause) };
  } catch (trialError) {
    if (trialError instanceof DependencyUnavailableError) return undefined;
    throw trialError;
  }
}

function hasOnlyFailures({ failures, items }: DecodedEntry): boolean {
  return failures !== undefined && failures.size >= items.length;
}

async function findFailures(
  options: TrialOptions,
  entry: DecodedEntry,
  cause: unknown,
): Promise<ReadonlyMap<EntryItem, unknown>> {
  const failures = new Map<EntryItem, unknown>();
  // Items that succeed alone and fail together, even after this, are all parked.
  const canTryApart = entry.items.length > 1 && entry.failures === undefined;
  for (const item of canTryApart ? entry.items : []) {
    if (!options.isCurrent()) throw new DependencyUnavailableError('partition ownership');
    const failure = await tryAlone(options, { ...entry, items: [item] });
    if (failure !== undefined) failures.set(item, failure);
  }
  return failures.size > 0 ? failures : new Map(entry.items.map((item) => [item, cause]));
}

async function tryAlone({ database, decider }: TrialOptions, entry: DecodedEntry): Promise<unknown> {
  try {
    const batch = await decider.decide([entry], undefined, { isTrial: true });
    if (batch !== undefined) await tryCommit(database, batch.commit.rows);
    return undefined;
  } catch (cause) {
    if (cause instanceof DependencyUnavailableError) throw cause;
    return cause;
  }
}
