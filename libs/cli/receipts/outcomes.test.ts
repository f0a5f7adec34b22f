import { appendFileSync, mkdtempSync, readFileSync, rmSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { type Outcome, OutcomeFile } from './outcomes.ts';
import type { ReceiptLine } from './receipt-files.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'outcomes-'));
  path = join(folder, 'outcomes.ndjson');
});
afterEach(() => rmSync(folder, { recursive: true }));

function receiptLine(line: number, body = `{"reference":"r-${line}"}`): ReceiptLine {
  return { line, reference: `r-${line}`, body };
}

const refused: Outcome = { status: 422, code: 'unknown_client', error: 'No such Client.', retry: 'after_record' };

async function append(results: readonly (readonly [ReceiptLine, Outcome])[]): Promise<void> {
  const outcomes = await OutcomeFile.open(path);
  await outcomes.append(results);
  await outcomes.close();
}

async function recordedLines(lines: readonly ReceiptLine[]): Promise<boolean[]> {
  const outcomes = await OutcomeFile.open(path);
  await outcomes.close();
  return lines.map((each) => outcomes.isRecorded(each));
}

test('knows recorded lines; refused, invalid and changed lines are not recorded', async () => {
  await append([
    [receiptLine(2), { status: 201 }],
    [receiptLine(3), refused],
    [receiptLine(4), { status: 200 }],
  ]);
  const outcomes = await OutcomeFile.open(path);
  await outcomes.appendInvalid({ line: 5, reference: 'r-5', fault: 'two amounts' });
  await outcomes.close();
  expect(
    await recordedLines([
      receiptLine(2),
      receiptLine(3),
      receiptLine(4),
      receiptLine(5),
      receiptLine(6),
      receiptLine(2, '{"reference":"other"}'),
    ]),
  ).toEqual([true, false, true, false, false, false]);
  const lines = readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines).toMatchObject([
    { line: 2, reference: 'r-2', status: 201 },
    { line: 3, reference: 'r-3', ...refused },
    { line: 4, status: 200 },
    { line: 5, reference: 'r-5', code: 'unreadable', error: 'two amounts' },
  ]);
});

test('a line that was refused and recorded later is recorded', async () => {
  await append([[receiptLine(70_000), refused]]);
  await append([[receiptLine(70_000), { status: 201 }]]);
  expect(await recordedLines([receiptLine(70_000), receiptLine(69_999)])).toEqual([true, false]);
});

test('continues a file that ends in the middle of a line', async () => {
  await append([
    [receiptLine(2), { status: 201 }],
    [receiptLine(3), { status: 201 }],
  ]);
  truncateSync(path, readFileSync(path).length - 5);
  expect(await recordedLines([receiptLine(2), receiptLine(3)])).toEqual([true, false]);
  await append([[receiptLine(3), { status: 200 }]]);
  expect(await recordedLines([receiptLine(2), receiptLine(3)])).toEqual([true, true]);
  expect(readFileSync(path, 'utf8').trim().split('\n')).toHaveLength(2);
});

test('does not overwrite a file that is no outcome file', async () => {
  appendFileSync(path, 'reference,client_id\n');
  await expect(OutcomeFile.open(path)).rejects.toThrow('outcomes.ndjson is not an outcome file');
  expect(readFileSync(path, 'utf8')).toBe('reference,client_id\n');
});
