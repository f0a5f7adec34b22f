import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { newAuditedPartition, newTablesProgress } from './audit-progress.ts';
import { AuditState } from './audit-state.ts';
import { Findings } from './findings.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'audit-state-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const start = { id: 'first', release: '1', partitions: { 0: { lastEvent: 3, lastFact: 'r/0' } }, feedEnds: { t: 2 } };

test('another audit in the folder reads what was written', () => {
  const state = new AuditState(folder);
  const findings = new Findings(5);
  findings.add({ what: 'w', where: 't/c/a', sequence: 1 });
  state.writeStart(start);
  state.writePartition(2, { ...newAuditedPartition(), lastEvent: 7, findings });
  state.writeTables({ ...newTablesProgress(), positions: { feed: ['t', '4'], loans: null } });
  state.close();
  const next = new AuditState(folder);
  expect(next.readStart()).toEqual(start);
  expect(next.readPartition(2)).toEqual({
    ...newAuditedPartition(),
    lastEvent: 7,
    findings: { listed: [{ what: 'w', where: 't/c/a', sequence: 1 }], count: 1 },
  });
  expect(next.readPartition(3)).toEqual(newAuditedPartition());
  expect(next.readTables().positions).toEqual({ feed: ['t', '4'], loans: null });
  next.close();
});

test('the start of the first process in the folder counts', () => {
  const state = new AuditState(folder);
  expect(state.writeStart(start)).toEqual(start);
  expect(state.writeStart({ ...start, release: '2' })).toEqual(start);
  expect(readdirSync(folder)).toEqual(['start.json']);
});

test('after a complete audit the folder is empty', () => {
  const state = new AuditState(folder);
  state.writeStart(start);
  state.digestFile(0);
  state.writePartition(0, newAuditedPartition());
  state.writeTables(newTablesProgress());
  state.clear([0]);
  state.close();
  expect(readdirSync(folder)).toEqual([]);
});

test('progress that a process wrote after the end of its audit does not count in the next one', () => {
  const late = new AuditState(folder);
  late.writeStart(start);
  const last = new AuditState(folder);
  last.readStart();
  last.clear([0]);
  last.close();
  late.writePartition(0, { ...newAuditedPartition(), isDone: true });
  late.close();
  const next = new AuditState(folder);
  expect(next.readStart()).toBeUndefined();
  next.writeStart({ ...start, id: 'second' });
  expect(next.readPartition(0)).toEqual(newAuditedPartition());
  next.close();
});

test('without a folder nothing remains', () => {
  const state = new AuditState(undefined);
  state.writeStart(start);
  state.digestFile(0);
  state.close();
  expect(() => readdirSync(state.folder)).toThrow('ENOENT');
});
