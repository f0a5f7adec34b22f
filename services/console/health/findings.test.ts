import { expect, test } from '@jest/globals';
import { en } from '../texts/en.ts';
import { type CellHealth, findingsOf } from './findings.ts';
import type { Backlog, PartitionProgress } from './partition-progress.ts';
import type { BackupState } from './read-health.ts';

const readAt = new Date('2026-11-25T12:00:00Z');
const before = (minutes: number): Date => new Date(readAt.getTime() - minutes * 60_000);
const words = en.health;

const archive = { isFailing: false, ageSeconds: 60, waitingFiles: 1 };

const backup: BackupState = { name: undefined, archive, baseBackupAt: before(10 * 60), standbys: 1 };

const healthy: CellHealth['database'] = {
  partitions: [],
  parkedBooks: [],
  backups: [backup],
  hasLiveTenancy: true,
  hasProcessor: true,
  instances: [],
  unrecordedActs: 0,
  oldestUnrecordedAct: null,
  checks: [
    { name: 'audit', ageSeconds: 86_400, findings: 0 },
    { name: 'topic', ageSeconds: 86_400, findings: 0 },
  ],
  unreachableDatabases: [],
};

const read = {
  readAt: readAt.getTime(),
  partitions: new Map<number, PartitionProgress>(),
  partitionsWithoutReplica: 0,
};
const topicsRead: CellHealth['topics'] = { latest: read, failingSince: undefined };
const dependencies: CellHealth['dependencies'] = {
  names: [],
  read: { latest: { readAt: readAt.getTime(), missing: [] }, failingSince: undefined },
};
const cell: CellHealth = {
  database: healthy,
  topics: topicsRead,
  dependencies,
  version: '1',
  expectedStandbys: 0,
  readAt,
};

function findings(over: Partial<CellHealth['database']>, expectedStandbys = 0) {
  return findingsOf(en, { ...cell, database: { ...healthy, ...over }, expectedStandbys });
}

function findingsWithBackup(over: Partial<BackupState>, database: Partial<CellHealth['database']> = {}) {
  return findings({ backups: [{ ...backup, ...over }], ...database });
}

test('a cell without a processor has a problem, and so have partitions that an interrupted repair holds', () => {
  expect(findings({ hasProcessor: false }).problems).toEqual([words.noProcessor]);
  const reserved = { partition: 3, epoch: 1, owner: 'lending reconcile', takenOverAt: readAt };
  expect(findings({ partitions: [reserved] }).problems).toEqual([words.noOwner('3')]);
});

test('a cell with a fresh backup, an archive and a standby has no problem and no remark', () => {
  expect(findings({})).toEqual({ problems: [], remarks: [] });
});

test('a missing archive and base backup are problems once a Tenancy is live, and remarks before', () => {
  const without = { archive: undefined, baseBackupAt: null };
  const missing = [words.archiveOff, words.noBaseBackup];
  expect(findingsWithBackup(without)).toEqual({ problems: missing, remarks: [] });
  expect(findingsWithBackup(without, { hasLiveTenancy: false })).toEqual({ problems: [], remarks: missing });
});

test('a base backup that missed a night is a problem', () => {
  const { problems } = findingsWithBackup({ baseBackupAt: before(37 * 60) });
  expect(problems).toEqual([words.oldBaseBackup('Nov 23, 2026, 11:00 PM UTC')]);
});

test.each([
  ['failed last', { isFailing: true }, [words.archiveFailing]],
  ['stopped while files wait', { ageSeconds: 660, waitingFiles: 2 }, [words.archiveStopped]],
  ['has nothing to archive', { ageSeconds: 660 }, []],
  ['never worked', { ageSeconds: 660, waitingFiles: null }, [words.archiveStopped]],
])('an archive that %s', (_, over, problems) => {
  expect(findingsWithBackup({ archive: { ...archive, ...over } }).problems).toEqual(problems);
});

test('acts on people that wait longer than a minute are a problem', () => {
  expect(findings({ unrecordedActs: 3, oldestUnrecordedAct: before(2) }).problems).toEqual([words.actsWaiting('3')]);
  expect(findings({ unrecordedActs: 3, oldestUnrecordedAct: before(0) }).problems).toEqual([]);
});

test('fewer standbys than the settings state are a problem', () => {
  expect(findings({}, 2)).toEqual({ problems: [words.standbyMissing(1, 2)], remarks: [] });
});

