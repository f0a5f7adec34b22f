/** A file of Receipts posted by the command line: every line has an outcome, also after an interruption. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { CliProcess, type CliResult, callerEnvironment, startCallerCommand } from '#test/support/cli-process.ts';
import { OneProductLender, readAllPages } from '#test/support/one-product-lender.ts';
import { registerClient } from '#test/support/request-bodies.ts';
import { eventually, testEnvironment } from '#test/support/tenant.ts';

let lender: OneProductLender;
let folder: string;
let client: string;
beforeAll(async () => {
  lender = await OneProductLender.open(testEnvironment());
  folder = mkdtempSync(join(tmpdir(), 'lending-receipts-'));
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await lender.tenant.close();
});
beforeEach(async () => {
  client = await lender.client();
});

const header = 'reference,client_id,minor_units,currency,value_date';

function file(name: string, lines: readonly string[]): string {
  const path = join(folder, name);
  writeFileSync(path, `${lines.join('\n')}\n`);
  return path;
}

function post(...args: string[]): Promise<CliResult> {
  return startCallerCommand(lender.tenant, 'receipts', 'post', ...args).result;
}

function readOutcomes(path: string) {
  return readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

/** The references recorded for the Client, oldest first. */
async function recorded(of = client): Promise<string[]> {
  const receipts = await readAllPages(lender, `/clients/${of}/receipts`, 'receipts', 200);
  return receipts.map(({ reference }) => reference).reverse();
}

describe('a file of receipts', () => {
  test('is recorded except for refused lines, which the outcome file names; after corrections a second run records the rest', async () => {
    const late = `${client}-late`;
    const lines = [
      header,
      `${client}-1,${client},100,MXN,2026-02-15`,
      `${client}-2,${late},100,MXN,2026-02-15`,
      `${client}-3,${client},ten,MXN,2026-02-15`,
      `${client}-4,${client},0,MXN,2026-02-15`,
      `${client}-5,${client},100,MXN,2026-02-15`,
    ];
    const path = file('some.csv', lines);
    const first = await post(path);
    expect(first).toMatchObject({ code: 1 });
    expect(first.out).toContain('5 receipts: 2 recorded, 2 refused, 1 unreadable');
    expect(first.err).toMatch(/^ {2}1 422 unknown_client, first in line 3: field: \S*client_id$/m);
    expect(first.err).toContain('  1 unreadable, first in line 4: minor_units is a whole number, not "ten"');
    const outcomes = `${path}.outcomes.ndjson`;
    expect(readOutcomes(outcomes)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ line: 2, reference: `${client}-1`, status: 201 }),
        expect.objectContaining({ line: 3, status: 422, code: 'unknown_client', retry: 'after_record' }),
        expect.objectContaining({ line: 4, code: 'unreadable', error: 'minor_units is a whole number, not "ten"' }),
        expect.objectContaining({
          line: 5,
          status: 422,
          details: expect.objectContaining({ field: expect.any(String) }),
        }),
      ]),
    );

    await registerClient(lender.tenant, late);
    file(
      'some.csv',
      lines.map((line) => line.replace('ten', '10').replace(',0,', ',20,')),
    );
    const again = await post(path);
    expect(again).toMatchObject({ code: 0 });
    expect(again.out).toContain('5 receipts: 3 recorded, 2 skipped, 0 refused');
    expect(await recorded()).toEqual([1, 5, 3, 4].map((index) => `${client}-${index}`));
    expect(await recorded(late)).toEqual([`${client}-2`]);
  });

  test('can be posted again without its outcome file: each reference is recorded once', async () => {
    const path = file('twice.csv', [header, `${client}-1,${client},100,MXN,2026-02-15`]);
    expect((await post(path)).out).toContain('1 receipts: 1 recorded, 0 refused');
    rmSync(`${path}.outcomes.ndjson`);
    expect((await post(path)).out).toContain('1 receipts: 0 recorded, 1 already recorded, 0 refused');
    file('twice.csv', [header, `${client}-1,${client},200,MXN,2026-02-15`]);
    const changed = await post(path, '--json');
    expect(changed).toMatchObject({ code: 1, err: expect.not.stringContaining('reference_reused') });
    expect(JSON.parse(changed.out)).toMatchObject({
      recorded: 0,
      refused: 1,
      faults: [{ line: 2, reference: `${client}-1`, status: 409, code: 'reference_reused', error: expect.any(String) }],
    });
    expect(readOutcomes(`${path}.outcomes.ndjson`).at(-1)).toMatchObject({
      line: 2,
      status: 409,
      code: 'reference_reused',
    });
  });

  test('continues after a kill, and nothing is recorded twice or left out', async () => {
    const rowCount = 1_500;
    const rows = Array.from({ length: rowCount }, (_, index) => `${client}-${index},${client},100,MXN,2026-02-15`);
    const path = file('long.csv', [header, ...rows]);
    const outcomes = `${path}.outcomes.ndjson`;
    const running = startCallerCommand(lender.tenant, 'receipts', 'post', path, '--batch', '20');
    await eventually(() => existsSync(outcomes) && readFileSync(outcomes, 'utf8').split('\n').length > 200, 30_000);
    running.process.kill('SIGKILL');
    expect((await running.result).code).toBeNull();
    expect(readFileSync(outcomes, 'utf8').split('\n').length).toBeLessThan(rowCount);

    const done = await post(path);
    expect(done).toMatchObject({ code: 0 });
    expect(done.out).toContain(`1,500 receipts: `);
    expect(done.out).toContain(' skipped, 0 refused');
    expect(await recorded()).toEqual(rows.map((row) => row.split(',')[0]));
    const recordedLines = new Set(readOutcomes(outcomes).map(({ line, status }) => (status < 300 ? line : undefined)));
    expect(recordedLines.size).toBe(rowCount);
  });

  test('can come from standard input as JSON, with a chosen outcome file', async () => {
    const outcomes = join(folder, 'piped.ndjson');
    const running = startCallerCommand(
      lender.tenant,
      'receipts',
      'post',
      '-',
      '--format',
      'ndjson',
      '--outcomes',
      outcomes,
    );
    const amount = { minor_units: 100, currency: 'MXN' };
    const stated = { reference: `${client}-1`, client_id: client, amount, value_date: '2026-02-15' };
    running.process.stdin.end(`${JSON.stringify({ ...stated, context: { till: 7 } })}\n`);
    expect(await running.result).toMatchObject({ code: 0, out: expect.stringContaining('1 recorded') });
    expect((await lender.read(`/receipts/${client}-1`)).receipt.context).toEqual({ till: 7 });
    expect(readOutcomes(outcomes)).toEqual([expect.objectContaining({ line: 1, status: 201 })]);
  });

  test('may have amounts in major units with --decimal', async () => {
    const decimal = header.replace('minor_units', 'amount');
    const path = file('decimal.csv', [decimal, `${client}-1,${client},1035.61,MXN,2026-02-15`]);
    expect(await post(path)).toMatchObject({ code: 1, err: expect.stringContaining('--decimal') });
    expect(await post(path, '--decimal')).toMatchObject({ code: 0 });
    expect((await lender.read(`/receipts/${client}-1`)).receipt.amount.minor_units).toBe(103561);
  });
});

