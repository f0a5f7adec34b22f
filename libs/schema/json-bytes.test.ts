import { describe, expect, test } from '@jest/globals';
import { heapGrowth } from '#libs/runtime/testing/heap-growth.ts';
import { parsedJsonBytes, textBytes } from './json-bytes.ts';

const textCount = 100;
const textLength = 16_000;

/** JSON of about `textLength`, of many equal or different parts. */
function jsonOf(open: string, part: (index: number) => string, close: string): string {
  const parts: string[] = [];
  for (let length = 0; length < textLength; length += (parts.at(-1)?.length ?? 0) + 1) parts.push(part(parts.length));
  return open + parts.join(',') + close;
}

const shapes: readonly (readonly [name: string, json: (index: number) => string])[] = [
  ['one long string', (index) => `{"a":"${'x'.repeat(textLength)}${index}"}`],
  ['a string beyond Latin-1', (index) => `{"a":"${'ж'.repeat(textLength)}${index}"}`],
  ['named texts', () => jsonOf('{', (at) => `"field_${at}":"the value ${at} of a caller"`, '}')],
  ['equal small objects', () => jsonOf('[', () => '{"a":1}', ']')],
  ['empty objects', () => jsonOf('[', () => '{}', ']')],
  ['empty arrays', () => jsonOf('[', () => '[]', ']')],
  ['arrays of one number', () => jsonOf('[', () => '[1]', ']')],
  ['objects with a number as name', () => jsonOf('[', () => '{"9":1}', ']')],
  [
    'names that no other object has',
    (index) => jsonOf('{', (at) => `"${index.toString(36)}_${at.toString(36)}":1`, '}'),
  ],
  ['numbers', () => jsonOf('[', () => '1', ']')],
  ['fractions and nulls', () => jsonOf('[', (at) => (at % 2 === 0 ? '0.5' : 'null'), ']')],
];

describe('the estimate of parsed JSON', () => {
  test.each(shapes)('is at least what %s take, and at most six times as much', (_name, json) => {
    const texts = Array.from({ length: textCount }, (_, index) => json(index));
    const estimated = texts.reduce((sum, text) => sum + parsedJsonBytes(text), 0);
    const grown = heapGrowth(() => texts.map((text) => JSON.parse(text) as unknown));
    expect(estimated).toBeGreaterThan(grown * 0.95);
    expect(estimated).toBeLessThan(grown * 6);
  });
});

test.each([
  ['ASCII', 'abc', 3],
  ['Latin-1', 'é', 1],
  ['beyond Latin-1', 'aж', 4],
])('a text in %s takes one or two bytes for each character', (_name, text, bytes) => {
  expect(textBytes(text)).toBe(bytes);
});
