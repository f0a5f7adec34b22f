/** How far an audit is and what it has found, in a form that a file can hold. */
import type { FindingList } from './findings.ts';

/** How much was checked. */
export interface AuditCounts {
  books: number;
  facts: number;
  /** Facts that were decided again from their requests. */
  redecided: number;
  /** Facts whose request needs resolved data that is no longer known. */
  notRedecided: number;
  snapshots: number;
  cachedSnapshots: number;
  signatures: number;
}

export function noCounts(): AuditCounts {
  return { books: 0, facts: 0, redecided: 0, notRedecided: 0, snapshots: 0, cachedSnapshots: 0, signatures: 0 };
}

export function sumOfCounts(all: readonly AuditCounts[]): AuditCounts {
  const sum = noCounts();
  for (const counts of all) {
    for (const name of Object.keys(sum) as (keyof AuditCounts)[]) sum[name] += counts[name];
  }
  return sum;
}

/** What some parts have found. */
export interface AuditOutcome {
  counts: AuditCounts;
  findings: FindingList;
}

export function emptyOutcome(): AuditOutcome {
  return { counts: noCounts(), findings: { listed: [], count: 0 } };
}

/** The requests of a partition of which one side was seen: their row, or one of their facts. */
export interface RequestsProgress {
  /** The id and partition of the last row that was read. */
  readUpTo: readonly [requestId: string, partition: number];
  /** Rows are read up to this id before further facts. */
  target: string;
  /** That of the last fact. */
  lastRequest: string | null;
  withoutFact: readonly string[];
  withoutRow: readonly string[];
}

export interface AuditedPartition extends AuditOutcome {
  /** The last event whose row was checked. */
  lastEvent: number;
  /** How many events were found up to there. */
  facts: number;
  requests: RequestsProgress;
  /** By Tenancy, facts that agree with their entry of the feed. */
  feedEntries: Record<string, number>;
  /** All but the topics. */
  isDone: boolean;
  topics: Record<string, TopicProgress>;
}

export interface TopicProgress {
  /** The first offset that the topic held. Another one means that the topic was written again. */
  low: number;
  nextOffset: number;
  /** The highest event number that was read. */
  lastSeen: number;
  compared: number;
  repeats: number;
  isComplete: boolean;
  findings: FindingList;
}

/** The walks over tables. */
export interface TablesProgress extends AuditOutcome {
  /** By walk, the key to continue at; null where the walk is done. */
  positions: Record<string, readonly (string | number)[] | null>;
  /** By Tenancy, entries of the feed up to the start of the audit. */
  feedEntries: Record<string, number>;
}

export const lowestUuid = '00000000-0000-0000-0000-000000000000';
export const highestUuid = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

export function newAuditedPartition(): AuditedPartition {
  return {
    ...emptyOutcome(),
    lastEvent: 0,
    facts: 0,
    requests: { readUpTo: [lowestUuid, -1], target: lowestUuid, lastRequest: null, withoutFact: [], withoutRow: [] },
    feedEntries: {},
    isDone: false,
    topics: {},
  };
}

export function newTablesProgress(): TablesProgress {
  return { ...emptyOutcome(), positions: {}, feedEntries: {} };
}