describe('posting Receipts explains what is wrong and what to do', () => {
  const path = (): string => file('one.csv', [header, `${client}-1,${client},100,MXN,2026-02-15`]);
  const run = (env: Record<string, string>, ...args: string[]): Promise<CliResult> =>
    new CliProcess(['receipts', 'post', ...args], { ...callerEnvironment(lender.tenant), ...env }).result;

  test('when the service does not answer', async () => {
    const done = await run({ LENDING_URL: 'http://127.0.0.1:9' }, path(), '--patience', '1');
    expect(done).toMatchObject({ code: 1, err: expect.stringContaining('http://127.0.0.1:9 does not answer') });
    expect(done.err).toContain('To continue, run the same command.');
  });

  test('when the key may only read', async () => {
    const reader = callerEnvironment(lender.tenant, await lender.tenant.mint('read'));
    const done = await run(reader, path());
    expect(done).toMatchObject({ code: 1, err: expect.stringContaining('(403 not_permitted_scope)') });
    expect(done.err).toContain('The request must be changed before it is sent again.');
    expect(done.err).toMatch(/request [0-9a-f-]{36}/);
  });

  test.each([
    [['-', '--format', 'csv'], 'name one with --outcomes'],
    [['receipts.txt'], 'use --format csv or --format ndjson'],
    [['receipts.csv', '--batch', '1001'], 'Expected a whole number from 1 to 1000.'],
    [['receipts.csv', 'more.csv'], 'too many arguments'],
  ])('for the arguments %j', async (args, message) => {
    expect(await run({}, ...args)).toMatchObject({ code: 2, err: expect.stringContaining(message) });
  });

  test.each([
    ['separated by semicolons', header.replaceAll(',', ';'), `use --delimiter ';'`],
    ['without a column', header.replace(',value_date', ''), 'the first line does not name the columns value_date'],
    ['without a line', '', 'the file is empty; expected a first line with the names of the columns'],
  ])('for a file %s, without writing an outcome file', async (_how, first, message) => {
    const none = join(folder, 'none-yet.csv');
    writeFileSync(none, first);
    const done = await run({}, none);
    expect(done).toMatchObject({ code: 1, out: '', err: expect.stringContaining(message) });
    expect(done.err).not.toContain('To continue');
    expect(existsSync(`${none}.outcomes.ndjson`)).toBe(false);
  });

  test('for a file with a broken line, which must be corrected before it continues', async () => {
    const broken = file('broken.csv', [header, `${client}-1,${client},100,MXN,2026-02-15`, `"r"x`]);
    const done = await run({}, broken);
    expect(done).toMatchObject({ code: 1, err: expect.stringContaining('invalid CSV') });
    expect(done.err).toContain('To continue, correct the file, then run the same command.');
  });

  test('for a missing file', async () => {
    expect(await run({}, join(folder, 'none.csv'))).toMatchObject({
      code: 1,
      err: expect.stringContaining('none.csv'),
    });
  });
});
