import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { readNdjson } from './ndjson.ts';
import { isReadable, type Read } from './row.ts';

async function read(file: string, piece = 5): Promise<Read[]> {
  async function* pieces(): AsyncGenerator<string> {
    for (let at = 0; at < file.length; at += piece) yield file.slice(at, at + piece);
  }
  const found: Read[] = [];
  for await (const row of readNdjson(pieces())) found.push(row);
  return found;
}

test('a line is sent as it stands, wherever the file is cut', async () => {
  const receipt = fc.record({ reference: fc.string({ minLength: 1 }), note: fc.jsonValue() });
  await fc.assert(
    fc.asyncProperty(fc.array(receipt), fc.integer({ min: 1, max: 50 }), async (receipts, piece) => {
      const lines = receipts.map((each) => JSON.stringify({ reference: each.reference, context: { note: each.note } }));
      const found = await read(`${lines.join('\n')}\n`, piece);
      expect(found.map((row) => isReadable(row) && row.body)).toEqual(lines);
      expect(found.map(({ reference }) => reference)).toEqual(receipts.map(({ reference }) => reference));
    }),
  );
});

test('what the service would not read falls alone, and lines are counted blank ones included', async () => {
  const file = [
    '{"reference":"a"}',
    '',
    '{"reference":"b","reference":"c"}',
    '[]',
    '{"n":9007199254740993}',
    '{"reference":"d"}',
  ];
  expect((await read(file.join('\r\n'))).map((row) => [row.line, isReadable(row) ? row.reference : row.fault])).toEqual(
    [
      [1, 'a'],
      [3, 'no JSON object the service reads: a member name stated twice'],
      [4, 'no JSON object the service reads: no object'],
      [5, expect.stringContaining('no JSON object the service reads')],
      [6, 'd'],
    ],
  );
});

test('a file that holds no lines is not read into memory', async () => {
  await expect(read('x'.repeat(1_000_000), 65_536)).rejects.toThrow('longer than any receipt');
});
