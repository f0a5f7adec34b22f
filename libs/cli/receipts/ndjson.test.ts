import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isReceipt, type ParsedLine, readNdjson } from './receipt-files.ts';

async function read(file: string, chunkSize = 5): Promise<ParsedLine[]> {
  async function* chunks(): AsyncGenerator<string> {
    for (let at = 0; at < file.length; at += chunkSize) yield file.slice(at, at + chunkSize);
  }
  const found: ParsedLine[] = [];
  for await (const row of readNdjson(chunks())) found.push(row);
  return found;
}

test('a line is sent unchanged, for any chunk size', async () => {
  const receipt = fc.record({ reference: fc.string({ minLength: 1 }), note: fc.jsonValue() });
  await fc.assert(
    fc.asyncProperty(fc.array(receipt), fc.integer({ min: 1, max: 50 }), async (receipts, chunkSize) => {
      const lines = receipts.map((each) => JSON.stringify({ reference: each.reference, context: { note: each.note } }));
      const found = await read(`${lines.join('\n')}\n`, chunkSize);
      expect(found.map((row) => isReceipt(row) && row.body)).toEqual(lines);
      expect(found.map(({ reference }) => reference)).toEqual(receipts.map(({ reference }) => reference));
    }),
  );
});

test('an invalid line is reported alone; blank lines count', async () => {
  const file = [
    '{"reference":"a"}',
    '',
    '{"reference":"b","reference":"c"}',
    '[]',
    '{"n":9007199254740993}',
    '{"reference":"d"}',
  ];
  expect((await read(file.join('\r\n'))).map((row) => [row.line, isReceipt(row) ? row.reference : row.fault])).toEqual([
    [1, 'a'],
    [3, 'not a JSON object the service accepts: a duplicate member name'],
    [4, 'not a JSON object the service accepts: not an object'],
    [5, expect.stringContaining('not a JSON object the service accepts')],
    [6, 'd'],
  ]);
});

test('a file without line ends is refused before it fills the memory', async () => {
  await expect(read('x'.repeat(1_000_000), 65_536)).rejects.toThrow('a line is longer than');
});
