/** A file of receipts, posted by hand: every line accounted for, whatever happens on the way. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { register } from '#test/integration/given-loans.ts';
import { everyPage, Lender } from '#test/integration/reads/lender.ts';
import { eventually, house } from '#test/integration/tenant.ts';
import { callersEnvironment, calling, type Done, Running } from './lending.ts';

let lender: Lender;
let folder: string;
let client: string;
beforeAll(async () => {
  lender = await Lender.open(house());
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

function post(...args: string[]): Promise<Done> {
  return calling(lender.tenant, 'receipts', 'post', ...args).done;
}

function notes(path: string) {
  return readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

/** The references recorded for the Client, oldest first. */
async function recorded(of = client): Promise<string[]> {
  const receipts = await everyPage(lender, `/clients/${of}/receipts`, 'receipts', 200);
  return receipts.map(({ reference }) => reference).reverse();
}

describe('a file of receipts', () => {
  test('is recorded but for what is refused, which the notes name; corrected and posted again, the rest is', async () => {
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
    expect(notes(outcomes)).toEqual(
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

    await register(lender.tenant, late);
    file(
      'some.csv',
      lines.map((line) => line.replace('ten', '10').replace(',0,', ',20,')),
    );
    const again = await post(path);
    expect(again).toMatchObject({ code: 0 });
    expect(again.out).toContain('5 receipts: 3 recorded, 2 passed over, 0 refused');
    expect(await recorded()).toEqual([1, 5, 3, 4].map((nth) => `${client}-${nth}`));
    expect(await recorded(late)).toEqual([`${client}-2`]);
  });

  test('is safe to post anew without its notes: each reference answers for itself', async () => {
    const path = file('twice.csv', [header, `${client}-1,${client},100,MXN,2026-02-15`]);
    expect((await post(path)).out).toContain('1 receipts: 1 recorded, 0 refused');
    rmSync(`${path}.outcomes.ndjson`);
    expect((await post(path)).out).toContain('1 receipts: 0 recorded, 1 recorded before, 0 refused');
    file('twice.csv', [header, `${client}-1,${client},200,MXN,2026-02-15`]);
    const changed = await post(path);
    expect(changed).toMatchObject({ code: 1 });
    expect(notes(`${path}.outcomes.ndjson`).at(-1)).toMatchObject({ line: 2, status: 409, code: 'reference_reused' });
  });

  test('killed in the middle goes on where it was, and nothing is recorded twice or left out', async () => {
    const many = 1_500;
    const rows = Array.from({ length: many }, (_, nth) => `${client}-${nth},${client},100,MXN,2026-02-15`);
    const path = file('long.csv', [header, ...rows]);
    const outcomes = `${path}.outcomes.ndjson`;
    const running = calling(lender.tenant, 'receipts', 'post', path, '--batch', '20');
    await eventually(() => existsSync(outcomes) && readFileSync(outcomes, 'utf8').split('\n').length > 200, 30_000);
    running.process.kill('SIGKILL');
    expect((await running.done).code).toBeNull();
    expect(readFileSync(outcomes, 'utf8').split('\n').length).toBeLessThan(many);

    const done = await post(path);
    expect(done).toMatchObject({ code: 0 });
    expect(done.out).toContain(`1,500 receipts: `);
    expect(done.out).toContain(' passed over, 0 refused');
    expect(await recorded()).toEqual(rows.map((row) => row.split(',')[0]));
    const standing = new Set(notes(outcomes).map(({ line, status }) => (status < 300 ? line : undefined)));
    expect(standing.size).toBe(many);
  });

  test('comes from standard input as JSON as well, with its notes where they are wanted', async () => {
    const outcomes = join(folder, 'piped.ndjson');
    const running = calling(lender.tenant, 'receipts', 'post', '-', '--format', 'ndjson', '--outcomes', outcomes);
    const amount = { minor_units: 100, currency: 'MXN' };
    const stated = { reference: `${client}-1`, client_id: client, amount, value_date: '2026-02-15' };
    running.process.stdin.end(`${JSON.stringify({ ...stated, context: { till: 7 } })}\n`);
    expect(await running.done).toMatchObject({ code: 0, out: expect.stringContaining('1 recorded') });
    expect((await lender.read(`/receipts/${client}-1`)).receipt.context).toEqual({ till: 7 });
    expect(notes(outcomes)).toEqual([expect.objectContaining({ line: 1, status: 201 })]);
  });

  test('may state amounts in major units, where it says so', async () => {
    const decimal = header.replace('minor_units', 'amount');
    const path = file('decimal.csv', [decimal, `${client}-1,${client},1035.61,MXN,2026-02-15`]);
    expect(await post(path)).toMatchObject({ code: 1, err: expect.stringContaining('--decimal') });
    expect(await post(path, '--decimal')).toMatchObject({ code: 0 });
    expect((await lender.read(`/receipts/${client}-1`)).receipt.amount.minor_units).toBe(103561);
  });
});

describe('posting receipts says what is wrong and what to do', () => {
  const path = (): string => file('one.csv', [header, `${client}-1,${client},100,MXN,2026-02-15`]);
  const run = (env: Record<string, string>, ...args: string[]): Promise<Done> =>
    new Running(['receipts', 'post', ...args], { ...callersEnvironment(lender.tenant), ...env }).done;

  test('where nobody answers', async () => {
    const done = await run({ LENDING_URL: 'http://127.0.0.1:9' }, path(), '--patience', '1');
    expect(done).toMatchObject({ code: 1, err: expect.stringContaining('http://127.0.0.1:9 does not answer') });
    expect(done.err).toContain('the same command goes on from there');
  });

  test('where the key may only read', async () => {
    const reader = callersEnvironment(lender.tenant, await lender.tenant.mint('read'));
    const done = await run(reader, path());
    expect(done).toMatchObject({ code: 1, err: expect.stringContaining('(403 not_permitted_scope)') });
    expect(done.err).toContain('It has to be changed before it is sent again.');
    expect(done.err).toMatch(/request [0-9a-f-]{36}/);
  });

  test.each([
    [['-', '--format', 'csv'], '--outcomes FILE is missing'],
    [['receipts.txt'], '--format is csv or ndjson'],
    [['receipts.csv', '--batch', '1001'], '--batch is a whole number from 1 to 1000'],
    [['receipts.csv', 'more.csv'], 'one FILE at a time'],
  ])('where it is called as %j', async (args, said) => {
    expect(await run({}, ...args)).toMatchObject({ code: 2, err: expect.stringContaining(said) });
  });

  test.each([
    ['cut by semicolons', header.replaceAll(',', ';'), `under --delimiter ';'`],
    ['without a column', header.replace(',value_date', ''), 'the first line does not name value_date'],
    ['without a line', '', 'the file is empty: the first line names the columns'],
  ])('where the file is one %s, and leaves no notes of it', async (_how, first, said) => {
    const none = join(folder, 'none-yet.csv');
    writeFileSync(none, first);
    const done = await run({}, none);
    expect(done).toMatchObject({ code: 1, out: '', err: expect.stringContaining(said) });
    expect(done.err).not.toContain('goes on');
    expect(existsSync(`${none}.outcomes.ndjson`)).toBe(false);
  });

  test('where the file breaks off, which has to be mended before it goes on', async () => {
    const broken = file('broken.csv', [header, `${client}-1,${client},100,MXN,2026-02-15`, `"r"x`]);
    const done = await run({}, broken);
    expect(done).toMatchObject({ code: 1, err: expect.stringContaining('no CSV any more') });
    expect(done.err).toContain('once the file is mended, the same command goes on from there');
  });

  test('where the file is not there', async () => {
    expect(await run({}, join(folder, 'none.csv'))).toMatchObject({
      code: 1,
      err: expect.stringContaining('none.csv'),
    });
  });
});
