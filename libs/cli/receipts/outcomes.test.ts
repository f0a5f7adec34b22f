import { appendFileSync, mkdtempSync, readFileSync, rmSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { type Outcome, Outcomes } from './outcomes.ts';
import type { Row } from './row.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'outcomes-'));
  path = join(folder, 'notes.ndjson');
});
afterEach(() => rmSync(folder, { recursive: true }));

function row(line: number, body = `{"reference":"r-${line}"}`): Row {
  return { line, reference: `r-${line}`, body };
}

const refused: Outcome = { status: 422, code: 'unknown_client', error: 'No such Client.', retry: 'after_record' };

async function noted(told: readonly (readonly [Row, Outcome])[]): Promise<void> {
  const outcomes = await Outcomes.open(path);
  await outcomes.note(told);
  await outcomes.close();
}

async function standing(rows: readonly Row[]): Promise<boolean[]> {
  const outcomes = await Outcomes.open(path);
  await outcomes.close();
  return rows.map((each) => outcomes.stands(each));
}

test('a line that was recorded stands, one that was refused, unreadable or changed since does not', async () => {
  await noted([
    [row(2), { status: 201 }],
    [row(3), refused],
    [row(4), { status: 200 }],
  ]);
  const outcomes = await Outcomes.open(path);
  await outcomes.noteUnreadable({ line: 5, reference: 'r-5', fault: 'two amounts' });
  await outcomes.close();
  expect(await standing([row(2), row(3), row(4), row(5), row(6), row(2, '{"reference":"other"}')])).toEqual([
    true,
    false,
    true,
    false,
    false,
    false,
  ]);
  const notes = readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(notes).toMatchObject([
    { line: 2, reference: 'r-2', status: 201 },
    { line: 3, reference: 'r-3', ...refused },
    { line: 4, status: 200 },
    { line: 5, reference: 'r-5', code: 'unreadable', error: 'two amounts' },
  ]);
});

test('a line refused once and recorded later stands', async () => {
  await noted([[row(70_000), refused]]);
  await noted([[row(70_000), { status: 201 }]]);
  expect(await standing([row(70_000), row(69_999)])).toEqual([true, false]);
});

test('notes that end in the middle of a line are taken up where they were whole', async () => {
  await noted([
    [row(2), { status: 201 }],
    [row(3), { status: 201 }],
  ]);
  truncateSync(path, readFileSync(path).length - 5);
  expect(await standing([row(2), row(3)])).toEqual([true, false]);
  await noted([[row(3), { status: 200 }]]);
  expect(await standing([row(2), row(3)])).toEqual([true, true]);
  expect(readFileSync(path, 'utf8').trim().split('\n')).toHaveLength(2);
});

test('notes that are something else are not written over', async () => {
  appendFileSync(path, 'reference,client_id\n');
  await expect(Outcomes.open(path)).rejects.toThrow('notes.ndjson does not hold outcomes');
  expect(readFileSync(path, 'utf8')).toBe('reference,client_id\n');
});
