import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, jest, test } from '@jest/globals';
import { writeExport } from './export-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'lending-export-'));
const err = jest.spyOn(console, 'error').mockImplementation(() => undefined);
afterEach(() => void err.mockReset());
afterAll(() => rmSync(folder, { recursive: true }));

const format = { unit: 'things', columns: { name: (name: string) => name } };

async function* items(...names: readonly (string | Error)[]): AsyncGenerator<string> {
  for (const name of names) {
    if (name instanceof Error) throw name;
    yield name;
  }
}

test('an export that fails leaves nothing, so that it can be repeated', async () => {
  const output = join(folder, 'things.csv');
  await expect(writeExport(items('one', new Error('the service is gone')), format, { output })).rejects.toThrow('gone');
  expect(readdirSync(folder)).toEqual([]);

  // What a killed export left.
  writeFileSync(`${output}.part`, 'half', { mode: 0o644 });
  await writeExport(items('one', 'two'), format, { output });
  expect(readFileSync(output, 'utf8')).toBe('name\none\ntwo\n');
  expect(statSync(output).mode & 0o777).toBe(0o600);
  expect(existsSync(`${output}.part`)).toBe(false);
  expect(err.mock.calls).toEqual([[`2 things are written to ${output}`]]);
});

test('an export of nothing has its columns', async () => {
  const output = join(folder, 'none.csv');
  await writeExport(items(), format, { output });
  expect(readFileSync(output, 'utf8')).toBe('name\n');
});

test('an export whose reader ends early ends without an error', async () => {
  const module = JSON.stringify(join(import.meta.dirname, 'export-file.ts'));
  const script = `import { writeExport } from ${module};
    async function* items() { for (let count = 0; count < 1e6; count += 1) yield 'x'.repeat(100); }
    await writeExport(items(), { unit: 'things', columns: { name: (name) => name } }, {});`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script]);
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  child.stdout.once('data', () => child.stdout.destroy());
  const [code] = await once(child, 'close');
  expect([code, errors]).toEqual([0, '']);
});

test('an export into a folder that does not exist fails', async () => {
  const output = join(folder, 'gone', 'things.csv');
  await expect(writeExport(items('one'), format, { output })).rejects.toThrow('ENOENT');
});
