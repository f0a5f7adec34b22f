import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, jest, test } from '@jest/globals';
import { ProgressLine } from '../output/progress-line.ts';
import { inProcessCommands } from '../testing/in-process-commands.ts';

const folder = mkdtempSync(join(tmpdir(), 'lending-post-'));
afterAll(() => rmSync(folder, { recursive: true }));

const { run } = inProcessCommands(() => undefined);

test('a dry run lists the lines that cannot be read in its result, at most 1,000 of them', async () => {
  const file = join(folder, 'unreadable.csv');
  const rows = Array.from({ length: 1_100 }, (_, at) => `r-${at},ada,ten,MXN,2026-02-15\n`);
  writeFileSync(file, `reference,client_id,minor_units,currency,value_date\n${rows.join('')}`);
  const { code, out, err } = await run(['receipts', 'post', file, '--dry-run', '--json']);
  expect([code, err]).toEqual([1, '']);
  const { faults, ...counts } = JSON.parse(out);
  expect(counts).toEqual({ readable: 0, unreadable: 1_100, reversed: 0 });
  expect(faults).toHaveLength(1_000);
  expect(faults[0]).toEqual({ line: 2, reference: 'r-0', error: 'minor_units is a whole number, not "ten"' });
});

test('a dry run shows how much of the file is read, and what can be sent', async () => {
  const file = join(folder, 'receipts.csv');
  const rows = Array.from({ length: 20_000 }, (_, at) => `r-${at},ada,100,MXN,2026-02-15\n`);
  const text = `reference,client_id,minor_units,currency,value_date\n${rows.join('')}`;
  writeFileSync(file, text);
  const progress = jest.spyOn(ProgressLine.prototype, 'set');
  expect(await run(['receipts', 'post', file, '--dry-run'])).toEqual({
    code: undefined,
    out: '20000 receipts can be sent, 0 lines cannot be read; nothing was sent',
    err: '',
  });
  expect(progress.mock.calls.length).toBeGreaterThan(1);
  expect(progress.mock.calls.at(-1)).toEqual([text.length, text.length]);
});