test('no standby where none is expected, and different versions, are remarks', () => {
  const instances = ['0.2.0', '0.1.0', undefined].map((version) => ({ name: 'processor', version, connections: 1 }));
  expect(findingsWithBackup({ standbys: 0 }, { instances })).toEqual({
    problems: [],
    remarks: [words.noStandby, words.severalVersions('0.1.0, 0.2.0')],
  });
});

test('each further database has its own backups, and as many standbys as the home database', () => {
  const north: BackupState = { name: 'north', archive: undefined, baseBackupAt: before(60), standbys: 0 };
  expect(findings({ backups: [backup, north] }, 1)).toEqual({
    problems: [words.archiveOff, words.standbyMissing(0, 1)].map((text) => words.ofDatabase('north', text)),
    remarks: [],
  });
});

test('a database that does not answer is a problem', () => {
  expect(findings({ unreachableDatabases: ['north'] }).problems).toEqual([words.unreachableDatabase('north')]);
});

const none: Backlog = { waiting: 0, position: 5, unchangedSince: readAt.getTime() };
const waiting = (count: number, standsForMs: number): Backlog => ({
  waiting: count,
  position: 5,
  unchangedSince: readAt.getTime() - standsForMs,
});

function progressFindings(...partitions: PartitionProgress[]) {
  const latest = { ...read, partitions: new Map(partitions.entries()) };
  return findingsOf(en, { ...cell, topics: { latest, failingSince: undefined } });
}

test('a small backlog of partitions that move is a remark', () => {
  const moving = { undecided: waiting(3, 0), unpublished: waiting(40, 0) };
  expect(progressFindings(moving, moving)).toEqual({ problems: [], remarks: [words.backlog('6', '80')] });
});

test('a partition that does not move is a problem, however little waits in it', () => {
  const moving = { undecided: waiting(900, 5_000), unpublished: none };
  const standing = { undecided: waiting(1, 30_000), unpublished: waiting(2, 60_000) };
  const idle = { undecided: { ...none, unchangedSince: 0 }, unpublished: { ...none, unchangedSince: 0 } };
  expect(progressFindings(moving, standing, idle).problems).toEqual([
    words.decidesNothing('1', 'Nov 25, 2026, 11:59 AM UTC'),
    words.publishesNothing('1', 'Nov 25, 2026, 11:59 AM UTC'),
  ]);
});

test('a large backlog is a problem', () => {
  const behind = { undecided: waiting(1_001, 0), unpublished: waiting(1_002, 0) };
  expect(progressFindings(behind).problems).toEqual([words.behind('1,001'), words.unpublished('1,002')]);
});

const dated = { ...read, readAt: before(1.5).getTime() };

test.each([
  ['of a while ago', { latest: dated, failingSince: undefined }, ['readingOld', 'Nov 25, 2026, 11:58 AM UTC']],
  ['that fails', { latest: read, failingSince: before(1).getTime() }, ['readingFails', 'Nov 25, 2026, 11:59 AM UTC']],
] as const)('a reading %s is a problem: it says little of now', (_, topics, [problem, instant]) => {
  expect(findingsOf(en, { ...cell, topics }).problems).toEqual([words[problem](words.partitionsAndTopics, instant)]);
});

test('what was not read is a problem', () => {
  const none = { latest: undefined, failingSince: undefined };
  const { problems } = findingsOf(en, { ...cell, topics: none, dependencies: { names: [], read: none } });
  expect(problems).toEqual([words.topicsNotRead, words.dependenciesNotSeen]);
});

test('without a result of a check a cell has a problem once a Tenancy is live, and a remark before', () => {
  const [audit] = healthy.checks;
  const checks = audit === undefined ? [] : [audit];
  const missing = [words.checkMissing(words.checks.topic)];
  expect(findings({ checks })).toEqual({ problems: missing, remarks: [] });
  expect(findings({ checks, hasLiveTenancy: false })).toEqual({ problems: [], remarks: missing });
});

test('a check that found something, or has not finished for two days, is a problem', () => {
  const checks = [
    { name: 'audit', ageSeconds: 86_400, findings: 2 },
    { name: 'topic', ageSeconds: 49 * 3_600, findings: 0 },
  ] as const;
  expect(findings({ checks }).problems).toEqual([
    words.checkFound(words.checks.audit, '2'),
    words.checkOld(words.checks.topic),
  ]);
});
