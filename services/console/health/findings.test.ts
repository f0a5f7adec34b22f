import { expect, test } from '@jest/globals';
import { en } from '../texts/en.ts';
import { type CellHealth, findingsOf } from './findings.ts';

const readAt = new Date('2026-11-25T12:00:00Z');
const before = (minutes: number): Date => new Date(readAt.getTime() - minutes * 60_000);
const words = en.health;

const archive = { isFailing: false, ageSeconds: 60, waitingFiles: 1 };

const healthy: CellHealth['database'] = {
  partitions: [],
  parkedBooks: [],
  archive,
  baseBackupAt: before(10 * 60),
  standbys: 1,
  hasLiveTenancy: true,
  instances: [],
  unrecordedActs: 0,
  oldestUnrecordedAct: null,
};

function findings(over: Partial<CellHealth['database']>, expectedStandbys = 0) {
  const topics = { readAt: 0, submissionEnds: new Map(), lastEvents: new Map(), partitionsWithoutReplica: 0 };
  const database = { ...healthy, ...over };
  const dependencies = { names: [], read: undefined };
  return findingsOf(en, { database, topics, dependencies, version: '1', expectedStandbys, readAt });
}

test('a cell with a fresh backup, an archive and a standby has no problem and no remark', () => {
  expect(findings({})).toEqual({ problems: [], remarks: [] });
});

test('a missing archive and base backup are problems once a Tenancy is live, and remarks before', () => {
  const without = { archive: undefined, baseBackupAt: null };
  const missing = [words.archiveOff, words.noBaseBackup];
  expect(findings(without)).toEqual({ problems: missing, remarks: [] });
  expect(findings({ ...without, hasLiveTenancy: false })).toEqual({ problems: [], remarks: missing });
});

test('a base backup that missed a night is a problem', () => {
  const { problems } = findings({ baseBackupAt: before(37 * 60) });
  expect(problems).toEqual([words.oldBaseBackup('Nov 23, 2026, 11:00 PM UTC')]);
});

test.each([
  ['failed last', { isFailing: true }, [words.archiveFailing]],
  ['stopped while files wait', { ageSeconds: 660, waitingFiles: 2 }, [words.archiveStopped]],
  ['has nothing to archive', { ageSeconds: 660 }, []],
  ['never worked', { ageSeconds: 660, waitingFiles: null }, [words.archiveStopped]],
])('an archive that %s', (_, over, problems) => {
  expect(findings({ archive: { ...archive, ...over } }).problems).toEqual(problems);
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
  expect(findings({ standbys: 0, instances })).toEqual({
    problems: [],
    remarks: [words.noStandby, words.severalVersions('0.1.0, 0.2.0')],
  });
});
